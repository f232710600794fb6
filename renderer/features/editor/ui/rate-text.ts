import type { InterfaceLanguage } from '../../../../shared/domain/languages.ts';
import { numberLocales } from '../../../../shared/domain/text/write-locale.ts';

/** A playback speed as people read it: 1.25×, in Russian and Uzbek 1,25×. */
export const rateText = (rate: number, language: InterfaceLanguage): string =>
  `${new Intl.NumberFormat(numberLocales[language], { maximumFractionDigits: 3 }).format(rate)}×`;
