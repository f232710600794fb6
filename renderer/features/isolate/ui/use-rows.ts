import {
  Blend,
  Captions,
  Copy,
  Download,
  EyeOff,
  FolderOpen,
  KeyRound,
  MapPinned,
  Pause,
  Play,
  RotateCw,
  Scissors,
  Settings,
  Trash2,
  X,
  ArrowUp,
  Check,
  CircleAlert,
  Clock,
  CopyCheck,
  Hourglass,
  Timer,
  type LucideIcon,
} from 'lucide-react';
import { useLocation } from 'wouter';
import { freeSteps, newCharges, type FailureAction } from '../../../../shared/domain/failures/actions.ts';
import { isUnsent } from '../../../../shared/domain/jobs/batch-progress.ts';
import { actionsOfFailure } from '../../../../shared/domain/failures/describe-failure.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { useFailureActionText, useFailureFacts, useFailureText } from '../../../lib/failure-text.ts';
import { onceChanged } from '../../../lib/once-changed.ts';
import { useText, useFormats } from '../../../lib/text.ts';
import type { MenuCommand, MenuEntry } from '../../../ui/menu.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useCopy, useUndoNotice } from '../../../ui/notices.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import type { Progress } from '../../../ui/progress-bar.tsx';
import type { StatusTone } from '../../../ui/status-icon.tsx';
import { useIsolate } from '../isolate-context.ts';
import { repeatOf } from '../model/repeats.ts';
import { useTellSaved, useTranscribeResult } from './results.tsx';

const undoMs = 20_000;
export const savedFormats = ['mp3', 'wav', 'flac', 'ogg'] as const;

export const command = (
  id: string,
  icon: LucideIcon,
  text: string,
  onAction: () => void,
  more: Pick<MenuCommand, 'shortcut' | 'isDanger' | 'isDisabled'> = {},
): MenuCommand => ({ id, icon, text, onAction, ...more });

/** All of it was sent, so it can't be cancelled there: here the user can only stop waiting for it. */
const isAtService = (job: JobView): boolean => {
  const { tag } = job.state;
  return tag === 'queued-at-service' || tag === 'processing' || (tag === 'uploading' && !isUnsent(job));
};
export const isEnded = ({ state }: JobView): boolean =>
  state.tag === 'done' || state.tag === 'failed' || state.tag === 'cancelled';
/** It only asks, and nothing of it was sent, so it can simply leave the list. */
export const isAsking = ({ state }: JobView): boolean =>
  state.tag === 'needs-user' && state.failure.outcome === 'not_sent';
export const isPausable = ({ state }: JobView): boolean => state.tag === 'waiting' || state.tag === 'uploading';

export function useCancelRow(): (jobId: string) => Promise<void> {
  const t = useText();
  const showToast = useToast();
  const showUndo = useUndoNotice();
  const store = useIsolate();
  return async (jobId) => {
    const done = await store.actOn([jobId], 'cancel');
    if (done === null || done.changedCount === 0) return;
    if (done.acceptedCount > 0) showToast({ text: t('isolate.cancelledAccepted') });
    else {
      const undo = () => void store.actOn([jobId], 'undo-cancel');
      showUndo({ text: t('isolate.cancelled'), shownForMs: undoMs, undo });
    }
  };
}

/** Removes a row that only asks; to undo it asks again, and sends nothing. */
function useRemoveRow(): (job: JobView) => Promise<void> {
  const t = useText();
  const showUndo = useUndoNotice();
  const store = useIsolate();
  return async ({ id, name }) => {
    if ((await store.actOn([id], 'remove')) === null) return;
    const undo = async () => {
      await store.unhide([id]);
      await store.actOn([id], 'undo-cancel');
    };
    showUndo({ text: t('transcribe.removedOne', { name }), shownForMs: undoMs, undo: () => void undo() });
  };
}

/** Hides ended rows, with one undo for all of them. `textOf` says how many are hidden. */
export function useHideRows() {
  const t = useText();
  const showUndo = useUndoNotice();
  const store = useIsolate();
  return async (jobs: readonly JobView[], textOf?: (count: number) => string) => {
    const hidden = await store.hide(jobs.map(({ id }) => id));
    if (hidden === null) return;
    const { jobIds, undoMs: shownForMs } = hidden;
    const [first] = jobs;
    const text =
      first !== undefined && jobs.length === 1
        ? t('isolate.hidden', { name: first.name })
        : t('isolate.hiddenMany', { count: jobIds.length });
    showUndo({
      text: textOf?.(jobIds.length) ?? text,
      shownForMs,
      undo: () => void store.unhide(jobIds),
      until: onceChanged(store, (state) => state.hidden.includes(hidden)),
    });
  };
}

