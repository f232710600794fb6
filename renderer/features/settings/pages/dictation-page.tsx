import { useQuery } from '@tanstack/react-query';
import { ClipboardPaste, Keyboard, Plus, X, Mic, MicOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ruleFor, withRule } from '../../../../shared/domain/dictation/choose-language.ts';
import { speechLanguages } from '../../../../shared/domain/languages.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { listMicrophones, openMicrophone, type MicrophoneTrouble } from '../../../audio/capture/microphone.ts';
import { useHasMicrophone } from '../../../audio/capture/use-has-microphone.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useText } from '../../../lib/text.ts';
import {
  CueChoice,
  DaysChoice,
  GlobalKey,
  NothingKeptChoice,
  OverlayChoice,
  ReadyChoice,
  StartChoice,
  StyleChoice,
  TargetChoice,
  useDictationReach,
} from '../../../parts/dictation-choices.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Select } from '../../../ui/select.tsx';
import { Switch } from '../../../ui/switch.tsx';
import css from '../ui/settings-group.module.css';
import { Hint, Setting, SettingRow, SettingsGroup } from '../ui/settings-group.tsx';

/** From here on a level means a voice near the microphone, and not the room. */
const voiceLevel = 0.45;

export function DictationPage() {
  const t = useText();
  const [, navigate] = useLocation();
  const reach = useDictationReach();
  return (
    <>
      <section className={css['group']}>
        <Setting name="microphone">
          <MicrophoneChoice />
        </Setting>
        <Setting name="microphoneReady">
          <ReadyChoice />
        </Setting>
      </section>
      <SettingsGroup title={t('dictation.modes.title')}>
        <Setting name="dictationStart">
          <StartChoice />
        </Setting>
        <Setting name="dictationKeys">
          <SettingRow
            label={t('settings.dictation.keys')}
            hint={t(
              reach?.key === 'no-keys'
                ? 'settings.dictation.keysHere'
                : reach?.tellsRelease === true
                  ? 'settings.dictation.keysHold'
                  : 'settings.dictation.keysHint',
            )}
          >
            <Button icon={Keyboard} onPress={() => navigate('/settings/shortcuts/dictationShortcuts')}>
              {t('settings.dictation.change')}
            </Button>
          </SettingRow>
          <GlobalKey />
        </Setting>
        <Setting name="dictationSounds">
          <CueChoice />
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('dictation.language')} name="dictationLanguage">
        <LanguageChoice />
      </SettingsGroup>
      <SettingsGroup title={t('dictation.cleanUp.title')} name="dictationStyle">
        <StyleChoice />
      </SettingsGroup>
      <SettingsGroup title={t('dictation.target.title')}>
        <Setting name="dictationTarget">
          <TargetChoice />
          {reach?.programs === 'reached' && <PasteTest />}
        </Setting>
        <Setting name="overlay">
          <OverlayChoice />
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('dictation.keeping.title')} name="dictationKept">
        <NothingKeptChoice />
        <DaysChoice />
      </SettingsGroup>
    </>
  );
}

const pastesWithinMs = 3000;

function PasteTest() {
  const t = useText();
  const studio = useStudio();
  const [stage, setStage] = useState<'off' | 'waiting' | 'late'>('off');
  const [arrived, setArrived] = useState('');
  const wanted = t('settings.dictation.pasteSample');
  const field = useRef<HTMLDivElement>(null);
  const begin = () => {
    setArrived('');
    setStage('waiting');
    field.current?.querySelector('input')?.focus();
    void studio.request('dictation.tryPaste', { text: wanted });
  };
  const works = stage !== 'off' && arrived === wanted;
  const isWaiting = stage === 'waiting' && !works;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setStage('late'), pastesWithinMs);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return (
    <>
      <SettingRow label={t('settings.dictation.pasteTest')} hint={t('settings.dictation.pasteTestHint')}>
        <Button icon={ClipboardPaste} isLoading={isWaiting} onPress={begin}>
          {t('settings.dictation.pasteTry')}
        </Button>
      </SettingRow>
      <div ref={field}>
        <Field label={t('settings.dictation.pasteHere')} value={arrived} onChange={setArrived} />
      </div>
      <output>
        {works && <Hint>{t('settings.dictation.pasteWorks')}</Hint>}
        {stage === 'late' && !works && <Hint>{t('settings.dictation.pasteFails')}</Hint>}
      </output>
    </>
  );
}

function LanguageChoice() {
  const t = useText();
  const { dictationLanguage, dictationFollowsLayout, dictationLanguageRules: rules } = useSettings();
  const change = useSettingsChange();
  const reach = useDictationReach();
  const [program, setProgram] = useState('');
  const options = speechLanguages.map((value) => ({ value, text: t(`common.languages.${value}`) }));
  const found = program.trim() === '' ? null : ruleFor(program, rules);
  const isFull = rules.length >= 50;
  const add = () => {
    if (program.trim() === '' || isFull) return;
    const added = { program: program.trim(), language: dictationLanguage };
    void change({ dictationLanguageRules: [...withRule(rules, added)] });
    setProgram('');
  };
  const tellsLayout = reach?.tellsLayout !== false;
  return (
    <>
      <Segmented
        label={t('dictation.language')}
        value={dictationLanguage}
        options={options.map((option) => ({ ...option, lang: option.value }))}
        onChange={(language) => void change({ dictationLanguage: language })}
      />
      <Switch
        label={t('settings.dictation.layout')}
        hint={t(tellsLayout ? 'settings.dictation.layoutHint' : 'settings.dictation.layoutCannot')}
        isOn={dictationFollowsLayout && tellsLayout}
        isDisabled={!tellsLayout}
        onChange={(isOn) => void change({ dictationFollowsLayout: isOn })}
      />
      <SettingRow
        label={t('settings.dictation.rules')}
        hint={t(reach?.key === 'no-keys' ? 'settings.dictation.rulesCannot' : 'settings.dictation.rulesHint')}
      />
      <ul className="grid gap-8" aria-label={t('settings.dictation.rules')}>
        {rules.map((rule) => (
          <li key={`${rule.program} ${rule.language}`} className={css['rule']}>
            <Select
              label={rule.program}
              value={rule.language}
              options={options}
              onChange={(language) =>
                void change({
                  dictationLanguageRules: rules.map((other) => (other === rule ? { ...rule, language } : other)),
                })
              }
            />
            <IconButton
              icon={X}
              label={t('settings.dictation.remove', { program: rule.program })}
              onPress={() => void change({ dictationLanguageRules: rules.filter((other) => other !== rule) })}
            />
          </li>
        ))}
      </ul>
      <div className={css['rule']}>
        <Field label={t('settings.dictation.program')} value={program} onChange={setProgram} onEnter={add} />
        <Button icon={Plus} isDisabled={program.trim() === '' || isFull} onPress={add}>
          {t('settings.dictation.add')}
        </Button>
      </div>
      <output>
        {found !== null && (
          <Hint>
            {t('settings.dictation.preview', {
              program: program.trim(),
              rule: found.program,
              language: t(`common.languages.${found.language}`),
            })}
          </Hint>
        )}
      </output>
    </>
  );
}

function MicrophoneChoice() {
  const t = useText();
  const { dictationDevice } = useSettings();
  const change = useSettingsChange();
  const isAbsent = !useHasMicrophone();
  const words = useFailureText();
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
          {t(test.isOn ? 'settings.dictation.testStop' : 'settings.connection.test')}
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
