import { literalWords, spokenCommands } from '../../../../shared/domain/dictation/spoken-commands.ts';
import { dictationModes } from '../../../../shared/domain/dictation/take-view.ts';
import { useQuery } from '@tanstack/react-query';
import { useSettings } from '../../../bridge/live-state.tsx';
import { valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { cx } from '../../../lib/class-names.ts';
import { useKeyFor } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import { Keys } from '../../../ui/keys.tsx';
import { Inspector, InspectorSection } from '../../../ui/panel.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Select } from '../../../ui/select.tsx';
import { Switch } from '../../../ui/switch.tsx';
import css from '../dictate-screen.module.css';
import { Replacements } from './replacements.tsx';

const shownCommands = 5;
const audioDays = [1, 7, 30, 90, 365];

/** How recording starts and ends, what is written for what is said, and what is kept. */
export function DictationOptions() {
  const t = useText();
  const settings = useSettings();
  const change = useSettingsChange();
  const studio = useStudio();
  const { data: reach } = useQuery({
    queryKey: ['dictation reach', settings.shortcuts],
    queryFn: () => valueOrThrow(studio.request('dictation.reach', {})),
  });
  const canReachPrograms = reach?.programs === 'reached';
  const target = canReachPrograms ? settings.dictationTarget : 'list';
  const shortcut = useKeyFor()('dictation.toggle');
  return (
    <Inspector label={t('dictation.options')}>
      <Replacements />
      <InspectorSection title={t('dictation.modes.title')}>
        <Segmented
          isBlock
          size="sm"
          label={t('dictation.modes.title')}
          value={settings.dictationMode}
          options={dictationModes.map((value) => ({ value, text: t(`dictation.modes.${value}`) }))}
          onChange={(dictationMode) => void change({ dictationMode })}
        />
        <p className={cx(css['hint'], css['target'])}>{t(`dictation.modes.${settings.dictationMode}Text`)}</p>
        <Switch
          label={t('dictation.keepReady')}
          hint={t('dictation.keepReadyText')}
          isOn={settings.keepsMicrophoneReady}
          onChange={(keepsMicrophoneReady) => void change({ keepsMicrophoneReady })}
        />
        <Switch
          label={t('dictation.sounds')}
          isOn={settings.dictationSounds}
          onChange={(dictationSounds) => void change({ dictationSounds })}
        />
      </InspectorSection>
      <InspectorSection title={t('dictation.target.title')}>
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
          onChange={(dictationTarget) => void change({ dictationTarget })}
        />
        <p className={cx(css['hint'], css['target'])}>
          {reach === undefined || reach.programs === 'reached'
            ? t(`dictation.target.${target}Text`)
            : t(`dictation.target.cannot.${reach.programs}`)}
        </p>
        {reach?.key === 'taken' && shortcut !== null && (
          <output className={cx(css['hint'], css['target'])}>
            <Keys shortcut={shortcut} /> {t('dictation.target.keyTaken')}
          </output>
        )}
        {reach?.key === 'works' && shortcut !== null && (
          <p className={cx(css['hint'], css['target'])}>
            <Keys shortcut={shortcut} /> {t('dictation.target.keyWorks')}
          </p>
        )}
        <Switch
          label={t('dictation.overlay.show')}
          hint={t(
            reach?.canOverlay === false
              ? `dictation.overlay.cannot.${reach.programs === 'wayland' ? 'wayland' : 'no-keys'}`
              : 'dictation.overlay.showText',
          )}
          isOn={settings.showsOverlay && reach?.canOverlay !== false}
          isDisabled={reach?.canOverlay === false}
          onChange={(showsOverlay) => void change({ showsOverlay })}
        />
        {target === 'app' && (
          <Segmented
            isBlock
            size="sm"
            label={t('dictation.target.changed')}
            isLabelShown
            value={settings.dictationWindowRule}
            options={(['keep', 'return', 'here'] as const).map((value) => ({
              value,
              text: t(`dictation.target.${value}`),
            }))}
            onChange={(dictationWindowRule) => void change({ dictationWindowRule })}
          />
        )}
      </InspectorSection>
      <InspectorSection title={t('dictation.keeping.title')}>
        <Switch
          label={t('dictation.keeping.nothing')}
          hint={t('dictation.keeping.nothingText')}
          isOn={settings.storesNoTakes}
          onChange={(storesNoTakes) => void change({ storesNoTakes })}
        />
        <Select
          label={t('dictation.keeping.days')}
          value={String(settings.takeSoundDays)}
          options={[...new Set([...audioDays, settings.takeSoundDays])]
            .toSorted((one, other) => one - other)
            .map((count) => ({ value: String(count), text: t('dictation.keeping.daysOf', { count }) }))}
          onChange={(days) => void change({ takeSoundDays: Number(days) })}
        />
        <p className={css['hint']}>{t('dictation.keeping.sound', { count: settings.takeSoundDays })}</p>
      </InspectorSection>
      <InspectorSection title={t('dictation.commands.title')}>
        <Switch
          label={t('dictation.commands.obey')}
          hint={t('dictation.commands.literal', { word: literalWords[settings.dictationLanguage][0] })}
          isOn={settings.obeysSpokenSigns}
          onChange={(obeysSpokenSigns) => void change({ obeysSpokenSigns })}
        />
        {settings.obeysSpokenSigns && (
          <dl className={css['commands']}>
            <div>
              <dt lang={settings.dictationLanguage}>{literalWords[settings.dictationLanguage][0]} …</dt>
              <dd>{t('dictation.commands.asWord')}</dd>
            </div>
            {spokenCommands[settings.dictationLanguage]
              .filter(({ means }, at) => at < shownCommands || means === 'scratch' || means.stands === 'line')
              .map(({ say, means }) => (
                <div key={say[0]}>
                  <dt lang={settings.dictationLanguage}>{say[0]}</dt>
                  <dd>
                    {means === 'scratch'
                      ? t('dictation.commands.lastPhrase')
                      : means.stands === 'line'
                        ? means.text.replaceAll('\n', '↵')
                        : means.text}
                  </dd>
                </div>
              ))}
          </dl>
        )}
      </InspectorSection>
      <p className={css['footnote']}>{t('dictation.onePhrase')}</p>
    </Inspector>
  );
}
