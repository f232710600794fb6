import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { captionFormat, exporters } from '../../../../shared/domain/exports/exporters.ts';
import { readOptions, type OptionSpecs } from '../../../../shared/domain/exports/options.ts';
import { speechLanguages, type SpeechLanguage } from '../../../../shared/domain/languages.ts';
import type { profileBounds } from '../../../../shared/domain/subtitles/profiles.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { Settings } from '../../../bridge/types.ts';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { transcriptsQuery } from '../../../parts/transcripts/transcripts-query.ts';
import { Switch } from '../../../ui/switch.tsx';
import { Hint, SettingLink } from './settings-group.tsx';

/** Whether captions are checked, against which limits, and the way to the export, where their style is chosen. */
export function CaptionRules() {
  const t = useText();
  const formats = useFormats();
  const [, navigate] = useLocation();
  const settings = useSettings();
  const change = useSettingsChange();
  const { data: [latest] = [] } = useQuery(transcriptsQuery(useStudio()));
  const limits = speechLanguages.map((language) => {
    const options = limitsNow(settings, language);
    const number = (name: keyof typeof profileBounds, unit = 1) => formats.number(Number(options[name]) / unit);
    return {
      language,
      own: t('settings.editor.limits', {
        speed: number('charactersPerSecond'),
        letters: number('charactersPerLine'),
      }),
      common: t('settings.editor.commonLimits', {
        lines: number('linesPerCue'),
        shortest: number('minimumMs'),
        longest: number('maximumMs', 1000),
        gap: number('gapMs'),
      }),
    };
  });
  const isSame = new Set(limits.map(({ own }) => own)).size === 1;
  return (
    <>
      <Switch
        label={t('editor.captions.check')}
        hint={t('settings.editor.captionsHint')}
        isOn={settings.checksCaptions}
        onChange={(checksCaptions) => void change({ checksCaptions })}
      />
      {isSame
        ? limits.slice(0, 1).map(({ own }) => <Hint key={own}>{own}</Hint>)
        : limits.map(({ language, own }) => (
            <Hint key={language}>{`${t(`common.languages.${language}`)}: ${own}`}</Hint>
          ))}
      <Hint>{limits[0]?.common}</Hint>
      {latest !== undefined && (
        <Hint>
          <SettingLink
            onPress={() => {
              navigate(`/transcripts/${latest.id}/export`);
            }}
          >
            {t('settings.editor.captionStyle', { title: latest.title })}
          </SettingLink>
        </Hint>
      )}
    </>
  );
}

/** What an export of captions would be made with now, for a text in this language. */
function limitsNow(
  { exportChoices, lastExportFormat, transcriptScript }: Settings,
  language: SpeechLanguage,
): Readonly<Record<string, unknown>> {
  const format = captionFormat(lastExportFormat);
  const specs: OptionSpecs = exporters[format].options;
  const isCyrillic = language === 'ru' || (language === 'uz' && transcriptScript === 'cyrillic');
  return readOptions(specs, exportChoices[format] ?? {}, { language, isCyrillic, isFromSubtitles: false });
}
