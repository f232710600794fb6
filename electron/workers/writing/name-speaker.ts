import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import { catalogueOf } from '../../../shared/i18n/uzbek-cyrillic.ts';

/** What a speaker without a name is called in the language and the letters of a text: "Speaker 2". */
export const nameSpeaker = (language: InterfaceLanguage, number: number): string =>
  catalogueOf(language).cli.speaker.replace('{{number}}', String(number));
