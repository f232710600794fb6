import { ChevronRight } from 'lucide-react';
import { useLocation } from 'wouter';
import { isUnsent } from '../../../shared/domain/jobs/batch-progress.ts';
import { batchLeftMs } from '../../../shared/domain/jobs/time-left.ts';
import { speechLanguages } from '../../../shared/domain/languages.ts';
import { expectedCredits } from '../../../shared/domain/ledger/expected-cost.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useConnection, useSettings, useJobs, useQueue } from '../../bridge/live-state.tsx';
import { useCreditRate, useUsedToday } from '../../bridge/use-credits.ts';
import { useCopiesSwitch, useSettingsChange } from '../../bridge/use-settings-change.ts';
import { useCreditsWords, useFormats, useText } from '../../lib/text.ts';
import { NeedsKey } from '../../parts/connection/key-help.tsx';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Inspector, InspectorSection, InspectorNote } from '../../ui/panel.tsx';
import { Range } from '../../ui/range.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Switch } from '../../ui/switch.tsx';
import css from './next-files.module.css';

const roughly = (credits: number): number => (credits < 10 ? Math.ceil(credits * 10) / 10 : Math.ceil(credits));

/** Whole minutes, or tens of seconds: exact seconds of an estimate would only flicker. */
const coarse = (ms: number): number =>
  ms > 90_000 ? Math.ceil(ms / 60_000) * 60_000 : Math.ceil(ms / 10_000) * 10_000;

/** Stored for the next files; rows already in the list keep their options. */
export function NextFiles() {
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
          <Button size="sm" variant="ghost" iconAfter={ChevronRight} onPress={() => navigate('/settings/automation')}>
            {t('transcribe.whenDone.more')}
          </Button>
        </div>
      </div>
    </InspectorSection>
  );
}

/** If the service never reported a cost, that is said, and only the length is shown. */
function CostSection() {
  const t = useText();
  const formats = useFormats();
  const { jobs } = useJobs();
  const { mode } = useSettings();
  const { pace, uploadsAtOnce } = useQueue();
  const rate = useCreditRate();
  const used = useUsedToday();
  const creditsWords = useCreditsWords();
  const { isFree, origin } = modeOf(mode);
  const unsent = jobs.filter(isUnsent);
  const lengthMs = unsent.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
  const unknownCount = unsent.filter(({ durationMs }) => durationMs === null).length;
  const credits = expectedCredits(unsent, rate);
  // Practice mode runs at the speed of this computer, so its throughput predicts nothing for the real service.
  const leftMs = isFree ? null : batchLeftMs(unsent, pace, uploadsAtOnce, 0);
  const hasUsed = !isFree && used !== null && used.actionCount > used.unreportedCount;
  if (origin === 'local' || (unsent.length === 0 && !hasUsed)) return null;
  const length = formats.duration(lengthMs);
  const facts: { readonly label: string; readonly value: string }[] = [];
  const add = (key: 'files' | 'length' | 'expected' | 'time' | 'today', value: string) =>
    facts.push({ label: t(`transcribe.cost.${key}`), value });
  if (unsent.length > 0) {
    add('files', formats.number(unsent.length));
    if (lengthMs > 0) add('length', unknownCount > 0 ? t('transcribe.cost.atLeast', { time: length }) : length);
    if (isFree) add('expected', t('transcribe.cost.nothing'));
    else if (credits === null) add('expected', t('transcribe.cost.unreported'));
    else {
      const count = roughly(credits);
      add('expected', t('transcribe.cost.about', { count, amount: formats.number(count) }));
    }
    if (leftMs !== null) add('time', t('transcribe.cost.aboutTime', { time: formats.duration(coarse(leftMs)) }));
  }
  if (hasUsed) add('today', creditsWords(used.credits, used.unreportedCount > 0));
  const note = isFree
    ? t('transcribe.cost.practiceNote')
    : rate.sampleCount > 0
      ? t('transcribe.cost.note', { count: rate.sampleCount })
      : t('transcribe.cost.unreportedNote');
  return (
    <InspectorSection title={t('transcribe.cost.title')}>
      <FactList areFigures facts={facts} />
      {unsent.length > 0 && <InspectorNote>{note}</InspectorNote>}
    </InspectorSection>
  );
}
