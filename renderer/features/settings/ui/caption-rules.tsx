import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { cueOptions, languageLimits, storedName } from '../../../../shared/domain/exports/exporter.ts';
import { captionFormat, changeChoices } from '../../../../shared/domain/exports/exporters.ts';
import { readOptions, type OptionFacts } from '../../../../shared/domain/exports/options.ts';
import { speechLanguages, type SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { useSettings, useSettingsNow } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useInterfaceLanguage, useText } from '../../../lib/text.ts';
import { NumberOption } from '../../../parts/exports/number-option.tsx';
import type { CaptionChoice } from '../../../parts/exports/profile-of.ts';
import { ProfileOption } from '../../../parts/exports/profile-option.tsx';
import { transcriptsQuery } from '../../../parts/transcripts/transcripts-query.ts';
import { Switch } from '../../../ui/switch.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { Hint } from './settings-group.tsx';
import css from './settings-group.module.css';

const numbers = ['linesPerCue', 'minimumMs', 'maximumMs', 'gapMs', 'chainMs'] as const;

/** Whether captions are checked, the limits they are made and checked with, and the way to all else about them. */
export function CaptionRules() {
  const t = useText();
  const [, navigate] = useLocation();
  const interfaceLanguage = useInterfaceLanguage();
  const { checksCaptions: isOn, exportChoices, lastExportFormat, transcriptScript } = useSettings();
  const settingsNow = useSettingsNow();
  const change = useSettingsChange();
  const { data: [latest] = [] } = useQuery(transcriptsQuery(useStudio()));
  const format = captionFormat(lastExportFormat);
  const given = exportChoices[format] ?? {};
  const factsOf = (language: SpeechLanguage): OptionFacts => ({
    language,
    isCyrillic: language === 'ru' || (language === 'uz' && transcriptScript === 'cyrillic'),
    isFromSubtitles: false,
    hasCuts: false,
    dividedBy: 'speaker',
  });
  // Limits that were not chosen differ by language; shown are those of the language that is worked in.
  const facts = factsOf(latest?.language ?? (interfaceLanguage === 'uz-Cyrl' ? 'uz' : interfaceLanguage));
  const choice: CaptionChoice = {
    facts,
    options: readOptions(cueOptions, given, facts),
    change: (changed) => void change({ exportChoices: changeChoices(settingsNow().exportChoices, format, changed) }),
  };
  return (
    <>
      <Switch
        label={t('editor.captions.check')}
        hint={t('settings.editor.captionsHint')}
        isOn={isOn}
        onChange={(checksCaptions) => void change({ checksCaptions })}
      />
      <div className={css['limits']}>
        <ProfileOption choice={choice} />
        {languageLimits.flatMap((name) =>
          speechLanguages.map((language) => (
            <NumberOption
              key={storedName(name, { language })}
              name={name}
              language={t(`common.languageNames.${language}`)}
              spec={cueOptions[name]}
              options={readOptions(cueOptions, given, factsOf(language))}
              onChange={(value) => {
                choice.change({ [storedName(name, { language })]: value });
              }}
            />
          )),
        )}
        {numbers.map((name) => (
          <NumberOption
            key={name}
            name={name}
            spec={cueOptions[name]}
            options={choice.options}
            onChange={(value) => {
              choice.change({ [name]: value });
            }}
          />
        ))}
        <Switch
          label={t('exports.options.splitsAtSentences')}
          isOn={choice.options['splitsAtSentences'] === true}
          onChange={(splitsAtSentences) => {
            choice.change({ splitsAtSentences });
          }}
        />
      </div>
      {latest !== undefined && (
        <Hint>
          <TextLink
            onPress={() => {
              navigate(`/transcripts/${latest.id}/export`);
            }}
          >
            {t('settings.editor.captionStyle', { title: latest.title })}
          </TextLink>
        </Hint>
      )}
    </>
  );
}
