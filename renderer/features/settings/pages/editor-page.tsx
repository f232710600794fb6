import { useLocation } from 'wouter';
import { jumpLengths, laneHeights, pauseRewinds } from '../../../../shared/domain/settings/settings.ts';
import { transcriptScripts } from '../../../../shared/domain/transcript/in-script.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { CaptionRules } from '../ui/caption-rules.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { Setting, SettingRow, SettingsGroup } from '../ui/settings-group.tsx';
import { SpellingChoice } from '../ui/spelling-choice.tsx';

/** What applies to every opened transcript. */
export function EditorPage() {
  const t = useText();
  const settings = useSettings();
  const change = useSettingsChange();
  const [, navigate] = useLocation();
  return (
    <>
      <SettingsGroup title={t('settings.editor.playbackGroup')}>
        <Setting name="jump">
          <LengthChoice
            label={t('settings.editor.jump')}
            hint={t('settings.editor.jumpHint')}
            lengths={jumpLengths}
            value={settings.jumpMs}
            onChange={(jumpMs) => void change({ jumpMs })}
          />
        </Setting>
        <Setting name="rewind">
          <LengthChoice
            label={t('editor.transport.rewind')}
            hint={t('settings.editor.rewindHint')}
            lengths={pauseRewinds}
            value={settings.rewindOnPauseMs}
            onChange={(rewindOnPauseMs) => void change({ rewindOnPauseMs })}
          />
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('editor.waveform.label')}>
        <Setting name="waveformHeight">
          <SettingRow label={t('editor.waveform.height')} hint={t('settings.editor.heightHint')}>
            <Segmented
              label={t('editor.waveform.height')}
              options={laneHeights.map((value) => ({ value, text: t(`editor.waveform.heights.${value}`) }))}
              value={settings.laneHeight}
              onChange={(laneHeight) => void change({ laneHeight })}
            />
          </SettingRow>
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('settings.editor.textGroup')}>
        <SettingRow
          label={t('settings.editor.looks')}
          hint={
            <TextLink
              onPress={() => {
                navigate('/settings/general/typeface');
              }}
            >
              {t('settings.editor.looksPlace')}
            </TextLink>
          }
        />
        <Setting name="scripts">
          <SettingRow label={t('settings.editor.letters')} hint={t('editor.letters.hint')}>
            <Segmented
              label={t('settings.editor.letters')}
              options={transcriptScripts.map((value) => ({ value, text: t(`settings.editor.scripts.${value}`) }))}
              value={settings.transcriptScript}
              onChange={(transcriptScript) => void change({ transcriptScript })}
            />
          </SettingRow>
        </Setting>
        <Setting name="captionRules">
          <CaptionRules />
        </Setting>
        <Setting name="exactTimes">
          <Switch
            label={t('editor.times.exact')}
            hint={t('editor.times.exactHint')}
            isOn={settings.showsExactTimes}
            onChange={(showsExactTimes) => void change({ showsExactTimes })}
          />
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('settings.editor.spellingGroup')}>
        <Setting name="spelling">
          <SpellingChoice />
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('editor.account.title')}>
        <Setting name="accountEdits">
          <Switch
            label={t('editor.account.keep')}
            hint={t('editor.account.keepHint')}
            isOn={settings.syncsEdits}
            onChange={(syncsEdits) => void change({ syncsEdits })}
          />
        </Setting>
      </SettingsGroup>
    </>
  );
}

/** A few lengths of time side by side; 0 is "off". */
function LengthChoice<Ms extends number>({
  label,
  hint,
  lengths,
  value,
  onChange,
}: {
  readonly label: string;
  readonly hint: string;
  readonly lengths: readonly Ms[];
  readonly value: number;
  readonly onChange: (lengthMs: Ms) => void;
}) {
  const t = useText();
  const formats = useFormats();
  return (
    <SettingRow label={label} hint={hint}>
      <Segmented
        label={label}
        options={lengths.map((ms) => ({
          value: String(ms),
          text:
            ms === 0
              ? t('editor.transport.noRewind')
              : t('editor.waveform.seconds', { seconds: formats.number(ms / 1000) }),
        }))}
        value={String(value)}
        onChange={(chosen) => {
          const length = lengths.find((ms) => String(ms) === chosen);
          if (length !== undefined) onChange(length);
        }}
      />
    </SettingRow>
  );
}
