import type { Catalogue } from './catalogues.ts';
import { mapWords } from './uzbek-cyrillic.ts';

const accents: ReadonlyMap<string, string> = new Map(
  [...'aàcçeèiïnñoôuûyýAÀCÇEÈIÏNÑOÔUÛYÝ'.matchAll(/../g)].map(([pair]) => [pair[0] ?? '', pair[1] ?? '']),
);
const placeholder = /(\{\{[^}]*\}\})/;
const filling = 'ëxpândéd wôrds thât trànslàtiöns nêed ';

/**
 * Imitates a long language: accented letters, 35 % more of them (rounded up), and brackets that show where a text is
 * cut. Placeholders `{{name}}` stay and do not count towards the length.
 */
export function pseudoText(text: string): string {
  const parts = text.split(placeholder);
  const own = parts.filter((part) => !placeholder.test(part)).join('');
  const more = Math.ceil(own.length * 0.35);
  if (own.trim() === '') return text;
  const changed = parts.map((part) =>
    placeholder.test(part) ? part : part.replaceAll(/[a-z]/gi, (letter) => accents.get(letter) ?? letter),
  );
  // The brackets are two of the added letters.
  const extra = filling
    .repeat(Math.ceil(more / filling.length))
    .slice(0, Math.max(0, more - 2))
    .trimEnd();
  // Keeps an inserted name apart from the padding, so that it stays a word of its own.
  const gap = more > 12 || changed.at(-1) === '' ? ' ' : '';
  return `[${changed.join('')}${extra === '' ? '' : `${gap}${extra}`}]`;
}

/** English in lengthened form, to find screens without room for longer languages. Used by tests only. */
export const pseudoCatalogue = (words: Catalogue): Catalogue => mapWords(words, (text) => pseudoText(text));
