import type { i18n } from 'i18next';
import { catalogueOf } from '../../shared/i18n/catalogue-of.ts';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';

/** Reads, or makes, the words of a language before it is chosen; English is always there. */
export function prepareWords(words: i18n, language: InterfaceLanguage): void {
  if (!words.hasResourceBundle(language, 'translation'))
    words.addResourceBundle(language, 'translation', catalogueOf(language), false, true, { skipCopy: true });
}
