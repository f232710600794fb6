import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { catalogues } from '../../shared/i18n/catalogues.ts';
import { interfaceLanguages, type InterfaceLanguage } from '../../shared/domain/languages.ts';

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

/** The language to begin with, before the settings are read: the first of the system's that we speak. */
export function guessLanguage(systemLanguages: readonly string[]): InterfaceLanguage {
  const spoken = systemLanguages.map((tag) => tag.slice(0, 2).toLowerCase());
  return interfaceLanguages.find((language) => language === spoken.find((tag) => isInterfaceLanguage(tag))) ?? 'en';
}

const isInterfaceLanguage = (tag: string): tag is InterfaceLanguage =>
  interfaceLanguages.some((language) => language === tag);
