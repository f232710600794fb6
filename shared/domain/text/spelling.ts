import { capital } from './fold-text.ts';

export interface Spelling {
  /** `word` as `wordsToSpell` gives it. */
  isKnown(word: string): boolean;
  /** For a word as it is written, with its apostrophe, and with ё if it has ё. The best first; none when nothing is near. */
  suggest(written: string): readonly string[];
}

interface Affix {
  readonly flag: string;
  /** As the dictionary spells it, with ё. */
  readonly shown: string;
  readonly strip: string;
  readonly stem: RegExp | null;
  readonly isCombined: boolean;
}
type Affixes = ReadonlyMap<string, readonly Affix[]>;

const mostSuggestions = 5;
const mostLetters = 40;
const apostrophes = /[’ʼʻ‘`]/gu;
const wordPattern = /\p{L}[\p{L}\p{M}]*(?:['’ʼʻ‘`-]\p{L}[\p{L}\p{M}]*)*/gu;
/** Addresses, names of files, numbers with endings: their letters are no words. */
const address = /[\p{N}@_/\\]|\p{L}\.\p{L}/u;
const alphabets: Readonly<Record<SpelledLanguage, RegExp>> = {
  ru: /^[\p{Script=Cyrillic}-]+$/u,
  en: /^[\p{Script=Latin}'-]+$/u,
};

export const spelledLanguages = ['ru', 'en'] as const;
export type SpelledLanguage = (typeof spelledLanguages)[number];

const spellingKey = (word: string): string => withoutYo(word.normalize('NFC').replace(apostrophes, "'"));
const withoutYo = (text: string): string => text.replaceAll('ё', 'е').replaceAll('Ё', 'Е');

/** With their places; abbreviations, addresses and other alphabets are left out. */
export function wordsToSpell(
  text: string,
  language: SpelledLanguage,
): readonly { readonly word: string; readonly from: number; readonly to: number }[] {
  const alphabet = alphabets[language];
  return [...text.matchAll(/\S+/gu)].flatMap(({ 0: piece, index: start }) =>
    address.test(piece)
      ? []
      : [...piece.matchAll(wordPattern)].flatMap(({ 0: found, index }) => {
          const word = spellingKey(found);
          const isShouted = found === found.toUpperCase();
          if (isShouted || word.length > mostLetters || !alphabet.test(word)) return [];
          return [{ word, from: start + index, to: start + index + found.length }];
        }),
  );
}

/** Reads the two files of a dictionary; keeps stems and takes words apart, because all forms would fill the memory. */
export function readSpelling(rules: string, words: string): Spelling {
  const { prefixes, suffixes, tries, replacements, unspoken } = readRules(rules);
  const { stems, yoSpellings } = readStems(words, unspoken.partOnly);
  const longest = Math.max(0, ...[...suffixes.keys()].map(({ length }) => length));

  const shownStem = (stem: string): string => yoSpellings.get(stem) ?? stem;
  const flagsOf = (stem: string, affix: Affix): string | null => {
    const flags = stems.get(stem);
    return flags?.includes(affix.flag) === true && affix.stem?.test(stem) !== false ? flags : null;
  };
  /** The word if it is a stem with a suffix that it takes, as the dictionary spells it; `prefix`: and takes that prefix as well. */
  const suffixed = (word: string, prefix: Affix | null): string | null => {
    for (let length = 0; length <= longest && length < word.length; length += 1) {
      const start = word.slice(0, word.length - length);
      for (const suffix of suffixes.get(word.slice(start.length)) ?? []) {
        if (prefix !== null && !suffix.isCombined) continue;
        const stem = start + suffix.strip;
        const flags = flagsOf(stem, suffix);
        if (flags !== null && (prefix === null || flags.includes(prefix.flag)))
          return shownStem(stem).slice(0, start.length) + suffix.shown;
      }
    }
    return null;
  };
  const formOf = (word: string): string | null => {
    const plain = stems.has(word) ? shownStem(word) : suffixed(word, null);
    if (plain !== null) return plain;
    for (const [added, list] of prefixes) {
      if (!word.startsWith(added) || word.length <= added.length) continue;
      const rest = word.slice(added.length);
      for (const prefix of list) {
        const stem = prefix.strip + rest;
        if (flagsOf(stem, prefix) !== null) return prefix.shown + shownStem(stem).slice(prefix.strip.length);
        const form = prefix.isCombined ? suffixed(rest, prefix) : null;
        if (form !== null) return prefix.shown + form;
      }
    }
    return null;
  };
  const isForm = (word: string): boolean => formOf(word) !== null;
  const isWord = (word: string): boolean => {
    const lower = word.toLowerCase();
    return isForm(word) || (lower !== word && (isForm(lower) || isForm(capital(lower))));
  };
  const isKnown = (word: string): boolean => isWord(word) || (word.includes('-') && word.split('-').every(isWord));

  return {
    isKnown,
    suggest(written) {
      const word = spellingKey(written);
      const lower = word.toLowerCase();
      const isCapital = word !== lower;
      const [apostrophe = "'"] = written.match(apostrophes) ?? [];
      const hasYo = /ё/iu.test(written.normalize('NFC'));
      const found = new Set<string>();
      const add = (form: string) => {
        const spelt = (hasYo ? form : withoutYo(form)).replaceAll("'", apostrophe);
        found.add(isCapital ? capital(spelt) : spelt);
      };
      const look = (from: string) => {
        for (const candidate of candidates(from, replacements, tries)) {
          if (found.size === mostSuggestions) return;
          const form = formOf(candidate) ?? formOf(capital(candidate));
          if (form !== null && !unspoken.isUnspoken(stems.get(withoutYo(form)))) add(form);
        }
      };
      look(lower);
      for (let at = 2; at <= lower.length - 2 && found.size < mostSuggestions; at += 1) {
        const [left, right] = [formOf(lower.slice(0, at)), formOf(lower.slice(at))];
        if (left !== null && right !== null) add(`${left} ${right}`);
      }
      if (found.size === 0) for (const slip of doublings(lower)) look(slip);
      return [...found];
    },
  };
}

export const joinSpellings = (spellings: readonly Spelling[]): Spelling => ({
  isKnown: (word) => spellings.some((one) => one.isKnown(word)),
  suggest: (written) => [...new Set(spellings.flatMap((one) => one.suggest(written)))].slice(0, mostSuggestions),
});

function* candidates(
  word: string,
  replacements: readonly (readonly [string, string])[],
  tries: readonly string[],
): Generator<string> {
  for (const [wrong, right] of replacements)
    for (let at = word.indexOf(wrong); at >= 0; at = word.indexOf(wrong, at + 1))
      yield word.slice(0, at) + right + word.slice(at + wrong.length);
  for (let at = 0; at < word.length - 1; at += 1)
    yield word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2);
  for (let at = 0; at < word.length; at += 1) yield word.slice(0, at) + word.slice(at + 1);
  for (const letter of tries)
    for (let at = 0; at < word.length; at += 1) yield word.slice(0, at) + letter + word.slice(at + 1);
  for (const letter of tries)
    for (let at = 0; at <= word.length; at += 1) yield word.slice(0, at) + letter + word.slice(at);
}

