import { err, ok, type Result } from '../../result/result.ts';
import type { Change, EditRefusal } from './change.ts';
import { joinInLines } from './spoken-text.ts';
import {
  isCut,
  isRedacted,
  markOf,
  withComment,
  withMark,
  type Segment,
  type TimeSpan,
  type Transcript,
  type Word,
} from './transcript.ts';

/** Words of one segment, from index `from` up to but not including `to`. */
export interface WordRange {
  readonly segmentId: string;
  readonly from: number;
  readonly to: number;
}

/** Cuts or redacts words, or takes that back. Words and times stay unchanged, and so does the other of the two. */
export function markWords(
  transcript: Transcript,
  ranges: readonly WordRange[],
  marking: Marking,
): Result<Change, EditRefusal> {
  const isIn = isInRanges(ranges);
  return marksAndCuts(
    withMarks(transcript, (_word, place, id) => isIn(place, id), marking),
    [],
  );
}

export function isInRanges(ranges: readonly WordRange[]): (place: number, segmentId: string) => boolean {
  const bySegment = Map.groupBy(ranges, ({ segmentId }) => segmentId);
  return (place, id) => bySegment.get(id)?.some(({ from, to }) => place >= from && place < to) === true;
}

export type Marking = 'cut' | 'un-cut' | 'redacted' | 'un-redacted';

function markedAs(word: Word, marking: Marking): Word {
  const mark =
    marking === 'cut' || marking === 'un-cut'
      ? markOf(marking === 'cut', isRedacted(word))
      : markOf(isCut(word), marking === 'redacted');
  return word.mark === mark ? word : withMark(word, mark);
}

export function cutSilences(
  { cuts = [], durationMs }: Transcript,
  spans: readonly TimeSpan[],
): Result<Change, EditRefusal> {
  const joined = joinSpans([...cuts, ...spans], durationMs);
  return joined.length === cuts.length && joined.every((span, at) => isSame(span, cuts[at]))
    ? err('nothing-to-change')
    : ok([{ type: 'cuts', cuts: joined }]);
}

export function restoreSilences({ cuts = [] }: Transcript, span: TimeSpan): Result<Change, EditRefusal> {
  const left = cuts.filter(({ startMs, endMs }) => endMs <= span.startMs || startMs >= span.endMs);
  return left.length === cuts.length ? err('nothing-to-change') : ok([{ type: 'cuts', cuts: left }]);
}

/** Words mostly in it are struck; the rest is cut as silence, so that a restored word is heard again. */
export function cutStretch(transcript: Transcript, span: TimeSpan): Result<Change, EditRefusal> {
  const isIn = ({ startMs, endMs }: Word) =>
    (startMs + endMs) / 2 >= span.startMs && (startMs + endMs) / 2 < span.endMs;
  const struck = withMarks(transcript, isIn, 'cut');
  const known = new Map(struck.map((segment) => [segment.id, segment]));
  const segments = transcript.segments.map((segment) => known.get(segment.id) ?? segment);
  const beside = spansOutside(span, cutSpans({ ...transcript, segments, cuts: [] }));
  const cut = cutSilences(transcript, beside);
  return marksAndCuts(struck, cut.ok ? cut.value : []);
}

export function restoreStretch(transcript: Transcript, span: TimeSpan): Result<Change, EditRefusal> {
  const isIn = ({ startMs, endMs }: Word) => startMs < span.endMs && endMs > span.startMs;
  const restored = restoreSilences(transcript, span);
  return marksAndCuts(withMarks(transcript, isIn, 'un-cut'), restored.ok ? restored.value : []);
}

type WordFunction<T> = (word: Word, place: number, segmentId: string) => T;

const withMarks = (transcript: Transcript, isMeant: WordFunction<boolean>, marking: Marking): readonly Segment[] =>
  withWords(transcript, (word, place, id) => (isMeant(word, place, id) ? markedAs(word, marking) : word));

/** The segments that `change` alters. */
export const withWords = ({ segments }: Transcript, change: WordFunction<Word>): readonly Segment[] =>
  segments.flatMap((segment) => {
    const words = segment.words.map((word, place) => change(word, place, segment.id));
    return words.some((word, place) => word !== segment.words[place]) ? [{ ...segment, words }] : [];
  });

function marksAndCuts(marked: readonly Segment[], cuts: Change): Result<Change, EditRefusal> {
  const change: Change = marked.length > 0 ? [{ type: 'set', segments: marked }, ...cuts] : cuts;
  return change.length === 0 ? err('nothing-to-change') : ok(change);
}

