export interface SpectrumQuestion {
  readonly number: number;
  readonly url: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly columns: number;
}

/** The frequencies in a stretch of a recording, as a mask up to 8 kHz; null without a decoder for it. */
export interface SpectrumPicture {
  readonly bitmap: ImageBitmap | null;
  readonly fromMs: number;
  readonly toMs: number;
}
export type SpectrumAnswer = SpectrumPicture & { readonly number: number };

export interface SpectrumReader {
  /** Requests a stretch; an earlier unanswered request is abandoned. */
  readonly read: (fromMs: number, toMs: number, columns: number) => void;
  readonly close: () => void;
}

/** Computes spectra in a separate thread, always for the latest request. */
export function createSpectrumReader(url: string, onPicture: (picture: SpectrumPicture) => void): SpectrumReader {
  const worker = new Worker(new URL('./spectrum-worker.ts', import.meta.url), { type: 'module', name: 'spectrum' });
  let number = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<SpectrumAnswer>) => {
    if (data.number === number) onPicture(data);
    else data.bitmap?.close();
  });
  return {
    read(fromMs, toMs, columns) {
      number += 1;
      const question = { number, url: new URL(url, document.baseURI).href, fromMs, toMs, columns };
      worker.postMessage(question satisfies SpectrumQuestion);
    },
    close() {
      worker.terminate();
    },
  };
}
