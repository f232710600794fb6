import type { InterfaceLanguage } from '../../../../shared/domain/languages.ts';

/** Uzbek writes numbers as Russian does; not every build of the browser knows Uzbek itself. */
const locales: Readonly<Record<InterfaceLanguage, string>> = { en: 'en-GB', ru: 'ru-RU', uz: 'ru-RU' };

/** A playback speed as people read it: 1.25×, in Russian and Uzbek 1,25×. */
export const rateText = (rate: number, language: InterfaceLanguage): string =>
  `${new Intl.NumberFormat(locales[language], { maximumFractionDigits: 3 }).format(rate)}×`;
