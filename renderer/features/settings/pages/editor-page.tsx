import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import {
  cueOptions,
  languageLimits,
  storedName,
  readOptions,
  type OptionFacts,
} from '../../../../shared/domain/exports/exporter.ts';
import { captionFormat, changeChoices } from '../../../../shared/domain/exports/exporters.ts';
import { speechLanguages, type SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { jumpLengths, laneHeights, pauseRewinds } from '../../../../shared/domain/settings/settings.ts';
import { useSettings, useSettingsNow } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useFormats, useText, useInterfaceLanguage } from '../../../lib/text.ts';
import { NumberOption } from '../../../parts/exports/number-option.tsx';
import type { CaptionChoice } from '../../../parts/exports/profile-of.ts';
import { ProfileOption } from '../../../parts/exports/profile-option.tsx';
import { transcriptsQuery } from '../../../parts/transcripts/transcripts-query.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Switch } from '../../../ui/switch.tsx';
import settingsGroupCss from '../ui/settings-group.module.css';
import {
  ChoiceSetting,
  Hint,
  Setting,
  SettingRow,
  SettingsFold,
  SettingsGroup,
  SwitchSetting,
} from '../ui/settings-group.tsx';
import css from '../ui/settings-pages.module.css';

const numbers = ['linesPerCue', 'minimumMs', 'maximumMs', 'gapMs', 'chainMs'] as const;

export function EditorPage() {
  const t = useText();
  const formats = useFormats();
  const lengthText = (ms: number) =>
    ms === 0 ? t('editor.transport.noRewind') : t('editor.waveform.seconds', { seconds: formats.number(ms / 1000) });
  return (
    <>
      <SettingsGroup title={t('settings.editor.playbackGroup')}>
        <ChoiceSetting name="jump" of="jumpMs" choices={jumpLengths} textOf={lengthText} />
        <ChoiceSetting name="rewind" of="rewindOnPauseMs" choices={pauseRewinds} textOf={lengthText} />
      </SettingsGroup>
      <SettingsGroup title={t('editor.waveform.label')}>
        <ChoiceSetting
          name="waveformHeight"
          of="laneHeight"
          choices={laneHeights}
          textOf={(height) => t(`editor.waveform.heights.${height}`)}
          hint={t('settings.editor.heightHint')}
        />
      </SettingsGroup>
      <SettingsGroup title={t('settings.editor.textGroup')}>
        <SettingRow
          label={t('settings.editor.looks')}
          hint={<a href="#/settings/general/typeface">{t('settings.editor.looksPlace')}</a>}
        />
        <Setting name="captionRules">
          <CaptionRules />
        </Setting>
        <SwitchSetting name="exactTimes" of="showsExactTimes" />
      </SettingsGroup>
      <SettingsGroup title={t('settings.editor.spellingGroup')} name="spelling">
        <SpellingChoice />
      </SettingsGroup>
      <SettingsGroup title={t('editor.account.title')}>
        <SwitchSetting name="accountEdits" of="syncsEdits" />
      </SettingsGroup>
    </>
  );
}

function SpellingChoice() {
  const t = useText();
  const { checksSpelling, knownWords } = useSettings();
  const change = useSettingsChange();
  return (
    <>
      <Switch
        label={t('settings.editor.spelling')}
        hint={t('settings.editor.spellingHint')}
        isOn={checksSpelling}
        onChange={(isOn) => void change({ checksSpelling: isOn })}
      />
      <SettingRow
        label={t('settings.editor.knownWords')}
        hint={t(knownWords.length === 0 ? 'settings.editor.knownWordsEmpty' : 'settings.editor.knownWordsHint')}
      />
      <ul className="flow gap-6" aria-label={t('settings.editor.knownWords')}>
        {knownWords
          .toSorted((a, b) => a.localeCompare(b))
          .map((word) => (
            <li key={word} className={css['knownWord']}>
              {word}
              <IconButton
                size="sm"
                icon={X}
                label={t('settings.editor.removeKnownWord', { word })}
                onPress={() => void change({ knownWords: knownWords.filter((one) => one !== word) })}
              />
            </li>
          ))}
      </ul>
    </>
  );
}

function CaptionRules() {
  const t = useText();
  const interfaceLanguage = useInterfaceLanguage();
  const { checksCaptions: isOn, exportChoices, lastExportFormat } = useSettings();
  const settingsNow = useSettingsNow();
  const change = useSettingsChange();
  const { data: [latest] = [] } = useQuery(transcriptsQuery(useStudio()));
  const format = captionFormat(lastExportFormat);
  const given = exportChoices[format] ?? {};
  const factsOf = (language: SpeechLanguage): OptionFacts => ({
    language,
    isCyrillic: language === 'ru' || (language === 'uz' && given['script'] === 'cyrillic'),
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
      <SettingsFold title={t('settings.editor.captionNumbers')}>
        <div className={settingsGroupCss['limits']}>
          <ProfileOption choice={choice} />
          {languageLimits.flatMap((name) =>
            speechLanguages.map((language) => (
              <NumberOption
                key={storedName(name, { language })}
                name={name}
                language={t(`common.languageNames.${language}`)}
                spec={cueOptions[name]}
                options={readOptions(cueOptions, given, factsOf(language))}
                onChange={(value) => choice.change({ [storedName(name, { language })]: value })}
              />
            )),
          )}
          {numbers.map((name) => (
            <NumberOption
              key={name}
              name={name}
              spec={cueOptions[name]}
              options={choice.options}
              onChange={(value) => choice.change({ [name]: value })}
            />
          ))}
          <Switch
            label={t('exports.options.splitsAtSentences')}
            isOn={choice.options['splitsAtSentences'] === true}
            onChange={(splitsAtSentences) => choice.change({ splitsAtSentences })}
          />
        </div>
      </SettingsFold>
      {latest !== undefined && (
        <Hint>
          <a href={`#/transcripts/${latest.id}/export`}>{t('settings.editor.captionStyle', { title: latest.title })}</a>
        </Hint>
      )}
    </>
  );
}
