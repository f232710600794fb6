import css from './shell.module.css';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { placeOpenedBy } from '../../shared/domain/commands/command-places.ts';
import { useSettings } from '../bridge/live-state.tsx';
import { JobSounds } from '../features/jobs/index.ts';
import { ShortcutSheet } from '../features/shortcuts/index.ts';
import { cx } from '../lib/class-names.ts';
import { useText } from '../lib/text.ts';
import { CrashGuard } from './crash-guard.tsx';
import { JobsAnnouncer } from './jobs-announcer.tsx';
import { MenuCommands } from './menu-commands.ts';
import { OpenSettings, type OpenSettingsPage, ShellLayerContext, type ShellLayer } from './shell-layer.ts';
import { PaletteHost } from './palette-host.tsx';
import { Rail } from './rail.tsx';
import { useShellCommands } from './shell-commands.ts';
import { SectionLocationContext, useFollowedLocation } from './section-location.ts';
import { sections } from './sections.ts';
import { TitleBar } from './title-bar.tsx';

/** Title bar, rail and panel; focus order is the order of the page. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [location, navigate] = useLocation();
  const [layer, show] = useState<ShellLayer>('none');
  // A layer closes with its screen.
  const [layerLocation, setLayerLocation] = useState(location);
  if (layerLocation !== location) {
    setLayerLocation(location);
    show('none');
  }
  const openSettings = useCallback<OpenSettingsPage>(
    (page) => {
      show('none');
      navigate(page === undefined ? '/settings' : `/settings/${page}`);
    },
    [navigate],
  );
  const layers = useMemo(() => {
    const hide = (which: ShellLayer) => {
      show((now) => (now === which ? 'none' : now));
    };
    return { layer, show, hide };
  }, [layer]);
  const openShortcuts = useCallback(() => {
    openSettings('shortcuts');
  }, [openSettings]);
  useShellCommands({ layer, show });
  const sectionLocation = useFollowedLocation();
  return (
    <OpenSettings value={openSettings}>
      <MenuCommands />
      <ShellLayerContext value={layers}>
        <SectionLocationContext value={sectionLocation}>
          <Providers>
            <Frame>{children}</Frame>
            <PaletteHost />
          </Providers>
        </SectionLocationContext>
        <ShortcutSheet
          here={sectionLocation.isInDocument ? 'editor' : placeOpenedBy(sectionLocation.section.command)}
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

/** What sections put around every screen. */
function Providers({ children }: { readonly children: ReactNode }) {
  return sections.reduceRight<ReactNode>(
    (inner, { Provider }) => (Provider === undefined ? inner : <Provider>{inner}</Provider>),
    children,
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
