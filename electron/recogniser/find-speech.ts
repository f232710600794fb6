import { frameMs, silenceDb } from './loudness-track.ts';

export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

export interface SpeechRules {
  /** How far above the noise floor a span must start, and must stay. */
  readonly enterDb: number;
  readonly stayDb: number;
  /** Softer than this is never speech, however quiet the room. */
  readonly leastDb: number;
  readonly floorWindowMs: number;
  readonly breakMs: number;
  readonly leastSpanMs: number;
  /** Added on both sides, because words begin and end softly. */
  readonly marginMs: number;
  readonly mostSpanMs: number;
  readonly leastSpreadDb: number;
}

export const speechRules: SpeechRules = {
  enterDb: 9,
  stayDb: 5,
  leastDb: -58,
  floorWindowMs: 8000,
  breakMs: 350,
  leastSpanMs: 200,
  marginMs: 60,
  mostSpanMs: 15_000,
  leastSpreadDb: 2,
};

interface Frames {
  readonly start: number;
  readonly end: number;
}

const percentile = (values: Float32Array, share: number): number => {
  const sorted = values.toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? silenceDb;
};

/** The floor per second: the quiet tenth of its surroundings, so that it follows a fan that is switched on. */
function noiseFloor(loudnessDb: Float32Array, windowFrames: number): (frame: number) => number {
  const step = 1000 / frameMs;
  const floors: number[] = [];
  for (let at = 0; at < loudnessDb.length; at += step) {
    const middle = at + step / 2;
    const around = loudnessDb.subarray(
      Math.max(0, middle - windowFrames / 2),
      Math.min(loudnessDb.length, middle + windowFrames / 2),
    );
    floors.push(percentile(around, 0.1));
  }
  return (frame) => floors[Math.floor(frame / step)] ?? silenceDb;
}

/** Averages three frames, so that a single click does not open a span. */
function smooth(loudnessDb: Float32Array): Float32Array {
  return loudnessDb.map((value, at) => {
    const before = loudnessDb[at - 1] ?? value;
    const after = loudnessDb[at + 1] ?? value;
    return Math.max(Math.min(before, value), Math.min(value, after), Math.min(before, after));
  });
}

function loudRuns(loudnessDb: Float32Array, rules: SpeechRules): Frames[] {
  const floorAt = noiseFloor(loudnessDb, rules.floorWindowMs / frameMs);
  const runs: Frames[] = [];
  let start: number | null = null;
  for (let at = 0; at <= loudnessDb.length; at += 1) {
    const value = loudnessDb[at] ?? silenceDb;
    const above = value - floorAt(Math.min(at, loudnessDb.length - 1));
    const isLoud =
      at < loudnessDb.length && value >= rules.leastDb && above >= (start === null ? rules.enterDb : rules.stayDb);
    if (isLoud && start === null) start = at;
    if (!isLoud && start !== null) {
      runs.push({ start, end: at });
      start = null;
    }
  }
  return runs;
}

function joinClose(runs: readonly Frames[], breakFrames: number): Frames[] {
  const joined: Frames[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last !== undefined && run.start - last.end < breakFrames)
      joined[joined.length - 1] = { start: last.start, end: run.end };
    else joined.push(run);
  }
  return joined;
}

function spread(loudnessDb: Float32Array, { start, end }: Frames): number {
  const part = loudnessDb.subarray(start, end);
  const mean = part.reduce((sum, value) => sum + value, 0) / Math.max(1, part.length);
  return Math.sqrt(part.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, part.length));
}

function cutLong(loudnessDb: Float32Array, run: Frames, mostFrames: number): Frames[] {
  const parts: Frames[] = [];
  let rest = run;
  while (rest.end - rest.start > mostFrames) {
    const from = rest.start + Math.floor(mostFrames / 2);
    const to = rest.start + mostFrames;
    let cut = to;
    for (let at = from; at < to; at += 1) if ((loudnessDb[at] ?? 0) < (loudnessDb[cut] ?? 0)) cut = at;
    parts.push({ start: rest.start, end: cut });
    rest = { start: cut, end: rest.end };
  }
  return [...parts, rest];
}

/** Loud enough over an adaptive floor, long enough, and not as steady as a machine. Ordered and disjoint. */
export function findSpeech(
  loudnessDb: Float32Array,
  durationMs: number,
  rules: SpeechRules = speechRules,
): readonly Span[] {
  if (loudnessDb.length === 0) return [];
  const even = smooth(loudnessDb);
  const runs = joinClose(loudRuns(even, rules), rules.breakMs / frameMs)
    .filter((run) => (run.end - run.start) * frameMs >= rules.leastSpanMs && spread(even, run) >= rules.leastSpreadDb)
    .flatMap((run) => cutLong(even, run, rules.mostSpanMs / frameMs));
  let free = 0;
  return runs
    .map((run) => {
      const startMs = Math.max(free, run.start * frameMs - rules.marginMs);
      const endMs = Math.min(durationMs, run.end * frameMs + rules.marginMs);
      free = endMs;
      return { startMs, endMs };
    })
    .filter(({ startMs, endMs }) => endMs > startMs);
}
