import type { SpeechLanguage } from '../languages.ts';
import type { Segment, Transcript } from '../transcript/transcript.ts';
import { cleanLine } from './clean-line.ts';

/** One subtitle: at most two lines, shown from `startMs` to `endMs`. */
export interface Cue {
  readonly startMs: number;
  readonly endMs: number;
  readonly lines: readonly string[];
  readonly speakerId: string | null;
}

/** Netflix's Russian guide has 39 characters to a line; Latin scripts have 42. */
export const charactersPerLine: Readonly<Record<SpeechLanguage, number>> = { uz: 42, en: 42, ru: 39 };
export const longestCueMs = 7_000;
export const shortestCueMs = 833;
/** Characters a viewer reads in a second. */
const readingSpeed = 17;
/** A pause of the speaker that a cue should not bridge. */
const pauseMs = 1_000;

interface Piece {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** What a cue that ends with this word breaks off; known once, because every word is weighed many times. */
  readonly ends: 'sentence' | 'clause' | null;
}

const toPiece = (text: string, startMs: number, endMs: number): Piece => ({
  text,
  startMs,
  endMs,
  ends: /[.!?…]["'»”)]*$/u.test(text) ? 'sentence' : /[,;:—–]["'»”)]*$/u.test(text) ? 'clause' : null,
});

/**
 * The transcript as subtitles: in order, never overlapping, each longer than nothing, split where sentences end.
 * `prefixOf` may name the speaker in front of the first word of each turn; it counts towards the length of the line.
 */
export function toCues(transcript: Transcript, prefixOf: (speakerId: string) => string = () => ''): readonly Cue[] {
  const limit = charactersPerLine[transcript.language];
  let before: string | null = null;
  const rough = transcript.segments
    .flatMap((segment) => {
      const { speakerId } = segment;
      const prefix = speakerId === null || speakerId === before ? '' : prefixOf(speakerId);
      before = speakerId;
      return splitSegment(segment, limit, prefix);
    })
    .toSorted((a, b) => a.startMs - b.startMs);
  return settleTimes(rough, transcript.durationMs);
}

/** Best split of a segment by dynamic programming: each cue has a price, the cheapest sum wins. */
function splitSegment(segment: Segment, limit: number, prefix: string): Cue[] {
  const pieces = withPrefix(piecesOf(segment), prefix);
  const best: { readonly price: number; readonly from: number }[] = [{ price: 0, from: 0 }];
  for (let end = 1; end <= pieces.length; end++) {
    let choice = { price: Number.POSITIVE_INFINITY, from: end - 1 };
    for (let from = end - 1; from >= 0; from--) {
      const price = priceOf(pieces, from, end, limit);
      if (price === null && from < end - 1) break;
      const sum = (best[from]?.price ?? 0) + (price ?? 1_000);
      if (sum < choice.price) choice = { price: sum, from };
    }
    best.push(choice);
  }
  const cues: Cue[] = [];
  for (let end = pieces.length; end > 0; end = best[end]?.from ?? 0) {
    const part = pieces.slice(best[end]?.from ?? 0, end);
    const [first] = part;
    const last = part.at(-1);
    if (first === undefined || last === undefined) break;
    const lines = wrap(
      part.map(({ text }) => text),
      limit,
    ) ?? [part.map(({ text }) => text).join(' ')];
    cues.unshift({ startMs: first.startMs, endMs: last.endMs, lines, speakerId: segment.speakerId });
  }
  return cues;
}

function withPrefix(pieces: readonly Piece[], prefix: string): readonly Piece[] {
  const [first, ...rest] = pieces;
  return first === undefined || prefix === '' ? pieces : [{ ...first, text: `${prefix} ${first.text}` }, ...rest];
}

function piecesOf(segment: Segment): readonly Piece[] {
  const words = segment.words
    .map(({ text, startMs, endMs }) => toPiece(cleanLine(text), startMs, endMs))
    .filter(({ text }) => text !== '');
  if (words.length > 0) return words;
  const texts = cleanLine(segment.text)
    .split(' ')
    .filter((text) => text !== '');
  const stepMs = (segment.endMs - segment.startMs) / Math.max(1, texts.length);
  return texts.map((text, index) =>
    toPiece(text, Math.round(segment.startMs + index * stepMs), Math.round(segment.startMs + (index + 1) * stepMs)),
  );
}

/** Null when these words can't be one cue: too long for two lines or too long a time. */
function priceOf(pieces: readonly Piece[], from: number, end: number, limit: number): number | null {
  const first = pieces[from];
  const last = pieces[end - 1];
  if (first === undefined || last === undefined) return null;
  if (last.endMs - first.startMs > longestCueMs) return null;
  const letters = lettersIfTwoLines(pieces, from, end, limit);
  if (letters === null) return null;
  const next = pieces[end];
  const roomMs = next === undefined ? shortestCueMs : next.startMs - first.startMs;
  const shownMs = Math.max(last.endMs - first.startMs, Math.min(shortestCueMs, roomMs), 1);
  let price = 6;
  if (next !== undefined) price += last.ends === 'sentence' ? 0 : last.ends === 'clause' ? 4 : 14;
  if (shownMs < shortestCueMs) price += 20;
  price += Math.max(0, (letters * 1_000) / shownMs - readingSpeed) * 1.5;
  for (let index = from + 1; index < end; index++) {
    const gapMs = (pieces[index]?.startMs ?? 0) - (pieces[index - 1]?.endMs ?? 0);
    if (gapMs > pauseMs) price += 15;
    if (pieces[index - 1]?.ends === 'sentence') price += 2;
  }
  return price;
}

/** Letters of these words with the spaces between them; null when they need more than two lines (see `wrap`). */
function lettersIfTwoLines(pieces: readonly Piece[], from: number, end: number, limit: number): number | null {
  let letters = -1;
  let firstLine = 0;
  for (let index = from; index < end; index++) {
    letters += (pieces[index]?.text.length ?? 0) + 1;
    if (letters <= limit) firstLine = letters;
    else if (end - from > 1 && (firstLine === 0 || letters - firstLine - 1 > limit)) return null;
  }
  return letters;
}

/** One line, or two of nearly the same length; null when two are not enough. A single long word stays whole. */
function wrap(words: readonly string[], limit: number): readonly string[] | null {
  const whole = words.join(' ');
  if (whole.length <= limit || words.length === 1) return [whole];
  let best: readonly string[] | null = null;
  let bestPrice = Number.POSITIVE_INFINITY;
  for (let at = 1; at < words.length; at++) {
    const lines = [words.slice(0, at).join(' '), words.slice(at).join(' ')] as const;
    if (lines[0].length > limit || lines[1].length > limit) continue;
    const price = Math.abs(lines[0].length - lines[1].length) - (/[.!?…,;:]$/u.test(lines[0]) ? 12 : 0);
    if (price < bestPrice) {
      best = lines;
      bestPrice = price;
    }
  }
  return best;
}

/** Makes room for reading where there is some; no two cues share a moment, and none ends after the recording. */
function settleTimes(rough: readonly Cue[], durationMs: number): readonly Cue[] {
  const starts: number[] = [];
  for (const cue of rough) starts.push(Math.max(0, Math.round(cue.startMs), (starts.at(-1) ?? -1) + 1));
  // Cues that crowd at the end move back, so that each has at least its millisecond before the recording is over.
  let limitMs = Math.max(durationMs, rough.length);
  for (let index = starts.length - 1; index >= 0; index--) {
    limitMs = Math.min(starts[index] ?? 0, limitMs - 1);
    starts[index] = limitMs;
  }
  return rough.map((cue, index) => {
    const startMs = starts[index] ?? 0;
    const nextMs = starts[index + 1] ?? Math.max(durationMs, startMs + 1);
    const letters = cue.lines.join(' ').length;
    const readMs = Math.ceil((letters * 1_000) / readingSpeed);
    const endMs = Math.round(cue.endMs);
    const wanted = Math.min(
      Math.max(endMs, startMs + Math.max(shortestCueMs, Math.min(readMs, endMs - startMs + 1_000))),
      startMs + longestCueMs,
    );
    return { ...cue, startMs, endMs: Math.max(startMs + 1, Math.min(wanted, nextMs)) };
  });
}
