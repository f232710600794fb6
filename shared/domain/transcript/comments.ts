import { err, ok, type Result } from '../../result/result.ts';
import type { Change, EditRefusal } from './change.ts';
import { isInRanges, withWords, type WordRange } from './edit-marks.ts';
import { withComment, type Segment, type Transcript, type Word, type WordComment } from './transcript.ts';

export interface CommentPlace extends WordComment, WordRange {}

/** Where the comments of a segment are, in the order of its words. */
export function commentsIn({ id: segmentId, words }: Pick<Segment, 'id' | 'words'>): readonly CommentPlace[] {
  const places: CommentPlace[] = [];
  for (const [at, { comment }] of words.entries()) {
    const last = places.at(-1);
    if (comment === undefined) continue;
    if (last?.id === comment.id && last.to === at) places[places.length - 1] = { ...last, to: at + 1 };
    else places.push({ ...comment, segmentId, from: at, to: at + 1 });
  }
  return places;
}

/** Each comment once, with all of its places. */
export const listComments = ({ segments }: Pick<Transcript, 'segments'>): readonly (readonly CommentPlace[])[] => [
  ...Map.groupBy(segments.flatMap(commentsIn), ({ id }) => id).values(),
];

/** Writes a comment anew, or one that isn't there yet on those of these words that have none; a blank one goes. */
export function writeComment(
  transcript: Transcript,
  { id, text }: WordComment,
  ranges: readonly WordRange[],
): Result<Change, EditRefusal> {
  const isNew = !transcript.segments.some(({ words }) => words.some(({ comment }) => comment?.id === id));
  const isIn = isInRanges(ranges);
  const written = text.trim() === '' ? '' : text;
  const segments = withWords(transcript, (word, place, segmentId) => {
    const { comment } = word;
    const isMeant = comment === undefined ? isNew && isIn(place, segmentId) : comment.id === id;
    return isMeant ? withComment(word, written === '' ? undefined : { id, text: written }) : word;
  });
  return segments.length === 0 ? err('nothing-to-change') : ok([{ type: 'set', segments }]);
}

/** The comment for words that replace these; for inserted words, the one that both neighbours share. */
export function commentInPlaceOf(
  words: readonly Word[],
  around: readonly (Word | undefined)[],
): WordComment | undefined {
  const [before, after] = around.map((word) => word?.comment);
  const between = before?.id === after?.id ? before : undefined;
  return words.length === 0 ? between : words.find(({ comment }) => comment !== undefined)?.comment;
}
