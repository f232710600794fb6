import type { TFunction } from 'i18next';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { writtenLanguages, type InterfaceLanguage } from '../../shared/domain/languages.ts';
import { prepareWords } from './prepare-words.ts';
import { TextContext } from './text.ts';

/** Hands the words on, and draws whoever uses them anew when the language changes. */
export function TextProvider({ children }: { readonly children: ReactNode }) {
  const { t, i18n } = useTranslation();
  const language = i18n.language as InterfaceLanguage;
  const text = useMemo(() => {
    let made: readonly TFunction[] | null = null;
    const others = () =>
      (made ??= writtenLanguages
        .filter((other) => other !== language)
        .map((other) => {
          prepareWords(i18n, other);
          return i18n.getFixedT(other);
        }));
    return { t, language, others };
  }, [t, i18n, language]);
  return <TextContext value={text}>{children}</TextContext>;
}
