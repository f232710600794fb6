import { speechLanguages } from '../../../../shared/domain/languages.ts';
import { NeedsKey } from '../../../parts/connection/needs-key.tsx';
import { useConnection, useSettings } from '../../../bridge/live-state.tsx';
import { useCopiesSwitch, useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Inspector, InspectorSection } from '../../../ui/panel.tsx';
import { Range } from '../../../ui/range.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { CostSection } from './cost-section.tsx';
import css from './next-files-options.module.css';
import { ChevronRight } from 'lucide-react';
import { useLocation } from 'wouter';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { Button } from '../../../ui/button.tsx';

/** Stored for the next files; rows already in the list keep their options. */
export function NextFilesOptions() {
  const t = useText();
  const formats = useFormats();
  const { speechLanguage, includeSpeakers, usesLegacyTranscription, mode, uploadsAtOnce } = useSettings();
  const { legacyKey } = useConnection();
  const change = useSettingsChange();
  const isLocal = modeOf(mode).origin === 'local';
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
          {isLocal ? (
            <>
              <p className={css['note']}>
                {t(speechLanguage === 'ru' ? 'transcribe.here.plainUnlessRussian' : 'transcribe.here.plain')}
              </p>
              <NeedsKey>{t('transcribe.here.speakers')}</NeedsKey>
            </>
          ) : (
            <Switch
              label={t('transcribe.next.speakers')}
              hint={t('transcribe.next.speakersHint')}
              isOn={includeSpeakers}
              onChange={(isOn) => void change({ includeSpeakers: isOn })}
            />
          )}
          {legacyKey.present && !isLocal && (
            <Switch
              label={t('transcribe.next.legacy')}
              hint={t('transcribe.next.legacyHint')}
              isOn={usesLegacyTranscription}
              onChange={(isOn) => void change({ usesLegacyTranscription: isOn })}
            />
          )}
          {modeOf(mode).isPractice && <p className={css['hint']}>{t('transcribe.next.practiceHint')}</p>}
        </div>
      </InspectorSection>
      <CostSection />
      <WhenDone />
      {!isLocal && (
        <InspectorSection title={t('transcribe.uploadsAtOnce.title')}>
          <div className={css['options']}>
            <div className={css['range']}>
              <span aria-hidden>{t('transcribe.uploadsAtOnce.label')}</span>
              <output className={css['value']}>{formats.number(uploadsAtOnce)}</output>
            </div>
            <Range
              label={t('transcribe.uploadsAtOnce.label')}
              value={uploadsAtOnce}
              min={1}
              max={8}
              step={1}
              valueText={formats.number(uploadsAtOnce)}
              onChange={(count) => void change({ uploadsAtOnce: count })}
            />
            <p className={css['note']}>{t('transcribe.uploadsAtOnce.hint')}</p>
          </div>
        </InspectorSection>
      )}
    </Inspector>
  );
}

/** What happens automatically to finished transcripts; the settings have more options. */
function WhenDone() {
  const t = useText();
  const [, navigate] = useLocation();
  const copies = useCopiesSwitch();
  const change = useSettingsChange();
  const { notifiesWhenDone, copyFolderName, copyFormats } = useSettings();
  return (
    <InspectorSection title={t('transcribe.whenDone.title')}>
      <div className={css['options']}>
        <Switch
          label={t('transcribe.whenDone.notify')}
          isOn={notifiesWhenDone}
          onChange={(isOn) => void change({ notifiesWhenDone: isOn })}
        />
        <Switch
          label={t('transcribe.whenDone.copy')}
          hint={
            copyFolderName === null
              ? t('transcribe.whenDone.noFolder')
              : `${t('transcribe.whenDone.copyTo', { folder: copyFolderName })}, ${copyFormats.join(', ').toUpperCase()}`
          }
          isOn={copies.isOn}
          onChange={(isOn) => void copies.turn(isOn)}
        />
        <div className={css['more']}>
          <Button
            size="sm"
            variant="ghost"
            iconAfter={ChevronRight}
            onPress={() => {
              navigate('/settings/automation');
            }}
          >
            {t('transcribe.whenDone.more')}
          </Button>
        </div>
      </div>
    </InspectorSection>
  );
}
