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

const ownNames = new RegExp(`(${Object.values(uz.common.languages).join('|')})`);

/** A command that chooses a language calls it by its own name too. */
const toCyrillic = (text: string, path: string): string =>
  path.startsWith('palette.commands.language')
    ? text
        .split(ownNames)
        .map((part) => (ownNames.test(part) ? part : toUzbekCyrillic(part)))
        .join('')
    : toUzbekCyrillic(text);

let made: Catalogue | null = null;

/** The words of the interface in Uzbek Cyrillic (`uz-Cyrl`), made from the Latin ones when first asked for. */
export const uzbekCyrillic = (): Catalogue =>
  (made ??= mapWords(uz, (text, path) => (staysLatin(path) ? text : toCyrillic(text, path))));
