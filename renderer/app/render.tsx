import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import '../ui/base.css';
import { preferredLanguage } from '../../shared/domain/languages.ts';
import { type StudioClient, createStudioClient } from '../bridge/client.ts';
import { answerLeaving } from '../bridge/save-before-leaving.ts';
import { type FirstAnswers, takeFirstAnswers } from '../bridge/await-first-answers.ts';
import { LiveState, appQuery } from '../bridge/live-state.tsx';
import { StartGate, showOnDocument } from './start-gate.tsx';
import { createWords, prepareWords } from './words.ts';
import type { i18n } from 'i18next';
import { I18nextProvider } from 'react-i18next';
import { StudioProvider } from '../bridge/studio-context.tsx';
import { TextProvider } from '../lib/text-provider.tsx';
import { CrashGuard } from './crash-guard.tsx';
import { Studio } from './studio.tsx';

/** Renders the app, with the first answers in the same task if they are there. */
export async function renderStudio({ bridge, areThere }: FirstAnswers): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no #root');
  const studio = createStudioClient(bridge);
  answerLeaving(studio);
  // Answers are rendered in the task in which they arrived, not a frame later.
  notifyManager.setScheduler(queueMicrotask);
  const queries = new QueryClient({
    defaultOptions: {
      queries: { refetchOnWindowFocus: false, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  });
  if (areThere) await takeFirstAnswers(queries, studio);
  const settings = queries.getQueryData(appQuery(studio).queryKey)?.settings;
  const words = await createWords(settings?.interfaceLanguage ?? preferredLanguage(navigator.languages));
  // Set before the first render, so that it applies to a crash screen too.
  document.documentElement.lang = words.language;
  if (settings !== undefined) showOnDocument(settings);
  flushSync(() => {
    createRoot(root).render(
      <StrictMode>
        <App studio={studio} queries={queries} words={words} />
      </StrictMode>,
    );
  });
}

interface AppProps {
  readonly studio: StudioClient;
  /** What main answered, as far as it has. */
  readonly queries: QueryClient;
  readonly words: i18n;
}

/** The providers of all screens, from the outside in. */
export function App({ studio, queries, words }: AppProps) {
  return (
    <I18nextProvider i18n={words}>
      <TextProvider prepare={prepareWords}>
        <QueryClientProvider client={queries}>
          <StudioProvider value={studio}>
            <CrashGuard isWhole>
              <LiveState>
                <StartGate>
                  <Studio />
                </StartGate>
              </LiveState>
            </CrashGuard>
          </StudioProvider>
        </QueryClientProvider>
      </TextProvider>
    </I18nextProvider>
  );
}
