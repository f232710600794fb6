import { checkCue, type CheckFacts } from './check-cues.ts';
import { lettersOf, type Cue } from './cue.ts';
import { breakIntoLines, breakRules, endOf, neverBreak } from './line-breaks.ts';

/** Changes no word; speech faster than anybody reads remains, and is found by `findProblems`. */
export function fixCues(cues: readonly Cue[], facts: CheckFacts): readonly Cue[] {
  const ordered = cues
    .filter(({ lines }) => lines.some((line) => line.trim() !== ''))
    .toSorted((a, b) => a.startMs - b.startMs);
  const fitted = ordered.flatMap((cue, at) => fitLines(cue, ordered[at + 1] ?? null, facts));
  return fixTimes(fitted, facts);
}

function fitLines(cue: Cue, next: Cue | null, facts: CheckFacts): readonly Cue[] {
  const { profile, language } = facts;
  const kinds = new Set(checkCue(cue, next, facts).map(({ kind }) => kind));
  const isUnfit = (['too-many-lines', 'line-too-long', 'bad-line-break', 'too-long'] as const).some((kind) =>
    kinds.has(kind),
  );
  if (!isUnfit) return [cue];
  const words = cue.lines.flatMap((line) => line.split(/\s+/u)).filter((word) => word !== '');
  const breakCost = breakRules(language);
  const costs = words.map((word, at) => {
    const after = words[at + 1];
    return after === undefined ? 0 : breakCost(word, after);
  });
  const lineSpans = breakIntoLines(words, costs, profile.charactersPerLine, profile.linesPerCue);
  const lengthMs = cue.endMs - cue.startMs;
  const parts = Math.max(
    Math.ceil(lineSpans.length / profile.linesPerCue),
    Math.min(words.length, Math.ceil(lengthMs / profile.maximumMs)),
  );
  const isBroken = lineSpans.some(([, to]) => to < words.length && (costs[to - 1] ?? 0) >= neverBreak);
  const textOf = (from: number, to: number) => words.slice(from, to).join(' ');
  if ((parts <= 1 && !isBroken) || words.length < 2)
    return [{ ...cue, lines: lineSpans.map(([from, to]) => textOf(from, to)) }];
  const at = middleOf(words, costs);
  const letters = textOf(0, words.length).length;
  const cutMs = cue.startMs + Math.round((lengthMs * (textOf(0, at).length + 1)) / Math.max(1, letters + 1));
  return [
    { ...cue, endMs: cutMs, lines: [textOf(0, at)] },
    { ...cue, startMs: cutMs, lines: [textOf(at, words.length)] },
  ].flatMap((half) => fitLines(half, null, facts));
}

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

function fixTimes(cues: readonly Cue[], { profile, durationMs }: CheckFacts): readonly Cue[] {
  const limitMs = Math.max(durationMs, cues.length);
  const starts: number[] = [];
  for (const { startMs } of cues) starts.push(Math.max(0, Math.round(startMs), (starts.at(-1) ?? -1) + 1));
  for (let at = starts.length - 1, latest = limitMs - 1; at >= 0 && (starts[at] ?? 0) > latest; at -= 1, latest -= 1)
    starts[at] = latest;
  return cues.map((cue, at) => {
    const startMs = starts[at] ?? 0;
    const next = starts[at + 1] ?? limitMs + profile.gapMs;
    const free = next - profile.gapMs > startMs ? next - profile.gapMs : next;
    const neededMs = Math.max(profile.minimumMs, Math.ceil((lettersOf(cue) * 1000) / profile.charactersPerSecond));
    const wantedMs = Math.min(profile.maximumMs, Math.max(Math.round(cue.endMs) - startMs, neededMs));
    return { ...cue, startMs, endMs: Math.max(startMs + 1, Math.min(startMs + wantedMs, free, limitMs)) };
  });
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
