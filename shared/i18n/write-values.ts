import { numberLocales, oncePerKey } from '../domain/text/write-locale.ts';
import type { InterfaceLanguage } from '../domain/languages.ts';

const numbers = oncePerKey(
  (language) => new Intl.NumberFormat(numberLocales[language as InterfaceLanguage], { maximumFractionDigits: 1 }),
);
const isPlain = (value: number): boolean => Number.isInteger(value) && value > -1000 && value < 1000;
const nothing = (): void => undefined;

/**
 * Formats the numbers in a sentence for its language: 1,234 rows, 1 234 строки. Used by i18next with
 * `interpolation.alwaysFormat`. Strings stay as they are, so pass a number as text to leave it unformatted; `{{name,
 * lowercase}}` is for names that are capitals only at the beginning of a sentence.
 */
export const writeValues = {
  type: 'formatter' as const,
  init: nothing,
  add: nothing,
  addCached: nothing,
  format: (value: unknown, how?: string, language = 'en'): string => {
    const text = typeof value === 'number' && !isPlain(value) ? numbers(language).format(value) : String(value);
    return how === 'lowercase' ? text.toLocaleLowerCase(language) : text;
  },
};
