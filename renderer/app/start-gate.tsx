import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { failureOf } from '../bridge/ask.ts';
import { appQuery, LiveApp, useIsQueueAnswered } from '../bridge/live-state.tsx';
import { useStudio } from '../bridge/studio-context.tsx';
import { useFailureWords } from '../lib/failure-words.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { prepareWords } from './words.ts';

const systemLocales = { uz: 'uz-Latn-UZ', 'uz-Cyrl': 'uz-Cyrl-UZ', ru: 'ru-RU', en: 'en-GB' } as const;

/** Rows that come within this time are drawn with the first screen, which is cheaper than drawing it twice. */
const rowsAreWaitedForMs = 250;

/** Waits for main's first answer, then keeps the page's language and appearance as the settings say. */
export function StartGate({ children }: { readonly children: ReactNode }) {
  const { t, i18n } = useTranslation();
  const words = useFailureWords();
  const { data, error, isError, refetch } = useQuery(appQuery(useStudio()));
  const language = data?.settings.interfaceLanguage;
  const appearance = data?.settings.appearance;

  // Only the first language is waited for: later changes must not take down a screen that is being used.
  const [isSpoken, setIsSpoken] = useState(false);
  useEffect(() => {
    if (language === undefined) return undefined;
    let isWanted = true;
    const change = async () => {
      await prepareWords(i18n, language);
      if (!isWanted) return;
      await i18n.changeLanguage(language);
      document.documentElement.lang = language;
      setIsSpoken(true);
    };
    void change();
    return () => {
      isWanted = false;
    };
  }, [language, i18n]);
  const isAnswered = useIsQueueAnswered();
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setIsLate(true);
    }, rowsAreWaitedForMs);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  const hasRows = isAnswered || isLate;
  useEffect(() => {
    if (appearance === undefined) return;
    if (appearance === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = appearance;
  }, [appearance]);
  const contrast = data?.settings.contrast ?? 'system';
  const typeface = data?.settings.transcriptTypeface ?? 'serif';
  useEffect(() => {
    document.documentElement.toggleAttribute('data-contrast', contrast === 'high');
    document.documentElement.toggleAttribute('data-sans', typeface === 'sans');
  }, [contrast, typeface]);
  const reducesMotion = data?.settings.reducesMotion ?? false;
  useEffect(() => {
    if (reducesMotion) document.documentElement.dataset['motion'] = 'reduce';
    else delete document.documentElement.dataset['motion'];
  }, [reducesMotion]);
  const transcriptSize = data?.settings.transcriptSize;
  useEffect(() => {
    if (transcriptSize === undefined) return;
    const { style } = document.documentElement;
    style.setProperty('--words-md', `${String(transcriptSize)}px`);
    style.setProperty('--words-md-lh', `${String(Math.round(transcriptSize * 1.7))}px`);
  }, [transcriptSize]);

  if (isError) {
    const failure = failureOf(error);
    return (
      <main>
        <EmptyState
          icon={CircleAlert}
          title={t('shell.notStarted.title')}
          action={<Button onPress={() => void refetch()}>{t('shell.notStarted.again')}</Button>}
        >
          {failure ? words(failure).text : t('shell.crashed.text')}
        </EmptyState>
      </main>
    );
  }
  if (language === undefined || !isSpoken || !hasRows) return null;
  return (
    <I18nProvider locale={systemLocales[language]}>
      <LiveApp>{children}</LiveApp>
    </I18nProvider>
  );
}
