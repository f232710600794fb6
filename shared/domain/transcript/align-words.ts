import type { ReceivedWord } from './received.ts';
import { cleanSpokenText, wordsOf } from './spoken-text.ts';
import type { Word } from './transcript.ts';

interface Slot {
  readonly text: string;
  startMs: number | null;
  endMs: number | null;
}

/** How far ahead a word is searched for when text and words diverge. */
const lookahead = 8;

/**
 * Assigns times to the words of a segment. The text determines the words (it has the punctuation); the received words
 * determine the times. Words without a time are spread over the gap by length and marked. The result is ordered, lies
 * within the segment and has no overlaps.
 */
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
