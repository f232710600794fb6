import {
  ArrowUp,
  Check,
  CircleAlert,
  Clock,
  CopyCheck,
  Hourglass,
  Pause,
  Timer,
  X,
  type LucideIcon,
} from 'lucide-react';
import { useCallback } from 'react';
import { isNeverSent } from '../../../shared/domain/jobs/batch-progress.ts';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { lengthToSend } from '../../../shared/domain/jobs/recording-parts.ts';
import { usualServiceMs, type HeardView } from '../../../shared/domain/jobs/time-left.ts';
import { expectedCredits } from '../../../shared/domain/ledger/expected-cost.ts';
import { workOf } from '../../../shared/domain/spend/spend-limit.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { clock } from '../../../shared/domain/time/time-code.ts';
import { useConnection, useQueue, useSettings } from '../../bridge/live-state.tsx';
import { useCreditRate, useIsolationRate } from '../../bridge/use-credits.ts';
import { useFailureText } from '../../lib/failure-text.ts';
import { useAboutCredits, useFormats, useText } from '../../lib/text.ts';
import type { Progress } from '../../ui/progress-bar.tsx';
import { isTwin, twinIsolation, uploadPace } from './job-order.ts';

type Priced = JobView | (Pick<JobView, 'durationMs' | 'sizeBytes'> & { readonly kind?: undefined });

/** The estimated cost of isolating, each recording rounded up as the service charges it; null if it is unknown. */
export function useIsolationCredits(): (recordings: readonly Priced[]) => number | null {
  const rate = useIsolationRate();
  return useCallback(
    (recordings) => {
      let sum = 0;
      for (const one of recordings) {
        const credits = expectedCredits([{ sizeBytes: one.sizeBytes, durationMs: lengthToSend(one) }], rate);
        if (credits === null) return null;
        sum += Math.ceil(credits - 1e-9);
      }
      return sum;
    },
    [rate],
  );
}

/** Each by its own option; null if one price is unknown. */
export function useTranscriptionCredits(): (jobs: readonly JobView[]) => number | null {
  const [plain, withSpeakers] = [useCreditRate(false), useCreditRate(true)];
  return (jobs) => {
    let sum = 0;
    for (const job of jobs) {
      const credits = expectedCredits([job], workOf(job) === 'speakers' ? withSpeakers : plain);
      if (credits === null) return null;
      sum += credits;
    }
    return sum;
  };
}

export interface JobPresentation {
  readonly icon: LucideIcon | 'spinner';
  readonly tone: 'neutral' | 'accent' | 'ok' | 'warn' | 'bad';
  readonly status: string;
  /** Separated by dots, the least important last, because the line may be cut at its end. */
  readonly facts: readonly string[];
  readonly progress: Progress | null;
  readonly explanation: string | null;
}

/** What the row says in its own words. */
const knownStatuses = new Set(['queued', 'pending', 'processing', 'completed', 'success', 'failed']);

/** Too large to send whole, but long enough to send in parts. */
export const isSplittable = (job: JobView): boolean =>
  job.kind === 'isolate' &&
  job.state.tag === 'failed' &&
  job.state.failure.kind === 'file-too-large' &&
  job.durationMs !== null;

const isConverting = (rawStatus: string | null): boolean =>
  /convert|encod|mp3|export|finali[sz]/iu.test(rawStatus ?? '');

const isToday = (atMs: number, nowMs: number) => new Date(atMs).toDateString() === new Date(nowMs).toDateString();

const look = (
  icon: JobPresentation['icon'],
  tone: JobPresentation['tone'],
  status: string,
  more: Partial<JobPresentation> = {},
): JobPresentation => ({ icon, tone, status, facts: [], progress: null, explanation: null, ...more });

