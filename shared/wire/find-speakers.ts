import type { RawWord } from './read-segments.ts';
import { spanToMs, type BareUnit } from './time-units.ts';

interface Turn {
  readonly speaker: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Index in the original list: of two equal overlaps the first counts. */
  readonly at: number;
}

/**
 * Makes a look-up of the speaker between two times (milliseconds): the one whose turn overlaps them the longest,
 * undefined without any. Turns are kept as a balanced tree by start in which every branch knows its last end, so that
 * only overlapping turns are visited: a long recording has ten thousand segments and as many turns.
 */
export function findSpeakers(
  raw: readonly RawWord[],
  unit: BareUnit,
): (startMs: number, endMs: number) => string | undefined {
  const turns = raw
    .flatMap(({ span, speaker }, at): Turn[] => {
      const { startMs = 0, endMs = 0 } = spanToMs(span, unit);
      return speaker === undefined || endMs <= startMs ? [] : [{ speaker, startMs, endMs, at }];
    })
    .toSorted((a, b) => a.startMs - b.startMs);
  const lastEnds = lastEndsOf(turns);

  return (startMs, endMs) => {
    let best: Turn | null = null;
    let longest = 0;
    const look = (from: number, to: number): void => {
      const middle = (from + to) >> 1;
      const turn = turns[middle];
      if (from >= to || turn === undefined || (lastEnds[middle] ?? 0) <= startMs) return;
      look(from, middle);
      const overlap = Math.min(turn.endMs, endMs) - Math.max(turn.startMs, startMs);
      if (overlap > longest || (overlap === longest && best !== null && turn.at < best.at)) {
        best = turn;
        longest = overlap;
      }
      if (turn.startMs < endMs) look(middle + 1, to);
    };
    look(0, turns.length);
    return (best as Turn | null)?.speaker;
  };
}

/** For the middle of every branch the latest end in it. */
function lastEndsOf(turns: readonly Turn[]): Float64Array {
  const ends = new Float64Array(turns.length);
  const fill = (from: number, to: number): number => {
    if (from >= to) return 0;
    const middle = (from + to) >> 1;
    const last = Math.max(turns[middle]?.endMs ?? 0, fill(from, middle), fill(middle + 1, to));
    ends[middle] = last;
    return last;
  };
  fill(0, turns.length);
  return ends;
}
