import { ChevronRight } from 'lucide-react';
import { useLocation } from 'wouter';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useCopiesSwitch, useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { InspectorSection } from '../../../ui/panel.tsx';
import { Switch } from '../../../ui/switch.tsx';
import css from './next-files-options.module.css';

/** What happens by itself with finished texts; the rest of it is in the settings. */
export function WhenDone() {
  const t = useText();
  const [, navigate] = useLocation();
  const copies = useCopiesSwitch();
  const change = useSettingsChange();
  const { notifiesWhenDone, copyFolderName, copyFormats } = useSettings();
  return (
    <InspectorSection title={t('transcribe.whenDone.title')}>
      <div className={css['options']}>
        <Switch
          label={t('transcribe.whenDone.notify')}
          isOn={notifiesWhenDone}
          onChange={(isOn) => void change({ notifiesWhenDone: isOn })}
        />
        <Switch
          label={t('transcribe.whenDone.copy')}
          hint={
            copyFolderName === null
              ? t('transcribe.whenDone.noFolder')
              : `${t('transcribe.whenDone.copyTo', { folder: copyFolderName })}, ${copyFormats.join(', ').toUpperCase()}`
          }
          isOn={copies.isOn}
          onChange={(isOn) => void copies.turn(isOn)}
        />
        <div className={css['more']}>
          <Button
            size="sm"
            variant="ghost"
            iconAfter={ChevronRight}
            onPress={() => {
              navigate('/settings/automation');
            }}
          >
            {t('transcribe.whenDone.more')}
          </Button>
        </div>
      </div>
    </InspectorSection>
  );
}
