import { isUzbek } from '../text/write-locale.ts';
import type { InterfaceLanguage } from '../languages.ts';
import { toUzbekCyrillic } from '../text/transliterate-uzbek.ts';

/** Words that add nothing when the other words of a sentence are in the title. */
const small = {
  en: ['a', 'an', 'the', 'your', 'this', 'that', 'it', 'its', 'is', 'was', 'are', 'has', 'have', 'been', 'any', 'more'],
  ru: ['ваш', 'ваша', 'ваше', 'ваши', 'этот', 'эта', 'это', 'эту', 'эти', 'сейчас', 'был', 'была', 'было', 'были'],
  uz: ['bu', 'hozir', 'shu'],
} as const;
let smallCyrillic: readonly string[] | null = null;
/** Created on first use: few people read Cyrillic Uzbek. */
const inCyrillic = () => (smallCyrillic ??= small.uz.map((word) => toUzbekCyrillic(word)));

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}ʻʼ’'-]+/gu) ?? [];
/** Word endings vary with the sentence; short words must be identical. */
const stemOf = (word: string): string => word.slice(0, 5);

/**
 * A failure's text for a place that shows its title above it: without a first sentence that only repeats the title in
 * other forms. A sentence that adds anything stays, and so does one that is the whole text.
 */
export function textAfterTitle(title: string, text: string, language: InterfaceLanguage): string {
  const [first = '', ...rest] = text.split(/(?<=[.!?]) (?=[\p{Lu}\p{N}])/u);
  if (rest.length === 0) return text;
  const known = new Set(wordsOf(title).map(stemOf));
  const idle: readonly string[] =
    language === 'uz-Cyrl' ? inCyrillic() : isUzbek(language) ? small.uz : small[language === 'ru' ? 'ru' : 'en'];
  const isRepeated = wordsOf(first).every((word) => known.has(stemOf(word)) || idle.includes(word));
  return isRepeated ? rest.join(' ') : text;
}
