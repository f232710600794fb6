import { toUzbekCyrillic } from '../domain/text/transliterate-uzbek.ts';
import { isNounEnding } from '../domain/text/uzbek-loanwords.ts';
import { catalogues, type Catalogue } from './catalogues.ts';
import type { InterfaceLanguage } from '../domain/languages.ts';

const placeholder = /\{\{[^}]*\}\}/g;
/** A word, file, address or option in Latin letters. */
const latinWord = /(?<!\p{L})(?:--)?[\p{Script=Latin}\p{N}ʻʼ]+(?:[._:/-]+[\p{Script=Latin}\p{N}ʻʼ]+)*/gu;
const latinWords = (text: string): readonly string[] =>
  (text.replaceAll(placeholder, ' ').match(latinWord) ?? []).filter((word) => /\p{L}/u.test(word));

/** Transliterates a text except for the words that Russian keeps in Latin letters too; their Uzbek suffix is changed. */
function toCyrillicLike(russian: string, text: string): string {
  const names = [...new Set(latinWords(russian))].toSorted((a, b) => b.length - a.length);
  let result = '';
  let end = 0;
  for (const { 0: word, index } of names.length === 0 ? [] : text.matchAll(latinWord)) {
    const name = names.find((one) => word.startsWith(one) && isNounEnding(word.slice(one.length)));
    if (name === undefined) continue;
    result += toUzbekCyrillic(text.slice(end, index)) + name;
    end = index + name.length;
  }
  return result + toUzbekCyrillic(text.slice(end));
}

/** Realigns the second column of a help text, because Cyrillic words are shorter. */
const alignLike = (text: string, model: string): string => {
  const models = model.split('\n');
  return text
    .split('\n')
    .map((line, at) => {
      const column = /^ {2}\S.*? {2,}/.exec(models[at] ?? '')?.[0].length;
      return column === undefined ? line : line.replace(/^( {2}\S.*?) {2,}/, (_, name: string) => name.padEnd(column));
    })
    .join('\n');
};

let made: Catalogue | null = null;

/**
 * The strings in Uzbek Cyrillic (`uz-Cyrl`), transliterated from Latin on first use. A Latin word that the Russian
 * string of the same key keeps is a name, or something that is typed, and stays.
 */
export const uzbekCyrillic = (): Catalogue => (made ??= make());

function make(): Catalogue {
  const russian = textsByPath(catalogues.ru);
  return mapWords(catalogues.uz, (text, path) => {
    if (path.startsWith('common.languages.')) return text;
    const written = toCyrillicLike(russian.get(path) ?? '', text);
    return path.startsWith('cli.') ? alignLike(written, text) : written;
  });
}

/** The strings of any interface language; those of `uz-Cyrl` are made on first use. */
export const catalogueOf = (language: InterfaceLanguage): Catalogue =>
  language === 'uz-Cyrl' ? uzbekCyrillic() : catalogues[language];

interface WordTree {
  readonly [key: string]: string | readonly string[] | WordTree;
}

function mapTree(tree: WordTree, change: (text: string, path: string) => string, prefix: string): WordTree {
  return Object.fromEntries(
    Object.entries(tree).map(([key, value]) => {
      const path = `${prefix}${key}`;
      if (typeof value === 'string') return [key, change(value, path)];
      if (Array.isArray(value)) return [key, change(value.join('\n'), path).split('\n')];
      return [key, mapTree(value as WordTree, change, `${path}.`)];
    }),
  );
}

/**
 * A catalogue with every string changed and every key in place. `path` is the key, such as `common.failure.row`. A list
 * is one string with a line per item.
 */
export const mapWords = <T extends WordTree>(words: T, change: (text: string, path: string) => string): T =>
  mapTree(words, change, '') as T;

/** Every string of a catalogue by its path. */
export function textsByPath(words: WordTree): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  mapWords(words, (text, path) => {
    found.set(path, text);
    return text;
  });
  return found;
}
