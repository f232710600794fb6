import type { TFunction } from 'i18next';
import { createContext, useContext } from 'react';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { oncePerKey } from '../../shared/domain/text/write-locale.ts';
import { createFormats, type Formats } from './formats.ts';

export interface Text {
  readonly t: TFunction;
  readonly language: InterfaceLanguage;
  /** The same words in every other language that has some of its own, read when they are first asked for. */
  readonly others: () => readonly TFunction[];
}

/** The words, taken from the catalogues in one place (`TextProvider`): hundreds of parts that each ask are slow. */
export const TextContext = createContext<Text | null>(null);

function useWords(): Text {
  const text = useContext(TextContext);
  if (text === null) throw new Error('useText outside of TextProvider');
  return text;
}

/**
 * The words of the interface. Keys are checked against the catalogues (see `renderer/app/i18next.d.ts`):
 * `const t = useText(); t('transcribe.title')`, with `{ count }` for plurals.
 */
export const useText = (): TFunction => useWords().t;

/** For what is looked for by the words of any language: those of all others than the interface's. */
export const useOtherWords = (): (() => readonly TFunction[]) => useWords().others;

const formatsOf = oncePerKey((language) => createFormats(language as InterfaceLanguage));

/** The language the interface speaks now. */
export const useInterfaceLanguage = (): InterfaceLanguage => useWords().language;

/** Numbers, sizes, lengths and dates as the interface's language writes them. */
export const useFormats = (): Formats => formatsOf(useInterfaceLanguage());
