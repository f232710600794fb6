import type { SpeechLanguage } from '../languages.ts';
import { cleanSpokenText, cleanTypedText, splitIntoPieces, wordsOf } from './spoken-text.ts';
import type { ReceivedSegment, ReceivedTranscript, ReceivedWord } from './received.ts';
import type { Segment, Speaker, Transcript, Word } from './transcript.ts';

interface TimedSegment {
  readonly text: string;
  readonly speaker?: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly words: readonly ReceivedWord[];
  readonly received: ReceivedSegment;
}

interface Draft {
  readonly segment: ReceivedSegment;
  startMs: number | null;
  endMs: number | null;
}

/** Characters spoken per second, for recordings of unknown length. */
const usualPace = 14;
const msFor = (text: string): number => Math.ceil((text.length * 1000) / usualPace);

/** Missing times come from the words or are spread by length. `overlaps`: those of one speaker. */
export function timeSegments(
  pieces: readonly ReceivedSegment[],
  statedDurationMs: number | null,
  overlaps: 'cut' | 'kept' = 'cut',
): { readonly segments: readonly TimedSegment[]; readonly durationMs: number } {
  const drafts = pieces.map(toDraft);
  const lastKnown = drafts.reduce((latest, { startMs, endMs }) => Math.max(latest, startMs ?? 0, endMs ?? 0), 0);
  const textMs = drafts
    .filter(({ endMs }) => endMs === null)
    .reduce((sum, { segment }) => sum + msFor(segment.text), 0);
  const durationMs = Math.max(lastKnown, cleanMs(statedDurationMs) ?? lastKnown + textMs);
  fillGaps(drafts, durationMs);
  const timed = drafts.map(({ segment, startMs, endMs }): TimedSegment => ({
    text: segment.text,
    ...(segment.speaker === undefined ? {} : { speaker: segment.speaker }),
    startMs: startMs ?? 0,
    endMs: Math.max(startMs ?? 0, endMs ?? 0),
    words: segment.words,
    received: segment,
  }));
  const inOrder = timed.toSorted((a, b) => a.startMs - b.startMs);
  return { segments: overlaps === 'kept' ? inOrder : separate(inOrder), durationMs };
}

