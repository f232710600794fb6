import type { CheckFacts } from './check-cues.ts';
import { lettersOf, type Cue } from './cue.ts';
import { endOf, neverBreak } from './line-breaks.ts';

export function middleOf(words: readonly string[], costs: readonly number[]): number {
  const total = words.reduce((sum, word) => sum + word.length + 1, 0);
  let best = 1;
  let bestPrice = Number.POSITIVE_INFINITY;
  let before = 0;
  for (let at = 1; at < words.length; at += 1) {
    before += (words[at - 1]?.length ?? 0) + 1;
    const end = endOf(words[at - 1] ?? '');
    const bonus = end === 'sentence' ? 0.3 : end === 'clause' ? 0.15 : 0;
    const price = Math.abs(before / total - 0.5) - bonus + ((costs[at - 1] ?? 0) >= neverBreak ? 1 : 0);
    if (price < bestPrice) [best, bestPrice] = [at, price];
  }
  return best;
}

/** A cue that needs time may start this long before its first word. */
const leadMs = 500;

interface SaidTimes<C extends Cue> {
  readonly saidFrom?: (cue: C) => number;
  readonly spokenUntil?: (cue: C) => number;
  readonly heardUntil?: (cue: C) => number;
}

/** Takes silence after a brief cue, then before it; nothing else changes but silence that closed a gap. */
export function giveTime<C extends Cue>(
  cues: readonly C[],
  { profile, durationMs }: CheckFacts,
  {
    saidFrom = ({ startMs }) => startMs,
    spokenUntil = ({ endMs }) => endMs,
    heardUntil = ({ endMs }) => endMs,
  }: SaidTimes<C> = {},
): readonly C[] {
  const { minimumMs, maximumMs, gapMs, chainMs, charactersPerSecond } = profile;
  const given: C[] = [];
  const neededBy = (cue: C) =>
    Math.min(maximumMs, Math.max(minimumMs, Math.ceil((lettersOf(cue) * 1000) / charactersPerSecond)));
  for (const [at, cue] of cues.entries()) {
    const next = cues[at + 1];
    const neededMs = neededBy(cue);
    let { startMs, endMs } = cue;
    const latest = next === undefined ? durationMs : next.startMs - gapMs;
    if (endMs - startMs < neededMs) endMs = Math.max(endMs, Math.min(latest, startMs + neededMs));
    const before = given.at(-1);
    if (endMs - startMs < neededMs) {
      const isReadAtMs = before === undefined ? 0 : Math.max(spokenUntil(before), before.startMs + neededBy(before));
      const freeFromMs = before === undefined ? 0 : Math.min(before.endMs, isReadAtMs) + gapMs;
      const earliestMs = Math.max(freeFromMs, saidFrom(cue) - leadMs);
      // A caption that comes early and breaks the rule all the same is worse than one that breaks it on time.
      const enoughMs = [neededMs, minimumMs].find((enough) => endMs - earliestMs >= enough) ?? 0;
      startMs = Math.min(startMs, endMs - enoughMs);
    }
    if (before !== undefined && startMs < cue.startMs && before.endMs > startMs - gapMs)
      given[at - 1] = { ...before, endMs: startMs - gapMs };
    if (next !== undefined && latest - endMs <= chainMs - gapMs && latest - startMs <= maximumMs)
      endMs = Math.max(endMs, latest);
    const heardMs = heardUntil(cue);
    if (endMs - startMs > maximumMs) endMs = Math.max(startMs + maximumMs, Math.min(endMs, heardMs));
    const isTooNear = next !== undefined && endMs > latest && latest >= heardMs;
    // No other problem may come of it.
    const isLongEnough = latest - startMs >= (endMs - startMs < neededMs ? minimumMs : neededMs);
    if (isTooNear && isLongEnough) endMs = latest;
    given.push(startMs === cue.startMs && endMs === cue.endMs ? cue : { ...cue, startMs, endMs });
  }
  return given;
}
