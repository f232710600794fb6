import { absoluteUrl } from './samples.ts';

export interface SpectrumQuestion {
  readonly number: number;
  readonly url: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly columns: number;
}

export interface SpectrumPicture {
  readonly bitmap: ImageBitmap | null;
  readonly fromMs: number;
  readonly toMs: number;
}
export type SpectrumAnswer = SpectrumPicture & { readonly number: number };

export function createSpectrumReader(url: string, onPicture: (picture: SpectrumPicture) => void) {
  const worker = new Worker(new URL('./spectrum-worker.ts', import.meta.url), { type: 'module', name: 'spectrum' });
  let number = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<SpectrumAnswer>) => {
    if (data.number === number) onPicture(data);
    else data.bitmap?.close();
  });
  return {
    read(fromMs: number, toMs: number, columns: number) {
      number += 1;
      const question = { number, url: absoluteUrl(url), fromMs, toMs, columns };
      worker.postMessage(question satisfies SpectrumQuestion);
    },
    close: () => worker.terminate(),
  };
}
