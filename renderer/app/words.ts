import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { catalogues } from '../../shared/i18n/catalogues.ts';
import { uzbekCyrillic } from '../../shared/i18n/uzbek-cyrillic.ts';
import { writeValues } from '../../shared/i18n/write-values.ts';
import { interfaceLanguages, type InterfaceLanguage } from '../../shared/domain/languages.ts';

/** The catalogues with a language chosen; the written ones are bundled, so a change of language is immediate. */
export async function createWords(language: InterfaceLanguage): Promise<i18n> {
  const words = createInstance();
  await words
    .use(initReactI18next)
    .use(writeValues)
    .init({
      lng: 'en',
      fallbackLng: 'en',
      supportedLngs: [...interfaceLanguages],
      resources: {
        uz: { translation: catalogues.uz },
        ru: { translation: catalogues.ru },
        en: { translation: catalogues.en },
      },
      interpolation: { escapeValue: false, alwaysFormat: true },
      returnNull: false,
      react: { useSuspense: false },
    });
  prepareWords(words, language);
  await words.changeLanguage(language);
  return words;
}

/** Makes what a language needs before it is chosen: Cyrillic is made from Latin, for those who choose it. */
export function prepareWords(words: i18n, language: InterfaceLanguage): void {
  if (!words.hasResourceBundle(language, 'translation'))
    words.addResourceBundle(language, 'translation', uzbekCyrillic());
}
