import type { TFunction } from 'i18next';
import { createContext, useContext } from 'react';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { oncePerKey } from '../../shared/domain/text/write-locale.ts';
import { createFormats, type Formats } from './formats.ts';

export interface Text {
  readonly t: TFunction;
  readonly language: InterfaceLanguage;
  readonly others: () => readonly TFunction[];
  readonly inLanguage: (language: InterfaceLanguage) => TFunction;
}

/** Provided once, because hundreds of components with their own lookup are slow. */
export const TextContext = createContext<Text | null>(null);

function useWords(): Text {
  const text = useContext(TextContext);
  if (text === null) throw new Error('useText outside of TextProvider');
  return text;
}

export const useText = (): TFunction => useWords().t;

/** Keys that are built at run time can't be named by the checked key type. */
export type PlainText = (key: string, values?: Readonly<Record<string, string>>) => string;
export const plainText = (t: TFunction): PlainText => t as unknown as PlainText;

export const useOtherWords = (): (() => readonly TFunction[]) => useWords().others;

const formatsOf = oncePerKey((language) => createFormats(language as InterfaceLanguage));

export const useWordsIn = (): ((language: InterfaceLanguage) => TFunction) => useWords().inLanguage;

export const useInterfaceLanguage = (): InterfaceLanguage => useWords().language;

export const useFormats = (): Formats => formatsOf(useInterfaceLanguage());

/** Of an estimate, rounded up. */
export function useAboutCredits(): (credits: number) => string {
  const t = useText();
  const formats = useFormats();
  return (credits) => {
    const count = Math.ceil(credits * 10) / 10;
    return t('transcribe.cost.about', { count, amount: formats.number(count) });
  };
}

/** The noun agrees with the figure that is shown. */
export function useCreditsWords(): (credits: number | string, isAtLeast?: boolean) => string {
  const t = useText();
  const formats = useFormats();
  return (credits, isAtLeast = false) => {
    const exact = Number(credits);
    const count = exact < 1 ? exact : Math.round(exact * 10) / 10;
    const amount = formats.credits(credits);
    return t(isAtLeast ? 'transcribe.cost.amountAtLeast' : 'transcribe.cost.amount', { count, amount });
  };
}
