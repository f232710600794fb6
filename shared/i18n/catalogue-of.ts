import type { InterfaceLanguage } from '../domain/languages.ts';
import { catalogues, type Catalogue } from './catalogues.ts';
import { uzbekCyrillic } from './uzbek-cyrillic.ts';

/** The words of any language of the interface; those of `uz-Cyrl` are made when first asked for. */
export const catalogueOf = (language: InterfaceLanguage): Catalogue =>
  language === 'uz-Cyrl' ? uzbekCyrillic() : catalogues[language];
