import { cleanLine } from '../exports/clean-line.ts';
import type { Segment, Transcript } from '../transcript/transcript.ts';
import type { CueWord, TimedCue } from './cue.ts';
import { breakIntoLines, breakRules, endOf, neverBreak, type BreakCost } from './line-breaks.ts';
import type { SubtitleProfile } from './profiles.ts';

/** How speakers are named inside the text of cues. */
export interface CueNaming {
  readonly when: 'first' | 'change' | 'every';
  /** What stands before the words, for example `Dilnoza:`. */
  readonly prefixOf: (speakerId: string) => string;
}

/** A silence that a cue must not bridge. */
const silenceMs = 2000;
/** A pause that a cue should not bridge. */
const pauseMs = 700;
/** A cue stays on the screen at most so long after its last word, unless it would be too short to see. */
const lingerMs = 1000;
/** A run is weighed as a whole; longer ones are cut at the next sentence, and anywhere at the hard limit. */
const runWords = 60;
const mostRunWords = 160;

/** Words that are made into cues together. */
interface Run {
  readonly speakerId: string | null;
  readonly words: CueWord[];
  readonly ends: ('sentence' | 'clause' | null)[];
}

/**
 * The words of a transcript as subtitles by the rules of a profile: in order, never overlapping, none after the end of
 * the recording. Where words are cut depends on at most `mostRunWords` words that follow, so the beginning of a long
 * transcript gives the beginning of its subtitles.
 */
export function makeCues(
  transcript: Transcript,
  profile: SubtitleProfile,
  naming: CueNaming | null = null,
): readonly TimedCue[] {
  const { language, durationMs } = transcript;
  const breakCost = breakRules(language);
  const cues: TimedCue[] = [];
  const named = new Set<string>();
  let before: string | null = null;
  for (const run of toRuns(transcript.segments)) {
    const { speakerId } = run;
    const prefix = speakerId === null || naming === null ? '' : naming.prefixOf(speakerId);
    const isNamed =
      speakerId !== null && naming !== null && (naming.when === 'first' ? !named.has(speakerId) : speakerId !== before);
    if (speakerId !== null) named.add(speakerId);
    before = speakerId;
    const rest = naming?.when === 'every' ? prefix : '';
    splitRun(run, profile, breakCost, { first: isNamed ? prefix : rest, rest }, cues);
  }
  return settleTimes(
    cues.toSorted((a, b) => a.startMs - b.startMs),
    profile,
    durationMs,
  );
}

function* toRuns(segments: readonly Segment[]): Generator<Run> {
  let run: Run | null = null;
  for (const segment of segments) {
    for (const word of wordsOf(segment)) {
      const last = run?.words.at(-1);
      if (run !== null && last !== undefined) {
        const count = run.words.length;
        const isOver =
          run.speakerId !== segment.speakerId ||
          word.startMs - last.endMs >= silenceMs ||
          word.startMs < last.startMs ||
          count >= mostRunWords ||
          (count >= runWords && run.ends.at(-1) === 'sentence');
        if (isOver) {
          yield run;
          run = null;
        }
      }
      run ??= { speakerId: segment.speakerId, words: [], ends: [] };
      run.words.push(word);
      run.ends.push(endOf(word.text));
    }
  }
  if (run !== null) yield run;
}

/** Most words are plain; only what may hold something else is cleaned. */
const plainWord = /^[\p{L}\p{N}.,!?:;…—–«»“”"'()%-]+$/u;

function wordsOf(segment: Segment): readonly CueWord[] {
  if (segment.words.length > 0) {
    const words: CueWord[] = [];
    for (const word of segment.words) {
      const text = plainWord.test(word.text) ? word.text : cleanLine(word.text);
      if (text !== '') words.push({ text, startMs: word.startMs, endMs: word.endMs });
    }
    return words;
  }
  const texts = cleanLine(segment.text)
    .split(' ')
    .filter((text) => text !== '');
  const stepMs = (segment.endMs - segment.startMs) / Math.max(1, texts.length);
  return texts.map((text, at) => ({
    text,
    startMs: Math.round(segment.startMs + at * stepMs),
    endMs: Math.round(segment.startMs + (at + 1) * stepMs),
  }));
}

/** The cheapest split of a run: each cue has a price, the lowest sum wins. */
function splitRun(
  { words, ends, speakerId }: Run,
  profile: SubtitleProfile,
  breakCost: BreakCost,
  prefix: { readonly first: string; readonly rest: string },
  into: TimedCue[],
): void {
  const count = words.length;
  const costs = words.map(({ text }, at) => {
    const next = words[at + 1];
    return next === undefined ? 0 : breakCost(text, next.text);
  });
  const prices = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY);
  const from = new Int32Array(count + 1);
  prices[0] = 0;
  for (let start = 0; start < count; start += 1) {
    const name = start === 0 ? prefix.first : prefix.rest;
    weighFrom(start, { words, ends, costs, prices, from }, profile, name === '' ? 0 : name.length + 1);
  }
  const bounds: number[] = [];
  for (let end = count; end > 0; end = from[end] ?? 0) bounds.push(end);
  let start = 0;
  for (const end of bounds.toReversed()) {
    const part = words.slice(start, end);
    const name = start === 0 ? prefix.first : prefix.rest;
    const texts = part.map(({ text }) => text);
    if (name !== '') texts[0] = `${name} ${texts[0] ?? ''}`;
    const lines = breakIntoLines(texts, costs.slice(start, end), profile.charactersPerLine, profile.linesPerCue);
    into.push({
      startMs: part[0]?.startMs ?? 0,
      endMs: part.at(-1)?.endMs ?? 0,
      lines: lines.map(([first, last]) => texts.slice(first, last).join(' ')),
      rows: lines.map(([first, last]) => part.slice(first, last)),
      speakerId,
    });
    start = end;
  }
}

