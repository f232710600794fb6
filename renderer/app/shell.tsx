import { useState, type ReactNode } from 'react';
import { useCommand } from '../bridge/use-command.ts';
import { useHotkey } from '../lib/use-hotkey.ts';
import { useText } from '../lib/text.ts';
import { CrashGuard } from './crash-guard.tsx';
import { JobsAnnouncer } from './jobs-announcer.tsx';
import { usePaneKeys } from './use-pane-keys.ts';
import { Rail } from './rail.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { OpenSettings } from './open-settings.ts';
import css from './shell.module.css';
import { TitleBar } from './title-bar.tsx';

/** Title bar, rail and panel; focus order is the order of the page. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const [isSettingsOpen, setIsSettingsOpen] = useState(false);
  const openSettings = () => {
    setIsSettingsOpen(true);
  };
  usePaneKeys();
  useHotkey('Mod+Comma', openSettings);
  useCommand('settings.open', openSettings);
  return (
    <OpenSettings value={openSettings}>
      <div className={css['app']}>
        <button
          type="button"
          className={css['skip']}
          onClick={() => {
            document.getElementById('content')?.focus();
          }}
        >
          {t('shell.skipToContent')}
        </button>
        <TitleBar />
        <Rail />
        <main id="content" tabIndex={-1} className={css['panel']} aria-label={t('shell.content')}>
          <CrashGuard>{children}</CrashGuard>
        </main>
        <JobsAnnouncer />
        <SettingsDialog
          isOpen={isSettingsOpen}
          onClose={() => {
            setIsSettingsOpen(false);
          }}
        />
      </div>
    </OpenSettings>
  );
}
