import { err, ok, type Result } from '../../result/result.ts';
import { hasTurnDash } from '../subtitles/cue.ts';
import type { Change, EditRefusal } from '../transcript/change.ts';
import type { Segment, Transcript } from '../transcript/transcript.ts';

const rest = String.raw`[\p{L}\p{M}\p{N}ʻʼ’'.-]*`;

/** One to three words before the words of a caption or paragraph: `ANNA:`, `Usta Karim:`, `Dilnoza opa:`, `1-soʻzlovchi:`. */
const nameBefore = new RegExp(
  String.raw`^((?:\p{Lu}|\p{N}+-\p{L})${rest}(?: [\p{L}\p{N}]${rest}){0,2}):[ \n]+(?=\S)`,
  'u',
);

/** Anything can stand before a colon: a small word is taken for a part of a name only where the name returns. */
const hasSmallWord = (name: string): boolean => / \p{Ll}/u.test(name);

function findName({ text }: Segment): { readonly prefix: string; readonly name: string } | null {
  const [prefix = '', name = ''] = nameBefore.exec(text) ?? [];
  const answers = text.slice(prefix.length).split('\n').slice(1);
  return prefix === '' || answers.some((line) => hasTurnDash(line) || nameBefore.test(line)) ? null : { prefix, name };
}

/** Capitals, or the words around a number. Any word can begin with a capital, so that makes no shape. */
const shapeOf = (name: string): string => (/\p{Ll}/u.test(name) ? name.replaceAll(/\p{N}+/gu, '0') : 'capitals');

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
  const returning = found.filter(([, { length }]) => length > 1).map(([name]) => shapeOf(name));
  if (found.length < 2 && returning.length === 0) return [];
  return found.map(([name]) => ({
    name,
    isLikely: returning.length === 0 || returning.includes(shapeOf(name)),
  }));
}

/** Who speaks, by the names before the words: undefined without one, null where somebody unnamed begins. */
export function whoSpeaks(names: readonly (string | null | undefined)[]): readonly (string | null)[] {
  const lasts: (string | null)[] = [];
  let last: string | null = null;
  let returnCount = 0;
  let missingCount = 0;
  for (const name of names) {
    if (last !== null && name === last) returnCount += 1;
    if (last !== null && name === undefined) missingCount += 1;
    if (name !== undefined) last = name;
    lasts.push(last);
  }
  return returnCount < missingCount ? lasts : names.map((name) => name ?? null);
}

const isSound = ({ text }: Segment): boolean => /^[♪♫]|^\[[^\]]*\]$|^\([^)]*\)$/u.test(text);

export function takeNames(
  transcript: Transcript,
  names: readonly string[],
  newId: () => string,
): Result<Change, EditRefusal> {
  if (names.length === 0) return err('nothing-to-change');
  const speakers = names.map((name) => ({ id: newId(), name }));
  const spoken = transcript.segments.filter((segment) => !isSound(segment));
  const found = spoken.map((segment) => {
    const before = findName(segment);
    return before !== null && names.includes(before.name) ? before : null;
  });
  const isOther = (line: string) => hasTurnDash(line) || names.includes(nameBefore.exec(line)?.[1] ?? '');
  const saidBy = whoSpeaks(
    spoken.map(({ text }, at) => found[at]?.name ?? (text.split('\n').some(isOther) ? null : undefined)),
  );
  const segments = spoken.flatMap((segment, at) => {
    const speaker = speakers.find(({ name }) => name === saidBy[at]);
    if (speaker === undefined) return [];
    const { prefix = '' } = found[at] ?? {};
    const ofName = prefix === '' ? 0 : prefix.trim().split(/\s/u).length;
    return [
      {
        ...segment,
        speakerId: speaker.id,
        text: segment.text.slice(prefix.length),
        words: segment.words.slice(ofName),
      },
    ];
  });
  return ok([
    { type: 'speakers', speakers: [...transcript.speakers, ...speakers] },
    { type: 'set', segments },
  ]);
}
