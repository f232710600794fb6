import type { Catalogue } from './catalogues.ts';
import { mapWords } from './uzbek-cyrillic.ts';

const accents: ReadonlyMap<string, string> = new Map(
  [...'aàcçeèiïnñoôuûyýAÀCÇEÈIÏNÑOÔUÛYÝ'.matchAll(/../g)].map(([pair]) => [pair[0] ?? '', pair[1] ?? '']),
);
const placeholder = /(\{\{[^}]*\}\})/;
const filling = 'ëxpândéd wôrds thât trànslàtiöns nêed ';

/**
 * A text as a long language would have it: letters with accents, a third more of them (35 %, rounded up), in brackets
 * so that a cut end shows. Placeholders `{{name}}` stay; they do not count towards the length.
 */
export function pseudoText(text: string): string {
  const parts = text.split(placeholder);
  const own = parts.filter((part) => !placeholder.test(part)).join('');
  const more = Math.ceil(own.length * 0.35);
  if (own.trim() === '') return text;
  const changed = parts.map((part) =>
    placeholder.test(part) ? part : part.replaceAll(/[a-z]/gi, (letter) => accents.get(letter) ?? letter),
  );
  // Two of the letters are the brackets.
  const extra = filling
    .repeat(Math.ceil(more / filling.length))
    .slice(0, Math.max(0, more - 2))
    .trimEnd();
  // A name that is put in stays a word of its own.
  const gap = more > 12 || changed.at(-1) === '' ? ' ' : '';
  return `[${changed.join('')}${extra === '' ? '' : `${gap}${extra}`}]`;
}

/** English made long, to see which screens have no room for a language with longer words. Only tests show it. */
export const pseudoCatalogue = (words: Catalogue): Catalogue => mapWords(words, (text) => pseudoText(text));
