import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import type { i18n } from 'i18next';
import { I18nextProvider } from 'react-i18next';
import type { StudioClient } from '../bridge/client.ts';
import { LiveState } from '../bridge/live-state.tsx';
import { StudioProvider } from '../bridge/studio-context.tsx';
import { TextProvider } from '../lib/text-provider.tsx';
import { CrashGuard } from './crash-guard.tsx';
import { StartGate } from './start-gate.tsx';
import { Studio } from './studio.tsx';
import { prepareWords } from './words.ts';

interface AppProps {
  readonly studio: StudioClient;
  /** What main answered, as far as it has. */
  readonly queries: QueryClient;
  readonly words: i18n;
}

/** Everything the screens stand on, from the outside in. */
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
