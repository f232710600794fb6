import css from './title-bar.module.css';
import { CloudOff, FlaskConical, Laptop, Search } from 'lucide-react';
import { useConnection, useSettings } from '../bridge/live-state.tsx';
import { useFreshUsage } from '../bridge/use-credits.ts';
import { OnAirChip } from '../features/dictate/index.ts';
import { useKeyFor } from '../lib/commands.tsx';
import { useText } from '../lib/text.ts';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { Keys } from '../ui/keys.tsx';
import { Mark } from '../ui/mark.tsx';
import { Popover } from '../ui/popover.tsx';
import { PressButton } from '../ui/press-button.tsx';
import { AppMenuButton } from './app-menu-button.tsx';
import { CreditsChip } from './credits-chip.tsx';
import { JobsDock } from './jobs-dock.tsx';
import { useOpenSettings, useShellLayer } from './shell-layer.ts';
import { WindowControls } from './window-controls.tsx';

export function TitleBar() {
  const t = useText();
  const { mode, isOnline } = useConnection();
  const { isRailOpen } = useSettings();
  const openSettings = useOpenSettings();
  useFreshUsage();
  return (
    <header className={css['bar']} data-pane="title" aria-label={t('shell.titleBar')}>
      <div className={css['brand']}>
        <AppMenuButton />
        <Mark />
        <b>{t('common.appName')}</b>
      </div>
      <SearchButton />
      <div className={css['end']}>
        <OnAirChip />
        {!isRailOpen && <JobsDock look="ring" />}
        {mode === 'practice' && (
          <Popover
            label={t('shell.practice.title')}
            trigger={
              <PressButton className={css['chip']}>
                <Chip tone="accent" icon={FlaskConical}>
                  {t('shell.practice.chip')}
                </Chip>
              </PressButton>
            }
          >
            <p className={css['explained']}>
              <b>{t('shell.practice.title')}.</b> {t('shell.practice.text')}
            </p>
            <Button
              size="sm"
              onPress={() => {
                openSettings('connection');
              }}
            >
              {t('shell.practice.addKey')}
            </Button>
          </Popover>
        )}
        {mode === 'local' && (
          <Popover
            label={t('shell.local.chip')}
            trigger={
              <PressButton className={css['chip']}>
                <Chip tone="line" icon={Laptop}>
                  {t('shell.local.chip')}
                </Chip>
              </PressButton>
            }
          >
            <p className={css['explained']}>
              <b>{t('shell.local.chip')}.</b> {t('shell.local.text')}
            </p>
          </Popover>
        )}
        {mode === 'service' && !isOnline && (
          <Popover
            label={t('shell.offline.title')}
            trigger={
              <PressButton className={css['chip']}>
                <Chip tone="warn" icon={CloudOff}>
                  {t('shell.offline.chip')}
                </Chip>
              </PressButton>
            }
          >
            <p className={css['explained']}>
              <b>{t('shell.offline.title')}.</b> {t('shell.offline.text')}
            </p>
          </Popover>
        )}
        {mode === 'service' && isOnline && <CreditsChip />}
        <WindowControls />
      </div>
    </header>
  );
}

/** Looks like a field and opens the palette, where the text is typed. */
function SearchButton() {
  const t = useText();
  const { show } = useShellLayer();
  const shortcut = useKeyFor()('palette.open');
  return (
    <PressButton
      className={css['search']}
      shortcut={shortcut}
      onPress={() => {
        show('palette');
      }}
    >
      <Search aria-hidden size={14} strokeWidth={1.75} />
      <span className={css['searchText']}>{t('palette.open')}</span>
      {shortcut && <Keys shortcut={shortcut} />}
    </PressButton>
  );
}
