import { err, ok, type Result } from '../../result/result.ts';
import { applyChange, type Change, type EditRefusal } from './change.ts';
import { deleteSegments, mergeSegments, replaceText } from './edit-segments.ts';
import { cleanTypedText } from './spoken-text.ts';
import type { Transcript } from './transcript.ts';

export interface TextPlace {
  readonly segmentId: string;
  readonly offset: number;
}

/** Remains of the first and last segment are joined as they are written if they have the same speaker. */
export function replaceStretch(
  transcript: Transcript,
  from: TextPlace,
  to: TextPlace,
  inserted: string,
): Result<Change, EditRefusal> {
  const { segments } = transcript;
  const first = segments.findIndex(({ id }) => id === from.segmentId);
  const last = segments.findIndex(({ id }) => id === to.segmentId);
  const [head, tail] = [segments[first], segments[last]];
  if (head === undefined || tail === undefined || last < first) return err('unknown-segment');
  const before = head.text.slice(0, from.offset) + inserted;
  const after = tail.text.slice(to.offset);
  if (first === last) return replaceText(transcript, head.id, before + after);
  const staysHead = before.trim() !== '';
  const staysTail = after.trim() !== '';
  const isWhole = inserted === '' && from.offset >= head.text.length && to.offset <= 0;
  const gone = segments.slice(first + Number(staysHead), last + Number(!staysTail)).map(({ id }) => id);
  return inTurn(transcript, [
    (now) => (staysHead ? replaceText(now, head.id, before) : ok([])),
    (now) => (staysTail ? replaceText(now, tail.id, after) : ok([])),
    (now) => (gone.length > 0 ? deleteSegments(now, new Set(gone)) : ok([])),
    ...(staysHead && staysTail && head.speakerId === tail.speakerId
      ? [
          (now: Transcript) => mergeSegments(now, head.id, tail.id),
          (now: Transcript) => (isWhole ? ok([]) : replaceText(now, head.id, before + after)),
        ]
      : []),
  ]);
}

/** Marks that stand right behind the word before them, or right in front of the word after them. */
const closing = /^[.,;:!?…%)\]}»”]/u;
const opening = /[([{«“„]$/u;
/** Apostrophes belong to words, and marks between digits to numbers and times. */
const insideAtEnd = /(?:[\p{L}\p{M}][’‘ʻʼ'`]?|\d[.,:]?)$/u;
const insideAtStart = /^(?:[’‘ʻʼ'`]?\p{L}|[.,:]?\d)/u;
const wordAtEnd = /[\p{L}\p{M}\p{N}█.,;:!?…%)\]}»”]$/u;
const wordAtStart = /^[\p{L}\p{N}█([{«“„]/u;

const isTight = (left: string, right: string) =>
  left === '' || right === '' || opening.test(left) || closing.test(right);

export interface Replacing {
  readonly from: number;
  readonly to: number;
  readonly inserted: string;
}

/** A pasted text, cleaned as a typed one, except that a blank stays at either end that has one or a line break. */
export function cleanPastedText(pasted: string): string {
  const text = cleanTypedText(pasted);
  if (text === '') return '';
  return `${startsBlank.test(pasted) ? ' ' : ''}${text}${endsBlank.test(pasted) ? ' ' : ''}`;
}
const startsBlank = /^\s/u;
const endsBlank = /\s$/u;

/** One space between words and none before punctuation; letters inside a word stay as they are. */
export function fitSpaces(text: string, { from, to, inserted }: Replacing): Replacing {
  const [before, after] = [text.slice(0, from), text.slice(to)];
  const [head, tail] = [before.trimEnd(), after.trimStart()];
  const [start, end] = [head.length, text.length - tail.length];
  const gap = (written: string) => (written.includes('\n') ? '\n' : ' ');
  const put = inserted.trim();
  if (put === '') {
    const cut = text.slice(from, to);
    const hasGaps = (head !== before || /^\s/u.test(cut)) && (tail !== after || /\s$/u.test(cut));
    if (!hasGaps && !isTight(head, tail)) return { from, to, inserted: '' };
    return { from: start, to: end, inserted: isTight(head, tail) ? '' : gap(text.slice(start, end)) };
  }
  const isInsideWord = insideAtEnd.test(before) && insideAtStart.test(after) && !/\s/u.test(text.slice(from, to));
  const needsGap = (left: string, right: string) =>
    !isInsideWord && wordAtEnd.test(left) && wordAtStart.test(right) && !isTight(left, right);
  const needsLeft = startsBlank.test(inserted) || needsGap(before, put);
  const needsRight = endsBlank.test(inserted) || needsGap(put, after);
  const left = isTight(head, put) ? '' : head !== before ? gap(before.slice(start)) : needsLeft ? ' ' : '';
  const right = isTight(put, tail) ? '' : tail !== after ? gap(text.slice(to, end)) : needsRight ? ' ' : '';
  return { from: start, to: end, inserted: left + put + right };
}

/** Puts a word at a caret, with spaces around it; inside another word, at the nearer end of that one. */
export function insertWord(text: string, offset: number, word: string): Replacing {
  const start = text.slice(0, offset).search(/\S*$/u);
  const end = offset + text.slice(offset).search(/\s|$/u);
  const at = offset - start <= end - offset ? start : end;
  return fitSpaces(text, { from: at, to: at, inserted: ` ${word} ` });
}

export function replaceWritten(
  transcript: Transcript,
  { segmentId, offset }: TextPlace,
  written: string,
  typed: string,
): Result<Change, EditRefusal> {
  const segment = transcript.segments.find(({ id }) => id === segmentId);
  if (segment === undefined) return err('unknown-segment');
  const to = offset + written.length;
  if (segment.text.slice(offset, to) !== written) return err('nothing-to-change');
  return replaceText(transcript, segmentId, segment.text.slice(0, offset) + typed + segment.text.slice(to));
}

type Operation = (transcript: Transcript) => Result<Change, EditRefusal>;

function inTurn(transcript: Transcript, operations: readonly Operation[]): Result<Change, EditRefusal> {
  let now = transcript;
  const steps: Change[] = [];
  for (const operate of operations) {
    const change = operate(now);
    if (!change.ok && change.error === 'nothing-to-change') continue;
    if (!change.ok) return change;
    const applied = applyChange(now, change.value);
    if (!applied.ok) return applied;
    now = applied.value.transcript;
    steps.push(change.value);
  }
  const joined = steps.flat();
  return joined.length === 0 ? err('nothing-to-change') : ok(joined);
}
