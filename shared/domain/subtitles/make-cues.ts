import type { Transcript } from '../transcript/transcript.ts';
import { cleanWords, pacedWords, type CueWord, type TimedCue } from './cue.ts';
import { breakIntoLines, costBetween, neverBreak, wordLooker, type WordFacts } from './line-breaks.ts';
import type { SubtitleProfile } from './profiles.ts';

/** A cue stays on the screen at most so long after its last word, unless it would be too short to see. */
const lingerMs = 1000;

export interface CueNaming {
  readonly when: 'first' | 'change' | 'every';
  readonly prefixOf: (speakerId: string) => string;
}

const silenceMs = 2000;
const pauseMs = 700;
/** More than the cost of another cue, and less than that of a cue too short to see. */
const sentencePrice = 24;
/** More than a clause's end is worth: a lone word of a longer sentence takes its neighbour along. */
const loneWordPrice = 12;
/** A run is optimised as a whole; longer ones are cut at the next sentence, and anywhere at the hard limit. */
const runWords = 60;
const mostRunWords = 160;

/** Breaks depend on at most `mostRunWords` following words, so a beginning gives the beginning of its cues. */
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

/** Each way to cut the words has a price, and the lowest sum wins. Plain arrays serve one run after another. */
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

  /** Whether the word is a sentence of its own. */
  #isSentence(at: number): boolean {
    return (at === 0 || this.#facts[at - 1]?.end === 'sentence') && this.#facts[at]?.end === 'sentence';
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
        if (end === start && !this.#isSentence(end)) price += loneWordPrice;
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

interface RoughCues {
  readonly startMs: number[];
  readonly endMs: number[];
  readonly letters: number[];
  readonly lines: (readonly string[])[];
  readonly rows: (readonly (readonly CueWord[])[])[];
  readonly prefixes: string[];
  readonly speakerIds: (string | null)[];
  readonly segmentIds: (readonly string[])[];
}

/** In order, with room for reading where there is some, and never two cues in one moment. */
function settleTimes(rough: RoughCues, profile: SubtitleProfile, durationMs: number): readonly TimedCue[] {
  const { minimumMs, maximumMs, gapMs, chainMs, charactersPerSecond } = profile;
  const count = rough.startMs.length;
  const order = Array.from({ length: count }, (_, at) => at);
  const isOrdered = rough.startMs.every((startMs, at) => at === 0 || (rough.startMs[at - 1] ?? 0) <= startMs);
  if (!isOrdered) order.sort((a, b) => (rough.startMs[a] ?? 0) - (rough.startMs[b] ?? 0));
  const starts = new Float64Array(count);
  for (let at = 0, earliest = 0; at < count; at += 1) {
    const startMs = Math.max(earliest, Math.round(rough.startMs[order[at] ?? 0] ?? 0));
    starts[at] = startMs;
    earliest = startMs + 1;
  }
  // Words without a length at the very end begin a moment earlier. More cues than milliseconds are no recording.
  const limitMs = Math.max(durationMs, count);
  for (let at = count - 1, latest = limitMs - 1; at >= 0 && (starts[at] ?? 0) > latest; at -= 1, latest -= 1)
    starts[at] = latest;
  return order.map((place, at) => {
    const startMs = starts[at] ?? 0;
    const spokenMs = Math.round(rough.endMs[place] ?? 0) - startMs;
    const neededMs = Math.ceil(((rough.letters[place] ?? 0) * 1000) / charactersPerSecond);
    const readMs = Math.min(neededMs, Math.max(0, spokenMs) + lingerMs);
    let endMs = startMs + Math.min(maximumMs, Math.max(spokenMs, minimumMs, readMs));
    if (at + 1 < count) {
      const next = starts[at + 1] ?? 0;
      const free = next - gapMs > startMs ? next - gapMs : next;
      if (endMs > free || (free - endMs <= chainMs - gapMs && free - startMs <= maximumMs)) endMs = free;
    }
    return {
      startMs,
      endMs: Math.max(startMs + 1, Math.min(endMs, limitMs)),
      lines: rough.lines[place] ?? [],
      rows: rough.rows[place] ?? [],
      prefix: rough.prefixes[place] ?? '',
      speakerId: rough.speakerIds[place] ?? null,
      segmentIds: rough.segmentIds[place] ?? [],
    };
  });
}

interface TimedRun {
  readonly count: number;
  readonly words: CueWord[];
  readonly facts: readonly WordFacts[];
  readonly sizes: Int32Array;
  readonly segmentIds: readonly string[];
  readonly startMs: Float64Array;
  readonly endMs: Float64Array;
}

/** A typed sentence without time gets time to be read; other words share that of the word before them. */
function giveUntimedTime(run: TimedRun, profile: SubtitleProfile, nextMs: number): void {
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

/** Takes the silence behind the sentence first, then time of the one before, which keeps its share. */
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
