import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { catalogueOf } from '../../shared/i18n/uzbek-cyrillic.ts';
import { writeValues } from '../../shared/i18n/write-values.ts';
import { interfaceLanguages, type InterfaceLanguage } from '../../shared/domain/languages.ts';

/** All strings are bundled, so changing the language is immediate. */
export async function createWords(language: InterfaceLanguage): Promise<i18n> {
  const words = createInstance();
  await words
    .use(initReactI18next)
    .use(writeValues)
    .init({
      lng: 'en',
      fallbackLng: 'en',
      supportedLngs: [...interfaceLanguages],
      resources: { en: { translation: catalogueOf('en') } },
      interpolation: { escapeValue: false, alwaysFormat: true },
      returnNull: false,
      react: { useSuspense: false },
    });
  prepareWords(words, language);
  await words.changeLanguage(language);
  return words;
}

export function prepareWords(words: i18n, language: InterfaceLanguage): void {
  if (!words.hasResourceBundle(language, 'translation'))
    words.addResourceBundle(language, 'translation', catalogueOf(language), false, true, { skipCopy: true });
}
