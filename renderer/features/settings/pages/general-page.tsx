import { interfaceLanguages, speechLanguages } from '../../../../shared/domain/languages.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { NeedsKey } from '../../../parts/connection/needs-key.tsx';
import { useApp, useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { Setting, Hint, SettingRow, SettingsGroup } from '../ui/settings-group.tsx';
import { SoundChoice } from '../ui/sound-choice.tsx';
import { ThemeChoice } from '../ui/theme-choice.tsx';
import { TranscriptSize } from '../ui/transcript-size.tsx';

const exampleMs = new Date(2026, 10, 20, 14, 5).getTime();
const exampleNumber = 4218.5;

export function GeneralPage() {
  const t = useText();
  const formats = useFormats();
  const { version, capabilities } = useApp();
  const settings = useSettings();
  const change = useSettingsChange();
  const example = {
    date: formats.date(exampleMs),
    time: formats.time(exampleMs),
    number: formats.number(exampleNumber),
  };
  return (
    <>
      <SettingsGroup title={t('settings.general.languageGroup')}>
        <Setting name="language">
          <SettingRow label={t('settings.general.language')} hint={t('settings.general.languageHint', example)}>
            <Segmented
              label={t('settings.general.language')}
              options={interfaceLanguages.map((language) => ({
                value: language,
                text: t(`common.languages.${language}`),
                lang: language,
              }))}
              value={settings.interfaceLanguage}
              onChange={(interfaceLanguage) => void change({ interfaceLanguage })}
            />
          </SettingRow>
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('settings.general.appearanceGroup')}>
        <Setting name="appearance">
          <ThemeChoice value={settings.appearance} onChange={(appearance) => void change({ appearance })} />
        </Setting>
        <Setting name="contrast">
          <Switch
            label={t('settings.general.contrast')}
            hint={t('settings.general.contrastHint')}
            isOn={settings.contrast === 'high'}
            onChange={(isHigh) => void change({ contrast: isHigh ? 'high' : 'system' })}
          />
        </Setting>
        <Setting name="typeface">
          <SettingRow label={t('settings.general.typeface')} hint={t('settings.general.typefaceHint')}>
            <Segmented
              label={t('settings.general.typeface')}
              options={(['serif', 'sans'] as const).map((value) => ({
                value,
                text: t(`settings.general.typefaces.${value}`),
              }))}
              value={settings.transcriptTypeface}
              onChange={(transcriptTypeface) => void change({ transcriptTypeface })}
            />
          </SettingRow>
        </Setting>
        <Setting name="transcriptSize">
          <TranscriptSize size={settings.transcriptSize} onChange={(transcriptSize) => change({ transcriptSize })} />
        </Setting>
        <Setting name="motion">
          <Switch
            label={t('settings.general.reduceMotion')}
            hint={t('settings.general.reduceMotionHint')}
            isOn={settings.reducesMotion}
            onChange={(reducesMotion) => void change({ reducesMotion })}
          />
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('settings.general.soundGroup')}>
        <Setting name="sounds">
          <SoundChoice isOn={settings.playsSounds} onChange={(playsSounds) => void change({ playsSounds })} />
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('settings.general.recordingsGroup')}>
        <Setting name="spoken">
          <SettingRow label={t('settings.general.spoken')} hint={t('settings.general.spokenHint')}>
            <Segmented
              label={t('settings.general.spoken')}
              options={speechLanguages.map((language) => ({
                value: language,
                text: t(`common.languages.${language}`),
                lang: language,
              }))}
              value={settings.speechLanguage}
              onChange={(speechLanguage) => void change({ speechLanguage })}
            />
          </SettingRow>
        </Setting>
        <Setting name="speakers">
          {modeOf(settings.mode).origin === 'local' ? (
            <NeedsKey>{t('transcribe.here.speakers')}</NeedsKey>
          ) : (
            <Switch
              label={t('settings.general.speakers')}
              isOn={settings.includeSpeakers}
              onChange={(includeSpeakers) => void change({ includeSpeakers })}
            />
          )}
        </Setting>
      </SettingsGroup>
      {!capabilities.tray && <Hint>{t('tray.absent')}</Hint>}
      <Hint>{t('settings.general.version', { version })}</Hint>
    </>
  );
}
