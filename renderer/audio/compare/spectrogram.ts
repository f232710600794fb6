import { Transform } from '../transform.ts';

export interface Spectrogram {
  readonly columns: number;
  readonly bins: number;
  readonly highestHz: number;
  /** 0 (`quietestDb` or less) to 255 (`loudestDb` or more). */
  readonly levels: Uint8Array<ArrayBuffer>;
}

export const mostHz = 24_000;
const windowLength = 512;
const bins = windowLength / 2;
const quietestDb = -92;
const loudestDb = -25;
/** More than a window is wide: there is more to see where somebody zooms in. */
const mostColumns = 6000;

/** In constant memory: long recordings are sampled. */
export function createSpectrogramBuilder(frames: number, sampleRate: number) {
  const columns = Math.max(1, Math.min(mostColumns, Math.floor(frames / windowLength)));
  const hop = Math.max(1, frames / columns);
  const levels = new Uint8Array(columns * bins);
  const piece = new Float32Array(windowLength);
  const transform = new Transform(windowLength, sampleRate, 'hann', 0);
  let column = 0;
  let filled = 0;
  let place = 0;
  const close = () => {
    const magnitudes = transform.calculateSpectrum(piece);
    for (let bin = 0; bin < bins; bin += 1) {
      // A full-scale tone under a Hann window has a magnitude of a half.
      const db = 10 * Math.log10((2 * (magnitudes[bin] ?? 0)) ** 2 + 1e-12);
      const share = (db - quietestDb) / (loudestDb - quietestDb);
      levels[column * bins + bin] = Math.round(255 * Math.max(0, Math.min(1, share)));
    }
    column += 1;
    filled = 0;
  };
  return {
    add(samples: Float32Array) {
      for (let at = 0; at < samples.length && column < columns;) {
        const start = Math.round(column * hop);
        if (filled === 0 && place < start) {
          const skipped = Math.min(start - place, samples.length - at);
          at += skipped;
          place += skipped;
          continue;
        }
        const count = Math.min(windowLength - filled, samples.length - at);
        piece.set(samples.subarray(at, at + count), filled);
        filled += count;
        at += count;
        place += count;
        if (filled === windowLength) close();
      }
    },
    finish(): Spectrogram {
      if (filled > 0 && column < columns) {
        piece.fill(0, filled);
        close();
      }
      return { columns, bins, highestHz: sampleRate / 2, levels };
    },
  };
}
