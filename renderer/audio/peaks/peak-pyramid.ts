import { bucketsPerSecond, type PeakChunk } from '../../../shared/domain/audio/peak-builder.ts';

const factor = 4;
/** Few enough for every picture; so many that ten minutes need no summary of the hours around them. */
const leastPerColumn = 16;

interface Level {
  min: Int8Array<ArrayBuffer>;
  max: Int8Array<ArrayBuffer>;
  rms: Uint8Array<ArrayBuffer>;
  length: number;
  ofFinest: number;
}

export interface PeakColumns {
  readonly min: Float32Array;
  readonly max: Float32Array;
  readonly rms: Float32Array;
}

export type PeakPyramid = ReturnType<typeof createPeakPyramid>;

/** Each level has a quarter of the buckets below, and is summarised when a picture needs it. */
export function createPeakPyramid(expectedMs = 0) {
  const levels: Level[] = [createLevel(Math.max(1024, Math.ceil((expectedMs / 1000) * bucketsPerSecond) + 16))];
  const finest = levels[0] as Level;
  let loudest = 0;

  const levelAt = (index: number): Level => {
    if (index === 0) return finest;
    const below = levelAt(index - 1);
    const level = (levels[index] ??= createLevel(Math.ceil(below.min.length / factor) + 1));
    if (level.ofFinest < finest.length) {
      // The last bucket may not have been full.
      summarise(below, level, Math.floor(level.ofFinest / factor ** index));
      level.ofFinest = finest.length;
    }
    return level;
  };

  return {
    append(chunk: PeakChunk) {
      const from = finest.length;
      ensureRoom(finest, from + chunk.min.length);
      finest.min.set(chunk.min, from);
      finest.max.set(chunk.max, from);
      finest.rms.set(chunk.rms, from);
      finest.length = from + chunk.min.length;
      loudest = Math.max(loudest, loudestOf(chunk));
    },
    get length() {
      return finest.length;
    },
    get durationMs() {
      return (finest.length * 1000) / bucketsPerSecond;
    },
    /** 0..1; determines how far a quiet recording is amplified for drawing. */
    get loudest() {
      return loudest / 127;
    },
    columns(fromMs: number, toMs: number, columns: number): PeakColumns {
      const out = { min: new Float32Array(columns), max: new Float32Array(columns), rms: new Float32Array(columns) };
      const perColumn = (((toMs - fromMs) / 1000) * bucketsPerSecond) / columns;
      if (!(perColumn > 0 && columns > 0)) return out;
      let index = 0;
      while (factor ** (index + 1) * leastPerColumn <= perColumn) index += 1;
      const level = levelAt(index);
      const first = ((fromMs / 1000) * bucketsPerSecond) / factor ** index;
      if (perColumn < 1) blend(out, level, first, perColumn);
      else fill(out, level, first, perColumn / factor ** index);
      return out;
    },
    all: (): PeakChunk => ({
      min: finest.min.slice(0, finest.length),
      max: finest.max.slice(0, finest.length),
      rms: finest.rms.slice(0, finest.length),
    }),
  };
}

function createLevel(capacity: number): Level {
  return {
    min: new Int8Array(capacity),
    max: new Int8Array(capacity),
    rms: new Uint8Array(capacity),
    length: 0,
    ofFinest: 0,
  };
}

function loudestOf({ min, max }: PeakChunk): number {
  let loudest = 0;
  for (let i = 0; i < min.length; i += 1) {
    const least = min[i] ?? 0;
    const most = max[i] ?? 0;
    if (most > loudest) loudest = most;
    if (-least > loudest) loudest = -least;
  }
  return loudest;
}

function ensureRoom(level: Level, needed: number): void {
  if (needed <= level.min.length) return;
  const { min, max, rms } = createLevel(Math.max(needed, Math.ceil(level.min.length * 1.25)));
  min.set(level.min);
  max.set(level.max);
  rms.set(level.rms);
  Object.assign(level, { min, max, rms });
}

function summarise(below: Level, level: Level, from: number): void {
  const length = Math.ceil(below.length / factor);
  ensureRoom(level, length);
  const { min, max, rms } = below;
  const { min: lows, max: highs, rms: means } = level;
  for (let i = from; i < length; i += 1) {
    const first = i * factor;
    const stop = Math.min(below.length, first + factor);
    let low = 127;
    let high = -127;
    let squares = 0;
    for (let j = first; j < stop; j += 1) {
      const least = min[j] ?? 0;
      const most = max[j] ?? 0;
      const loudness = rms[j] ?? 0;
      if (least < low) low = least;
      if (most > high) high = most;
      squares += loudness * loudness;
    }
    lows[i] = low;
    highs[i] = high;
    means[i] = Math.round(Math.sqrt(squares / (stop - first)));
  }
  level.length = length;
}

function blend(out: PeakColumns, { min, max, rms, length }: Level, first: number, perColumn: number): void {
  const valueAt = (values: Int8Array | Uint8Array, at: number) => {
    const from = Math.max(0, Math.floor(at - 0.5));
    const part = Math.max(0, at - 0.5 - from);
    return (values[from] ?? 0) * (1 - part) + (values[Math.min(length - 1, from + 1)] ?? 0) * part;
  };
  for (let column = 0; column < out.min.length; column += 1) {
    const from = first + column * perColumn;
    const to = Math.min(length, from + perColumn);
    if (from < 0 || from >= length) continue;
    // The line bends where a column holds the middle of a bucket, and no extreme may be lost there.
    const middle = Math.min(to, Math.ceil(from - 0.5) + 0.5);
    const places = [from, middle, to];
    out.min[column] = Math.min(...places.map((at) => valueAt(min, at))) / 127;
    out.max[column] = Math.max(...places.map((at) => valueAt(max, at))) / 127;
    out.rms[column] = valueAt(rms, middle) / 255;
  }
}

function fill(out: PeakColumns, level: Level, first: number, perColumn: number): void {
  for (let column = 0; column < out.min.length; column += 1) {
    const from = Math.max(0, Math.floor(first + column * perColumn));
    const to = Math.min(level.length, Math.max(from + 1, Math.ceil(first + (column + 1) * perColumn)));
    if (from >= to || first + column * perColumn < 0) continue;
    let low = 127;
    let high = -127;
    let squares = 0;
    for (let i = from; i < to; i += 1) {
      low = Math.min(low, level.min[i] ?? 0);
      high = Math.max(high, level.max[i] ?? 0);
      squares += (level.rms[i] ?? 0) ** 2;
    }
    out.min[column] = low / 127;
    out.max[column] = high / 127;
    out.rms[column] = Math.sqrt(squares / (to - from)) / 255;
  }
}
