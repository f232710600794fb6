import { Volume2 } from 'lucide-react';
import { useState } from 'react';
import { interfaceLanguages, speechLanguages } from '../../../../shared/domain/languages.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { playChime } from '../../../audio/chime.ts';
import { useApp, useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { NeedsKey } from '../../../parts/connection/key-help.tsx';
import { Button } from '../../../ui/button.tsx';
import { Range } from '../../../ui/range.tsx';
import { Switch } from '../../../ui/switch.tsx';
import css from '../ui/settings-group.module.css';
import { ChoiceSetting, Hint, Setting, SettingRow, SettingsGroup, SwitchSetting } from '../ui/settings-group.tsx';
import transcriptSizeCss from '../ui/transcript-size.module.css';

const exampleMs = new Date(2026, 10, 20, 14, 5).getTime();
const exampleNumber = 4218.5;

export function GeneralPage() {
  const t = useText();
  const formats = useFormats();
  const { version, capabilities } = useApp();
  const settings = useSettings();
  const change = useSettingsChange();
  const [date, time] = [formats.date(exampleMs), formats.time(exampleMs)];
  const example = { date, time, number: formats.number(exampleNumber) };
  return (
    <>
      <SettingsGroup title={t('settings.general.languageGroup')}>
        <ChoiceSetting
          name="language"
          of="interfaceLanguage"
          choices={interfaceLanguages}
          textOf={(language) => t(`common.languages.${language}`)}
          hint={t('settings.general.languageHint', example)}
          areLanguages
        />
      </SettingsGroup>
      <SettingsGroup title={t('settings.general.appearanceGroup')}>
        <ChoiceSetting
          name="appearance"
          of="appearance"
          choices={['system', 'light', 'dark']}
          textOf={(theme) => t(`settings.general.appearances.${theme}`)}
          pictureOf={(theme) => <i aria-hidden className={css['theme']} data-look={theme} />}
        />
        <Setting name="contrast">
          <Switch
            label={t('settings.general.contrast')}
            hint={t('settings.general.contrastHint')}
            isOn={settings.contrast === 'high'}
            onChange={(isHigh) => void change({ contrast: isHigh ? 'high' : 'system' })}
          />
        </Setting>
        <ChoiceSetting
          name="typeface"
          of="transcriptTypeface"
          choices={['serif', 'sans']}
          textOf={(typeface) => t(`settings.general.typefaces.${typeface}`)}
        />
        <Setting name="transcriptSize">
          <TranscriptSize />
        </Setting>
        <SwitchSetting name="motion" of="reducesMotion" />
      </SettingsGroup>
      <SettingsGroup title={t('settings.general.soundGroup')}>
        <SwitchSetting name="sounds" of="playsSounds" />
        <div className={css['hear']}>
          {(['done', 'failed'] as const).map((chime) => (
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
      </SettingsGroup>
      <SettingsGroup title={t('settings.general.recordingsGroup')}>
        <ChoiceSetting
          name="spoken"
          of="speechLanguage"
          choices={speechLanguages}
          textOf={(language) => t(`common.languages.${language}`)}
          areLanguages
        />
        {modeOf(settings.mode).origin === 'local' ? (
          <Setting name="speakers">
            <NeedsKey>{t('transcribe.here.speakers')}</NeedsKey>
          </Setting>
        ) : (
          <SwitchSetting name="speakers" of="includeSpeakers" />
        )}
      </SettingsGroup>
      {!capabilities.tray && <Hint>{t('tray.absent')}</Hint>}
      <Hint>{t('settings.general.version', { version })}</Hint>
    </>
  );
}

function TranscriptSize() {
  const t = useText();
  const { transcriptSize } = useSettings();
  const change = useSettingsChange();
  const formats = useFormats();
  // The slider moves at once; main's answer arrives a moment later.
  const [moved, setMoved] = useState<number | null>(null);
  const shown = moved ?? transcriptSize;
  const move = async (next: number) => {
    setMoved(next);
    await change({ transcriptSize: next });
    setMoved((last) => (last === next ? null : last));
  };
  return (
    <div className={transcriptSizeCss['all']}>
      <SettingRow label={t('settings.general.transcriptSize')} hint={t('settings.general.transcriptSizeHint')}>
        <div className={transcriptSizeCss['slider']}>
          <span aria-hidden className={transcriptSizeCss['small']}>
            A
          </span>
          <Range
            label={t('settings.general.transcriptSize')}
            value={shown}
            min={14}
            max={24}
            step={1}
            valueText={t('settings.general.pixels', { size: formats.number(shown) })}
            onChange={(next) => void move(next)}
          />
          <span aria-hidden className={transcriptSizeCss['large']}>
            A
          </span>
          <output className={transcriptSizeCss['value']}>
            {t('settings.general.pixels', { size: formats.number(shown) })}
          </output>
        </div>
      </SettingRow>
      <p className={transcriptSizeCss['sample']}>{t('settings.general.sample')}</p>
    </div>
  );
}
