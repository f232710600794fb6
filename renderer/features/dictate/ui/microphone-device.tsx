import { useQuery } from '@tanstack/react-query';
import { ChevronsUpDown, Mic, MicOff } from 'lucide-react';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { listMicrophones } from '../../../audio/capture/microphone.ts';
import { useHasMicrophone } from '../../../audio/capture/use-has-microphone.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useDictation, useDictationState } from '../dictation-context.tsx';
import css from './microphone-pane.module.css';

/** Which microphone is used; it can be changed while none is on. */
export function DeviceMenu() {
  const t = useText();
  const change = useSettingsChange();
  const [, navigate] = useLocation();
  const { dictationDevice } = useSettings();
  const device = useDictationState((state) => state.device);
  const phase = useDictationState((state) => state.phase);
  const { data: devices = [], refetch } = useQuery({
    queryKey: ['microphones', device],
    queryFn: async () => [...(await listMicrophones())],
  });
  useEffect(() => {
    const look = (): void => void refetch();
    navigator.mediaDevices.addEventListener('devicechange', look);
    return () => {
      navigator.mediaDevices.removeEventListener('devicechange', look);
    };
  }, [refetch]);
  const isAbsent = !useHasMicrophone();
  // That there is none is said beside the button that it would serve.
  const shown = isAbsent
    ? t('dictation.chooseMicrophone')
    : device || dictationDevice || t('dictation.systemMicrophone');
  return (
    <Menu
      label={t('dictation.chooseMicrophone')}
      chosenId={dictationDevice === '' ? 'system' : dictationDevice}
      entries={[
        {
          id: 'system',
          text: t(isAbsent ? 'dictation.noMicrophone' : 'dictation.systemMicrophone'),
          onAction: () => void change({ dictationDevice: '' }),
        },
        ...devices
          .filter(({ id }) => id !== 'default')
          .map(({ label }) => ({ id: label, text: label, onAction: () => void change({ dictationDevice: label }) })),
        {
          id: 'test',
          text: t('settings.dictation.test'),
          onAction: () => {
            navigate('/settings/dictation/microphone');
          },
        },
      ]}
      trigger={
        <Button size="sm" icon={Mic} iconAfter={ChevronsUpDown} isDisabled={phase !== 'idle'}>
          {!isAbsent && (device || dictationDevice) ? (
            <span lang="zxx" className={css['device']} title={shown}>
              {shown}
            </span>
          ) : (
            <span className={css['system']}>{shown}</span>
          )}
        </Button>
      }
    />
  );
}

/** Why nothing is heard, and what can be done. */
export function MicrophoneTroubles() {
  const t = useText();
  const [, navigate] = useLocation();
  const dictation = useDictation();
  const { dictationLanguage: language, dictationMode: mode, dictationDevice } = useSettings();
  const trouble = useDictationState((state) => state.trouble);
  const isMute = useDictationState((state) => state.isMute);
  const device = useDictationState((state) => state.device);
  if (trouble !== null)
    return (
      <Banner
        role="alert"
        tone="bad"
        icon={MicOff}
        title={t(`dictation.trouble.${trouble}.title`, { device })}
        actions={
          <>
            <Button size="sm" onPress={() => void dictation.start({ language, mode, device: dictationDevice })}>
              {t('common.tryAgain')}
            </Button>
            <Button size="sm" variant="ghost" onPress={() => navigate('/settings/dictation/microphone')}>
              {t('settings.dictation.test')}
            </Button>
          </>
        }
      >
        {t(`dictation.trouble.${trouble}.text`)}
      </Banner>
    );
  if (isMute)
    return (
      <Banner role="alert" tone="warn" icon={MicOff} title={t('dictation.trouble.mute.title', { device })}>
        {t('dictation.trouble.mute.text')}
      </Banner>
    );
  return null;
}