const cleanMs = (value: number | null | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : null;

function toDraft(segment: ReceivedSegment): Draft {
  const firstWord = segment.words.find((word) => cleanMs(word.startMs) !== null);
  const lastWord = segment.words.findLast((word) => cleanMs(word.endMs) !== null);
  const startMs = cleanMs(segment.startMs) ?? cleanMs(firstWord?.startMs);
  const endMs = cleanMs(segment.endMs) ?? cleanMs(lastWord?.endMs);
  return { segment, startMs, endMs: startMs !== null && endMs !== null && endMs < startMs ? null : endMs };
}

function fillGaps(drafts: readonly Draft[], durationMs: number): void {
  let from = 0;
  while (from < drafts.length) {
    const first = drafts[from];
    if (first === undefined) break;
    if (first.startMs !== null && first.endMs !== null) {
      from += 1;
      continue;
    }
    const before = drafts[from - 1]?.endMs ?? 0;
    const start = first.startMs ?? before;
    let to = from;
    // The run ends at the first known end, or just before the first that has both times or starts later.
    for (let next = drafts[to + 1]; drafts[to]?.endMs === null && next !== undefined; next = drafts[to + 1]) {
      if (next.startMs !== null && (next.startMs !== start || next.endMs !== null)) break;
      to += 1;
    }
    const last = drafts[to];
    const limit = last?.endMs ?? drafts[to + 1]?.startMs ?? durationMs;
    const run = drafts.slice(from, to + 1);
    // What follows in a file may be earlier in time and leave no room: then the text takes its usual time.
    const usualMs = run.reduce((sum, { segment }) => sum + msFor(segment.text), 0);
    shareOut(run, start, limit > start ? limit : Math.max(start, Math.min(start + usualMs, durationMs)));
    from = to + 1;
  }
}

function shareOut(run: readonly Draft[], startMs: number, limitMs: number): void {
  const total = run.reduce((sum, { segment }) => sum + segment.text.length + 1, 0);
  let spent = 0;
  for (const draft of run) {
    draft.startMs = startMs + Math.round(((limitMs - startMs) * spent) / total);
    spent += draft.segment.text.length + 1;
    draft.endMs = startMs + Math.round(((limitMs - startMs) * spent) / total);
  }
}

/** Cuts overlaps of one speaker: an end moves back to the next start; equal starts share their time. Input by start. */
function separate(segments: readonly TimedSegment[]): readonly TimedSegment[] {
  const bySpeaker = Map.groupBy(
    segments.map((segment, at) => ({ segment, at })),
    ({ segment }) => segment.speaker ?? null,
  );
  const result = [...segments];
  for (const own of bySpeaker.values()) {
    for (let from = 0; from < own.length;) {
      let to = from + 1;
      while (to < own.length && own[to]?.segment.startMs === own[from]?.segment.startMs) to += 1;
      const group = own.slice(from, to);
      const nextStart = own[to]?.segment.startMs ?? Infinity;
      placeGroup(group, nextStart, result);
      from = to;
    }
  }
  return result.toSorted((a, b) => a.startMs - b.startMs);
}

function placeGroup(
  group: readonly { readonly segment: TimedSegment; readonly at: number }[],
  nextStart: number,
  result: TimedSegment[],
): void {
  const start = group[0]?.segment.startMs ?? 0;
  const end = Math.min(
    nextStart,
    group.reduce((latest, { segment }) => Math.max(latest, segment.endMs), start),
  );
  const total = group.reduce((sum, { segment }) => sum + segment.text.length + 1, 0);
  let spent = 0;
  for (const { segment, at } of group) {
    const startMs = start + Math.round(((end - start) * spent) / total);
    spent += segment.text.length + 1;
    result[at] = { ...segment, startMs, endMs: start + Math.round(((end - start) * spent) / total) };
  }
}

interface Slot {
  readonly text: string;
  startMs: number | null;
  endMs: number | null;
}

const lookahead = 8;

/** The text determines the words, the received words their times; others are spread over the gap and marked. */
export function alignWords(
  text: string,
  received: readonly ReceivedWord[],
  startMs: number,
  endMs: number,
): readonly Word[] {
  const slots: Slot[] = wordsOf(text).map((word) => ({ text: word, startMs: null, endMs: null }));
  pairWords(slots, received.flatMap(splitWord));
  settle(slots, startMs, endMs);
  return spread(slots, startMs, endMs);
}

/** A received word with spaces ("New York") becomes several words that share its time. */
function splitWord(word: ReceivedWord): readonly ReceivedWord[] {
  const parts = wordsOf(cleanSpokenText(word.text));
  if (parts.length <= 1 || word.startMs === undefined || word.endMs === undefined) {
    return parts.map((text) => ({ ...word, text }));
  }
  const { startMs, endMs } = word;
  const total = parts.reduce((sum, part) => sum + part.length, 0);
  let spent = 0;
  return parts.map((text) => {
    const from = startMs + ((endMs - startMs) * spent) / total;
    spent += text.length;
    return { text, startMs: Math.round(from), endMs: Math.round(startMs + ((endMs - startMs) * spent) / total) };
  });
}

/** Letters and digits only, so that "Salom," and "salom" are one word. */
const core = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

function pairWords(slots: readonly Slot[], received: readonly ReceivedWord[]): void {
  const isOneToOne = slots.length === received.length;
  let at = 0;
  for (const [index, word] of received.entries()) {
    const wanted = core(word.text);
    const found = isOneToOne ? index : findSlot(slots, at, wanted);
    const slot = found === null ? undefined : slots[found];
    if (slot === undefined || found === null) continue;
    slot.startMs = finite(word.startMs);
    slot.endMs = finite(word.endMs);
    at = found + 1;
  }
}

function findSlot(slots: readonly Slot[], from: number, wanted: string): number | null {
  for (let at = from; at < Math.min(slots.length, from + lookahead); at += 1) {
    if (core(slots[at]?.text ?? '') === wanted) return at;
  }
  return null;
}

const finite = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) && value >= 0 ? Math.round(value) : null;

/** Times outside the segment or in the wrong order are corrected; a start without an end ends where the next begins. */
function settle(slots: readonly Slot[], startMs: number, endMs: number): void {
  let earliest = startMs;
  for (const slot of slots) {
    if (slot.startMs === null) {
      slot.endMs = null;
      continue;
    }
    slot.startMs = Math.min(endMs, Math.max(earliest, slot.startMs));
    if (slot.endMs !== null) slot.endMs = Math.min(endMs, Math.max(slot.startMs, slot.endMs));
    earliest = slot.startMs;
  }
  let next = endMs;
  for (const slot of slots.toReversed()) {
    if (slot.startMs === null) continue;
    slot.endMs = Math.min(next, slot.endMs ?? next);
    next = slot.startMs;
  }
}

