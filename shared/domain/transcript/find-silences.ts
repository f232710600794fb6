import type { TimeSpan, Transcript } from './transcript.ts';

export interface SilenceRule {
  /** Decibels relative to the loudest moment of the recording; anything quieter is silence. Negative. */
  readonly belowDb: number;
  /** Shorter silences stay. */
  readonly leastMs: number;
  /** How much of each silence is kept at its two ends. */
  readonly keepMs: number;
}

export const usualSilence: SilenceRule = { belowDb: -26, leastMs: 800, keepMs: 150 };

/**
 * Silences that could be cut, in order: where loudness, given in equal steps, stays low for long enough. Never a word
 * with a time from the service, however softly it was said, and never what is cut already.
 */
export function findSilences(
  { segments, cuts = [], durationMs }: Transcript,
  loudness: ArrayLike<number>,
  stepMs: number,
  { belowDb, leastMs, keepMs }: SilenceRule,
): readonly TimeSpan[] {
  let loudest = 0;
  for (let at = 0; at < loudness.length; at += 1) loudest = Math.max(loudest, loudness[at] ?? 0);
  const limit = loudest * 10 ** (belowDb / 20);
  // Lengths of a recording differ by a moment between those who measure it, and a scrap of it would stay at the end.
  const unmeasuredMs = durationMs - loudness.length * stepMs;
  const steps = loudness.length + (unmeasuredMs < leastMs ? Math.max(0, Math.ceil(unmeasuredMs / stepMs)) : 0);
  const isKept = new Uint8Array(steps);
  const keep = ({ startMs, endMs }: TimeSpan) => {
    isKept.fill(1, Math.max(0, Math.floor(startMs / stepMs)), Math.max(0, Math.ceil(endMs / stepMs)));
  };
  for (const { words } of segments) for (const word of words) if (word.isEstimated !== true) keep(word);
  for (const cut of cuts) keep(cut);
  const found: TimeSpan[] = [];
  let from = -1;
  for (let at = 0; at <= steps; at += 1) {
    const isQuiet = at < steps && isKept[at] === 0 && (loudness[at] ?? 0) <= limit;
    if (isQuiet && from < 0) from = at;
    if (isQuiet || from < 0) continue;
    const startMs = Math.round(from * stepMs) + (from === 0 ? 0 : keepMs);
    const endMs = Math.min(durationMs, Math.round(at * stepMs)) - (at === steps ? 0 : keepMs);
    if (at * stepMs - from * stepMs >= leastMs && endMs > startMs) found.push({ startMs, endMs });
    from = -1;
  }
  return found;
}
