import { useQuery } from '@tanstack/react-query';
import { modeOf } from '../../shared/domain/modes.ts';
import { CircleAlert } from 'lucide-react';
import { useEffect, useInsertionEffect, useState, type ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { failureOf } from '../bridge/request-error.ts';
import { appQuery, LiveApp, useIsQueueAnswered } from '../bridge/live-state.tsx';
import { useStudio } from '../bridge/studio-context.tsx';
import { OriginContext, useFailureWords } from '../lib/failure-words.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { prepareWords } from './words.ts';
import type { Settings } from '../bridge/types.ts';

const systemLocales = { uz: 'uz-Latn-UZ', 'uz-Cyrl': 'uz-Cyrl-UZ', ru: 'ru-RU', en: 'en-GB' } as const;

/** Rows that arrive within this time are part of the first render, which is cheaper than rendering twice. */
const rowsAreWaitedForMs = 250;

/** Waits for main's first answer, then keeps the page's language and appearance in line with the settings. */
export function StartGate({ children }: { readonly children: ReactNode }) {
  const { t, i18n } = useTranslation();
  const words = useFailureWords();
  const { data, error, isError, refetch } = useQuery(appQuery(useStudio()));
  const settings = data?.settings;
  const language = settings?.interfaceLanguage;

  // Only the first language is waited for: later changes must not unmount a screen in use.
  const [isSpoken, setIsSpoken] = useState(language === i18n.language);
  useEffect(() => {
    if (language === undefined) return undefined;
    let isWanted = true;
    const change = async () => {
      prepareWords(i18n, language);
      // Changing the language notifies listeners even if it stays the same, which would render everything again.
      if (i18n.language !== language) await i18n.changeLanguage(language);
      if (!isWanted) return;
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
    if (isAnswered) return undefined;
    const timer = setTimeout(() => {
      setIsLate(true);
    }, rowsAreWaitedForMs);
    return () => {
      clearTimeout(timer);
    };
  }, [isAnswered]);
  const hasRows = isAnswered || isLate;
  const { shell, platform } = data?.capabilities ?? {};
  // Before layout, so that layout happens once.
  useInsertionEffect(() => {
    if (settings !== undefined) showOnDocument(settings);
    document.documentElement.toggleAttribute('data-lights', shell === 'electron' && platform === 'darwin');
  }, [settings, shell, platform]);

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
      <LiveApp>
        <OriginContext value={modeOf(data?.connection.mode ?? 'unset').origin}>{children}</OriginContext>
      </LiveApp>
    </I18nProvider>
  );
}

/** Sets the attributes of the root element that the styles use. */
export function showOnDocument(settings: Settings): void {
  const { documentElement } = document;
  const { appearance, contrast, transcriptTypeface, reducesMotion, transcriptSize } = settings;
  if (appearance === 'system') delete documentElement.dataset['theme'];
  else documentElement.dataset['theme'] = appearance;
  documentElement.toggleAttribute('data-contrast', contrast === 'high');
  documentElement.toggleAttribute('data-sans', transcriptTypeface === 'sans');
  if (reducesMotion) documentElement.dataset['motion'] = 'reduce';
  else delete documentElement.dataset['motion'];
  documentElement.style.setProperty('--words-md', `${String(transcriptSize)}px`);
  documentElement.style.setProperty('--words-md-lh', `${String(Math.round(transcriptSize * 1.7))}px`);
}
