import type { TFunction } from 'i18next';
import { createContext, useContext } from 'react';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { oncePerKey } from '../../shared/domain/text/write-locale.ts';
import { createFormats, type Formats } from './formats.ts';

export interface Text {
  readonly t: TFunction;
  readonly language: InterfaceLanguage;
  /** The same strings in every other written language, loaded on first use. */
  readonly others: () => readonly TFunction[];
  /** The same strings in one language, loaded on first use. */
  readonly inLanguage: (language: InterfaceLanguage) => TFunction;
}

/**
 * The strings, provided in one place (`TextProvider`), because hundreds of components with their own lookup are slow.
 */
export const TextContext = createContext<Text | null>(null);

function useWords(): Text {
  const text = useContext(TextContext);
  if (text === null) throw new Error('useText outside of TextProvider');
  return text;
}

/**
 * The strings of the interface. Keys are checked against the catalogues (see `renderer/app/i18next.d.ts`): `const t =
 * useText(); t('transcribe.title')`, with `{ count }` for plurals.
 */
export const useText = (): TFunction => useWords().t;

/** For searches in all languages: the strings of every language except the current one. */
export const useOtherWords = (): (() => readonly TFunction[]) => useWords().others;

const formatsOf = oncePerKey((language) => createFormats(language as InterfaceLanguage));

/** For what is written in the language of a text, such as labels in a file: the strings of any language. */
export const useWordsIn = (): ((language: InterfaceLanguage) => TFunction) => useWords().inLanguage;

/** The language the interface speaks now. */
export const useInterfaceLanguage = (): InterfaceLanguage => useWords().language;

/** Numbers, sizes, lengths and dates in the interface's language. */
export const useFormats = (): Formats => formatsOf(useInterfaceLanguage());
