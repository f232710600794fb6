import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { useSettings } from '../bridge/live-state.tsx';
import { RecoveryGate } from '../features/recovery/index.ts';
import { WelcomeScreen } from '../features/welcome/index.ts';
import { CommandProvider } from '../lib/commands.tsx';
import { useText } from '../lib/text.ts';
import { PaneFallbackProvider, type PaneFallback } from '../ui/pane-guard.tsx';
import { ToastRegion } from '../ui/toast.tsx';
import { TooltipLayer } from '../ui/tooltip-layer.tsx';
import { KeyInTextGuard } from './key-in-text-guard.tsx';
import { PaneCrash } from './pane-crash.tsx';
import { RefusedSettingNotice } from './refused-setting-notice.tsx';
import { Routes } from './routes.tsx';
import { Shell } from './shell.tsx';
import { useNoStrayDrops } from './use-no-stray-drops.ts';
import { WindowControls } from './window-controls.tsx';

const paneCrash: PaneFallback = (broken) => <PaneCrash {...broken} />;

/** The first screen until a way to work is chosen, then the studio. */
export function Studio() {
  const t = useText();
  const { mode, shortcuts, usesLetterKeys } = useSettings();
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
            <CommandProvider overrides={shortcuts} usesLetters={usesLetterKeys}>
              <Shell key={mode}>
                <PaneFallbackProvider value={paneCrash}>
                  <Routes />
                </PaneFallbackProvider>
              </Shell>
            </CommandProvider>
          </Router>
        )}
      </RecoveryGate>
    </ToastRegion>
  );
}
