import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { TextContext } from './text.ts';

/** Hands the words on, and draws whoever uses them anew when the language changes. */
export function TextProvider({ children }: { readonly children: ReactNode }) {
  const { t, i18n } = useTranslation();
  const language = i18n.language as InterfaceLanguage;
  const text = useMemo(() => ({ t, language }), [t, language]);
  return <TextContext value={text}>{children}</TextContext>;
}
