import { ClipboardPaste, Keyboard, Plus, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ruleFor, withRule } from '../../../../shared/domain/dictation/choose-language.ts';
import { speechLanguages } from '../../../../shared/domain/languages.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
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
import { MicrophoneChoice } from '../ui/microphone-choice.tsx';
import { Hint, Setting, SettingRow, SettingsGroup } from '../ui/settings-group.tsx';
import css from '../ui/settings-group.module.css';

/** The microphone, what starts and ends a take, its language, where its text goes, and what is kept of it. */
export function DictationPage() {
  const t = useText();
  const [, navigate] = useLocation();
  const reach = useDictationReach();
  return (
    <>
      <SettingsGroup title={t('dictation.microphone')}>
        <Setting name="microphone">
          <MicrophoneChoice />
        </Setting>
        <Setting name="microphoneReady">
          <ReadyChoice />
        </Setting>
      </SettingsGroup>
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
      <SettingsGroup title={t('dictation.language')}>
        <Setting name="dictationLanguage">
          <LanguageChoice />
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('dictation.cleanUp.title')}>
        <Setting name="dictationStyle">
          <StyleChoice />
        </Setting>
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
      <SettingsGroup title={t('dictation.keeping.title')}>
        <Setting name="dictationKept">
          <NothingKeptChoice />
          <DaysChoice />
        </Setting>
      </SettingsGroup>
    </>
  );
}

/** How long a busy program needs to paste. */
const pastesWithinMs = 3000;

/** Pastes a sentence into a field of this window the way it would be pasted into another program. */
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
    const timer = setTimeout(() => {
      setStage('late');
    }, pastesWithinMs);
    return () => {
      clearTimeout(timer);
    };
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
      <ul className={css['rules']} aria-label={t('settings.dictation.rules')}>
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