/** `nowMs` is the present time for running times. */
export function useJobPresentation(): (job: JobView, nowMs: number) => JobPresentation {
  const t = useText();
  const formats = useFormats();
  const aboutCredits = useAboutCredits();
  const words = useFailureText();
  const { pace, isHeld } = useQueue();
  const transcriptionCredits = useTranscriptionCredits();
  const isolationCredits = useIsolationCredits();
  const { mode } = useSettings();
  const { origin, isFree } = modeOf(mode);
  const isLocal = origin === 'local';
  const { isPausedOnBattery } = useConnection();
  const cost = (job: JobView): readonly string[] => {
    const credits = isFree ? null : job.kind === 'isolate' ? isolationCredits([job]) : transcriptionCredits([job]);
    return credits === null ? [] : [aboutCredits(credits)];
  };
  /** The usual duration for a recording of this length; empty until earlier jobs were measured. */
  const usually = (job: JobView): readonly string[] => {
    const usual = usualServiceMs(pace, job.durationMs);
    // A wide range says nothing, and practice mode runs at the speed of this computer.
    if (usual === null || isFree || pace.sampleCount < 3) return [];
    if (usual.medianMs < 1000 || usual.highMs > usual.lowMs * 2) return [];
    return [t('transcribe.state.usually', { time: formats.roughDuration(usual.medianMs) })];
  };
  const paused = (
    job: JobView,
    { sentBytes, totalBytes }: Extract<JobView['state'], { readonly tag: 'paused' }>,
  ): JobPresentation => {
    const fraction = totalBytes > 0 ? sentBytes / totalBytes : 0;
    const facts = sentBytes === 0 ? cost(job) : isLocal ? [] : [t('transcribe.state.startsOver')];
    if (isNeverSent(job) && !isLocal) return look(Pause, 'neutral', t('isolate.states.resting'), { facts });
    // A recording that was sent whole but not accepted is sent again from the start, so it is not nearly done.
    if (sentBytes === 0 || fraction >= 0.995 || isLocal)
      return look(Pause, 'neutral', t('transcribe.state.paused'), { facts });
    const status = t('transcribe.state.pausedAt', { percent: formats.percent(fraction) });
    return look(Pause, 'neutral', status, { facts, progress: { tag: 'paused', fraction } });
  };
  /** A recording that this computer recognises: how much of it was heard, and one time. */
  const atWork = ({ durationMs }: JobView, { share, leftMs, isUsual }: HeardView): JobPresentation => {
    const facts: string[] = [];
    if (durationMs !== null) {
      const [sent, total] = [formats.clock(share * durationMs), formats.clock(durationMs)];
      facts.push(t('transcribe.state.sentOf', { sent, total }));
    }
    if (leftMs !== null && !isPausedOnBattery) {
      const time = formats.roughDuration(leftMs);
      facts.push(t(isUsual ? 'transcribe.here.usuallyLeft' : 'transcribe.here.left', { time }));
    }
    const progress: Progress = { tag: isPausedOnBattery ? 'paused' : 'determinate', fraction: share };
    return isPausedOnBattery
      ? look(Pause, 'neutral', t('transcribe.here.onBattery'), { facts, progress })
      : look('spinner', 'neutral', formats.percent(share), { facts, progress });
  };
  return (job, nowMs) => {
    const { state } = job;
    const facts = [formats.bytes(job.sizeBytes)];
    const passed = (sinceMs: number) =>
      t('transcribe.state.soFar', { time: formats.duration(Math.max(0, nowMs - sinceMs)) });
    switch (state.tag) {
      case 'preparing': {
        const { audioShare: fraction } = state;
        if (fraction === undefined) return look('spinner', 'neutral', t('transcribe.state.preparing'), { facts });
        const status = t('transcribe.state.takingSound', { percent: formats.percent(fraction) });
        return look('spinner', 'neutral', status, { facts, progress: { tag: 'determinate', fraction } });
      }
      case 'waiting': {
        if (isHeld) return look(Pause, 'neutral', t('transcribe.state.paused'), { facts });
        const place =
          state.placeInQueue === null
            ? t('transcribe.state.farInLine')
            : state.placeInQueue <= 1
              ? t('transcribe.state.nextInLine')
              : t('transcribe.state.inLine', { place: state.placeInQueue });
        return look(Clock, 'neutral', t(isLocal ? 'transcribe.here.waiting' : 'transcribe.state.waiting'), {
          facts: [...cost(job), place],
        });
      }
      case 'uploading': {
        // From here to here there is nothing to wait for.
        if (isLocal) return look('spinner', 'neutral', t('transcribe.state.preparing'), { facts });
        const fraction = state.totalBytes > 0 ? state.sentBytes / state.totalBytes : 0;
        if (fraction >= 1)
          return look(ArrowUp, 'accent', t('transcribe.state.sent'), { progress: { tag: 'indeterminate' } });
        const pace = uploadPace(state, nowMs);
        const [sent, total] = formats.bytesOf(state.sentBytes, state.totalBytes);
        const speed =
          pace &&
          t('transcribe.state.speed', {
            speed: formats.bytesPerSecond(pace.bytesPerSecond),
            time: formats.roughDuration(pace.leftMs),
          });
        return look(ArrowUp, 'accent', t('transcribe.state.uploading', { percent: formats.percent(fraction) }), {
          facts: [t('transcribe.state.sentOf', { sent, total }), ...(speed === null ? [] : [speed])],
          progress: { tag: 'determinate', fraction },
        });
      }
      case 'queued-at-service':
        if (isLocal) return look(Clock, 'neutral', t('transcribe.here.waiting'));
        return look(Hourglass, 'warn', t('transcribe.state.queued'), {
          facts: [passed(state.sinceMs), ...usually(job)],
          progress: { tag: 'queued' },
        });
      case 'processing': {
        if (state.heard !== undefined) return atWork(job, state.heard);
        if (isPausedOnBattery) return look(Pause, 'neutral', t('transcribe.here.onBattery'), { facts });
        const { rawStatus } = state;
        const isKnown = rawStatus === null || knownStatuses.has(rawStatus.toLowerCase());
        const unknown = isKnown ? [] : [t('transcribe.state.rawStatus', { status: rawStatus })];
        const status =
          job.kind === 'isolate'
            ? t(isConverting(rawStatus) ? 'isolate.states.converting' : 'isolate.states.processing')
            : t(isLocal ? 'transcribe.here.atWork' : 'transcribe.state.processing');
        return look('spinner', 'neutral', status, {
          facts: [passed(state.sinceMs), ...usually(job), ...unknown],
          progress: { tag: 'indeterminate' },
        });
      }
      case 'retrying': {
        const leftMs = state.untilMs - nowMs;
        const time = formats.duration(Math.max(1000, leftMs));
        const next = leftMs > 500 ? t('transcribe.state.nextTry', { time }) : t('transcribe.state.nextTryNow');
        return look(Timer, 'neutral', words(state.failure).title, { facts: [next] });
      }
      case 'blocked':
        // A notice above the list says why, once for all rows.
        return look(Pause, 'neutral', t('transcribe.state.paused'));
      case 'paused':
        return paused(job, state);
      case 'needs-user':
      case 'failed': {
        const { title, textAfterTitle } = words(state.failure);
        if (isTwin(job)) {
          const twin = twinIsolation(job);
          const name = state.failure.params?.['name'];
          return look(CopyCheck, 'neutral', twin === null ? title : t(`isolate.repeats.${twin}`), {
            facts:
              name === undefined
                ? []
                : [t('transcribe.state.sameAs', { name: String(name).replace(/\.\w{1,5}$/u, '') })],
          });
        }
        if (state.tag === 'needs-user') return look(CircleAlert, 'warn', title, { explanation: textAfterTitle });
        // The service released the credits it had reserved.
        if (job.kind === 'isolate' && state.failure.kind === 'recording-unprocessable' && !isLocal)
          return look(CircleAlert, 'bad', t('isolate.states.failedFree'), { explanation: t('isolate.failedHint') });
        const explanation = isSplittable(job)
          ? t('isolate.tooLarge', { size: formats.bytes(job.sizeBytes) })
          : textAfterTitle;
        return look(CircleAlert, 'bad', title, { explanation });
      }
      case 'done': {
        const [date, time] = [formats.date(state.finishedAtMs), formats.time(state.finishedAtMs)];
        const isNow = isToday(state.finishedAtMs, nowMs);
        const at = isNow ? time : t('transcribe.state.doneAt', { date, time });
        if (job.kind !== 'isolate') return look(Check, 'ok', at);
        const { part } = job;
        const status = t(job.isExcerpt === true ? 'isolate.part.excerpt' : 'isolate.states.ready');
        return look(Check, 'ok', status, {
          facts: [
            ...(job.restoresSpeech ? [t('isolate.compare.restored')] : []),
            ...(part === undefined
              ? []
              : [t('isolate.partNote', { from: clock(part.startMs), to: clock(part.endMs) })]),
            at,
          ],
        });
      }
      case 'cancelled':
        return look(X, 'neutral', t('transcribe.state.cancelled'), {
          facts: state.isAcceptedByService && !isLocal ? [t('transcribe.state.cancelledAtService')] : [],
        });
    }
  };
}
