import { cleanLine } from '../exports/format-text.ts';
import type { Segment, Transcript } from '../transcript/transcript.ts';
import type { CueWord, TimedCue } from './cue.ts';
import { breakIntoLines, breakRules, endOf, neverBreak, type BreakCost } from './line-breaks.ts';
import type { SubtitleProfile } from './profiles.ts';

/** How speakers are named inside the text of cues. */
interface CueNaming {
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
/** More than another cue costs, and less than one that is too short to see. */
const sentencePrice = 24;
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

/** The words of a segment as cues have them; where none are timed, they share its time. */
export function wordsOf(segment: Segment): readonly CueWord[] {
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
  const run = toWeighed(words, ends, costs, profile);
  for (let start = 0; start < count; start += 1) {
    const name = start === 0 ? prefix.first : prefix.rest;
    weighFrom(start, run, profile, name === '' ? 0 : name.length + 1);
  }
  const { from } = run;
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

/** What is asked of each word many times, by its place in the run. */
interface Weighed {
  readonly count: number;
  readonly sizes: Int32Array;
  readonly startMs: Float64Array;
  readonly endMs: Float64Array;
  /** What it costs that a cue ends after the word, and that it goes on. */
  readonly endPrices: Float64Array;
  readonly insidePrices: Float64Array;
  readonly mayBreak: Uint8Array;
  /** The lowest sum for the words before this one, and where the last cue of it begins. */
  readonly prices: Float64Array;
  readonly from: Int32Array;
}

function toWeighed(
  words: readonly CueWord[],
  ends: Run['ends'],
  costs: readonly number[],
  { splitsAtSentences }: SubtitleProfile,
): Weighed {
  const count = words.length;
  const run: Weighed = {
    count,
    sizes: new Int32Array(count),
    startMs: new Float64Array(count),
    endMs: new Float64Array(count),
    endPrices: new Float64Array(count),
    insidePrices: new Float64Array(count),
    mayBreak: new Uint8Array(count),
    prices: new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY),
    from: new Int32Array(count + 1),
  };
  run.prices[0] = 0;
  for (const [at, word] of words.entries()) {
    const next = words[at + 1];
    const silentMs = next === undefined ? 0 : next.startMs - word.endMs;
    const mayBreak = (costs[at] ?? 0) < neverBreak;
    run.sizes[at] = word.text.length + 1;
    run.startMs[at] = word.startMs;
    run.endMs[at] = word.endMs;
    run.mayBreak[at] = mayBreak ? 1 : 0;
    const ending = ends[at];
    const atWord = ending === 'sentence' ? 0 : ending === 'clause' || silentMs > pauseMs ? 4 : 14;
    run.endPrices[at] = next === undefined ? 0 : atWord + (mayBreak ? 0 : 60);
    run.insidePrices[at] =
      (silentMs > pauseMs ? 15 : 0) + (ending === 'sentence' && splitsAtSentences ? sentencePrice : 0);
  }
  return run;
}

/** Weighs every cue that begins with word `start`. Lines are filled as `breakIntoLines` could fill them at best. */
function weighFrom(start: number, run: Weighed, profile: SubtitleProfile, prefix: number): void {
  const { charactersPerLine: limit, linesPerCue, maximumMs, minimumMs, charactersPerSecond, gapMs } = profile;
  const { count, sizes, prices } = run;
  const startMs = run.startMs[start] ?? 0;
  const spent = prices[start] ?? 0;
  let letters = prefix - 1;
  let line = prefix - 1;
  let lines = 1;
  /** Length of the line up to the last word after which it may be broken; 0 when there is none. */
  let good = 0;
  let inside = 6;
  for (let end = start; end < count; end += 1) {
    const size = sizes[end] ?? 0;
    letters += size;
    line += size;
    if (end > start) {
      // A word that is longer than a line stands alone.
      if (end === start + 1 && line - size > limit) return;
      if (line > limit) {
        lines += 1;
        if (good > 0) line -= good + 1;
        else {
          line = size - 1;
          inside += 60;
        }
        good = 0;
        if (lines > linesPerCue || line > limit) return;
      }
    }
    const spokenMs = (run.endMs[end] ?? 0) - startMs;
    if (spokenMs > maximumMs && end > start) return;
    const neededMs = Math.max(minimumMs, (letters * 1000) / charactersPerSecond);
    const roomMs = end + 1 < count ? Math.max(0, (run.startMs[end + 1] ?? 0) - startMs - gapMs) : maximumMs;
    const shownMs = Math.max(1, Math.min(roomMs, maximumMs, Math.max(spokenMs, neededMs)));
    let price = inside + (run.endPrices[end] ?? 0);
    if (shownMs < minimumMs) price += 20;
    const over = (letters * 1000) / shownMs - charactersPerSecond;
    if (over > 0) price += over * 1.5;
    const sum = spent + price;
    if (sum < (prices[end + 1] ?? 0)) {
      prices[end + 1] = sum;
      run.from[end + 1] = start;
    }
    inside += run.insidePrices[end] ?? 0;
    if (run.mayBreak[end] === 1) good = line;
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
