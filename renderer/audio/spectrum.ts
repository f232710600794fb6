export interface SpectrumQuestion {
  readonly number: number;
  readonly url: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly columns: number;
}

/** Which frequencies sound in a stretch of a recording: a mask of up to 8 kHz; null where there is no decoder for it. */
export interface SpectrumPicture {
  readonly bitmap: ImageBitmap | null;
  readonly fromMs: number;
  readonly toMs: number;
}
export type SpectrumAnswer = SpectrumPicture & { readonly number: number };

export interface SpectrumReader {
  /** Asks for a stretch; what was asked before and is not answered yet is given up. */
  readonly read: (fromMs: number, toMs: number, columns: number) => void;
  readonly close: () => void;
}

/** Works out spectra in a thread of its own, the last one that was asked for. */
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