export function useRowActions(onOpen: (audioId: string) => void) {
  const t = useText();
  const copy = useCopy();
  const actionText = useFailureActionText();
  const factsOf = useFailureFacts();
  const showToast = useToast();
  const store = useIsolate();
  const cancelRow = useCancelRow();
  const transcribe = useTranscribeResult();
  const showSavedToast = useTellSaved();
  const [, navigate] = useLocation();
  const hide = useHideRows();
  const removeRow = useRemoveRow();
  const forFailure = (job: JobView, action: FailureAction): MenuCommand | null => {
    const offer = (icon: LucideIcon, onAction: () => void, text = actionText(action)): MenuCommand =>
      command(action, icon, text, onAction);
    const repeat = repeatOf(job);
    if (freeSteps.has(action)) return offer(RotateCw, () => void store.retry(job.id, false));
    if (newCharges.has(action)) {
      const isRepeat = repeat !== null && repeat !== 'same_stopped';
      return offer(
        action === 'send-anyway' ? Blend : RotateCw,
        () => void store.retry(job.id, true),
        isRepeat ? t('isolate.actions.sendAgain') : undefined,
      );
    }
    if (action === 'enter-key' || action === 'change-key') return offer(KeyRound, () => void store.enterKey());
    if (action === 'locate-file') return offer(MapPinned, () => void store.locate(job.id));
    if (action === 'copy-earlier' && repeat === 'duplicate')
      return offer(Blend, () => void store.openEarlier(job.id), t('isolate.actions.useEarlier'));
    return action === 'change-address' ? offer(Settings, () => navigate('/settings/connection')) : null;
  };
  const splitJob = async (job: JobView) => {
    const done = await store.split(job.id);
    if (done !== null && done.partCount > 0) showToast({ text: t('isolate.splitDone', { count: done.partCount }) });
  };
  return (job: JobView) => {
    const { id, state } = job;
    const audioId = state.tag === 'done' ? state.audioId : undefined;
    const offered =
      'failure' in state ? actionsOfFailure(state.failure).flatMap((action) => forFailure(job, action) ?? []) : [];
    const open = audioId === undefined ? null : () => onOpen(audioId);
    const copyDetails = (): Promise<void> => {
      const failure = 'failure' in state ? factsOf(state.failure) : [];
      const facts = [{ label: job.name, value: id }, ...failure];
      return copy(facts.map(({ label, value }) => `${label}: ${value}`).join('\n'));
    };
    const end = () => {
      if (isEnded(job)) void hide([job]);
      else if (isAsking(job)) void removeRow(job);
      else if (isAtService(job)) store.askCancel(id);
      else void cancelRow(id);
    };
    const resume = command('resume', Play, t('isolate.actions.resume'), () => void store.actOn([id], 'go-on'));
    const again = command('again', RotateCw, t('isolate.actions.retry'), () => void store.retry(id, false));
    const split = isSplittable(job) && command('split', Scissors, t('isolate.actions.split'), () => void splitJob(job));
    const remove = command('remove', Trash2, t('common.remove'), end, { shortcut: 'Delete' });
    const isStopped = state.tag === 'failed' || state.tag === 'needs-user' || state.tag === 'blocked';
    const main =
      state.tag === 'paused'
        ? resume
        : state.tag === 'cancelled'
          ? again
          : isStopped && repeatOf(job) === 'same_in_queue'
            ? remove
            : isStopped && (split || offered[0]);
    const entries = (): readonly MenuEntry[] => {
      const all: readonly (MenuEntry | false)[] = [
        open !== null && command('open', Blend, t('isolate.actions.open'), open),
        audioId !== undefined &&
          command('transcribe', Captions, t('isolate.actions.transcribe'), () => void transcribe(audioId, job.name)),
        audioId !== undefined && {
          id: 'save',
          text: t('isolate.actions.save'),
          icon: Download,
          entries: savedFormats.map((format) => ({
            id: format,
            text: format.toUpperCase(),
            onAction: () => void store.save(audioId, format).then(showSavedToast),
          })),
        },
        split,
        ...offered,
        state.tag === 'cancelled' && again,
        state.tag === 'paused' && resume,
        isPausable(job) && command('pause', Pause, t('isolate.actions.pause'), () => void store.actOn([id], 'pause')),
        command('recording', FolderOpen, t('transcribe.actions.showRecording'), () => void store.showRecording(id)),
        command('details', Copy, t('isolate.actions.copyDetails'), () => void copyDetails()),
        'separator',
        isEnded(job)
          ? command('hide', EyeOff, t('isolate.actions.hide'), end, { shortcut: 'Delete' })
          : isAsking(job)
            ? remove
            : command('cancel', X, t(`isolate.actions.${isAtService(job) ? 'stopWaiting' : 'cancel'}`), end, {
                isDanger: true,
                shortcut: 'Delete',
              }),
      ];
      return all.filter((entry) => entry !== false);
    };
    return { open, end, main: main || null, entries };
  };
}

interface RowPresentation {
  readonly icon: LucideIcon | 'spinner';
  readonly tone: StatusTone;
  readonly status: string;
  readonly note: string | null;
  readonly progress: Progress | null;
  readonly explanation: string | null;
}

const isConverting = (rawStatus: string | null): boolean =>
  /convert|encod|mp3|export|finali[sz]/iu.test(rawStatus ?? '');

/** The service accepted the work but failed, and it released the credits it had reserved. */
const isReleased = (job: JobView): boolean =>
  job.state.tag === 'failed' && job.state.failure.kind === 'recording-unprocessable';

