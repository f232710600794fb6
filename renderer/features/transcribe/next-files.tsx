import { ChevronDown, ChevronRight } from 'lucide-react';
import { useLocation } from 'wouter';
import { isUnsent } from '../../../shared/domain/jobs/batch-progress.ts';
import { batchLeftMs } from '../../../shared/domain/jobs/time-left.ts';
import { speechLanguages } from '../../../shared/domain/languages.ts';
import { expectedCredits, minuteMs } from '../../../shared/domain/ledger/expected-cost.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useConnection, useSettings, useJobs, useQueue } from '../../bridge/live-state.tsx';
import { useCreditRate, useIsAsked } from '../../bridge/use-credits.ts';
import { useTranscriptionCredits } from '../../parts/jobs/job-presentation.ts';
import { useCopiesSwitch, useSettingsChange } from '../../bridge/use-settings-change.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { NeedsKey } from '../../parts/connection/key-help.tsx';
import { Button } from '../../ui/button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Switch } from '../../ui/switch.tsx';
import css from './transcribe-screen.module.css';

const roughly = (credits: number): number => (credits < 10 ? Math.ceil(credits * 10) / 10 : Math.ceil(credits));

/** Whole minutes, or tens of seconds: exact seconds of an estimate would only flicker. */
const coarse = (ms: number): number =>
  ms > 90_000 ? Math.ceil(ms / 60_000) * 60_000 : Math.ceil(ms / 10_000) * 10_000;

/** Stored for the next files; rows already in the list keep their options. */
export function NextFiles() {
  const t = useText();
  const { speechLanguage } = useSettings();
  const change = useSettingsChange();
  return (
    <section className={css['next']} aria-label={t('transcribe.next.title')}>
      <div className={css['nextHead']}>
        <span aria-hidden>{t('transcribe.next.language')}</span>
        <Popover
          label={t('transcribe.next.more')}
          trigger={
            <Button size="sm" variant="ghost" iconAfter={ChevronDown} label={t('transcribe.next.more')}>
              {t('common.more')}
            </Button>
          }
        >
          <MoreForNext />
        </Popover>
      </div>
      <Segmented
        isBlock
        label={t('transcribe.next.language')}
        options={speechLanguages.map((language) => ({
          value: language,
          text: t(`common.languages.${language}`),
          lang: language,
        }))}
        value={speechLanguage}
        onChange={(next) => void change({ speechLanguage: next })}
      />
    </section>
  );
}

function MoreForNext() {
  const t = useText();
  const [, navigate] = useLocation();
  const settings = useSettings();
  const { includeSpeakers, usesLegacyTranscription, mode, notifiesWhenDone, copyFolderName, copyFormats } = settings;
  const { legacyKey } = useConnection();
  const copies = useCopiesSwitch();
  const change = useSettingsChange();
  const isLocal = modeOf(mode).origin === 'local';
  return (
    <div className={css['more']}>
      {isLocal ? (
        <>
          <p>{t(settings.speechLanguage === 'ru' ? 'transcribe.here.plainUnlessRussian' : 'transcribe.here.plain')}</p>
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
      <h2>{t('transcribe.whenDone.title')}</h2>
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
      <Button size="sm" variant="ghost" iconAfter={ChevronRight} onPress={() => navigate('/settings/automation')}>
        {t('transcribe.whenDone.more')}
      </Button>
    </div>
  );
}

/** The price of all that is not sent yet, or else of a minute; null where it is free. */
export function usePrice(): string | null {
  const t = useText();
  const formats = useFormats();
  const { jobs } = useJobs();
  const { mode, includeSpeakers } = useSettings();
  const { pace, uploadsAtOnce } = useQueue();
  const rate = useCreditRate(includeSpeakers);
  const creditsOf = useTranscriptionCredits();
  const isAsked = useIsAsked(rate);
  if (modeOf(mode).isFree) return null;
  const unsent = jobs.filter(isUnsent);
  if (unsent.length === 0) {
    const minute = [{ durationMs: minuteMs, sizeBytes: 0 }];
    const credits = rate.creditsPerHour === null ? null : expectedCredits(minute, rate);
    if (credits === null) return t(isAsked ? 'transcribe.drop.asked' : 'transcribe.drop.charged');
    const count = Math.ceil(credits * 10) / 10;
    return t(isAsked ? 'transcribe.drop.askedAbout' : 'transcribe.drop.chargedAbout', {
      count,
      amount: formats.number(count),
    });
  }
  const time = formats.duration(unsent.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0));
  const hasUnknown = unsent.some(({ durationMs }) => durationMs === null);
  const credits = creditsOf(unsent);
  const leftMs = batchLeftMs(unsent, pace, uploadsAtOnce);
  const count = credits === null ? 0 : roughly(credits);
  return [
    t('transcribe.cost.toSend', { count: unsent.length }),
    hasUnknown ? t('transcribe.cost.atLeast', { time }) : time,
    credits === null
      ? t('transcribe.cost.unreported')
      : t('transcribe.cost.about', { count, amount: formats.number(count) }),
    ...(leftMs === null ? [] : [t('transcribe.cost.aboutTime', { time: formats.duration(coarse(leftMs)) })]),
  ].join(' · ');
}
