import { endOfLetter, foldText, foldWithoutYe, type FoldedText } from '../text/fold-text.ts';

const russian =
  /(?:иями|ями|ами|ого|его|ому|ему|ыми|ими|иях|иям|ией|ях|ах|ов|ев|ёв|ей|ой|ый|ий|ая|яя|ое|ее|ую|юю|ые|ие|ых|их|ым|им|ом|ем|ам|ям|ия|ии|ию|ью|а|я|о|е|ё|у|ю|ы|и|й|ь)$/iu;
const uzbek =
  /(?:lar|лар)?(?:imiz|ingiz|miz|ngiz|im|ing|i|si|имиз|ингиз|миз|нгиз|им|инг|и|си)?(?:ning|ni|ga|dagi|dan|da|нинг|ни|га|даги|дан|да)?(?:man|san|miz|siz|ман|сан|миз|сиз)?$/iu;
/** A shorter stem would be the beginning of too many words. */
const leastLetters = 4;

/** How many letters of a word belong to all its forms: `лекц` of `лекция`, `shogird` of `shogirdlarimiz`. */
function stemLength(word: string): number {
  const lengths = [russian, uzbek].map((ending) => word.search(ending)).filter((length) => length >= leastLetters);
  return Math.min(word.length, ...lengths);
}

interface Term {
  readonly words: readonly string[];
  /** In quotes: the last word is complete; otherwise its beginning is enough. */
  readonly isWhole: boolean;
  /** The last word is a stem, so that all forms of the word are found, whole. */
  readonly isStem?: boolean;
}

export interface SearchQuery {
  /** All of them must be found. A term is there once for each spelling, where it has several. */
  readonly terms: readonly (readonly Term[])[];
}

const wordPattern = /[\p{L}\p{N}]+/gu;
const yo = /ё/giu;
const hasYo = (text: string): boolean => /ё/iu.test(text);
const wordsIn = (folded: string): readonly string[] => folded.match(wordPattern) ?? [];
const withoutYo = (text: string): string => text.replace(yo, (letter) => (letter === 'ё' ? 'е' : 'Е'));

function foldings(text: string): readonly FoldedText[] {
  const folded = [text, ...(hasYo(text) ? [withoutYo(text)] : [])].flatMap((variant) => {
    const usual = foldText(variant);
    return usual.text.includes('ye') ? [usual, foldWithoutYe(variant)] : [usual];
  });
  return folded.filter(({ text: one }, at) => folded.findIndex((other) => other.text === one) === at);
}

export const foldedWords = (text: string): readonly string[] =>
  foldings(text).map((folded) => wordsIn(folded.text).join(' '));

/** What speakers without a name are called on the screen, in each language: "Speaker 2", "2-soʻzlovchi". */
const numberedNames = ['speaker', 'говорящий', 'soʻzlovchi'];
const numberedName = "speaker|говорящий|so[ʻʼ‘’'`]?zlovchi|сўзловчи";
const numberedSpeaker = new RegExp(
  `(?<!\\S)(?:(\\d{1,2})[-\\s]+(${numberedName})|(${numberedName})\\s+(\\d{1,2}))(?!\\S)`,
  'giu',
);
/** One word each, so that a figure that is looked for does not find every recording of so many speakers. */
export const wordsOfNumberedSpeaker = (number: number): readonly string[] =>
  numberedNames.map((name) => `${name}${String(number)}`);

export function readSearch(typed: string): SearchQuery {
  const terms: (readonly Term[])[] = [];
  const rest = typed.replaceAll(numberedSpeaker, (found: string, ...groups: readonly (string | undefined)[]) => {
    const [before, namedAfter, namedBefore, after] = groups;
    const joined = `${namedAfter ?? namedBefore ?? ''}${before ?? after ?? ''}`;
    terms.push([joined, found].flatMap(foldedWords).map((folded) => ({ words: wordsIn(folded), isWhole: true })));
    return ' ';
  });
  for (const [, quoted, plain] of rest.matchAll(/["“”«„]([^"“”»]*)["“”»]?|([^\s"“”«»„]+)/gu)) {
    const text = quoted ?? plain ?? '';
    const isWhole = quoted !== undefined;
    const forms = foldedWords(text)
      .map((folded) => ({ words: wordsIn(folded), isWhole }))
      .filter(({ words }) => words.length > 0);
    if (forms.length > 0) terms.push(isWhole ? forms : [...forms, ...stemsOf(text)]);
  }
  return { terms };
}

