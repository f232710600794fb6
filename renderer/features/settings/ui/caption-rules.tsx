import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { captionFormat, exporters } from '../../../../shared/domain/exports/exporters.ts';
import { readOptions, type OptionSpecs } from '../../../../shared/domain/exports/options.ts';
import { speechLanguages, type SpeechLanguage } from '../../../../shared/domain/languages.ts';
import type { Settings } from '../../../../shared/ipc/schemas.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
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
    const number = (name: string, unit = 1) => formats.number(Number(options[name]) / unit);
    return {
      language,
      text: t('settings.editor.limits', {
        speed: number('charactersPerSecond'),
        letters: number('charactersPerLine'),
        lines: number('linesPerCue'),
        shortest: number('minimumMs', 1000),
        longest: number('maximumMs', 1000),
        gap: number('gapMs', 1000),
      }),
    };
  });
  const isSame = new Set(limits.map(({ text }) => text)).size === 1;
  return (
    <>
      <Switch
        label={t('editor.captions.check')}
        hint={t('settings.editor.captionsHint')}
        isOn={settings.checksCaptions}
        onChange={(checksCaptions) => void change({ checksCaptions })}
      />
      {isSame
        ? limits.slice(0, 1).map(({ text }) => <Hint key={text}>{text}</Hint>)
        : limits.map(({ language, text }) => (
            <Hint key={language}>{`${t(`common.languages.${language}`)}: ${text}`}</Hint>
          ))}
      {latest !== undefined && (
        <Hint>
          <SettingLink
            onPress={() => {
              navigate(`/transcripts/${latest.id}/captions`);
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
