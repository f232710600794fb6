import { Volume2 } from 'lucide-react';
import { playChime, type Chime } from '../../../audio/chime.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Switch } from '../../../ui/switch.tsx';
import css from './settings-group.module.css';

const chimes: readonly Chime[] = ['done', 'failed'];

/** Whether the end of work plays a sound, with a preview of it. */
export function SoundChoice({
  isOn,
  onChange,
}: {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  const t = useText();
  return (
    <>
      <Switch
        label={t('settings.general.sounds')}
        hint={t('settings.general.soundsHint')}
        isOn={isOn}
        onChange={onChange}
      />
      <div className={css['hear']}>
        {chimes.map((chime) => (
          <Button
            key={chime}
            size="sm"
            icon={Volume2}
            label={t(chime === 'done' ? 'settings.general.hearDone' : 'settings.general.hearFailed')}
            onPress={() => void playChime(chime).catch(() => undefined)}
          >
            {t(`settings.general.chimes.${chime}`)}
          </Button>
        ))}
      </div>
    </>
  );
}
