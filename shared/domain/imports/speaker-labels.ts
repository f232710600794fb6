import { err, ok, type Result } from '../../result/result.ts';
import type { Change, EditRefusal } from '../transcript/change.ts';
import type { Segment, Transcript } from '../transcript/transcript.ts';

/** A word of a name, from its second letter on. */
const rest = String.raw`[\p{L}\p{M}\p{N}ʻʼ’'.-]*`;

/** One to three words before the words of a caption: `ANNA:`, `Usta Karim:`, `Dilnoza opa:`, `1-soʻzlovchi:`. */
const nameBefore = new RegExp(
  String.raw`^((?:\p{Lu}|\p{N}+-\p{L})${rest}(?: [\p{L}\p{N}]${rest}){0,2}):[ \n]+(?=\S)`,
  'u',
);

/** Anything can stand before a colon: a small word is taken for a part of a name only where the name returns. */
const hasSmallWord = (name: string): boolean => / \p{Ll}/u.test(name);

/** The name before the words of a caption. A caption in which somebody else answers belongs to nobody. */
function findName({ text }: Segment): { readonly prefix: string; readonly name: string } | null {
  const [prefix = '', name = ''] = nameBefore.exec(text) ?? [];
  const answers = text.slice(prefix.length).split('\n').slice(1);
  return prefix === '' || answers.some((line) => /^[—–-]/u.test(line) || nameBefore.test(line))
    ? null
    : { prefix, name };
}

/** A name before the words of captions; `isLikely`: it returns, or no name does. */
export interface FoundName {
  readonly name: string;
  readonly isLikely: boolean;
}

/** The names before the words of at least two captions, in the order in which they first speak; empty where there are none. */
export function namesBefore(segments: readonly Segment[]): readonly FoundName[] {
  const byName = Map.groupBy(
    segments.flatMap((segment) => findName(segment)?.name ?? []),
    (name) => name,
  );
  const found = [...byName].filter(([name, { length }]) => length > 1 || !hasSmallWord(name));
  const doReturn = found.some(([, { length }]) => length > 1);
  if (found.length < 2 && !doReturn) return [];
  return found.map(([name, { length }]) => ({ name, isLikely: length > 1 || !doReturn }));
}

/** Makes speakers of these names: who is named before the words of a caption speaks in it. Other captions keep nobody. */
export function takeNames(
  transcript: Transcript,
  names: readonly string[],
  newId: () => string,
): Result<Change, EditRefusal> {
  if (names.length === 0) return err('nothing-to-change');
  const speakers = names.map((name) => ({ id: newId(), name }));
  const segments = transcript.segments.flatMap((segment) => {
    const { prefix = '', name = '' } = findName(segment) ?? {};
    const speaker = speakers.find((one) => one.name === name);
    if (speaker === undefined) return [];
    const ofName = prefix.trim().split(/\s/u).length;
    return [
      {
        ...segment,
        speakerId: speaker.id,
        text: segment.text.slice(prefix.length),
        words: segment.words.slice(segment.words.length === 0 ? 0 : ofName),
      },
    ];
  });
  return ok([
    { type: 'speakers', speakers: [...transcript.speakers, ...speakers] },
    { type: 'set', segments },
  ]);
}
