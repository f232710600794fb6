import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { useApp, useSettings } from '../bridge/live-state.tsx';
import { RecoveryGate } from '../features/recovery/index.ts';
import { WelcomeScreen } from '../features/welcome/index.ts';
import { CommandProvider } from '../lib/commands.tsx';
import { useText } from '../lib/text.ts';
import { TranscriptImport } from '../parts/transcripts/transcript-import.tsx';
import { PaneFallbackProvider, type PaneFallback } from '../ui/pane-guard.tsx';
import { ToastRegion, useToast } from '../ui/toast.tsx';
import { TooltipLayer } from '../ui/tooltip-layer.tsx';
import { KeyInTextGuard, PaneCrash } from './key-in-text-guard.tsx';
import { Routes } from './routes.tsx';
import { Shell } from './shell.tsx';
import { WindowControls } from './window-controls.tsx';
import { CircleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useRefusedSetting } from '../bridge/use-settings-change.ts';
import { useFailureWords } from '../lib/failure-words.ts';
import { Scope } from '../lib/scope.ts';

const paneCrash: PaneFallback = (broken) => <PaneCrash {...broken} />;

/** The first screen until a mode is chosen, then the app. */
export function Studio() {
  const t = useText();
  const { mode, shortcuts, usesLetterKeys, jumpMs } = useSettings();
  const { platform } = useApp().capabilities;
  useNoStrayDrops();
  return (
    <ToastRegion label={t('common.notices')} closeLabel={t('common.close')}>
      <KeyInTextGuard />
      <RefusedSettingNotice />
      <TooltipLayer />
      <RecoveryGate windowControls={<WindowControls />}>
        {mode === 'unset' ? (
          <WelcomeScreen windowControls={<WindowControls />} />
        ) : (
          <Router hook={useHashLocation}>
            <CommandProvider overrides={shortcuts} usesLetters={usesLetterKeys} platform={platform} jumpMs={jumpMs}>
              <TranscriptImport key={mode}>
                <Shell>
                  <PaneFallbackProvider value={paneCrash}>
                    <Routes />
                  </PaneFallbackProvider>
                </Shell>
              </TranscriptImport>
            </CommandProvider>
          </Router>
        )}
      </RecoveryGate>
    </ToastRegion>
  );
}

/**
 * Explains a setting that was shown and then reverted because main could not store it; the control shows the actual
 * value.
 */
function RefusedSettingNotice() {
  const t = useText();
  const words = useFailureWords();
  const showToast = useToast();
  const refused = useRefusedSetting();
  const shown = useRef<typeof refused>(null);
  useEffect(() => {
    if (refused === null || shown.current === refused) return;
    shown.current = refused;
    showToast({
      text: t('shell.settingRefused', { reason: words(refused.failure).title }),
      icon: CircleAlert,
      shownForMs: 10_000,
    });
  });
  return null;
}

/** A file dropped outside every drop target must not make the window navigate to it. */
function useNoStrayDrops(): void {
  useEffect(() => {
    const scope = new Scope();
    for (const type of ['dragover', 'drop']) {
      scope.listen<DragEvent>(window, type, (event) => {
        if (event.defaultPrevented) return;
        event.preventDefault();
        if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
      });
    }
    return () => {
      scope.dispose();
    };
  }, []);
}
