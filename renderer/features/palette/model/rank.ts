import { endOfLetter, foldText, type FoldedText } from '../../../../shared/domain/text/fold-text.ts';

/** Matched ranges of the title, end exclusive, in its own characters. */
export type Ranges = readonly (readonly [from: number, to: number])[];

interface Match {
  readonly score: number;
  readonly places: Ranges;
}

const isWordStart = (text: string, at: number) => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '');

/** The ranges of the title for a match, in order and apart: letters of it may fold to several, or to none. */
function rangesOf(title: string, folded: FoldedText, { places }: Match): Ranges {
  const ranges: [from: number, to: number][] = [];
  for (const [at, end] of places.toSorted(([left], [right]) => left - right)) {
    const [from, to] = [folded.from[at] ?? 0, endOfLetter(title, folded, end - 1)];
    const last = ranges.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else ranges.push([from, to]);
  }
  return ranges;
}

/** For a query at a place of a title: the whole title, at its start, the choice it names, at the start of a word, or inside. */
function scoreAt(title: string, at: number, length: number): number {
  const isToEnd = title.slice(at).replace(/[^\p{L}\p{N}]+$/u, '').length <= length;
  if (at === 0) return isToEnd ? 120 : 100;
  if (isToEnd && title.slice(0, at).endsWith(': ')) return 110;
  if (isWordStart(title, at)) return 80;
  return length > 1 ? 50 : 0;
}

function matchWhole(folded: FoldedText, query: string): Match | null {
  let best: Match | null = null;
  for (let at = folded.text.indexOf(query); at !== -1; at = folded.text.indexOf(query, at + 1)) {
    const score = scoreAt(folded.text, at, query.length);
    if (score > (best?.score ?? 0)) best = { score, places: [[at, at + query.length]] };
  }
  return best;
}

function matchWords(folded: FoldedText, words: readonly string[]): Match | null {
  const places: (readonly [number, number])[] = [];
  for (const word of words) {
    let at = folded.text.indexOf(word);
    while (at !== -1 && !isWordStart(folded.text, at)) at = folded.text.indexOf(word, at + 1);
    if (at === -1) return null;
    places.push([at, at + word.length]);
  }
  return { score: 60, places };
}

/** Letters inside several words match by chance, so only the first word is skipped into: not "theme" in "the museum". */
function nextLetter(text: string, letter: string, from: number, isFirstWord: boolean): number {
  const here = text.indexOf(letter, from);
  if (here === -1) return -1;
  if (here === from || (isFirstWord && /^[\p{L}\p{N}]*$/u.test(text.slice(from, here)))) return here;
  for (let at = here; at !== -1; at = text.indexOf(letter, at + 1)) if (isWordStart(text, at)) return at;
  return -1;
}

function matchLetters(folded: FoldedText, query: string): Match | null {
  const letters = query.replaceAll(' ', '');
  if (letters.length < 2) return null;
  for (
    let start = folded.text.indexOf(letters[0] ?? '');
    start !== -1;
    start = folded.text.indexOf(letters[0] ?? '', start + 1)
  ) {
    if (!isWordStart(folded.text, start)) continue;
    const places = [start];
    let isFirstWord = true;
    for (const letter of letters.slice(1)) {
      const at = nextLetter(folded.text, letter, (places.at(-1) ?? 0) + 1, isFirstWord);
      if (at === -1) break;
      isFirstWord &&= !isWordStart(folded.text, at);
      places.push(at);
    }
    if (places.length < letters.length) continue;
    const spread = (places.at(-1) ?? 0) - start + 1 - letters.length;
    // Letters scattered over a whole title match by chance.
    if (spread > letters.length * 3) continue;
    return { score: Math.max(1, 30 - spread), places: places.map((at) => [at, at + 1]) };
  }
  return null;
}

/** What another language's title or a synonym counts beside the title that is shown. */
const otherShare = 0.65;

const wantedIn = (query: string): string => foldText(query).text.trim().replaceAll(/\s+/g, ' ');

function matchFolded(folded: FoldedText, wanted: string, words: readonly string[]): Match | null {
  return (
    matchWhole(folded, wanted) ?? (words.length > 1 ? matchWords(folded, words) : null) ?? matchLetters(folded, wanted)
  );
}

/** What to highlight in a title; null when the query does not match it. */
export function matchTitle(title: string, query: string): Ranges | null {
  const wanted = wantedIn(query);
  const folded = foldText(title);
  const match = wanted === '' ? null : matchFolded(folded, wanted, wanted.split(' '));
  return match && rangesOf(title, folded, match);
}

interface Ranked<T> {
  readonly item: T;
  readonly ranges: Ranges;
}

/** Titles are folded once and cached by their owner: there may be thousands, searched with every letter. */
const folds = new WeakMap<object, FoldedText>();

function foldedTitle(item: { readonly title: string }): FoldedText {
  const known = folds.get(item) ?? foldText(item.title);
  folds.set(item, known);
  return known;
}

/** Matching items, best first, otherwise in their own order. `otherTitles`: in other languages, and synonyms. */
export function rank<T extends { readonly title: string; readonly otherTitles: readonly string[] }>(
  items: readonly T[],
  query: string,
): readonly Ranked<T>[] {
  const wanted = wantedIn(query);
  if (wanted === '') return [];
  const words = wanted.split(' ');
  const typed = query.trim().toLowerCase();
  const scores = new Map<string, number>();
  const scoreOf = (title: string): number => {
    const score = scores.get(title) ?? matchFolded(foldText(title), wanted, words)?.score ?? 0;
    scores.set(title, score);
    return score;
  };
  return items
    .flatMap((item) => {
      const folded = foldedTitle(item);
      const own = matchFolded(folded, wanted, words);
      const other = Math.max(0, ...item.otherTitles.map(scoreOf)) * otherShare;
      if (own === null && other <= 0) return [];
      return [
        {
          item,
          ranges: own === null ? [] : rangesOf(item.title, folded, own),
          // Of titles that are the same but for their letters, the one in the typed letters comes first.
          score: Math.max((own?.score ?? 0) + (item.title.toLowerCase().includes(typed) ? 1 : 0), other),
        },
      ];
    })
    .toSorted((left, right) => right.score - left.score)
    .map(({ item, ranges }) => ({ item, ranges }));
}
