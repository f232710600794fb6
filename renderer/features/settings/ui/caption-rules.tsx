import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { captionFormat } from '../../../../shared/domain/exports/exporters.ts';
import { captionLimits } from '../../../../shared/domain/exports/subtitles.ts';
import { speechLanguages } from '../../../../shared/domain/languages.ts';
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
  const { checksCaptions: isOn, exportChoices, lastExportFormat, transcriptScript } = useSettings();
  const change = useSettingsChange();
  const { data: [latest] = [] } = useQuery(transcriptsQuery(useStudio()));
  const limits = speechLanguages.map((language) => {
    const isCyrillic = language === 'ru' || (language === 'uz' && transcriptScript === 'cyrillic');
    const found = captionLimits(exportChoices[captionFormat(lastExportFormat)] ?? {}, { language, isCyrillic });
    return {
      language: t(`common.languages.${language}`),
      own: t('settings.editor.limits', {
        speed: formats.number(found.charactersPerSecond),
        letters: formats.number(found.charactersPerLine),
      }),
      common: t('settings.editor.commonLimits', {
        lines: formats.number(found.linesPerCue),
        shortest: formats.number(found.minimumMs),
        longest: formats.number(found.maximumMs / 1000),
        gap: formats.number(found.gapMs),
      }),
    };
  });
  const [first] = limits;
  const isSame = limits.every(({ own }) => own === first?.own);
  return (
    <>
      <Switch
        label={t('editor.captions.check')}
        hint={t('settings.editor.captionsHint')}
        isOn={isOn}
        onChange={(checksCaptions) => void change({ checksCaptions })}
      />
      {isSame ? (
        <Hint>{`${t('settings.editor.allLanguages')}: ${first?.own ?? ''}`}</Hint>
      ) : (
        limits.map(({ language, own }) => <Hint key={language}>{`${language}: ${own}`}</Hint>)
      )}
      <Hint>{first?.common}</Hint>
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
