import { err, ok, type Result } from '../../result/result.ts';

/** Buckets per second of every waveform in the app: one covers 10 ms of audio. */
export const bucketsPerSecond = 100;

/** Steps between 0 and 1 in which samples are compared: much finer than a bucket tells. */
const fineSteps = 2 ** 20;
/** Samples whose squares have a smaller sum are below 1024, and differ by less than the largest integer in such steps. */
const mostSquares = 2 ** 20;

/** Finished buckets, one number of each array per bucket: extremes as -127..127 and loudness (RMS) as 0..255. */
export interface PeakChunk {
  readonly min: Int8Array<ArrayBuffer>;
  readonly max: Int8Array<ArrayBuffer>;
  readonly rms: Uint8Array<ArrayBuffer>;
}

export interface PeakBuilder {
  /** Adds the next `frames` samples of each channel; values are -1..1, louder ones are clipped. */
  add(channels: readonly Float32Array[], frames: number, sampleRate: number): void;
  /** Adds the next frames as 16-bit integers, those of all channels by turns; takes half the time. */
  addShorts(samples: Int16Array, frames: number, sampleRate: number): void;
  take(): PeakChunk;
  finish(): void;
  readonly durationMs: number;
}

export function joinPeaks(chunks: readonly PeakChunk[]): PeakChunk {
  const length = chunks.reduce((sum, { min }) => sum + min.length, 0);
  const all = { min: new Int8Array(length), max: new Int8Array(length), rms: new Uint8Array(length) };
  let at = 0;
  for (const { min, max, rms } of chunks) {
    all.min.set(min, at);
    all.max.set(max, at);
    all.rms.set(rms, at);
    at += min.length;
  }
  return all;
}

/** The first `count` buckets and the rest; they share the memory of the whole. */
export function splitPeaks({ min, max, rms }: PeakChunk, count: number): readonly [PeakChunk, PeakChunk] {
  const part = (from: number, to?: number) => ({
    min: min.subarray(from, to),
    max: max.subarray(from, to),
    rms: rms.subarray(from, to),
  });
  return [part(0, count), part(count)];
}

/** The same peaks in parts of at most `count` buckets; they share the memory. */
export function* partsOfPeaks(peaks: PeakChunk, count: number): Generator<PeakChunk, void> {
  for (let rest = peaks; rest.min.length > 0;) {
    const [first, others] = splitPeaks(rest, count);
    yield first;
    rest = others;
  }
}

