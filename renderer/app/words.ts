import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { catalogues } from '../../shared/i18n/catalogues.ts';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';

/** The catalogues with a language chosen; all three are bundled, so a change of language is immediate. */
export async function createWords(language: InterfaceLanguage): Promise<i18n> {
  const words = createInstance();
  await words.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    supportedLngs: ['uz', 'ru', 'en'],
    resources: {
      uz: { translation: catalogues.uz },
      ru: { translation: catalogues.ru },
      en: { translation: catalogues.en },
    },
    interpolation: { escapeValue: false },
    returnNull: false,
    react: { useSuspense: false },
  });
  return words;
}
