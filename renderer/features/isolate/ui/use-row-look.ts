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
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import type { Progress } from '../../../ui/progress-bar.tsx';
import type { StatusTone } from '../../../ui/status-icon.tsx';
import { repeatOf } from '../model/repeats.ts';

/** The status icon, colours and text of a row. */
export interface RowLook {
  readonly icon: LucideIcon | 'spinner';
  readonly tone: StatusTone;
  readonly status: string;
  readonly note: string | null;
  readonly progress: Progress | null;
  /** What happened, what was kept, and what the user can do. */
  readonly explanation: string | null;
}

/** The model has finished, and the audio is being encoded in another format. */
const isConverting = (rawStatus: string | null): boolean =>
  /convert|encod|mp3|export|finali[sz]/iu.test(rawStatus ?? '');

/** The service accepted the work but failed, and it released the credits it had reserved. */
const isReleased = (job: JobView): boolean => job.state.tag === 'failed' && job.state.failure.row === 'E-160';

/** Too large to send whole, but long enough to send in parts. */
export const isSplittable = (job: JobView): boolean =>
  job.state.tag === 'failed' && job.state.failure.row === 'E-048' && job.durationMs !== null;

/** Isolated to try it, instead of the whole recording. */
export const isExcerptOnly = (job: JobView): boolean => job.kind === 'isolate' && job.isExcerpt === true;

export function useRowLook(): (job: JobView, nowMs: number) => RowLook {
  const t = useText();
  const formats = useFormats();
  const words = useFailureWords();
  const isLocal = modeOf(useSettings().mode).origin === 'local';
  const noteOf = (job: JobView): string | null => {
    if (job.kind !== 'isolate') return null;
    const { part, restoresSpeech } = job;
    const notes = [
      ...(restoresSpeech ? [t('isolate.compare.restored')] : []),
      ...(part === undefined ? [] : [t('isolate.partNote', { from: clock(part.startMs), to: clock(part.endMs) })]),
    ];
    return notes.length === 0 ? null : notes.join(', ');
  };
  return (job, nowMs) => {
    const { state } = job;
    const plain = { note: null, progress: null, explanation: null };
    const passed = (sinceMs: number) =>
      t('isolate.states.soFar', { time: formats.duration(Math.max(0, nowMs - sinceMs)) });
    switch (state.tag) {
      case 'preparing':
        return state.audioShare === undefined
          ? { ...plain, icon: 'spinner', tone: 'neutral', status: t('isolate.states.preparing') }
          : {
              ...plain,
              icon: 'spinner',
              tone: 'neutral',
              status: t('isolate.states.takingSound', { percent: formats.percent(state.audioShare) }),
              progress: { tag: 'determinate', fraction: state.audioShare },
            };
      case 'waiting':
        return {
          ...plain,
          icon: Clock,
          tone: 'neutral',
          status: t(
            isLocal ? 'isolate.here.held' : state.placeInQueue === 1 ? 'isolate.states.next' : 'isolate.states.waiting',
          ),
        };
      case 'uploading': {
        if (isLocal) return { ...plain, icon: 'spinner', tone: 'neutral', status: t('isolate.states.preparing') };
        const fraction = state.totalBytes > 0 ? state.sentBytes / state.totalBytes : 0;
        return fraction >= 1
          ? {
              ...plain,
              icon: ArrowUp,
              tone: 'accent',
              status: t('isolate.states.sent'),
              progress: { tag: 'indeterminate' },
            }
          : {
              ...plain,
              icon: ArrowUp,
              tone: 'accent',
              status: t('isolate.states.uploading', { percent: formats.percent(fraction) }),
              progress: { tag: 'determinate', fraction },
            };
      }
      case 'queued-at-service':
        return {
          ...plain,
          icon: Hourglass,
          tone: 'neutral',
          status: t(isLocal ? 'isolate.here.held' : 'isolate.states.held'),
          note: t('isolate.states.since', { time: formats.time(state.sinceMs) }),
          progress: { tag: 'queued' },
        };
      case 'processing':
        return {
          ...plain,
          icon: 'spinner',
          tone: 'neutral',
          status: t(isConverting(state.rawStatus) ? 'isolate.states.converting' : 'isolate.states.processing'),
          note: passed(state.sinceMs),
          progress: { tag: 'indeterminate' },
        };
      case 'retrying':
        return {
          ...plain,
          icon: Timer,
          tone: 'neutral',
          status: words(state.failure).title,
          note: t('isolate.states.nextTry', { time: formats.duration(Math.max(1000, state.untilMs - nowMs)) }),
          explanation: words(state.failure).textAfterTitle,
        };
      case 'blocked':
        return {
          ...plain,
          icon: Pause,
          tone: 'neutral',
          status: words(state.failure).title,
          explanation: words(state.failure).textAfterTitle,
        };
      case 'paused':
        return {
          ...plain,
          icon: Pause,
          tone: 'neutral',
          status: t(state.sentBytes === 0 ? 'isolate.states.resting' : 'isolate.states.paused'),
        };
      case 'needs-user':
      case 'failed': {
        const { requestId } = state.failure;
        const repeat = repeatOf(job);
        if (repeat !== null)
          return {
            ...plain,
            icon: CopyCheck,
            tone: repeat === 'same_in_queue' ? 'neutral' : 'warn',
            status: t(`isolate.repeats.${repeat}.title`),
            explanation: t(`isolate.repeats.${repeat}.text`),
          };
        const said =
          isReleased(job) && !isLocal
            ? t('isolate.failedHint')
            : isSplittable(job)
              ? t('isolate.tooLarge', { size: formats.bytes(job.sizeBytes) })
              : words(state.failure).textAfterTitle;
        const number = requestId === undefined ? '' : ` ${t('isolate.request', { number: requestId })}`;
        return {
          ...plain,
          icon: CircleAlert,
          tone: state.tag === 'failed' ? 'bad' : 'warn',
          status: isReleased(job) && !isLocal ? t('isolate.states.failedFree') : words(state.failure).title,
          explanation: `${said}${number}`,
        };
      }
      case 'done':
        return {
          ...plain,
          icon: Check,
          tone: 'ok',
          status: t(isExcerptOnly(job) ? 'isolate.part.excerpt' : 'isolate.states.ready'),
          note: noteOf(job),
        };
      case 'cancelled':
        return {
          ...plain,
          icon: X,
          tone: 'neutral',
          status: t('isolate.states.cancelled'),
          explanation: state.isAcceptedByService && !isLocal ? t('isolate.states.cancelledAtService') : null,
        };
    }
  };
}
