import { useQuery } from '@tanstack/react-query';
import type { ParseKeys } from 'i18next';
import { modeOf } from '../../shared/domain/modes.ts';
import { NeedsKey } from './connection/key-help.tsx';
import { isModelStyle, toHundredths, writingStyles, type ModelStyle } from '../../shared/domain/dictation/clean-up.ts';
import { dictationModes } from '../../shared/domain/dictation/take-view.ts';
import { useConnection, useSettings } from '../bridge/live-state.tsx';
import { valueOrThrow } from '../bridge/request-error.ts';
import { useStudio } from '../bridge/studio-context.tsx';
import { useSettingsChange } from '../bridge/use-settings-change.ts';
import { useKeyFor } from '../lib/commands.tsx';
import { useFormats, useText } from '../lib/text.ts';
import { Keys } from '../ui/keys.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Select } from '../ui/select.tsx';
import { Switch } from '../ui/switch.tsx';
import css from './dictation-choices.module.css';

const soundDays = [1, 7, 30, 90, 365];

export function useDictationReach() {
  const studio = useStudio();
  const { shortcuts } = useSettings();
  return useQuery({
    queryKey: ['dictation reach', shortcuts],
    queryFn: () => valueOrThrow(studio.request('dictation.reach', {})),
  }).data;
}

export function StartChoice() {
  const t = useText();
  const { dictationMode } = useSettings();
  const change = useSettingsChange();
  return (
    <>
      <Segmented
        isBlock
        size="sm"
        label={t('dictation.modes.title')}
        value={dictationMode}
        options={dictationModes.map((value) => ({ value, text: t(`dictation.modes.${value}`) }))}
        onChange={(mode) => void change({ dictationMode: mode })}
      />
      <p className={css['hint']}>{t(`dictation.modes.${dictationMode}Text`)}</p>
    </>
  );
}

interface SettingSwitchProps {
  readonly name: 'keepsMicrophoneReady' | 'dictationSounds' | 'storesNoTakes' | 'keepsOverlay' | 'rewritesEachPhrase';
  readonly label: ParseKeys;
  readonly hint?: ParseKeys;
}

function SettingSwitch({ name, label, hint }: SettingSwitchProps) {
  const t = useText();
  const { [name]: isOn } = useSettings();
  const change = useSettingsChange();
  return (
    <Switch
      label={t(label)}
      {...(hint && { hint: t(hint) })}
      isOn={isOn}
      onChange={(next) => void change({ [name]: next })}
    />
  );
}

export const ReadyChoice = () => (
  <SettingSwitch name="keepsMicrophoneReady" label="dictation.keepReady" hint="dictation.keepReadyText" />
);
export const CueChoice = () => <SettingSwitch name="dictationSounds" label="dictation.sounds" />;
export const NothingKeptChoice = () => (
  <SettingSwitch name="storesNoTakes" label="dictation.keeping.nothing" hint="dictation.keeping.nothingText" />
);

export function StyleChoice() {
  const t = useText();
  const { dictationStyle, rewritesEachPhrase, mode } = useSettings();
  const change = useSettingsChange();
  const isLocal = modeOf(mode).origin === 'local';
  return (
    <>
      <Select
        label={t('dictation.cleanUp.style')}
        value={dictationStyle}
        options={writingStyles
          .filter((value) => !isLocal || !isModelStyle(value))
          .map((value) => ({ value, text: t(`dictation.cleanUp.styles.${value}`) }))}
        onChange={(style) => void change({ dictationStyle: style })}
      />
      {isLocal && <NeedsKey>{t('dictation.cleanUp.needsKey')}</NeedsKey>}
      <p className={css['hint']}>
        {t(`dictation.cleanUp.texts.${isModelStyle(dictationStyle) ? 'model' : dictationStyle}`)}
      </p>
      {isModelStyle(dictationStyle) && <EachPhraseChoice />}
      {isModelStyle(dictationStyle) && rewritesEachPhrase && <StyleCost style={dictationStyle} />}
    </>
  );
}

export const EachPhraseChoice = () => (
  <SettingSwitch
    name="rewritesEachPhrase"
    label="dictation.cleanUp.eachPhrase"
    hint="dictation.cleanUp.eachPhraseText"
  />
);

/** The characters of a phrase of 35 seconds. */
const phraseCharacters = 600;