/** Too large to send whole, but long enough to send in parts. */
const isSplittable = (job: JobView): boolean =>
  job.state.tag === 'failed' && job.state.failure.kind === 'file-too-large' && job.durationMs !== null;

/** Isolated to try it, instead of the whole recording. */
export const isExcerptOnly = (job: JobView): boolean => job.kind === 'isolate' && job.isExcerpt === true;

const look = (
  icon: RowPresentation['icon'],
  tone: StatusTone,
  status: string,
  more: Partial<RowPresentation> = {},
): RowPresentation => ({ icon, tone, status, note: null, progress: null, explanation: null, ...more });

export function useRowPresentation(): (job: JobView, nowMs: number) => RowPresentation {
  const t = useText();
  const formats = useFormats();
  const words = useFailureText();
  const isLocal = modeOf(useSettings().mode).origin === 'local';
  const noteOf = (job: JobView): string | null => {
    if (job.kind !== 'isolate') return null;
    const { part, restoresSpeech } = job;
    const notes = [
      ...(restoresSpeech ? [t('isolate.compare.restored')] : []),
      ...(part === undefined ? [] : [t('isolate.partNote', { from: clock(part.startMs), to: clock(part.endMs) })]),
    ];
    return notes.join(', ') || null;
  };
  return (job, nowMs) => {
    const { state } = job;
    switch (state.tag) {
      case 'preparing': {
        const { audioShare: fraction } = state;
        if (fraction === undefined) return look('spinner', 'neutral', t('isolate.states.preparing'));
        const status = t('isolate.states.takingSound', { percent: formats.percent(fraction) });
        return look('spinner', 'neutral', status, { progress: { tag: 'determinate', fraction } });
      }
      case 'waiting':
        if (isLocal) return look(Clock, 'neutral', t('isolate.here.held'));
        return look(Clock, 'neutral', t(`isolate.states.${state.placeInQueue === 1 ? 'next' : 'waiting'}`));
      case 'uploading': {
        if (isLocal) return look('spinner', 'neutral', t('isolate.states.preparing'));
        const fraction = state.totalBytes > 0 ? state.sentBytes / state.totalBytes : 0;
        if (fraction >= 1)
          return look(ArrowUp, 'accent', t('isolate.states.sent'), { progress: { tag: 'indeterminate' } });
        const status = t('isolate.states.uploading', { percent: formats.percent(fraction) });
        return look(ArrowUp, 'accent', status, { progress: { tag: 'determinate', fraction } });
      }
      case 'queued-at-service':
        return look(Hourglass, 'neutral', t(isLocal ? 'isolate.here.held' : 'isolate.states.held'), {
          note: t('isolate.states.since', { time: formats.time(state.sinceMs) }),
          progress: { tag: 'queued' },
        });
      case 'processing': {
        const status = t(isConverting(state.rawStatus) ? 'isolate.states.converting' : 'isolate.states.processing');
        const note = t('isolate.states.soFar', { time: formats.duration(Math.max(0, nowMs - state.sinceMs)) });
        return look('spinner', 'neutral', status, { note, progress: { tag: 'indeterminate' } });
      }
      case 'retrying':
        return look(Timer, 'neutral', words(state.failure).title, {
          note: t('isolate.states.nextTry', { time: formats.duration(Math.max(1000, state.untilMs - nowMs)) }),
          explanation: words(state.failure).textAfterTitle,
        });
      case 'blocked':
        return look(Pause, 'neutral', words(state.failure).title, {
          explanation: words(state.failure).textAfterTitle,
        });
      case 'paused':
        return look(Pause, 'neutral', t(state.sentBytes === 0 ? 'isolate.states.resting' : 'isolate.states.paused'));
      case 'needs-user':
      case 'failed': {
        const repeat = repeatOf(job);
        if (repeat !== null) {
          const explanation = t(`isolate.repeats.${repeat}.text`);
          const tone = repeat === 'same_in_queue' ? 'neutral' : 'warn';
          return look(CopyCheck, tone, t(`isolate.repeats.${repeat}.title`), { explanation });
        }
        const { requestId } = state.failure;
        const { title, textAfterTitle } = words(state.failure);
        const isFree = isReleased(job) && !isLocal;
        const said = isFree
          ? t('isolate.failedHint')
          : isSplittable(job)
            ? t('isolate.tooLarge', { size: formats.bytes(job.sizeBytes) })
            : textAfterTitle;
        const number = requestId === undefined ? '' : ` ${t('isolate.request', { number: requestId })}`;
        const status = isFree ? t('isolate.states.failedFree') : title;
        const tone = state.tag === 'failed' ? 'bad' : 'warn';
        return look(CircleAlert, tone, status, { explanation: `${said}${number}` });
      }
      case 'done':
        return look(Check, 'ok', t(isExcerptOnly(job) ? 'isolate.part.excerpt' : 'isolate.states.ready'), {
          note: noteOf(job),
        });
      case 'cancelled':
        return look(X, 'neutral', t('isolate.states.cancelled'), {
          explanation: state.isAcceptedByService && !isLocal ? t('isolate.states.cancelledAtService') : null,
        });
    }
  };
}