/** Words with one letter written twice, or a double one once: the slip that others come with most often. */
function* doublings(word: string): Generator<string> {
  for (let at = 0; at < word.length; at += 1)
    if (word[at] === word[at + 1]) yield word.slice(0, at) + word.slice(at + 1);
  for (let at = 0; at < word.length; at += 1) yield word.slice(0, at + 1) + word.slice(at);
}

function readRules(rules: string) {
  const prefixes = new Map<string, Affix[]>();
  const suffixes = new Map<string, Affix[]>();
  const combined = new Set<string>();
  const replacements: (readonly [string, string])[] = [];
  let tries: readonly string[] = [];
  let partOnly: string | null = null;
  let noSuggest: string | null = null;
  for (const line of rules.normalize('NFC').replace(apostrophes, "'").split(/\r?\n/u)) {
    const shownParts = line.trim().split(/\s+/u);
    const [kind = '', first = '', second = '', third = '', fourth] = shownParts.map(withoutYo);
    if (kind === 'TRY') tries = [...new Set(first.toLowerCase())];
    if (kind === 'ONLYINCOMPOUND') partOnly = first;
    if (kind === 'NOSUGGEST') noSuggest = first;
    if (kind === 'REP' && second !== '') replacements.push([first, second.replaceAll('_', ' ')]);
    if (kind !== 'SFX' && kind !== 'PFX') continue;
    if (fourth === undefined) {
      if (second === 'Y') combined.add(kind + first);
      continue;
    }
    const [added = ''] = third.split('/');
    const condition = kind === 'SFX' ? `${fourth}$` : `^${fourth}`;
    const affixes = kind === 'SFX' ? suffixes : prefixes;
    const text = added === '0' ? '' : added;
    const shown = (shownParts[3] ?? '').slice(0, text.length);
    const list = affixes.get(text) ?? [];
    // Of two spellings, that with ё is found first.
    list[shown === text ? 'push' : 'unshift']({
      flag: first,
      shown,
      strip: second === '0' ? '' : second,
      stem: fourth === '.' ? null : new RegExp(condition, 'u'),
      isCombined: combined.has(kind + first),
    });
    affixes.set(text, list);
  }
  const isUnspoken = (flags: string | undefined) => noSuggest !== null && flags?.includes(noSuggest) === true;
  const known: { readonly prefixes: Affixes; readonly suffixes: Affixes } = { prefixes, suffixes };
  return { ...known, tries, replacements, unspoken: { partOnly, isUnspoken } };
}

/** Each stem with its flags, from lines such as `walk/DGS`; `yoSpellings`: those that have ё, as they are spelt. */
function readStems(words: string, partOnly: string | null) {
  const stems = new Map<string, string>();
  const yoSpellings = new Map<string, string>();
  for (const line of words.normalize('NFC').split('\n')) {
    const slash = line.indexOf('/');
    const shown = (slash < 0 ? line : line.slice(0, slash)).trim();
    const flags = slash < 0 ? '' : line.slice(slash + 1).trim();
    if (shown === '' || (partOnly !== null && flags.includes(partOnly))) continue;
    const stem = withoutYo(shown);
    if (stem !== shown) yoSpellings.set(stem, shown);
    const known = stems.get(stem);
    stems.set(stem, known === undefined ? flags : known + flags);
  }
  return { stems, yoSpellings };
}
