import { toUzbekCyrillic } from '../domain/text/transliterate-uzbek.ts';
import { catalogues, type Catalogue } from './catalogues.ts';
import type { InterfaceLanguage } from '../domain/languages.ts';

/** Changes the text between the matches of a pattern, which must have no groups. */
const changeBetween = (text: string, kept: RegExp, change: (part: string) => string): string => {
  const matches = text.match(kept) ?? [];
  return text
    .split(kept)
    .map((part, at) => change(part) + (matches[at] ?? ''))
    .join('');
};

/** Names that stay in Latin letters in every alphabet. */
const names = ['https://', 'ffmpeg', 'X-Api-Key', 'Ovoz Studio Library', 'Alt(?=siz)'];
/** Languages keep their own names in their own letters where the language of the interface is chosen. */
const ownNames = () => new RegExp([...Object.values(catalogues.uz.common.languages), ...names].join('|'), 'g');
const choosesLanguage = /^(?:menu\.choices|palette\.commands\.language)/u;
/** What the user types in a terminal and other programs read. */
const typed =
  /https:\/\/|docs\/command-line\.md|\{[a-z]+\}|(?<![\p{L}\p{N}])(?:npm run cli|transcribe|export|speak|isolate|dictate|ask|voices|models|history|requests|request|usage|keys|webhooks|list|create|change|disable|enable|revoke|delete|rotate|test|deliveries|retry|read|write|access|stt|llm|legacy|hook|example\.com|GET|POST|PUT|PATCH|DELETE|doctor|diagnostics|help|new|corrections|uz|ru|en|txt|srt|vtt-words|vtt|ass|ttml|lrc|docx|pdf|md|html|csv|tsv|edl|fcpxml|otio|standard|netflix-en|netflix-ru|bbc|youtube|shorts|files|folders|zip|frameRate=25|speakers=none|id|json|mp3|wav|flac|m4a|ogg|original|speech|failed|skipped|N|ID)(?![\p{L}\p{N}])/gu;

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

const toCyrillic =
  (own: RegExp, always: RegExp) =>
  (text: string, path: string): string => {
    if (path.startsWith('common.languages.')) return text;
    if (path.startsWith('cli.')) return alignLike(changeBetween(text, typed, toUzbekCyrillic), text);
    return changeBetween(text, choosesLanguage.test(path) ? own : always, toUzbekCyrillic);
  };

let made: Catalogue | null = null;

/** The strings in Uzbek Cyrillic (`uz-Cyrl`), transliterated from Latin on first use. */
export const uzbekCyrillic = (): Catalogue =>
  (made ??= mapWords(catalogues.uz, toCyrillic(ownNames(), new RegExp(names.join('|'), 'g'))));

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
export const mapWords = <T extends object>(words: T, change: (text: string, path: string) => string): T =>
  mapTree(words as unknown as WordTree, change, '') as unknown as T;
