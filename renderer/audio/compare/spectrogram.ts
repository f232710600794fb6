/** Levels over time and frequency: one column per moment, from the lowest frequency to the highest. */
export interface Spectrogram {
  readonly columns: number;
  readonly bins: number;
  /** Of the highest bin: half the sample rate. */
  readonly highestHz: number;
  /** 0 (`quietestDb` or less) to 255 (`loudestDb` or more). */
  readonly levels: Uint8Array<ArrayBuffer>;
}

/** Nobody hears more; recordings with a lower sample rate end earlier. */
export const mostHz = 24_000;
const windowLength = 512;
const bins = windowLength / 2;
const quietestDb = -92;
const loudestDb = -25;
/** Several times as many as a window is wide: there is more to see where somebody zooms in. */
const mostColumns = 6000;

export interface SpectrogramBuilder {
  /** Samples of one channel, from -1 to 1. */
  readonly add: (samples: Float32Array) => void;
  readonly finish: () => Spectrogram;
}

/** For a recording of `frames` samples at this rate, in constant memory: long ones are sampled. */
export function createSpectrogramBuilder(frames: number, sampleRate: number): SpectrogramBuilder {
  const columns = Math.max(1, Math.min(mostColumns, Math.floor(frames / windowLength)));
  const hop = Math.max(1, frames / columns);
  const levels = new Uint8Array(columns * bins);
  const piece = new Float32Array(windowLength);
  const hann = Float32Array.from(piece, (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / windowLength));
  const transform = createTransform(windowLength);
  let column = 0;
  let filled = 0;
  let place = 0;
  const close = () => {
    const power = transform(piece.map((value, at) => value * (hann[at] ?? 0)));
    for (let bin = 0; bin < bins; bin += 1) {
      // A full-scale tone under a Hann window has a magnitude of a quarter of the window's length.
      const db = 10 * Math.log10((power[bin] ?? 0) / (windowLength / 4) ** 2 + 1e-12);
      const share = (db - quietestDb) / (loudestDb - quietestDb);
      levels[column * bins + bin] = Math.round(255 * Math.max(0, Math.min(1, share)));
    }
    column += 1;
    filled = 0;
  };
  return {
    add(samples) {
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
    finish() {
      if (filled > 0 && column < columns) {
        piece.fill(0, filled);
        close();
      }
      return { columns, bins, highestHz: sampleRate / 2, levels };
    },
  };
}

/** The power of the frequencies of `length` real samples, a power of two, from 0 to half the sample rate. */
function createTransform(length: number): (samples: Float32Array) => Float32Array {
  const [real, imaginary] = [new Float32Array(length), new Float32Array(length)];
  const cosines = Float32Array.from({ length: length / 2 }, (_, at) => Math.cos((2 * Math.PI * at) / length));
  const sines = Float32Array.from({ length: length / 2 }, (_, at) => Math.sin((2 * Math.PI * at) / length));
  const bits = Math.log2(length);
  const reversed = Uint16Array.from({ length }, (_, at) => {
    let turned = 0;
    for (let bit = 0; bit < bits; bit += 1) turned |= ((at >> bit) & 1) << (bits - 1 - bit);
    return turned;
  });
  return (samples) => {
    for (let at = 0; at < length; at += 1) real[reversed[at] ?? 0] = samples[at] ?? 0;
    imaginary.fill(0);
    for (let size = 2; size <= length; size *= 2) {
      const half = size / 2;
      for (let begin = 0; begin < length; begin += size) {
        for (let at = 0; at < half; at += 1) {
          const [cos, sin] = [cosines[(at * length) / size] ?? 0, sines[(at * length) / size] ?? 0];
          const [low, high] = [begin + at, begin + at + half];
          const [re, im] = [real[high] ?? 0, imaginary[high] ?? 0];
          const [turnedRe, turnedIm] = [re * cos + im * sin, im * cos - re * sin];
          real[high] = (real[low] ?? 0) - turnedRe;
          imaginary[high] = (imaginary[low] ?? 0) - turnedIm;
          real[low] = (real[low] ?? 0) + turnedRe;
          imaginary[low] = (imaginary[low] ?? 0) + turnedIm;
        }
      }
    }
    return Float32Array.from({ length: length / 2 }, (_, at) => (real[at] ?? 0) ** 2 + (imaginary[at] ?? 0) ** 2);
  };
}
