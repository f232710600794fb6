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
    const inLanguage = (other: InterfaceLanguage): TFunction => {
      prepare(i18n, other);
      return i18n.getFixedT(other);
    };
    const others = () => (made ??= writtenLanguages.filter((other) => other !== language).map(inLanguage));
    return { t: remembering(t), language, others, inLanguage };
  }, [t, i18n, language, prepare]);
  return <TextContext value={text}>{children}</TextContext>;
}

/** Most strings have no values in them and are asked for with every rendering; looking one up takes some 20 steps. */
function remembering(t: TFunction): TFunction {
  const known = new Map<unknown, unknown>();
  return new Proxy(t, {
    apply(ask, self, asked: readonly unknown[]) {
      if (asked.length !== 1) return Reflect.apply(ask, self, asked) as unknown;
      const [key] = asked;
      if (!known.has(key)) known.set(key, Reflect.apply(ask, self, asked));
      return known.get(key);
    },
  });
}
