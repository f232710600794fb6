import type { CueWord } from './cue.ts';
import type { WordFacts } from './line-breaks.ts';
import type { SubtitleProfile } from './profiles.ts';

/** The words of one run, each a place in every list. `sizes`: letters and the space behind them. */
interface TimedRun {
  readonly count: number;
  readonly words: CueWord[];
  readonly facts: readonly WordFacts[];
  readonly sizes: Int32Array;
  readonly segmentIds: readonly string[];
  readonly startMs: Float64Array;
  readonly endMs: Float64Array;
}

/**
 * Words that were typed behind the last one of a segment take no time. A whole sentence of them is given time to be
 * read, and other words share the time of the word before them: none is shown after its segment has ended.
 */
export function giveUntimedTime(run: TimedRun, profile: SubtitleProfile, nextMs: number): void {
  const { count, facts, startMs, endMs } = run;
  const isUntimed = (at: number) => (endMs[at] ?? 0) <= (startMs[at] ?? 0);
  const endsSentence = (at: number) => facts[at]?.end === 'sentence';
  for (let first = 1; first < count; first += 1) {
    if (!isUntimed(first) || isUntimed(first - 1)) continue;
    let after = first;
    while (after < count && isUntimed(after)) after += 1;
    const isSentence = endsSentence(first - 1) && endsSentence(after - 1);
    if (isSentence && profile.splitsAtSentences) timeSentence(run, first, after, profile, nextMs);
    else shareWord(run, first, after);
  }
}

/**
 * A sentence that takes no time would never get a cue of its own: it is given time to be read, first of the silence
 * behind it, then of the sentence before, which keeps its share.
 */
function timeSentence(
  run: TimedRun,
  first: number,
  after: number,
  { minimumMs, charactersPerSecond, gapMs }: SubtitleProfile,
  nextMs: number,
): void {
  const { count, facts, sizes, startMs: starts, endMs: ends } = run;
  let letters = 0;
  for (let at = first; at < after; at += 1) letters += sizes[at] ?? 0;
  let [from, lettersBefore] = [first - 1, sizes[first - 1] ?? 0];
  while (from > 0 && facts[from - 1]?.end !== 'sentence') lettersBefore += sizes[--from] ?? 0;
  const [fromMs, saidMs] = [starts[from] ?? 0, ends[first - 1] ?? 0];
  const neededMs = 1 + Math.ceil(Math.max(minimumMs, ((letters - 1) * 1000) / charactersPerSecond));
  const roomMs = (after < count ? (starts[after] ?? 0) : nextMs) - gapMs;
  const endMs = Math.max(saidMs, Math.min(roomMs, saidMs + neededMs));
  const ownMs = ((endMs - fromMs) * letters) / (letters + lettersBefore);
  const startMs = Math.min(saidMs, endMs - Math.min(neededMs, ownMs));
  const share = (startMs - fromMs) / (saidMs - fromMs);
  for (let at = from; at < first; at += 1) {
    starts[at] = fromMs + ((starts[at] ?? 0) - fromMs) * share;
    ends[at] = fromMs + ((ends[at] ?? 0) - fromMs) * share;
  }
  spread(run, first, after, startMs, endMs);
  moveWords(run, from, after);
}

/** Divides the time of a word among it and the words behind it, as far as these are in the same segment. */
function shareWord(run: TimedRun, first: number, after: number): void {
  const { segmentIds, startMs, endMs } = run;
  let end = first;
  while (end < after && segmentIds[end] === segmentIds[first - 1]) end += 1;
  if (end === first) return;
  spread(run, first - 1, end, startMs[first - 1] ?? 0, endMs[first - 1] ?? 0);
  moveWords(run, first - 1, end);
}

function spread(
  { sizes, startMs: starts, endMs: ends }: TimedRun,
  from: number,
  to: number,
  startMs: number,
  endMs: number,
): void {
  let letters = 0;
  for (let at = from; at < to; at += 1) letters += sizes[at] ?? 0;
  const step = (endMs - startMs) / letters;
  for (let at = from, clock = startMs; at < to; at += 1) {
    starts[at] = clock;
    clock += (sizes[at] ?? 0) * step;
    ends[at] = clock;
  }
}

function moveWords({ words, startMs, endMs }: TimedRun, from: number, to: number): void {
  for (let at = from; at < to; at += 1) {
    const word = words[at];
    const moved = { startMs: Math.round(startMs[at] ?? 0), endMs: Math.round(endMs[at] ?? 0) };
    if (word !== undefined) words[at] = { ...word, ...moved, saidMs: word.startMs };
  }
}
