import { interfaceLanguages, speechLanguages } from '../../../../shared/domain/languages.ts';
import { useApp, useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { Hint, SettingRow, SettingsGroup } from '../ui/settings-group.tsx';
import { ThemeChoice } from '../ui/theme-choice.tsx';
import { TranscriptSize } from '../ui/transcript-size.tsx';

const exampleMs = new Date(2026, 10, 20, 14, 5).getTime();
const exampleNumber = 4218.5;

export function GeneralPage() {
  const t = useText();
  const formats = useFormats();
  const { version } = useApp();
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
      </SettingsGroup>
      <SettingsGroup title={t('settings.general.appearanceGroup')}>
        <ThemeChoice value={settings.appearance} onChange={(appearance) => void change({ appearance })} />
        <TranscriptSize size={settings.transcriptSize} onChange={(transcriptSize) => change({ transcriptSize })} />
        <Switch
          label={t('settings.general.reduceMotion')}
          hint={t('settings.general.reduceMotionHint')}
          isOn={settings.reducesMotion}
          onChange={(reducesMotion) => void change({ reducesMotion })}
        />
      </SettingsGroup>
      <SettingsGroup title={t('settings.general.recordingsGroup')}>
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
        <Switch
          label={t('settings.general.speakers')}
          isOn={settings.includeSpeakers}
          onChange={(includeSpeakers) => void change({ includeSpeakers })}
        />
      </SettingsGroup>
      <Hint>{t('settings.general.version', { version })}</Hint>
    </>
  );
}
