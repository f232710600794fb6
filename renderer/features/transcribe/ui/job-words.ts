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
import type { HeardView } from '../../../../shared/domain/jobs/heard.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { usualServiceMs } from '../../../../shared/domain/jobs/time-left.ts';
import { expectedCredits } from '../../../../shared/domain/ledger/expected-cost.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useConnection, useQueue, useSettings } from '../../../bridge/live-state.tsx';
import { useCreditRate } from '../../../bridge/use-credits.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import type { Progress } from '../../../ui/progress-bar.tsx';
import type { StatusTone } from '../../../ui/status-icon.tsx';
import { isTwin, uploadPace } from '../model/selectors.ts';

/** The icon, colours and text of a row in its present state. */
export interface JobLook {
  readonly icon: LucideIcon | 'spinner';
  readonly tone: StatusTone;
  readonly status: string;
  /** Separated by dots, the least important last, because the line may be cut at its end. */
  readonly facts: readonly string[];
  readonly progress: Progress | null;
  /** What happened, what was kept, and what the user can do. */
  readonly explanation: string | null;
}

/** What the row says in its own words. */
const knownStatuses: ReadonlySet<string> = new Set([
  'queued',
  'pending',
  'processing',
  'completed',
  'success',
  'failed',
]);

/** An estimate from earlier jobs is accurate to a minute at best. */
const roughly = (ms: number): number => {
  const step = ms >= 90_000 ? 60_000 : 10_000;
  return Math.max(step, Math.round(ms / step) * step);
};

const isToday = (atMs: number, nowMs: number) => new Date(atMs).toDateString() === new Date(nowMs).toDateString();