/** Folds a stream of samples into buckets of 10 ms, holding only the buckets not yet taken. */
export function createPeakBuilder(): PeakBuilder {
  let rate = 0;
  /** Within a second: where each bucket ends, the one that is open, and the next frame. */
  let ends = new Int32Array(bucketsPerSecond);
  let bucket = 0;
  let frame = 0;
  /** Arrays, because the engine makes an object for each number in a closure's variable. */
  const extremes = Float32Array.of(Infinity, -Infinity);
  const squares = new Float64Array(1);
  let counted = 0;
  let elapsedMs = 0;
  let waiting = createStore();

  const close = () => {
    if (counted === 0) return;
    const loudness = Math.sqrt((squares[0] ?? 0) / counted);
    waiting.push(toInt8(extremes[0] ?? 0), toInt8(extremes[1] ?? 0), Math.min(255, Math.round(loudness * 255)));
    extremes[0] = Infinity;
    extremes[1] = -Infinity;
    squares[0] = 0;
    counted = 0;
  };

  const widen = (low: number, high: number, sum: number) => {
    extremes[0] = Math.min(extremes[0] ?? 0, low);
    extremes[1] = Math.max(extremes[1] ?? 0, high);
    squares[0] = (squares[0] ?? 0) + sum;
  };

  /** The sign of a difference of integers, because comparing would be a jump that processors guess wrong. */
  const fold = (samples: Float32Array, from: number, to: number) => {
    let low = ((samples[from] ?? 0) * fineSteps) | 0;
    let high = low;
    let sum = 0;
    for (let i = from; i < to; i += 1) {
      const sample = samples[i] as number;
      const value = (sample * fineSteps) | 0;
      const below = (value - low) | 0;
      low = (low + (below & (below >> 31))) | 0;
      const above = (value - high) | 0;
      high = (high + (above & ~(above >> 31))) | 0;
      sum += sample * sample;
    }
    if (sum < mostSquares) {
      widen(low / fineSteps, high / fineSteps, sum);
      counted += to - from;
    } else fold(samples.subarray(from, to).map(clipped), 0, to - from);
  };

  const foldShorts = (samples: Int16Array, from: number, to: number) => {
    let low = samples[from] as number;
    let high = low;
    let sum = 0;
    for (let i = from; i < to; i += 1) {
      const value = samples[i] as number;
      const below = (value - low) | 0;
      low = (low + (below & (below >> 31))) | 0;
      const above = (value - high) | 0;
      high = (high + (above & ~(above >> 31))) | 0;
      sum += Math.imul(value, value);
    }
    widen(low / 32_768, high / 32_768, sum / 32_768 ** 2);
    counted += to - from;
  };

  const setRate = (sampleRate: number) => {
    close();
    rate = sampleRate;
    // Rates that 100 does not divide (22050, 11025) give buckets that differ by one sample and never drift.
    ends = Int32Array.from({ length: bucketsPerSecond }, (_, at) => Math.ceil(((at + 1) * rate) / bucketsPerSecond));
    bucket = 0;
    frame = 0;
  };

  const addFrames = (frames: number, sampleRate: number, foldFrames: (from: number, to: number) => void) => {
    if (frames <= 0 || sampleRate <= 0) return;
    if (sampleRate !== rate) setRate(sampleRate);
    for (let at = 0; at < frames;) {
      const end = ends[bucket] ?? rate;
      const count = Math.min(frames - at, end - frame);
      foldFrames(at, at + count);
      at += count;
      frame += count;
      if (frame < end) continue;
      close();
      bucket += 1;
      if (bucket < bucketsPerSecond) continue;
      bucket = 0;
      frame = 0;
    }
    elapsedMs += (frames * 1000) / sampleRate;
  };

  return {
    add(channels, frames, sampleRate) {
      addFrames(frames, sampleRate, (from, to) => {
        for (const samples of channels) fold(samples, from, to);
      });
    },
    addShorts(samples, frames, sampleRate) {
      // An integer for the engine too, which reads samples at half the speed by other indexes.
      const channels = Math.trunc(samples.length / frames) | 0;
      addFrames(frames, sampleRate, (from, to) => {
        foldShorts(samples, from * channels, to * channels);
      });
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

/** Damaged sound has samples of any size, and some that are no number. */
const clipped = (sample: number) => (Number.isNaN(sample) ? 0 : Math.max(-1, Math.min(1, sample)));

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

/** Little endian: `OVPK`, u16 version, u16 buckets a second, u32 count, u32 checksum, minima, maxima, loudness. */
const magic = 0x4b50564f;
const version = 1;
const headerBytes = 16;
const planes = 3;

type PackedPeaksError = 'not-peaks' | 'other-version' | 'damaged';

export function packPeaks(peaks: PeakChunk): Uint8Array<ArrayBuffer> {
  const count = peaks.min.length;
  const bytes = new Uint8Array(headerBytes + count * planes);
  bytes.set(asBytes(peaks.min), headerBytes);
  bytes.set(asBytes(peaks.max), headerBytes + count);
  bytes.set(peaks.rms, headerBytes + count * 2);
  const header = new DataView(bytes.buffer);
  header.setUint32(0, magic, true);
  header.setUint16(4, version, true);
  header.setUint16(6, bucketsPerSecond, true);
  header.setUint32(8, count, true);
  header.setUint32(12, checksum(bytes.subarray(headerBytes)), true);
  return bytes;
}

/** How many bytes the packed peaks take that begin here; null while their header is not complete, or when it is none. */
export function packedLength(bytes: Uint8Array): number | null {
  if (bytes.byteLength < headerBytes) return null;
  const header = new DataView(bytes.buffer, bytes.byteOffset, headerBytes);
  return header.getUint32(0, true) === magic ? headerBytes + header.getUint32(8, true) * planes : null;
}

/** Reads packed peaks back; anything other than the exact output of `packPeaks` is refused, never half read. */
export function unpackPeaks(bytes: Uint8Array<ArrayBuffer>): Result<PeakChunk, PackedPeaksError> {
  if (bytes.byteLength < headerBytes) return err('not-peaks');
  const header = new DataView(bytes.buffer, bytes.byteOffset, headerBytes);
  if (header.getUint32(0, true) !== magic) return err('not-peaks');
  if (header.getUint16(4, true) !== version || header.getUint16(6, true) !== bucketsPerSecond) {
    return err('other-version');
  }
  const count = header.getUint32(8, true);
  const body = bytes.subarray(headerBytes);
  if (body.byteLength !== count * planes || header.getUint32(12, true) !== checksum(body)) return err('damaged');
  const plane = (index: number) => body.slice(index * count, (index + 1) * count);
  return ok({ min: new Int8Array(plane(0).buffer), max: new Int8Array(plane(1).buffer), rms: plane(2) });
}

const asBytes = (values: Int8Array<ArrayBuffer>) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

/** Adler-32: enough to notice a torn or overwritten cache file, and cheap for megabytes. */
function checksum(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (let start = 0; start < bytes.length; start += 3800) {
    const stop = Math.min(bytes.length, start + 3800);
    for (let i = start; i < stop; i += 1) {
      a += bytes[i] ?? 0;
      b += a;
    }
    a %= 65_521;
    b %= 65_521;
  }
  return ((b << 16) | a) >>> 0;
}
