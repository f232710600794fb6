import { err, ok, type Result } from '../../result/result.ts';
import type { Change, EditRefusal } from './change.ts';
import { matchWords } from '../text/match-words.ts';
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

const textsOf = (parts: readonly { readonly text: string }[]): readonly string[] => parts.map(({ text }) => text);

/** `other` with the comments of `local` on the words that both have: the service keeps none. */
export function withCommentsOf(local: Transcript, other: Transcript): Transcript {
  const same = matchWords(textsOf(other.segments), textsOf(local.segments));
  const comments = new Map<Word, WordComment | undefined>();
  let [left, right] = [0, 0];
  // Between segments that are the same, so that two changes far apart leave little to match.
  for (const [to, place] of [...same, [other.segments.length, local.segments.length] as const]) {
    const words = other.segments.slice(left, to + 1).flatMap((segment) => segment.words);
    const own = local.segments.slice(right, place + 1).flatMap((segment) => segment.words);
    for (const [at, ownAt] of matchWords(textsOf(words), textsOf(own))) {
      const word = words[at];
      if (word !== undefined) comments.set(word, own[ownAt]?.comment);
    }
    [left, right] = [to + 1, place + 1];
  }
  const commented = withWords(other, (word) => withComment(word, comments.get(word)));
  const byId = new Map(commented.map((segment) => [segment.id, segment]));
  return { ...other, segments: other.segments.map((segment) => byId.get(segment.id) ?? segment) };
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
