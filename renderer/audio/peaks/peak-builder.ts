/** Buckets per second of every waveform in the app: one covers 10 ms of audio. */
export const bucketsPerSecond = 100;

/** Finished buckets, one number of each array per bucket: extremes as -127..127 and loudness (RMS) as 0..255. */
export interface PeakChunk {
  readonly min: Int8Array<ArrayBuffer>;
  readonly max: Int8Array<ArrayBuffer>;
  readonly rms: Uint8Array<ArrayBuffer>;
}

export interface PeakBuilder {
  /** Adds the next `frames` samples of each channel; values are -1..1, louder ones are clipped. */
  add(channels: readonly Float32Array[], frames: number, sampleRate: number): void;
  /** The buckets finished since the last call. */
  take(): PeakChunk;
  /** Completes the last, shorter bucket; `take` then returns it. */
  finish(): void;
  /** Finished buckets so far, in milliseconds of audio. */
  readonly durationMs: number;
}

/** Folds a stream of samples into buckets of 10 ms, holding only the buckets not yet taken. */
export function createPeakBuilder(): PeakBuilder {
  let rate = 0;
  let frame = 0;
  let bucket = 0;
  let bucketEnd = 0;
  let lowest = Infinity;
  let highest = -Infinity;
  let squares = 0;
  let counted = 0;
  let elapsedMs = 0;
  let waiting = createStore();

  const close = () => {
    if (counted === 0) return;
    const loudness = Math.sqrt(squares / counted);
    waiting.push(toInt8(lowest), toInt8(highest), Math.min(255, Math.round(loudness * 255)));
    lowest = Infinity;
    highest = -Infinity;
    squares = 0;
    counted = 0;
  };

  const fold = (samples: Float32Array, from: number, to: number) => {
    // Locals, because closure variables are read and written through memory for every sample.
    let low = lowest;
    let high = highest;
    let sum = squares;
    for (let i = from; i < to; i += 1) {
      const value = samples[i] ?? 0;
      if (value < low) low = value;
      if (value > high) high = value;
      sum += value * value;
    }
    lowest = low;
    highest = high;
    squares = sum;
  };

  const openNext = () => {
    bucket += 1;
    // Rates that 100 does not divide (22050, 11025) give buckets that differ by one sample and never drift.
    bucketEnd = Math.ceil((bucket * rate) / bucketsPerSecond);
  };

  const setRate = (sampleRate: number) => {
    close();
    rate = sampleRate;
    frame = 0;
    bucket = 0;
    openNext();
  };

  return {
    add(channels, frames, sampleRate) {
      if (frames <= 0 || sampleRate <= 0) return;
      if (sampleRate !== rate) setRate(sampleRate);
      let at = 0;
      while (at < frames) {
        const stop = Math.min(frames, at + bucketEnd - frame);
        for (const samples of channels) fold(samples, at, stop);
        counted += (stop - at) * channels.length;
        frame += stop - at;
        at = stop;
        if (frame >= bucketEnd) {
          close();
          openNext();
        }
      }
      elapsedMs += (frames * 1000) / sampleRate;
    },
    take() {
      const chunk = waiting.take();
      waiting = createStore();
      return chunk;
    },
    finish: close,
    get durationMs() {
      return elapsedMs;
    },
  };
}

const toInt8 = (value: number) => Math.max(-127, Math.min(127, Math.round(value * 127)));

function createStore() {
  let min = new Int8Array(256);
  let max = new Int8Array(256);
  let rms = new Uint8Array(256);
  let length = 0;
  return {
    push(lowest: number, highest: number, loudness: number) {
      if (length === min.length) {
        const grow = <T extends Int8Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(larger: T, old: T): T => {
          larger.set(old);
          return larger;
        };
        min = grow(new Int8Array(length * 2), min);
        max = grow(new Int8Array(length * 2), max);
        rms = grow(new Uint8Array(length * 2), rms);
      }
      min[length] = lowest;
      max[length] = highest;
      rms[length] = loudness;
      length += 1;
    },
    take: (): PeakChunk => ({ min: min.slice(0, length), max: max.slice(0, length), rms: rms.slice(0, length) }),
  };
}
