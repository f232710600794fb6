import 'i18next';
import type { EnglishCatalogue } from '../../shared/i18n/catalogues.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: EnglishCatalogue };
    returnNull: false;
  }
}
