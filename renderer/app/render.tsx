import { notifyManager, QueryClient } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import '../ui/base.css';
import { preferredLanguage } from '../../shared/domain/languages.ts';
import { createStudioClient } from '../bridge/client.ts';
import { takeFirstAnswers } from '../bridge/first-queries.ts';
import { appQuery } from '../bridge/live-state.tsx';
import { App } from './app.tsx';
import type { FirstAnswers } from '../bridge/await-first-answers.ts';
import { showOnDocument } from './start-gate.tsx';
import { createWords } from './words.ts';

/** Draws the studio; where the first answers are there, with them and in this same turn of the page. */
export async function renderStudio({ bridge, areThere }: FirstAnswers): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no #root');
  const studio = createStudioClient(bridge);
  // An answer is drawn in the turn of the page that it came in, and not a frame later.
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
  // Before the first drawing, so that it holds for a drawing that breaks too.
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
