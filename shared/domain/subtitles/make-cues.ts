import type { Transcript } from '../transcript/transcript.ts';
import { cleanWords, pacedWords } from './cue-words.ts';
import type { CueWord, TimedCue } from './cue.ts';
import { breakIntoLines, costBetween, neverBreak, wordLooker, type WordFacts } from './line-breaks.ts';
import type { SubtitleProfile } from './profiles.ts';
import { giveUntimedTime } from './untimed-words.ts';
import { settleTimes, type RoughCues } from './settle-times.ts';

/** How speakers are named in the text of cues. */
export interface CueNaming {
  readonly when: 'first' | 'change' | 'every';
  /** The text before the words, for example `Dilnoza:`. */
  readonly prefixOf: (speakerId: string) => string;
}

/** A silence that a cue must not bridge. */
const silenceMs = 2000;
/** A pause that a cue should not bridge. */
const pauseMs = 700;
/** More than the cost of another cue, and less than that of a cue too short to see. */
const sentencePrice = 24;
/** A run is optimised as a whole; longer ones are cut at the next sentence, and anywhere at the hard limit. */
const runWords = 60;
const mostRunWords = 160;

/**
 * The words of a transcript as subtitles by the rules of a profile: in order, never overlapping, none after the end of
 * the recording. Breaks depend on at most `mostRunWords` following words, so the beginning of a long transcript gives
 * the beginning of its subtitles.
 */
export function makeCues(
  { language, durationMs, segments }: Transcript,
  profile: SubtitleProfile,
  naming: CueNaming | null = null,
): readonly TimedCue[] {
  const look = wordLooker(language);
  const run = new Run(profile, naming);
  for (const segment of segments) {
    const { id, speakerId } = segment;
    const words = pacedWords(segment);
    // A cue that begins with the first word of a segment is shown from the start of the segment on.
    let leadInMs = segment.startMs;
    const take = (word: CueWord, facts: WordFacts) => {
      run.take(word, facts, speakerId, id, leadInMs);
      leadInMs = Infinity;
    };
    for (const word of words) {
      const facts = look(word.text);
      if (facts.isPlain) take(word, facts);
      else for (const part of cleanWords(word)) take(part, look(part.text));
    }
    run.hold(id, segment.endMs);
  }
  return settleTimes(run.end(), profile, durationMs);
}

/** What a cue may need to be read, by its letters: asked of every way to cut every run. */
const fewLetters = 300;
const readTimes = new WeakMap<SubtitleProfile, Float64Array>();

function readTimesBy(profile: SubtitleProfile): Float64Array {
  const { minimumMs, charactersPerSecond } = profile;
  let times = readTimes.get(profile);
  if (times === undefined) {
    times = new Float64Array(fewLetters);
    for (let letters = 0; letters < fewLetters; letters += 1)
      times[letters] = Math.max(minimumMs, (letters * 1000) / charactersPerSecond);
    readTimes.set(profile, times);
  }
  return times;
}

/**
 * Words that are made into cues together, taken one after another: when the next one does not belong to them, each way
 * to cut them has a price, and the lowest sum wins. What is asked of each word many times is kept as plain numbers by
 * its place, in arrays that serve one run after another.
 */
