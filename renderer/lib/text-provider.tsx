import type { i18n, TFunction } from 'i18next';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { writtenLanguages, type InterfaceLanguage } from '../../shared/domain/languages.ts';
import { TextContext } from './text.ts';

/** Provides the strings, and renders their users again when the language changes. */
export function TextProvider({
  prepare,
  children,
}: {
  /** Puts the words of a language in reach. */
  readonly prepare: (words: i18n, language: InterfaceLanguage) => void;
  readonly children: ReactNode;
}) {
  const { t, i18n } = useTranslation();
  const language = i18n.language as InterfaceLanguage;
  const text = useMemo(() => {
    let made: readonly TFunction[] | null = null;
    const others = () =>
      (made ??= writtenLanguages
        .filter((other) => other !== language)
        .map((other) => {
          prepare(i18n, other);
          return i18n.getFixedT(other);
        }));
    return { t, language, others };
  }, [t, i18n, language, prepare]);
  return <TextContext value={text}>{children}</TextContext>;
}
