import { numberLocales, oncePerKey } from '../domain/text/write-locale.ts';
import type { InterfaceLanguage } from '../domain/languages.ts';

const numbers = oncePerKey(
  (language) => new Intl.NumberFormat(numberLocales[language as InterfaceLanguage], { maximumFractionDigits: 1 }),
);
const isPlain = (value: number): boolean => Number.isInteger(value) && value > -1000 && value < 1000;
const nothing = (): void => undefined;

/**
 * Writes the numbers in sentences as the language of the sentence does: 1,234 rows, 1 234 строки. For i18next, with
 * `interpolation.alwaysFormat`. Texts stay as they are; whoever wants a number unformatted hands it over as text.
 */
export const writeValues = {
  type: 'formatter' as const,
  init: nothing,
  add: nothing,
  addCached: nothing,
  format: (value: unknown, _how?: string, language = 'en'): string =>
    typeof value === 'number' && !isPlain(value) ? numbers(language).format(value) : String(value),
};
