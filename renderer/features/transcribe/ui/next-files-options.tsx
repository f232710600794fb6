import { speechLanguages } from '../../../../shared/domain/languages.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useText } from '../../../lib/text.ts';
import { Inspector, InspectorSection } from '../../../ui/panel.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Switch } from '../../../ui/switch.tsx';
import css from './next-files-options.module.css';

/** Kept for the next time; rows that are in the list already keep what they were added with. */
export function NextFilesOptions() {
  const t = useText();
  const { speechLanguage, includeSpeakers, mode } = useSettings();
  const change = useSettingsChange();
  return (
    <Inspector label={t('transcribe.next.title')}>
      <InspectorSection title={t('transcribe.next.title')}>
        <div className={css['options']}>
          <Segmented
            isBlock
            isLabelShown
            label={t('transcribe.next.language')}
            options={speechLanguages.map((language) => ({
              value: language,
              text: t(`common.languages.${language}`),
              lang: language,
            }))}
            value={speechLanguage}
            onChange={(next) => void change({ speechLanguage: next })}
          />
          <Switch
            label={t('transcribe.next.speakers')}
            hint={t('transcribe.next.speakersHint')}
            isOn={includeSpeakers}
            onChange={(isOn) => void change({ includeSpeakers: isOn })}
          />
          {mode === 'practice' && <p className={css['hint']}>{t('transcribe.next.practiceHint')}</p>}
        </div>
      </InspectorSection>
    </Inspector>
  );
}