class Run {
  readonly #profile: SubtitleProfile;
  readonly #naming: CueNaming | null;
  readonly #named = new Set<string>();
  #speakerBefore: string | null = null;
  readonly #cues: RoughCues = {
    startMs: [],
    endMs: [],
    letters: [],
    lines: [],
    rows: [],
    prefixes: [],
    speakerIds: [],
    segmentIds: [],
  };

  #speakerId: string | null = null;
  #count = 0;
  /** Whether a word takes no time: it was typed behind the last one. */
  #hasUntimed = false;
  readonly #words: CueWord[] = [];
  readonly #texts: string[] = [];
  readonly #facts: WordFacts[] = [];
  readonly #segmentIds: string[] = [];
  readonly #sizes = new Int32Array(mostRunWords);
  readonly #startMs = new Float64Array(mostRunWords);
  readonly #endMs = new Float64Array(mostRunWords);
  readonly #holdMs = new Float64Array(mostRunWords);
  readonly #leadInMs = new Float64Array(mostRunWords);
  /** What a line break after the word costs. */
  readonly #costs: number[] = [];
  /** The price of a cue that ends after the word, and of one that continues. */
  readonly #endPrices = new Float64Array(mostRunWords);
  readonly #insidePrices = new Float64Array(mostRunWords);
  /** The lowest sum for the words before this one, and where its last cue begins. */
  readonly #prices = new Float64Array(mostRunWords + 1);
  readonly #from = new Int32Array(mostRunWords + 1);
  readonly #readMs: Float64Array;

  constructor(profile: SubtitleProfile, naming: CueNaming | null) {
    this.#profile = profile;
    this.#naming = naming;
    this.#readMs = readTimesBy(profile);
  }

  take(word: CueWord, facts: WordFacts, speakerId: string | null, segmentId: string, leadInMs: number): void {
    const last = this.#words[this.#count - 1];
    if (this.#count > 0 && last !== undefined) {
      const isOver =
        this.#speakerId !== speakerId ||
        word.startMs - last.endMs >= silenceMs ||
        word.startMs < last.startMs ||
        this.#count >= mostRunWords ||
        (this.#count >= runWords && this.#facts[this.#count - 1]?.end === 'sentence');
      if (isOver) this.#split(word.startMs);
    }
    const at = this.#count;
    if (word.endMs <= word.startMs) this.#hasUntimed = true;
    this.#count += 1;
    this.#speakerId = speakerId;
    this.#words[at] = word;
    this.#texts[at] = word.text;
    this.#facts[at] = facts;
    this.#segmentIds[at] = segmentId;
    this.#sizes[at] = word.text.length + 1;
    this.#startMs[at] = word.startMs;
    this.#endMs[at] = word.endMs;
    this.#holdMs[at] = 0;
    this.#leadInMs[at] = leadInMs;
  }

  /** A cue that ends with the last word of this segment is shown at least until then. */
  hold(segmentId: string, untilMs: number): void {
    const last = this.#count - 1;
    // A segment without words has none.
    if (this.#segmentIds[last] === segmentId) this.#holdMs[last] = untilMs;
  }

  end(): RoughCues {
    this.#split(0);
    return this.#cues;
  }

  #split(nextMs: number): void {
    const count = this.#count;
    if (count === 0) return;
    if (this.#hasUntimed) {
      const run = { count, words: this.#words, facts: this.#facts, sizes: this.#sizes, segmentIds: this.#segmentIds };
      giveUntimedTime({ ...run, startMs: this.#startMs, endMs: this.#endMs }, this.#profile, nextMs);
      this.#hasUntimed = false;
    }
    const speakerId = this.#speakerId;
    const naming = this.#naming;
    const prefix = speakerId === null || naming === null ? '' : naming.prefixOf(speakerId);
    const isNamed =
      speakerId !== null &&
      naming !== null &&
      (naming.when === 'first' ? !this.#named.has(speakerId) : speakerId !== this.#speakerBefore);
    if (speakerId !== null) this.#named.add(speakerId);
    this.#speakerBefore = speakerId;
    const rest = naming?.when === 'every' ? prefix : '';
    const first = isNamed ? prefix : rest;
    this.#priceWords();
    this.#weigh(first === '' ? 0 : first.length + 1, rest === '' ? 0 : rest.length + 1);
    const ends: number[] = [];
    for (let end = count; end > 0; end = this.#from[end] ?? 0) ends.push(end);
    for (let at = ends.length - 1, start = 0; at >= 0; at -= 1) {
      const end = ends[at] ?? 0;
      this.#addCue(start, end, start === 0 ? first : rest);
      start = end;
    }
    this.#count = 0;
  }

  #addCue(start: number, end: number, prefix: string): void {
    const texts = this.#texts.slice(start, end);
    if (prefix !== '') texts[0] = `${prefix} ${texts[0] ?? ''}`;
    const { charactersPerLine, linesPerCue } = this.#profile;
    const spans = breakIntoLines(texts, this.#costs.slice(start, end), charactersPerLine, linesPerCue);
    let letters = -1;
    for (const text of texts) letters += text.length + 1;
    const { startMs, endMs, letters: counts, lines, rows, prefixes, speakerIds, segmentIds } = this.#cues;
    startMs.push(Math.min(this.#startMs[start] ?? 0, this.#leadInMs[start] ?? Infinity));
    endMs.push(Math.max(this.#endMs[end - 1] ?? 0, this.#holdMs[end - 1] ?? 0));
    counts.push(letters);
    lines.push(spans.map(([from, to]) => texts.slice(from, to).join(' ')));
    rows.push(spans.map(([from, to]) => this.#words.slice(start + from, start + to)));
    prefixes.push(prefix);
    speakerIds.push(this.#speakerId);
    const first = this.#segmentIds[start] ?? '';
    const isOfOne = this.#segmentIds[end - 1] === first;
    segmentIds.push(isOfOne ? [first] : [...new Set(this.#segmentIds.slice(start, end))]);
  }

  #priceWords(): void {
    const { splitsAtSentences } = this.#profile;
    const count = this.#count;
    let facts = this.#facts[0];
    for (let at = 0; at < count && facts !== undefined; at += 1) {
      const next = at + 1 < count ? this.#facts[at + 1] : undefined;
      const cost = next === undefined ? 0 : costBetween(facts, next);
      const silentMs = next === undefined ? 0 : (this.#startMs[at + 1] ?? 0) - (this.#endMs[at] ?? 0);
      const { end } = facts;
      const atWord = end === 'sentence' ? 0 : end === 'clause' || silentMs > pauseMs ? 4 : 14;
      this.#costs[at] = cost;
      this.#endPrices[at] = next === undefined ? 0 : atWord + (cost < neverBreak ? 0 : 60);
      this.#insidePrices[at] =
        (silentMs > pauseMs ? 15 : 0) + (end === 'sentence' && splitsAtSentences ? sentencePrice : 0);
      facts = next;
    }
  }

  /** Weighs every cue that begins with each word. Lines are filled as `breakIntoLines` could fill them at best. */
  #weigh(firstPrefix: number, restPrefix: number): void {
    const { charactersPerLine: limit, linesPerCue, maximumMs, minimumMs, charactersPerSecond, gapMs } = this.#profile;
    const count = this.#count;
    const [sizes, starts, ends, costs] = [this.#sizes, this.#startMs, this.#endMs, this.#costs];
    const [endPrices, insidePrices, readMs] = [this.#endPrices, this.#insidePrices, this.#readMs];
    const [prices, from] = [this.#prices, this.#from];
    prices.fill(Number.POSITIVE_INFINITY, 1, count + 1);
    for (let start = 0, prefix = firstPrefix; start < count; start += 1, prefix = restPrefix) {
      const startMs = starts[start] ?? 0;
      const spent = prices[start] ?? 0;
      let letters = prefix - 1;
      let line = prefix - 1;
      let lines = 1;
      /** Length of the line up to the last permitted break; 0 when there is none. */
      let good = 0;
      let inside = 6;
      for (let end = start; end < count; end += 1) {
        const size = sizes[end] ?? 0;
        letters += size;
        line += size;
        if (end > start) {
          // A word longer than a line gets a line of its own.
          if (end === start + 1 && line - size > limit) break;
          if (line > limit) {
            lines += 1;
            if (good > 0) line -= good + 1;
            else {
              line = size - 1;
              inside += 60;
            }
            good = 0;
            if (lines > linesPerCue || line > limit) break;
          }
        }
        const spokenMs = (ends[end] ?? 0) - startMs;
        if (spokenMs > maximumMs && end > start) break;
        if ((costs[end] ?? 0) < neverBreak) good = line;
        let price = inside + (endPrices[end] ?? 0);
        inside += insidePrices[end] ?? 0;
        // It only gets dearer: most ways need not be looked at any closer.
        if (spent + price >= (prices[end + 1] ?? 0)) continue;
        const roomMs = end + 1 < count ? (starts[end + 1] ?? 0) - startMs - gapMs : maximumMs;
        let shownMs =
          letters < fewLetters ? (readMs[letters] ?? 0) : Math.max(minimumMs, (letters * 1000) / charactersPerSecond);
        if (spokenMs > shownMs) shownMs = spokenMs;
        if (shownMs > maximumMs) shownMs = maximumMs;
        if (shownMs > roomMs) shownMs = roomMs;
        if (shownMs < 1) shownMs = 1;
        if (shownMs < minimumMs) price += 20;
        const over = (letters * 1000) / shownMs - charactersPerSecond;
        if (over > 0) price += over * 1.5;
        const sum = spent + price;
        if (sum < (prices[end + 1] ?? 0)) {
          prices[end + 1] = sum;
          from[end + 1] = start;
        }
      }
    }
  }
}