/** A typed word without its ending, in every spelling; nothing where it has none. */
function stemsOf(typed: string): readonly Term[] {
  const length = stemLength(typed);
  if (length === typed.length) return [];
  return foldings(typed)
    .map(({ text, from }) =>
      wordsIn(
        text.slice(
          0,
          from.findIndex((at) => at >= length),
        ),
      ),
    )
    .filter((words) => words.length > 0)
    .map((words) => ({ words, isWhole: false, isStem: true }));
}

/** A single letter is the prefix of too many words, so it must match exactly. */
const isBeginning = ({ words, isWhole }: Term): boolean => !isWhole && (words.at(-1)?.length ?? 0) > 1;

/** For an FTS5 index without positions: words of a phrase one by one; `findsAll` checks their order. */
export const toMatch = ({ terms }: SearchQuery): string =>
  terms.map((forms) => `(${forms.map(matchOf).join(' OR ')})`).join(' AND ');

const matchOf = (form: Term): string =>
  `(${form.words.map((word, at) => `"${word}"${at === form.words.length - 1 && isBeginning(form) ? '*' : ''}`).join(' AND ')})`;

export const hasPhrases = ({ terms }: SearchQuery): boolean =>
  terms.some((forms) => forms.some(({ words }) => words.length > 1));

export function findsAll(text: string, { terms }: SearchQuery): boolean {
  const folded = foldings(text);
  return terms.every((forms) => folded.some((one) => matchesIn(text, one, forms).length > 0));
}

/** Places in a text: UTF-16 offsets, the end exclusive. */
export type Ranges = readonly (readonly [start: number, end: number])[];

export function findMatches(text: string, query: SearchQuery): Ranges {
  const forms = query.terms.flat();
  const found = foldings(text).flatMap((folded) => matchesIn(text, folded, forms));
  const ranges: (readonly [number, number])[] = [];
  for (const [start, end] of found.toSorted((one, other) => one[0] - other[0] || other[1] - one[1])) {
    if (start >= (ranges.at(-1)?.[1] ?? 0)) ranges.push([start, end]);
  }
  return ranges;
}

function matchesIn(text: string, folded: FoldedText, forms: readonly Term[]): readonly (readonly [number, number])[] {
  const words = [...folded.text.matchAll(wordPattern)].map(({ 0: word, index }) => ({ word, at: index }));
  const ranges: (readonly [number, number])[] = [];
  const typedFirst = forms.toSorted((a, b) => Number(a.isStem === true) - Number(b.isStem === true));
  for (const [index, first] of words.entries()) {
    let isMarked = false;
    for (const form of typedFirst) {
      if (form.isStem === true && isMarked) continue;
      const last = words[index + form.words.length - 1];
      if (last === undefined) continue;
      const isHere = form.words.every((wanted, offset) => {
        const { word } = words[index + offset]!;
        return offset === form.words.length - 1 && isBeginning(form) ? word.startsWith(wanted) : word === wanted;
      });
      if (!isHere) continue;
      isMarked = true;
      const end = last.at + (form.isStem === true ? last.word : form.words.at(-1)!).length;
      ranges.push([folded.from[first.at] ?? 0, endOfLetter(text, folded, end - 1)]);
    }
  }
  return ranges;
}

const excerptBefore = 48;
const excerptLength = 150;

export function excerptOf(text: string, query: SearchQuery): { readonly text: string; readonly ranges: Ranges } {
  const ranges = findMatches(text, query);
  const first = ranges[0]?.[0] ?? 0;
  const from = first <= excerptBefore ? 0 : text.lastIndexOf(' ', first - excerptBefore / 2) + 1;
  const isCut = text.length - from > excerptLength;
  const to = isCut ? Math.max(text.lastIndexOf(' ', from + excerptLength), (ranges[0]?.[1] ?? 0) + 1) : text.length;
  const lead = from > 0 ? '…' : '';
  const shown = lead + text.slice(from, to) + (to < text.length ? '…' : '');
  const shift = lead.length - from;
  return {
    text: shown,
    ranges: ranges.filter(([, end]) => end <= to).map(([start, end]) => [start + shift, end + shift] as const),
  };
}

function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? 0;
}

interface Word {
  readonly text: string;
  readonly momentCount: number;
}

export function closeWords(wanted: string, words: readonly Word[]): readonly Word[] {
  const most = wanted.length < 6 ? 1 : 2;
  return words
    .map((word) => ({ word, distance: editDistance(wanted, word.text) }))
    .filter(({ distance }) => distance > 0 && distance <= most)
    .toSorted((one, other) => one.distance - other.distance || other.word.momentCount - one.word.momentCount)
    .map(({ word }) => word);
}