/** `nowMs` is the present time for running times; `waitMs` is the whole length of the present pause. */
export function useJobLook(): (job: JobView, nowMs: number, waitMs: number) => JobLook {
  const t = useText();
  const formats = useFormats();
  const words = useFailureWords();
  const { pace, isHeld } = useQueue();
  const rate = useCreditRate();
  const { mode } = useSettings();
  const isLocal = modeOf(mode).origin === 'local';
  const { isPausedOnBattery } = useConnection();
  /** The estimated cost of a recording that is not sent yet. */
  const cost = (job: JobView): readonly string[] => {
    const credits = modeOf(mode).isFree ? null : expectedCredits([job], rate);
    if (credits === null) return [];
    const count = Math.ceil(credits * 10) / 10;
    return [t('transcribe.cost.about', { count, amount: formats.number(count) })];
  };
  /** The usual duration for a recording of this length; empty until earlier jobs were measured. */
  const usually = (job: JobView): readonly string[] => {
    const usual = usualServiceMs(pace, job.durationMs);
    // A wide range says nothing, and practice mode runs at the speed of this computer.
    if (usual === null || modeOf(mode).isFree || pace.sampleCount < 3) return [];
    if (usual.medianMs < 1000 || usual.highMs > usual.lowMs * 2) return [];
    return [t('transcribe.state.usually', { time: formats.duration(roughly(usual.medianMs)) })];
  };
  /** A row that the user paused. */
  const paused = (sentBytes: number, totalBytes: number): JobLook => {
    const fraction = totalBytes > 0 ? sentBytes / totalBytes : 0;
    // A recording that was sent whole but not accepted is sent again from the start, so it is not nearly done.
    const isBegun = sentBytes > 0 && fraction < 0.995 && !isLocal;
    return {
      icon: Pause,
      tone: 'neutral',
      status: isBegun
        ? t('transcribe.state.pausedAt', { percent: formats.percent(fraction) })
        : t('transcribe.state.paused'),
      facts: sentBytes === 0 || isLocal ? [] : [t('transcribe.state.pausedByYou')],
      progress: isBegun ? { tag: 'paused', fraction } : null,
      explanation: null,
    };
  };
  /** A recording that this computer recognises: how much of it was heard, and one time. */
  const atWork = ({ durationMs }: JobView, { share, leftMs, isUsual }: HeardView): JobLook => ({
    icon: isPausedOnBattery ? Pause : 'spinner',
    tone: 'neutral',
    status: isPausedOnBattery ? t('transcribe.here.onBattery') : formats.percent(share),
    facts: [
      ...(durationMs === null
        ? []
        : [
            t('transcribe.state.sentOf', {
              sent: formats.clock(share * durationMs),
              total: formats.clock(durationMs),
            }),
          ]),
      ...(leftMs === null || isPausedOnBattery
        ? []
        : [
            t(isUsual ? 'transcribe.here.usuallyLeft' : 'transcribe.here.left', {
              time: formats.duration(roughly(leftMs)),
            }),
          ]),
    ],
    progress: { tag: isPausedOnBattery ? 'paused' : 'determinate', fraction: share },
    explanation: null,
  });
  return (job, nowMs, waitMs) => {
    const { state } = job;
    const size = formats.bytes(job.sizeBytes);
    const passed = (sinceMs: number) =>
      t('transcribe.state.soFar', { time: formats.duration(Math.max(0, nowMs - sinceMs)) });
    const plain = { progress: null, explanation: null };
    switch (state.tag) {
      case 'preparing':
        return state.audioShare === undefined
          ? { ...plain, icon: 'spinner', tone: 'neutral', status: t('transcribe.state.preparing'), facts: [size] }
          : {
              ...plain,
              icon: 'spinner',
              tone: 'neutral',
              status: t('transcribe.state.takingSound', { percent: formats.percent(state.audioShare) }),
              facts: [size],
              progress: { tag: 'determinate', fraction: state.audioShare },
            };
      case 'waiting':
        if (isHeld)
          return { ...plain, icon: Pause, tone: 'neutral', status: t('transcribe.state.paused'), facts: [size] };
        return {
          ...plain,
          icon: Clock,
          tone: 'neutral',
          status: t(isLocal ? 'transcribe.here.waiting' : 'transcribe.state.waiting'),
          facts: [
            ...cost(job),
            state.placeInQueue === null
              ? t('transcribe.state.farInLine')
              : state.placeInQueue <= 1
                ? t('transcribe.state.nextInLine')
                : t('transcribe.state.inLine', { place: state.placeInQueue }),
          ],
        };
      case 'uploading': {
        // From here to here there is nothing to wait for.
        if (isLocal)
          return { ...plain, icon: 'spinner', tone: 'neutral', status: t('transcribe.state.preparing'), facts: [size] };
        const fraction = state.totalBytes > 0 ? state.sentBytes / state.totalBytes : 0;
        if (fraction >= 1) {
          return {
            ...plain,
            icon: ArrowUp,
            tone: 'accent',
            status: t('transcribe.state.sent'),
            facts: [],
            progress: { tag: 'indeterminate' },
          };
        }
        const pace = uploadPace(state, nowMs);
        const [sent, total] = formats.bytesOf(state.sentBytes, state.totalBytes);
        return {
          icon: ArrowUp,
          tone: 'accent',
          status: t('transcribe.state.uploading', { percent: formats.percent(fraction) }),
          facts: [
            t('transcribe.state.sentOf', { sent, total }),
            ...(pace
              ? [
                  t('transcribe.state.speed', {
                    speed: formats.bytesPerSecond(pace.bytesPerSecond),
                    time: formats.duration(pace.leftMs),
                  }),
                ]
              : []),
          ],
          progress: { tag: 'determinate', fraction },
          explanation: null,
        };
      }
      case 'queued-at-service':
        if (isLocal) return { ...plain, icon: Clock, tone: 'neutral', status: t('transcribe.here.waiting'), facts: [] };
        return {
          icon: Hourglass,
          tone: 'warn',
          status: t('transcribe.state.queued'),
          facts: [passed(state.sinceMs), ...usually(job)],
          progress: { tag: 'queued' },
          explanation: null,
        };
      case 'processing':
        if (state.heard !== undefined) return atWork(job, state.heard);
        if (isPausedOnBattery)
          return { ...plain, icon: Pause, tone: 'neutral', status: t('transcribe.here.onBattery'), facts: [size] };
        return {
          icon: 'spinner',
          tone: 'neutral',
          status: t(isLocal ? 'transcribe.here.atWork' : 'transcribe.state.processing'),
          facts: [
            passed(state.sinceMs),
            ...usually(job),
            ...(state.rawStatus === null || knownStatuses.has(state.rawStatus.toLowerCase())
              ? []
              : [t('transcribe.state.rawStatus', { status: state.rawStatus })]),
          ],
          progress: { tag: 'indeterminate' },
          explanation: null,
        };
      case 'retrying': {
        const leftMs = state.untilMs - nowMs;
        return {
          icon: Timer,
          tone: 'neutral',
          status: words(state.failure).title,
          facts: [
            leftMs > 500
              ? t('transcribe.state.nextTry', { time: formats.duration(Math.max(1000, leftMs)) })
              : t('transcribe.state.nextTryNow'),
          ],
          progress: { tag: 'paused', fraction: waitMs > 0 ? Math.max(0, leftMs) / waitMs : 0 },
          explanation: words(state.failure).textAfterTitle,
        };
      }
      case 'blocked':
        return {
          ...plain,
          icon: Pause,
          tone: 'neutral',
          status: state.by === 'model' ? t('transcribe.here.needsModel') : words(state.failure).title,
          facts: [],
        };
      case 'paused':
        return paused(state.sentBytes, state.totalBytes);
      case 'needs-user':
        if (isTwin(job)) {
          const twin = state.failure.params?.['name'];
          const isIsolated = job.kind === 'isolate' && state.failure.code === 'duplicate';
          return {
            ...plain,
            icon: CopyCheck,
            tone: 'neutral',
            status: isIsolated ? t('isolate.repeats.duplicate.title') : words(state.failure).title,
            facts: twin === undefined ? [] : [t('transcribe.state.sameAs', { name: String(twin) })],
          };
        }
        return {
          icon: CircleAlert,
          tone: 'warn',
          status: words(state.failure).title,
          facts: [],
          progress: null,
          explanation: words(state.failure).textAfterTitle,
        };
      case 'done':
        return {
          ...plain,
          icon: Check,
          tone: 'ok',
          status: isToday(state.finishedAtMs, nowMs)
            ? formats.time(state.finishedAtMs)
            : t('transcribe.state.doneAt', {
                date: formats.date(state.finishedAtMs),
                time: formats.time(state.finishedAtMs),
              }),
          facts: [],
        };
      case 'failed':
        return {
          icon: CircleAlert,
          tone: 'bad',
          status: words(state.failure).title,
          facts: [],
          progress: null,
          explanation: words(state.failure).textAfterTitle,
        };
      case 'cancelled':
        return {
          ...plain,
          icon: X,
          tone: 'neutral',
          status: t('transcribe.state.cancelled'),
          facts: state.isAcceptedByService && !isLocal ? [t('transcribe.state.cancelledAtService')] : [],
        };
    }
  };
}