function StyleCost({ style }: { readonly style: ModelStyle }) {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const { mode } = useConnection();
  const { data } = useQuery({
    queryKey: ['cost of clean-up', style, phraseCharacters, mode],
    queryFn: () => valueOrThrow(studio.request('dictation.cleanUpCost', { style, characters: phraseCharacters })),
    retry: false,
  });
  const { model = '', credits = null } = data ?? {};
  if (modeOf(mode).isPractice) return <p className={css['hint']}>{t('dictation.cleanUp.practice')}</p>;
  return (
    <p className={css['hint']} aria-live="polite">
      {credits === null
        ? t('dictation.cleanUp.costUnknown')
        : t('dictation.cleanUp.most', {
            model,
            count: toHundredths(credits),
            amount: formats.factor(toHundredths(credits)),
          })}
    </p>
  );
}

export function GlobalKey() {
  const t = useText();
  const reach = useDictationReach();
  const shortcut = useKeyFor()('dictation.toggle');
  if (shortcut === null || reach === undefined) return null;
  if (reach.key === 'taken')
    return (
      <output className={css['hint']}>
        <Keys shortcut={shortcut} /> {t('dictation.target.keyTaken')}
      </output>
    );
  return (
    <p className={css['hint']}>
      <Keys shortcut={shortcut} /> {t(reach.key === 'works' ? 'dictation.target.keyWorks' : 'dictation.target.keyHere')}
    </p>
  );
}

export function TargetChoice() {
  const t = useText();
  const { dictationTarget, dictationWindowRule } = useSettings();
  const change = useSettingsChange();
  const reach = useDictationReach();
  const canReachPrograms = reach?.programs === 'reached';
  const target = canReachPrograms ? dictationTarget : 'list';
  return (
    <>
      <Segmented
        isBlock
        size="sm"
        label={t('dictation.target.title')}
        value={target}
        options={(['list', 'app'] as const).map((value) => ({
          value,
          text: t(`dictation.target.${value}`),
          isDisabled: value === 'app' && !canReachPrograms,
        }))}
        onChange={(value) => void change({ dictationTarget: value })}
      />
      <p className={css['hint']}>
        {reach === undefined || reach.programs === 'reached'
          ? t(`dictation.target.${target}Text`)
          : t(`dictation.target.cannot.${reach.programs}`)}
      </p>
      {target === 'app' && (
        <Segmented
          isBlock
          size="sm"
          label={t('dictation.target.changed')}
          isLabelShown
          value={dictationWindowRule}
          options={(['keep', 'return', 'here'] as const).map((value) => ({
            value,
            text: t(`dictation.target.${value}`),
          }))}
          onChange={(rule) => void change({ dictationWindowRule: rule })}
        />
      )}
    </>
  );
}

export function OverlayChoice() {
  const t = useText();
  const { showsOverlay } = useSettings();
  const change = useSettingsChange();
  const reach = useDictationReach();
  const isThere = showsOverlay && reach?.canOverlay !== false;
  return (
    <>
      <Switch
        label={t('dictation.overlay.show')}
        hint={t(
          reach?.canOverlay === false
            ? `dictation.overlay.cannot.${reach.programs === 'wayland' ? 'wayland' : 'no-keys'}`
            : 'dictation.overlay.showText',
        )}
        isOn={isThere}
        isDisabled={reach?.canOverlay === false}
        onChange={(isOn) => void change({ showsOverlay: isOn })}
      />
      {isThere && (
        <SettingSwitch name="keepsOverlay" label="dictation.overlay.keep" hint="dictation.overlay.keepText" />
      )}
    </>
  );
}

export function DaysChoice() {
  const t = useText();
  const { takeSoundDays } = useSettings();
  const change = useSettingsChange();
  return (
    <>
      <Select
        label={t('dictation.keeping.days')}
        value={String(takeSoundDays)}
        options={[...new Set([...soundDays, takeSoundDays])]
          .toSorted((one, other) => one - other)
          .map((count) => ({ value: String(count), text: t('dictation.keeping.daysOf', { count }) }))}
        onChange={(days) => void change({ takeSoundDays: Number(days) })}
      />
      <p className={css['hint']}>{t('dictation.keeping.sound', { count: takeSoundDays })}</p>
    </>
  );
}