/** What of a span is outside of others, which are ordered and disjoint. */
export function spansOutside({ startMs, endMs }: TimeSpan, others: readonly TimeSpan[]): readonly TimeSpan[] {
  const left: TimeSpan[] = [];
  let from = startMs;
  for (const other of others) {
    if (other.endMs <= from || other.startMs >= endMs) continue;
    if (other.startMs > from) left.push({ startMs: from, endMs: other.startMs });
    from = other.endMs;
  }
  return from < endMs ? [...left, { startMs: from, endMs }] : left;
}

const isSame = (span: TimeSpan, other: TimeSpan | undefined): boolean =>
  span.startMs === other?.startMs && span.endMs === other.endMs;

export function joinSpans(spans: readonly TimeSpan[], durationMs: number): readonly TimeSpan[] {
  const joined: { startMs: number; endMs: number }[] = [];
  for (const { startMs, endMs } of spans.toSorted((a, b) => a.startMs - b.startMs)) {
    const from = Math.max(0, Math.round(startMs));
    const to = Math.min(durationMs, Math.round(endMs));
    if (to <= from) continue;
    const last = joined.at(-1);
    if (last !== undefined && from <= last.endMs) last.endMs = Math.max(last.endMs, to);
    else joined.push({ startMs: from, endMs: to });
  }
  return joined;
}

/** Redacted words in a row are masked as one, so where one of them is cut, what is between them is cut too. */
export function cutSpans({ segments, cuts = [], durationMs }: Transcript): readonly TimeSpan[] {
  const spans: TimeSpan[] = [...cuts];
  for (const { words } of segments) {
    for (let at = 0; at < words.length; at += 1) {
      const [before, first] = [words[at - 1], words[at]];
      if (first === undefined || !isCut(first)) continue;
      while (isCut(words[at + 1])) at += 1;
      const [last = first, next] = [words[at], words[at + 1]];
      spans.push({
        startMs: before !== undefined && isRedacted(before) && isRedacted(first) ? before.endMs : first.startMs,
        endMs: next !== undefined && isRedacted(next) && isRedacted(last) ? next.startMs : last.endMs,
      });
    }
  }
  return joinSpans(spans, durationMs);
}

export const redactedText = '█████';

