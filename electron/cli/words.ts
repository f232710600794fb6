import { createInstance } from 'i18next';
import { catalogueOf } from '../../shared/i18n/uzbek-cyrillic.ts';
import { describeFailure } from '../../shared/domain/failures/describe-failure.ts';
import { preferredLanguage, type InterfaceLanguage } from '../../shared/domain/languages.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { endingOf } from './ending.ts';

/** The terminal's words in one language. */
export interface Words {
  (key: string, values?: Readonly<Record<string, string | number>>): string;
}

/** The language of the terminal, from the usual variables; English when it is not one of ours. */
export const terminalLanguage = (env: Readonly<Record<string, string | undefined>>): InterfaceLanguage =>
  preferredLanguage([env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '']);

/** Looks up strings by their full key (`cli.done`, `errors.E-034.text`). */
export function loadWords(language: InterfaceLanguage): Words {
  const source = createInstance();
  void source.init({
    initAsync: false,
    lng: language,
    fallbackLng: 'en',
    resources: Object.fromEntries([language, 'en' as const].map((name) => [name, { translation: catalogueOf(name) }])),
    interpolation: { escapeValue: false },
    joinArrays: '\n',
  });
  // Keys are built at run time here, so the catalogue's list of them can't check them.
  const look = source.t.bind(source) as unknown as (key: string, values: object) => string;
  return (key, values) => look(key, { ...values });
}

/**
 * A failure in one or two plain sentences while a run still waits or goes on: what happened, what is kept, what to do.
 */
export function failureText(words: Words, language: InterfaceLanguage, failure: Failure): string {
  const { textKey, params } = describeFailure(failure, language);
  return words(textKey, params);
}

/** The same for a failure that ends the command, without promises that only a running program can keep. */
export function endingText(words: Words, language: InterfaceLanguage, failure: Failure): string {
  const { textKey, params } = describeFailure(failure, language);
  return words(endingOf(failure) ?? textKey, params);
}
