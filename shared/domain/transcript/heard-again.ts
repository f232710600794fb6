import { err, ok, type Result } from '../../result/result.ts';
import { applyChange, type Change, type EditRefusal } from './change.ts';
import { roomForEdge, withoutOverlaps } from './edit-segments.ts';
import { commentInPlaceOf } from './comments.ts';
import { clampWords, coreOf, redactedAgain, secretsOf } from './realign-words.ts';
import { matchWords } from '../text/match-words.ts';
import {
  commonMark,
  markInPlaceOf,
  withComment,
  withMark,
  type Segment,
  type TimeSpan,
  type Transcript,
  type Word,
} from './transcript.ts';
import { stillUnheard } from './edit-marks.ts';

export const longestListenMs = 35_000;

export interface HeardChange {
  /** Stable for the same words, whatever is accepted around them. */
  readonly key: string;
  readonly segmentId: string;
  /** The indexes of the current words; none when words were missing. */
  readonly from: number;
  readonly to: number;
  readonly old: readonly Word[];
  /** The recognised words, with times of the recording; none when nothing is spoken there. */
  readonly heard: readonly Word[];
  /** The same words, whose times were only estimated. */
  readonly isOnlyTimes: boolean;
  readonly atMs: number;
}

const middleOf = ({ startMs, endMs }: TimeSpan): number => (startMs + endMs) / 2;

/** Times of `heard` are of the recording. */
export function compareHeard(transcript: Transcript, span: TimeSpan, heard: readonly Word[]): readonly HeardChange[] {
  const touched = transcript.segments.filter(
    (segment) =>
      segment.startMs < span.endMs &&
      segment.endMs > span.startMs &&
      (inSpan(segment, span).length > 0 || isInside(segment, span)),
  );
  const given = Map.groupBy(heard, (word) => nearest(touched, middleOf(word)));
  return touched.flatMap((segment) => compareSegment(segment, span, given.get(segment) ?? []));
}

const inSpan = ({ words }: Segment, { startMs, endMs }: TimeSpan): readonly number[] =>
  words.flatMap((word, at) => (middleOf(word) >= startMs && middleOf(word) <= endMs ? [at] : []));

const isInside = ({ startMs, endMs, words }: Segment, span: TimeSpan): boolean =>
  words.length === 0 && startMs >= span.startMs && endMs <= span.endMs;

function nearest(segments: readonly Segment[], timeMs: number): Segment | null {
  let best: Segment | null = null;
  let leastMs = Infinity;
  for (const segment of segments) {
    const awayMs = Math.max(segment.startMs - timeMs, timeMs - segment.endMs, 0);
    if (awayMs < leastMs) [best, leastMs] = [segment, awayMs];
  }
  return best;
}

function compareSegment(segment: Segment, span: TimeSpan, heard: readonly Word[]): readonly HeardChange[] {
  const places = inSpan(segment, span);
  const first = places[0] ?? segment.words.findIndex((word) => middleOf(word) > span.endMs);
  const from = first < 0 ? segment.words.length : first;
  const old = segment.words.slice(from, from + places.length);
  const same = matchWords(
    old.map(({ text }) => coreOf(text)),
    heard.map(({ text }) => coreOf(text)),
  );
  const changes: HeardChange[] = [];
  let [left, right] = [0, 0];
  const add = (toLeft: number, toRight: number, isOnlyTimes: boolean) => {
    if (toLeft === left && toRight === right) return;
    const was = old.slice(left, toLeft);
    const now = heard.slice(right, toRight);
    const key = [
      segment.id,
      isOnlyTimes,
      was.map(textOf).join(' '),
      now.map((w) => `${textOf(w)}@${w.startMs}`).join(' '),
    ];
    changes.push({
      key: key.join('|'),
      segmentId: segment.id,
      from: from + left,
      to: from + toLeft,
      old: was,
      heard: now,
      isOnlyTimes,
      atMs: (was[0] ?? now[0])?.startMs ?? segment.startMs,
    });
  };
  for (const [place, other] of [...same, [old.length, heard.length] as const]) {
    add(place, other, false);
    const [word, again] = [old[place], heard[other]];
    [left, right] = [place, other];
    if (word?.isEstimated === true && again !== undefined && again.isEstimated !== true)
      add(place + 1, other + 1, true);
    [left, right] = [place + 1, other + 1];
  }
  return changes;
}

