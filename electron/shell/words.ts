import { safeFileName } from '../../shared/domain/exports/safe-file-name.ts';
import { createInstance } from 'i18next';
import { catalogueOf } from '../../shared/i18n/uzbek-cyrillic.ts';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { writeValues } from '../../shared/i18n/write-values.ts';

const source = createInstance().use(writeValues);
void source.init({
  initAsync: false,
  lng: 'en',
  fallbackLng: 'en',
  resources: { en: { translation: catalogueOf('en') } },
  interpolation: { escapeValue: false, alwaysFormat: true },
});

export const translate = (
  language: InterfaceLanguage,
  key: string,
  values: Readonly<Record<string, string | number>> = {},
): string => {
  if (!source.hasResourceBundle(language, 'translation'))
    source.addResourceBundle(language, 'translation', catalogueOf(language), false, true, { skipCopy: true });
  const say: (named: string, filled: object) => string = source.getFixedT(language) as never;
  return say(key, { ...values });
};

export const dialogWords =
  (language: InterfaceLanguage) =>
  (key: string, values: { readonly count?: number; readonly percent?: number } = {}): string =>
    translate(language, `dialogs.${key}`, values);

export const recordingWords = (language: InterfaceLanguage) => {
  const say = dialogWords(language);
  return { title: say('files.locateMedia'), recordings: say('files.recordings'), allFiles: say('files.allFiles') };
};

export const importWords = (language: InterfaceLanguage) => {
  const say = dialogWords(language);
  return {
    title: say('files.importTranscripts'),
    texts: say('files.transcriptFiles'),
    allFiles: say('files.allFiles'),
  };
};

/** The recording as it was gets a name of its own, so that it never replaces the user's file. */
export function isolatedFileWords(title: string, format: string, extension: string, language: InterfaceLanguage) {
  const say = dialogWords(language);
  const isOriginal = format === 'original';
  const mark = say(isOriginal ? 'files.originalMark' : 'files.isolatedMark');
  const type = extension.slice(1);
  return {
    title: say(isOriginal ? 'files.saveOriginal' : 'files.saveIsolated'),
    defaultPath: safeFileName(`${title} (${mark})`, extension),
    ...(type === '' ? {} : { filters: [{ name: type.toUpperCase(), extensions: [type] }] }),
  };
}