function spread(slots: readonly Slot[], startMs: number, endMs: number): readonly Word[] {
  const placed: Word[] = [];
  let clock = startMs;
  for (let from = 0; from < slots.length;) {
    const slot = slots[from];
    if (slot === undefined) break;
    if (slot.startMs !== null) {
      placed.push({ text: slot.text, startMs: slot.startMs, endMs: slot.endMs ?? slot.startMs });
      clock = slot.endMs ?? slot.startMs;
      from += 1;
      continue;
    }
    let to = from;
    while (to < slots.length && slots[to]?.startMs === null) to += 1;
    const limit = Math.max(clock, slots[to]?.startMs ?? endMs);
    const run = slots.slice(from, to);
    const total = run.reduce((sum, { text }) => sum + text.length, 0);
    let spent = 0;
    for (const { text } of run) {
      const wordStart = clock + Math.round(((limit - clock) * spent) / total);
      spent += text.length;
      const wordEnd = clock + Math.round(((limit - clock) * spent) / total);
      placed.push({ text, startMs: wordStart, endMs: wordEnd, isEstimated: true });
    }
    clock = limit;
    from = to;
  }
  return placed;
}

export interface TranscriptFacts {
  readonly language: SpeechLanguage;
  /** Length of the recording as measured here, milliseconds; takes precedence over the service's value. */
  readonly durationMs?: number | null;
  /** Line breaks and overlaps of segments were made by people, as those of subtitles, and stay. */
  readonly keepsLines?: boolean;
}

/** The same input gives the same ids (`s1`, `p1`). Missing times are spread by length and marked as estimated. */
export function toTranscript(received: ReceivedTranscript, facts: TranscriptFacts): Transcript {
  const pieces = piecesOf(received, facts.keepsLines === true ? cleanTypedText : cleanSpokenText);
  const statedMs = facts.durationMs ?? received.durationMs ?? null;
  const { segments: timed, durationMs } = timeSegments(pieces, statedMs, facts.keepsLines === true ? 'kept' : 'cut');
  const speakers = speakersOf(timed);
  return {
    language: facts.language,
    durationMs,
    speakers: [...speakers.values()],
    segments: timed.map((segment, at) => toSegment(segment, at + 1, speakers)),
  };
}

function piecesOf(received: ReceivedTranscript, clean: (text: string) => string): readonly ReceivedSegment[] {
  const segments = received.segments
    .map((segment) => cleanSegment(segment, clean))
    .filter((segment) => segment.text !== '');
  if (segments.length > 0) return segments;
  return splitIntoPieces(received.text).map((text) => ({ text, words: [] }));
}

function cleanSegment({ speaker, ...segment }: ReceivedSegment, clean: (text: string) => string): ReceivedSegment {
  const label = cleanSpokenText(speaker ?? '');
  return { ...segment, text: clean(receivedText(segment)), ...(label === '' ? {} : { speaker: label }) };
}

/** What a segment says; some services give only its words. */
export const receivedText = (segment: ReceivedSegment): string =>
  segment.text.trim() === '' ? segment.words.map((word) => word.text).join(' ') : segment.text;

function speakersOf(segments: readonly TimedSegment[]): ReadonlyMap<string, Speaker> {
  const speakers = new Map<string, Speaker>();
  for (const { speaker } of segments) {
    if (speaker !== undefined && !speakers.has(speaker)) {
      speakers.set(speaker, { id: `p${speakers.size + 1}`, name: null });
    }
  }
  return speakers;
}

function toSegment(segment: TimedSegment, number: number, speakers: ReadonlyMap<string, Speaker>): Segment {
  const { startMs, endMs, text } = segment;
  const id = `s${number}`;
  const { italics } = segment.received;
  const words = alignWords(text, segment.words, startMs, endMs).map((word, at) =>
    italics?.has(at) === true ? { ...word, isItalic: true as const } : word,
  );
  return {
    id,
    speakerId: speakers.get(segment.speaker ?? '')?.id ?? null,
    startMs,
    endMs,
    text,
    words,
  };
}
