import { z } from 'zod';
import { lazySchema } from '../lazy-schema.ts';
import type { Change, Step } from './change.ts';
import { commentsIn } from './comments.ts';
import { estimatedWords, isPlainGuess } from './lean-transcript.ts';
import { wordsOf } from './spoken-text.ts';
import { isCut, isRedacted, markOf, withComment, withMark, type Segment, type Word } from './transcript.ts';

const time = lazySchema(() => z.number().int().nonnegative());
const span = lazySchema(() => z.object({ startMs: time(), endMs: time() }));
/** Start and end of a word, relative to its segment; the flags are the sum of those below. */
const packedWord = lazySchema(() => z.tuple([time(), time(), z.number().int().min(0).max(15)]));
const flags = { estimated: 1, cut: 2, redacted: 4, italic: 8 } as const;

export const packedComments = lazySchema(() =>
  z.array(
    z.object({
      id: z.string().min(1).max(128),
      text: z.string().max(mostCommentLetters),
      from: z.number().int().nonnegative(),
      to: z.number().int().nonnegative(),
    }),
  ),
);
export const mostCommentLetters = 10_000;

const packedSegment = lazySchema(() =>
  z.object({
    id: z.string().min(1).max(128),
    speakerId: z.string().max(128).nullable(),
    startMs: time(),
    endMs: time(),
    text: z.string().max(1_000_000),
    /** Null when the times follow from the text (`estimatedWords`). */
    words: z.array(packedWord()).nullable(),
    /** Absent: none. The words from index `from` up to but not including `to`. */
    comments: packedComments().exactOptional(),
  }),
);
/** A segment as stored and sent: the text determines the words, so only their times are listed. */
export type PackedSegment = z.output<ReturnType<typeof packedSegment>>;

export const storedSpeakers = lazySchema(() =>
  z.array(
    z.object({
      id: z.string().min(1).max(128),
      name: z.string().max(300).nullable(),
      colour: z.number().int().min(1).max(8).exactOptional(),
    }),
  ),
);
export const storedCuts = lazySchema(() => z.array(span()));
export const packedWords = lazySchema(() => z.array(packedWord()));

/** Whether packed words, as JSON, can have a redacted one among them: its flags are the last number of its list. */
export const mayBeRedacted = (words: unknown): boolean =>
  typeof words === 'string' && /(?:[4-7]|1[2-5])\s*\]/u.test(words);

export const packedChange = lazySchema(() =>
  z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('set'), segments: z.array(packedSegment()) }),
      z.object({
        type: z.literal('splice'),
        at: z.number().int().nonnegative(),
        removed: z.array(z.string().max(128)),
        inserted: z.array(packedSegment()),
      }),
      z.object({ type: z.literal('shift'), from: z.number().int().nonnegative(), byMs: z.number().int() }),
      z.object({ type: z.literal('speakers'), speakers: storedSpeakers() }),
      z.object({ type: z.literal('cuts'), cuts: storedCuts() }),
      z.object({ type: z.literal('duration'), durationMs: time() }),
    ]),
  ),
);
export type PackedChange = z.output<ReturnType<typeof packedChange>>;

export const packChange = (change: Change): PackedChange =>
  change.map((step): PackedChange[number] => {
    if (step.type === 'set') return { ...step, segments: step.segments.map(packSegment) };
    if (step.type === 'splice')
      return { ...step, removed: [...step.removed], inserted: step.inserted.map(packSegment) };
    if (step.type === 'speakers') return { ...step, speakers: [...step.speakers] };
    return step.type === 'cuts' ? { ...step, cuts: [...step.cuts] } : step;
  });

export const unpackChange = (change: PackedChange): Change =>
  change.map((step): Step => {
    if (step.type === 'set') return { ...step, segments: step.segments.map(unpackSegment) };
    return step.type === 'splice' ? { ...step, inserted: step.inserted.map(unpackSegment) } : step;
  });

export function packSegment({ id, speakerId, startMs, endMs, text, words }: Segment): PackedSegment {
  const base = { id, speakerId, startMs, endMs, text };
  const comments = commentsIn({ id, words }).map(({ segmentId: _own, ...comment }) => comment);
  return {
    ...base,
    words: followsFromText({ ...base, words }) ? null : words.map((word) => packWord(word, startMs)),
    ...(comments.length > 0 && { comments }),
  };
}

