import { useQuery } from '@tanstack/react-query';
import { Mic, MicOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Failure } from '../../../../shared/result/failure.ts';
import { listMicrophones, openMicrophone, type MicrophoneTrouble } from '../../../audio/capture/microphone.ts';
import { useHasMicrophone } from '../../../audio/capture/use-has-microphone.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/select.tsx';
import { Hint, SettingRow } from './settings-group.tsx';
import css from './settings-group.module.css';

/** From here on a level means a voice near the microphone, and not the room. */
const voiceLevel = 0.45;

/** The microphone to use, with a live level; nothing is recorded. */
export function MicrophoneChoice() {
  const t = useText();
  const { dictationDevice } = useSettings();
  const change = useSettingsChange();
  const isAbsent = !useHasMicrophone();
  const words = useFailureWords();
  const { data: devices = [], refetch } = useQuery({
    queryKey: ['microphones', 'settings'],
    queryFn: async () => [...(await listMicrophones())],
  });
  const test = useMicrophoneTest(dictationDevice, () => void refetch());
  const named = devices.filter(({ id }) => id !== 'default').map(({ label }) => label);
  const options = [...new Set([...named, ...(dictationDevice === '' ? [] : [dictationDevice])])];
  return (
    <>
      <Select
        label={t('dictation.microphone')}
        value={dictationDevice}
        options={[
          { value: '', text: t(isAbsent ? 'dictation.noMicrophone' : 'dictation.systemMicrophone') },
          ...options.map((label) => ({ value: label, text: label })),
        ]}
        onChange={(device) => void change({ dictationDevice: device })}
      />
      <SettingRow label={t('settings.dictation.test')} hint={t('settings.dictation.testHint')}>
        {test.isOn && <meter className={css['level']} aria-label={t('settings.dictation.level')} value={test.level} />}
        <Button icon={test.isOn ? MicOff : Mic} isDisabled={test.isStarting} onPress={test.toggle}>
          {t(test.isOn ? 'settings.dictation.testStop' : 'settings.dictation.test')}
        </Button>
      </SettingRow>
      {test.failure !== null && (
        <div role="alert">
          <Hint>
            {t('settings.dictation.testFailed')}. {words(test.failure).text}
          </Hint>
        </div>
      )}
      <output>
        {test.trouble !== null && (
          <Hint>
            {t(`dictation.trouble.${test.trouble}.title`, { device: dictationDevice })}.{' '}
            {t(`dictation.trouble.${test.trouble}.text`)}
          </Hint>
        )}
        {test.isOn && <Hint>{t(test.hasHeard ? 'settings.dictation.heard' : 'settings.dictation.quiet')}</Hint>}
      </output>
    </>
  );
}

function useMicrophoneTest(device: string, onNames: () => void) {
  const studio = useStudio();
  const [phase, setPhase] = useState<'off' | 'starting' | 'on'>('off');
  const [level, setLevel] = useState(0);
  const [hasHeard, setHeard] = useState(false);
  const [trouble, setTrouble] = useState<MicrophoneTrouble | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const running = useRef<AbortController | null>(null);
  const stop = (): void => {
    running.current?.abort();
    running.current = null;
    setPhase('off');
    setLevel(0);
  };
  // Choosing another microphone or leaving the screen switches the tested one off, also one that opens later.
  useEffect(
    () => () => {
      running.current?.abort();
      running.current = null;
      setPhase('off');
    },
    [device],
  );
  const begin = async (): Promise<void> => {
    const { signal } = (running.current = new AbortController());
    const atEnd = (end: () => void) => (signal.aborted ? end() : signal.addEventListener('abort', end));
    setPhase('starting');
    setTrouble(null);
    setFailure(null);
    setHeard(false);
    // Main grants the microphone only while a stream declares its use.
    const stream = await studio.open('dictation.ready', {});
    if (stream.ok) atEnd(() => stream.value.finish());
    if (signal.aborted) return;
    if (!stream.ok) {
      setFailure(stream.error);
      stop();
      return;
    }
    const found = await openMicrophone(device, {
      onFrame({ rms, speech }) {
        const heard = Math.max(0, Math.min(1, (20 * Math.log10(Math.max(1, rms) / 32_768) + 60) / 54));
        setLevel((before) => Math.max(heard, before * 0.8));
        if (heard > voiceLevel && (speech ?? 1) > 0.6) setHeard(true);
      },
      onGone() {
        setTrouble('gone');
        stop();
      },
    });
    if (typeof found !== 'string') atEnd(() => found.close());
    if (signal.aborted) return;
    if (typeof found === 'string') {
      setTrouble(found);
      stop();
      return;
    }
    setPhase('on');
    // The browser reveals names of microphones once one of them was allowed.
    onNames();
  };
  const toggle = () => void (phase === 'on' ? stop() : begin());
  return { isOn: phase === 'on', isStarting: phase === 'starting', level, hasHeard, trouble, failure, toggle };
}
