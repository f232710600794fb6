import { createInstance } from 'i18next';
import { catalogues } from '../../shared/i18n/catalogues.ts';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';

const source = createInstance();
void source.init({
  initAsync: false,
  lng: 'en',
  fallbackLng: 'en',
  resources: Object.fromEntries(
    Object.entries(catalogues).map(([language, words]) => [language, { translation: words }]),
  ),
  interpolation: { escapeValue: false },
});

/** Words of the `dialogs` section in one language, for what main shows by itself. */
export function dialogWords(language: InterfaceLanguage): (key: string, values?: { readonly count: number }) => string {
  const translate = source.getFixedT(language);
  return (key, values) => translate(`dialogs.${key}`, { ...values });
}