const packWord = (word: Word, startMs: number): z.output<ReturnType<typeof packedWord>> => [
  word.startMs - startMs,
  word.endMs - startMs,
  (word.isEstimated === true ? flags.estimated : 0) +
    (isCut(word) ? flags.cut : 0) +
    (isRedacted(word) ? flags.redacted : 0) +
    (word.isItalic === true ? flags.italic : 0),
];

function followsFromText(segment: Segment): boolean {
  const { words } = segment;
  if (!words.every(isPlainGuess)) return false;
  const expected = estimatedWords(segment);
  return (
    words.length === expected.length &&
    words.every(({ startMs, endMs }, at) => startMs === expected[at]?.startMs && endMs === expected[at].endMs)
  );
}

/** Whether each segment has as many words as its text, in order and within its times. */
export const isSoundChange = (change: PackedChange): boolean =>
  change.every(
    (step) =>
      (step.type !== 'set' && step.type !== 'splice') ||
      (step.type === 'set' ? step.segments : step.inserted).every(isSoundSegment),
  );

function isSoundSegment({ startMs, endMs, text, words }: PackedSegment): boolean {
  const lengthMs = endMs - startMs;
  if (words === null || lengthMs < 0) return lengthMs >= 0;
  let clock = 0;
  const areInOrder = words.every(([fromMs, toMs]) => {
    const isNext = clock <= fromMs && fromMs <= toMs && toMs <= lengthMs;
    clock = toMs;
    return isNext;
  });
  return areInOrder && words.length === wordsOf(text).length;
}

export const unpackSegment = ({ words, comments, ...segment }: PackedSegment): Segment => ({
  ...segment,
  words: unpackWords(segment, words, comments),
});

/** A segment on its way to a window: its words are JSON of their own, which is read when they are looked at. */
type SentSegment = Omit<PackedSegment, 'words'> & { readonly words: string | null };

export const writeSegment = (segment: PackedSegment): string => {
  const words = segment.words === null ? null : JSON.stringify(segment.words);
  return JSON.stringify({ ...segment, words } satisfies SentSegment);
};

/** The segments of a part, a list of what `writeSegment` wrote. Who wrote them had validated them. */
export const readSegments = (part: string): readonly Segment[] =>
  (JSON.parse(part) as readonly SentSegment[]).map(unpackLater);

/** A text is shown long before anybody needs the words of all its segments. */
function unpackLater({ id, speakerId, startMs, endMs, text, words, comments }: SentSegment): Segment {
  let unpacked: readonly Word[] | null = null;
  return {
    id,
    speakerId,
    startMs,
    endMs,
    text,
    get words() {
      unpacked ??= unpackWords(this, words === null ? null : (JSON.parse(words) as PackedSegment['words']), comments);
      return unpacked;
    },
  };
}

function unpackWords(
  segment: Omit<Segment, 'words'>,
  packed: PackedSegment['words'],
  comments: PackedSegment['comments'] = [],
): readonly Word[] {
  const words = packed === null ? estimatedWords(segment) : timedWords(segment, packed);
  if (comments.length === 0) return words;
  return words.map((word, at) => {
    const found = comments.find(({ from, to }) => at >= from && at < to);
    return found === undefined ? word : withComment(word, { id: found.id, text: found.text });
  });
}

function timedWords(segment: Omit<Segment, 'words'>, packed: NonNullable<PackedSegment['words']>): readonly Word[] {
  const texts = wordsOf(segment.text);
  return packed.map(([fromMs, toMs, flag], at): Word => {
    const word: Word = { text: texts[at] ?? '', startMs: segment.startMs + fromMs, endMs: segment.startMs + toMs };
    if (flag === 0) return word;
    const has = (one: keyof typeof flags) => (flag & flags[one]) > 0;
    const estimated = has('estimated') ? { isEstimated: true as const } : {};
    const italic = has('italic') ? { isItalic: true as const } : {};
    return withMark({ ...word, ...estimated, ...italic }, markOf(has('cut'), has('redacted')));
  });
}