const textOf = ({ text }: Word): string => text;

/** What replaces a redacted word is redacted, and so is one that is heard beside its place. */
export function acceptHeard(transcript: Transcript, changes: readonly HeardChange[]): Result<Change, EditRefusal> {
  const bySegment = Map.groupBy(changes, ({ segmentId }) => segmentId);
  const gone: Segment[] = [];
  const segments = transcript.segments.flatMap((segment, at) => {
    const own = bySegment.get(segment.id);
    if (own === undefined) return [];
    // A word that is heard again takes its mark along, to the time when it is said.
    gone.push({ ...segment, words: own.flatMap(({ old, heard }) => (heard.length === 0 ? old : [])) });
    const room = {
      startMs: roomForEdge(transcript, at, 'start').startMs,
      endMs: roomForEdge(transcript, at, 'end').endMs,
    };
    const near = transcript.segments.slice(Math.max(0, at - 1), at + 2);
    return [withHeard(segment, own, room, secretsOf(near.flatMap(({ words }) => words)))];
  });
  if (segments.length === 0) return err('nothing-to-change');
  const change = withoutOverlaps(transcript, [{ type: 'set', segments }]);
  return ok([...change, ...stillUnheard(transcript, gone, segments)]);
}

/** A word that has to make room gets its recognised time too, so that nothing unlisted changes later. */
export function acceptListed(
  transcript: Transcript,
  comparison: { readonly span: TimeSpan; readonly heard: readonly Word[] },
  chosen: readonly HeardChange[],
  listed: readonly HeardChange[],
): Result<Change, EditRefusal> {
  const first = acceptHeard(transcript, chosen);
  const applied = first.ok ? applyChange(transcript, first.value) : first;
  if (!first.ok || !applied.ok) return first;
  const { span, heard } = comparison;
  const known = new Set(listed.map(({ key }) => key));
  const brought = compareHeard(applied.value.transcript, span, heard).filter(
    ({ key, isOnlyTimes }) => isOnlyTimes && !known.has(key),
  );
  const second = acceptHeard(applied.value.transcript, brought);
  return second.ok ? ok([...first.value, ...second.value]) : first;
}

function withHeard(
  segment: Segment,
  changes: readonly HeardChange[],
  room: TimeSpan,
  secrets: readonly string[],
): Segment {
  // Line breaks of the user stay where they are.
  const parts = segment.text === '' ? [] : segment.text.split(/([ \n])/u);
  const before = segment.words.map((_, at) => (at === 0 ? '' : (parts[at * 2 - 1] ?? ' ')));
  const words: Word[] = [];
  let text = '';
  const add = (word: Word, separator: string) => {
    text += words.length === 0 ? word.text : `${separator === '' ? ' ' : separator}${word.text}`;
    words.push(word);
  };
  let at = 0;
  for (const change of changes.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    for (; at < change.from; at += 1) add(segment.words[at] ?? missing, before[at] ?? ' ');
    const [last, next] = [segment.words[change.from - 1], segment.words[change.to]];
    const comment = commentInPlaceOf(change.old, [last, next]);
    const mark = change.old.length === 0 ? commonMark([last, next]) : markInPlaceOf(change.old);
    for (const [index, word] of change.heard.entries()) {
      const own = change.isOnlyTimes ? (change.old[index]?.text ?? word.text) : word.text;
      const marked = withComment(withMark({ ...word, text: own }, mark), comment);
      const written = change.isOnlyTimes ? marked : redactedAgain(marked, secrets);
      add(written, index === 0 ? (before[at] ?? ' ') : ' ');
    }
    at = change.to;
  }
  for (; at < segment.words.length; at += 1) add(segment.words[at] ?? missing, before[at] ?? ' ');
  const bounds = {
    startMs: Math.min(segment.startMs, Math.max(room.startMs, words[0]?.startMs ?? segment.startMs)),
    endMs: Math.max(segment.endMs, Math.min(room.endMs, words.at(-1)?.endMs ?? segment.endMs)),
  };
  return { ...segment, ...bounds, text, words: clampWords(words, bounds) };
}

const missing: Word = { text: '', startMs: 0, endMs: 0 };
