import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useSettings } from '../bridge/live-state.tsx';
import { JobSounds } from '../features/jobs/index.ts';
import { ShortcutSheet } from '../features/shortcuts/index.ts';
import { QueueProvider } from '../features/transcribe/index.ts';
import { cx } from '../lib/class-names.ts';
import { useText } from '../lib/text.ts';
import { CrashGuard } from './crash-guard.tsx';
import { FindTranscript } from './find-transcript.tsx';
import { JobsAnnouncer } from './jobs-announcer.tsx';
import { MenuCommands } from './menu-commands.ts';
import { OpenSettings, type OpenSettingsPage } from './open-settings.ts';
import { PaletteHost } from './palette-host.tsx';
import { Rail } from './rail.tsx';
import { useShellCommands } from './shell-commands.ts';
import { ShellLayerContext, type ShellLayer } from './shell-layer.ts';
import css from './shell.module.css';
import { TitleBar } from './title-bar.tsx';

/** Title bar, rail and panel; focus order is the order of the page. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [, navigate] = useLocation();
  const [layer, show] = useState<ShellLayer>('none');
  const openSettings = useCallback<OpenSettingsPage>(
    (page) => {
      show('none');
      navigate(`/settings/${page ?? 'general'}`);
    },
    [navigate],
  );
  const openConnection = useCallback(() => {
    openSettings('connection');
  }, [openSettings]);
  const layers = useMemo(() => {
    const hide = (which: ShellLayer) => {
      show((now) => (now === which ? 'none' : now));
    };
    return { layer, show, hide };
  }, [layer]);
  const openShortcuts = useCallback(() => {
    openSettings('shortcuts');
  }, [openSettings]);
  useShellCommands({
    layer,
    show,
    openSettings: () => {
      openSettings();
    },
  });
  return (
    <OpenSettings value={openSettings}>
      <MenuCommands />
      <ShellLayerContext value={layers}>
        <QueueProvider onOpenSettings={openConnection}>
          <Frame>{children}</Frame>
          <PaletteHost />
          <FindTranscript />
        </QueueProvider>
        <ShortcutSheet
          isOpen={layer === 'shortcuts'}
          onClose={() => {
            show('none');
          }}
          onChange={openShortcuts}
        />
      </ShellLayerContext>
    </OpenSettings>
  );
}

function Frame({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const { isRailOpen } = useSettings();
  const [location] = useLocation();
  return (
    <div className={cx(css['app'], !isRailOpen && css['wide'])}>
      <button
        type="button"
        className={css['skip']}
        onClick={() => {
          document.getElementById('content')?.focus();
        }}
      >
        {t('shell.skipToContent')}
      </button>
      <CrashGuard isSmall>
        <TitleBar />
      </CrashGuard>
      {isRailOpen && (
        <CrashGuard isSmall>
          <Rail />
        </CrashGuard>
      )}
      <main id="content" tabIndex={-1} className={css['panel']} aria-label={t('shell.content')}>
        <CrashGuard resetKey={location}>{children}</CrashGuard>
      </main>
      <JobsAnnouncer />
      <JobSounds />
    </div>
  );
}
