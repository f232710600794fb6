import { toUzbekCyrillic } from '../domain/text/transliterate-uzbek.ts';
import type { Catalogue } from './catalogues.ts';
import { mapWords } from './map-words.ts';
import { uz } from './uz/index.ts';

/**
 * Languages are called by their own names in their own letters, and the terminal, whose commands are Latin,
 * has no Cyrillic; only the name it gives to speakers reaches texts.
 */
const staysLatin = (path: string) =>
  path.startsWith('common.languages.') || (path.startsWith('cli.') && path !== 'cli.speaker');

let made: Catalogue | null = null;

/** The words of the interface in Uzbek Cyrillic (`uz-Cyrl`), made from the Latin ones when first asked for. */
export const uzbekCyrillic = (): Catalogue =>
  (made ??= mapWords(uz, (text, path) => (staysLatin(path) ? text : toUzbekCyrillic(text))));
