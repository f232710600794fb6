import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { i18n } from 'i18next';
import { useState } from 'react';
import { I18nextProvider } from 'react-i18next';
import type { StudioClient } from '../bridge/client.ts';
import { LiveState } from '../bridge/live-state.tsx';
import { StudioProvider } from '../bridge/studio-context.tsx';
import { TextProvider } from '../lib/text-provider.tsx';
import { CrashGuard } from './crash-guard.tsx';
import { StartGate } from './start-gate.tsx';
import { Studio } from './studio.tsx';

/** Everything the screens stand on, from the outside in. */
export function App({ studio, words }: { readonly studio: StudioClient; readonly words: i18n }) {
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: { refetchOnWindowFocus: false, networkMode: 'always' },
          mutations: { networkMode: 'always' },
        },
      }),
  );
  return (
    <I18nextProvider i18n={words}>
      <TextProvider>
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