interface Weighed {
  readonly words: readonly CueWord[];
  readonly ends: readonly ('sentence' | 'clause' | null)[];
  readonly costs: readonly number[];
  readonly prices: Float64Array;
  readonly from: Int32Array;
}

/** Weighs every cue that begins with word `start`. Lines are filled as `breakIntoLines` could fill them at best. */
function weighFrom(
  start: number,
  { words, ends, costs, prices, from }: Weighed,
  profile: SubtitleProfile,
  prefix: number,
) {
  const { charactersPerLine: limit, linesPerCue, maximumMs, minimumMs, charactersPerSecond, gapMs } = profile;
  const startMs = words[start]?.startMs ?? 0;
  const spent = prices[start] ?? 0;
  let letters = prefix - 1;
  let line = prefix - 1;
  let lines = 1;
  /** Length of the line up to the last word after which it may be broken; 0 when there is none. */
  let good = 0;
  let inside = 0;
  for (let end = start + 1; end <= words.length; end += 1) {
    const word = words[end - 1];
    if (word === undefined) return;
    const size = word.text.length + 1;
    letters += size;
    line += size;
    const isAlone = end - start === 1;
    // A word that is longer than a line stands alone.
    if (!isAlone && end - start === 2 && line - size > limit) return;
    if (line > limit && !isAlone) {
      lines += 1;
      if (good > 0) line -= good + 1;
      else {
        line = size - 1;
        inside += 60;
      }
      good = 0;
      if (lines > linesPerCue || line > limit) return;
    }
    if (word.endMs - startMs > maximumMs && !isAlone) return;
    const next = words[end];
    const roomMs = Math.min(maximumMs, next === undefined ? maximumMs : Math.max(0, next.startMs - startMs - gapMs));
    const neededMs = Math.max(minimumMs, (letters * 1000) / charactersPerSecond);
    const shownMs = Math.max(1, Math.min(roomMs, Math.max(word.endMs - startMs, neededMs)));
    const cost = costs[end - 1] ?? 0;
    const silentMs = next === undefined ? 0 : next.startMs - word.endMs;
    let price = 6 + inside;
    if (next !== undefined) {
      const ending = ends[end - 1];
      if (ending === 'clause') price += 4;
      else if (ending !== 'sentence') price += silentMs > pauseMs ? 4 : 14;
      if (cost >= neverBreak) price += 60;
    }
    if (shownMs < minimumMs) price += 20;
    price += Math.max(0, (letters * 1000) / shownMs - charactersPerSecond) * 1.5;
    const sum = spent + price;
    if (sum < (prices[end] ?? 0)) {
      prices[end] = sum;
      from[end] = start;
    }
    if (silentMs > pauseMs) inside += 15;
    if (ends[end - 1] === 'sentence' && profile.splitsAtSentences) inside += 5;
    if (cost < neverBreak) good = line;
  }
}

/** Makes room for reading where there is some, keeps the gaps, and never lets two cues share a moment. */
function settleTimes(rough: readonly TimedCue[], profile: SubtitleProfile, durationMs: number): readonly TimedCue[] {
  const { minimumMs, maximumMs, gapMs, chainMs, charactersPerSecond } = profile;
  const starts: number[] = [];
  for (const { startMs } of rough) starts.push(Math.max(0, Math.round(startMs), (starts.at(-1) ?? -1) + 1));
  // Words without a length at the very end begin a moment earlier. More cues than milliseconds are no recording.
  let latest = Math.max(durationMs, rough.length) - 1;
  for (let at = starts.length - 1; at >= 0 && (starts[at] ?? 0) > latest; at -= 1, latest -= 1) starts[at] = latest;
  const limitMs = Math.max(durationMs, rough.length);
  return rough.map((cue, at) => {
    const startMs = starts[at] ?? 0;
    const next = starts[at + 1];
    const letters = cue.lines.reduce((sum, line) => sum + line.length + 1, -1);
    const spokenMs = Math.round(cue.endMs) - startMs;
    const readMs = Math.min(Math.ceil((letters * 1000) / charactersPerSecond), Math.max(0, spokenMs) + lingerMs);
    let endMs = startMs + Math.min(maximumMs, Math.max(spokenMs, minimumMs, readMs));
    if (next !== undefined) {
      const free = next - gapMs > startMs ? next - gapMs : next;
      if (endMs > free || (free - endMs <= chainMs - gapMs && free - startMs <= maximumMs)) endMs = free;
    }
    return { ...cue, startMs, endMs: Math.max(startMs + 1, Math.min(endMs, limitMs)) };
  });
}