/** Punctuation of the sentence that stands at the edges of a word; anything else may belong to what is secret. */
const openingMarks = /^[«»"“”„([{]*/u;
const closingMarks = /[.,;:!?…«»"“”)\]}]*$/u;

/** Without the punctuation at its edges, in UTF-16 offsets; a text of nothing else is redacted as a whole. */
export function secretPart(text: string): readonly [number, number] {
  const from = openingMarks.exec(text)?.[0].length ?? 0;
  const to = text.length - (closingMarks.exec(text)?.[0].length ?? 0);
  return from < to ? [from, to] : [0, text.length];
}

export function secretPartOf(words: readonly Word[], at: number): readonly [number, number] {
  const text = words[at]?.text ?? '';
  const [from, to] = secretPart(text);
  const isAfter = isRedacted(words[at - 1]);
  const isBefore = isRedacted(words[at + 1]);
  return [isAfter ? 0 : from, isBefore ? text.length : to];
}

export const hasMarks = ({ words }: Segment): boolean => words.some(({ mark }) => mark !== undefined);

/** The transcript in the form that may leave the app: without cut words, and with every run of redacted ones masked. */
export function withoutStruckWords(transcript: Transcript): Transcript {
  if (!transcript.segments.some(hasMarks)) return transcript;
  // What is written about a redacted word may say it.
  const secret = new Set(
    transcript.segments.flatMap(({ words }) => words.filter(isRedacted).map(({ comment }) => comment?.id)),
  );
  const uncommented = withWords(transcript, (word) =>
    word.comment !== undefined && secret.has(word.comment.id) ? withComment(word, undefined) : word,
  );
  const byId = new Map(uncommented.map((segment) => [segment.id, segment]));
  const segments = transcript.segments.flatMap((segment) => withoutStruck(byId.get(segment.id) ?? segment));
  return { ...transcript, segments };
}

function withoutStruck(segment: Segment): readonly Segment[] {
  if (!hasMarks(segment)) return [segment];
  const words: Word[] = [];
  const places: number[] = [];
  for (const [place, word] of segment.words.entries()) {
    const last = words.at(-1);
    if (isCut(word)) continue;
    const [from, to] = secretPart(word.text);
    const closing = word.text.slice(to);
    if (isRedacted(word) && last !== undefined && isRedacted(last)) {
      const opening = last.text.slice(0, last.text.indexOf(redactedText));
      words[words.length - 1] = { ...last, text: opening + redactedText + closing, endMs: word.endMs };
      continue;
    }
    words.push(!isRedacted(word) ? word : { ...word, text: word.text.slice(0, from) + redactedText + closing });
    places.push(place);
  }
  const texts = words.map(({ text }) => text);
  return words.length === 0 ? [] : [{ ...segment, words, text: joinInLines(segment.text, texts, places) }];
}

interface SecretRun {
  readonly start: number;
  readonly end: number;
}

function secretRuns({ words }: Segment): readonly SecretRun[] {
  const runs: { start: number; end: number }[] = [];
  let start = 0;
  let isAfterRedacted = false;
  for (const [at, word] of words.entries()) {
    const [secretFrom, secretTo] = secretPartOf(words, at);
    const end = start + secretTo;
    const last = runs.at(-1);
    if (isRedacted(word) && isAfterRedacted && last !== undefined) last.end = end;
    else if (isRedacted(word)) runs.push({ start: start + secretFrom, end });
    isAfterRedacted = isRedacted(word);
    // A space or a line break.
    start += word.text.length + 1;
  }
  return runs;
}

/** Between UTF-16 offsets; runs of redacted words are masked even where only some letters are in the part. */
export function maskedText(segment: Segment, from: number, to: number): string {
  const { text } = segment;
  let masked = '';
  let done = from;
  for (const run of secretRuns(segment)) {
    if (Math.max(run.start, from) >= Math.min(run.end, to)) continue;
    masked += text.slice(done, Math.max(run.start, done)) + redactedText;
    done = Math.min(run.end, to);
  }
  return masked + text.slice(done, to);
}

/** A part of a segment's text, widened so that every run of redacted words is either all in it or all outside. */
export function withWholeSecrets(segment: Segment, from: number, to: number): readonly [from: number, to: number] {
  const touched = secretRuns(segment).filter(({ start, end }) => start < to && end > from);
  return [Math.min(from, ...touched.map(({ start }) => start)), Math.max(to, ...touched.map(({ end }) => end))];
}

/** Audio, clips and captions leave out exactly these; between redacted words in a row nothing is heard. */
export function mutedSpans(transcript: Transcript): readonly TimeSpan[] {
  // Asked for with every letter that is typed, so all words are looked at once.
  const segments = transcript.segments.filter(hasMarks);
  const cuts = cutSpans({ ...transcript, segments });
  const redacted = runsOf(segments, (word) => !isCut(word));
  return redacted.length === 0 ? cuts : joinSpans([...cuts, ...redacted], transcript.durationMs);
}

/** Also where it is cut as well. */
export const redactedSpans = ({ segments, durationMs }: Transcript): readonly TimeSpan[] =>
  joinSpans(runsOf(segments.filter(hasMarks), isRedacted), durationMs);

/** Stretches of marked words from one of a kind to another. */
function runsOf(segments: readonly Segment[], isMeant: (word: Word) => boolean): readonly TimeSpan[] {
  const runs: TimeSpan[] = [];
  for (const { words } of segments) {
    let run: { readonly startMs: number; endMs: number } | null = null;
    for (const word of words) {
      if (word.mark === undefined) run = null;
      else if (isMeant(word) && run !== null) run.endMs = word.endMs;
      else if (isMeant(word)) runs.push((run = { startMs: word.startMs, endMs: word.endMs }));
    }
  }
  return runs;
}

export const isPartlyUnheard = ({ segments, cuts = [] }: Pick<Transcript, 'segments' | 'cuts'>): boolean =>
  cuts.length > 0 || segments.some(hasMarks);

/** The audio of cut or redacted words stays cut where a change removes or shortens them. */
export function stillUnheard(transcript: Transcript, before: readonly Segment[], after: readonly Segment[]): Change {
  if (!before.some(hasMarks)) return [];
  const unheardIn = (segments: readonly Segment[]) => mutedSpans({ ...transcript, segments, cuts: [] });
  const left = unheardIn(after);
  const cut = cutSilences(
    transcript,
    unheardIn(before).flatMap((span) => spansOutside(span, left)),
  );
  return cut.ok ? cut.value : [];
}

export interface SilenceRule {
  /** Decibels relative to the loudest moment of the recording; anything quieter is silence. Negative. */
  readonly belowDb: number;
  readonly leastMs: number;
  readonly keepMs: number;
}

export const usualSilence: SilenceRule = { belowDb: -26, leastMs: 800, keepMs: 150 };

/** Where loudness, in equal steps, stays low; never a word with a time from the service, nor what is cut. */
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
