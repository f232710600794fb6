import { CloudOff, FlaskConical } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import { useConnection } from '../bridge/live-state.tsx';
import { useText } from '../lib/text.ts';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { Mark } from '../ui/mark.tsx';
import { Popover } from '../ui/popover.tsx';
import { useOpenSettings } from './open-settings.ts';
import css from './title-bar.module.css';
import { WindowControls } from './window-controls.tsx';

export function TitleBar() {
  const t = useText();
  const { mode, isOnline } = useConnection();
  const openSettings = useOpenSettings();
  return (
    <header className={css['bar']} data-pane="title" aria-label={t('shell.titleBar')}>
      <div className={css['brand']}>
        <Mark />
        <b>{t('common.appName')}</b>
      </div>
      <div className={css['end']}>
        {mode === 'practice' && (
          <Popover
            label={t('shell.practice.title')}
            trigger={
              <AriaButton className={css['chip'] ?? ''}>
                <Chip tone="accent" icon={FlaskConical}>
                  {t('shell.practice.chip')}
                </Chip>
              </AriaButton>
            }
          >
            <p className={css['explained']}>
              <b>{t('shell.practice.title')}.</b> {t('shell.practice.text')}
            </p>
            <Button size="sm" onPress={openSettings}>
              {t('shell.practice.addKey')}
            </Button>
          </Popover>
        )}
        {mode === 'service' && !isOnline && (
          <Popover
            label={t('shell.offline.title')}
            trigger={
              <AriaButton className={css['chip'] ?? ''}>
                <Chip tone="warn" icon={CloudOff}>
                  {t('shell.offline.chip')}
                </Chip>
              </AriaButton>
            }
          >
            <p className={css['explained']}>
              <b>{t('shell.offline.title')}.</b> {t('shell.offline.text')}
            </p>
          </Popover>
        )}
        <WindowControls />
      </div>
    </header>
  );
}
