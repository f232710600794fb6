import {
  ArrowDown,
  ArrowUp,
  ChevronsUp,
  Copy,
  FileDown,
  FileText,
  FolderOpen,
  Info,
  Library,
  MessageSquareQuote,
  Pause,
  Play,
  RotateCw,
  Share,
  Trash2,
  X,
  ArchiveRestore,
  KeyRound,
  MapPinned,
  Settings,
  Check,
  CircleAlert,
  Clock,
  CopyCheck,
  Hourglass,
  Timer,
  type LucideIcon,
} from 'lucide-react';
import { useMemo, useCallback } from 'react';
import { baseName } from '../../../../shared/domain/exports/safe-file-name.ts';
import { freeSteps, newCharges, type FailureAction } from '../../../../shared/domain/failures/actions.ts';
import { actionsOfFailure } from '../../../../shared/domain/failures/describe-failure.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import type { HeardView } from '../../../../shared/domain/jobs/heard.ts';
import { usualServiceMs } from '../../../../shared/domain/jobs/time-left.ts';
import { expectedCredits } from '../../../../shared/domain/ledger/expected-cost.ts';
import { useJobsNow, useQueue, useSettings, useConnection } from '../../../bridge/live-state.tsx';
import { useFailureActionText, useFailureText } from '../../../lib/failure-text.ts';
import { useText, useFormats } from '../../../lib/text.ts';
import type { MenuCommand, MenuEntry } from '../../../ui/menu.tsx';
import { useCopy } from '../../../ui/notices.ts';
import { useToast } from '../../../ui/toast.tsx';
import { useCreditRate } from '../../../bridge/use-credits.ts';
import type { Progress } from '../../../ui/progress-bar.tsx';
import type { StatusTone } from '../../../ui/status-icon.tsx';
import {
  isMovable,
  isPausable,
  beforeAfterStep,
  lineOf,
  isCancellable,
  isRemovable,
  isTwin,
  uploadPace,
} from '../model/queue-order.ts';
import { useTranscribe } from '../transcribe-context.ts';

const icons: Partial<Record<FailureAction, LucideIcon>> = {
  'enter-key': KeyRound,
  'change-key': KeyRound,
  'change-address': Settings,
  'locate-file': MapPinned,
  'open-earlier': FileText,
  'copy-earlier': Copy,
};

export type JobActions = ReturnType<ReturnType<typeof useJobActions>>;

/** An unreadable answer is stored, because the user paid for it and must be able to get it. */
const hasRawAnswer = (state: JobView['state']): boolean =>
  state.tag === 'failed'
    ? state.hasRawAnswer
    : state.tag === 'needs-user' &&
      (state.failure.kind === 'answer-unreadable' || state.failure.kind === 'result-missing');

export const isFreeToRetry = ({ state }: JobView): boolean =>
  state.tag === 'failed' && actionsOfFailure(state.failure).some((action) => freeSteps.has(action));

export const command = (
  id: string,
  icon: LucideIcon,
  text: string,
  onAction: () => void,
  more: Pick<MenuCommand, 'shortcut' | 'isDanger' | 'isDisabled'> = {},
): MenuCommand => ({ id, icon, text, onAction, ...more });

/** The actions that are possible for a row now. Returns the same function until the language changes. */
export function useJobActions() {
  const t = useText();
  const copy = useCopy();
  const showToast = useToast();
  const transcribe = useTranscribe();
  const move = useRowMove();
  const forFailure = useFailureCommands();
  const { isHeld } = useQueue();
  return useMemo(() => {
    const { store, openTranscript, openIsolated, askAbout, findInLibrary, removeRows, cancelRows } = transcribe;
    const saveRaw = async (job: JobView) => {
      const name = await store.saveRawAnswer(job);
      if (name !== null) showToast({ text: t('transcribe.rawSaved', { name }) });
    };
    const copyText = async (transcriptId: string) => {
      const text = await store.readText(transcriptId);
      if (text !== null) await copy(text);
    };
    return (job: JobView) => {
      const { id: jobId, state } = job;
      const offered =
        'failure' in state ? actionsOfFailure(state.failure).flatMap((action) => forFailure(job, action) ?? []) : [];
      const { transcriptId, audioId } = state.tag === 'done' ? state : {};
      const open =
        transcriptId !== undefined
          ? () => openTranscript(transcriptId)
          : audioId !== undefined
            ? () => openIsolated(audioId)
            : null;
      const cancel = isCancellable(job) ? () => cancelRows([jobId]) : null;
      const remove = isRemovable(job) ? () => removeRows([jobId]) : null;
      const isHeldHere = isHeld && state.tag === 'waiting';
      const pause = isPausable(job) && !isHeldHere ? () => void store.actOn([jobId], 'pause') : null;
      const resume = () =>
        command('go-on', Play, t('transcribe.actions.resume'), () => void store.actOn([jobId], 'go-on'));
      const again = () => command('retry', RotateCw, t('common.retry'), () => void store.retry(job, false));
      const main = (): MenuCommand | null => {
        // Finished rows are the majority, so their button has no icon; their menu entries do.
        if (open !== null) return { id: 'open', text: t('common.open'), onAction: open };
        if (state.tag === 'paused') return resume();
        if (state.tag === 'cancelled') return again();
        if (isTwin(job))
          return (
            offered.find(({ id }) => id === 'open-earlier') ??
            (remove && command('remove', Trash2, t('common.remove'), remove))
          );
        return state.tag === 'failed' || state.tag === 'needs-user' ? (offered[0] ?? null) : null;
      };
      const find = () => findInLibrary(baseName(job.name));
      const show = () => void store.showRecording(job);
      const entries = (): readonly MenuEntry[] => [
        ...(open === null ? [] : [command('open', FileText, t('common.open'), open)]),
        ...(transcriptId === undefined
          ? []
          : [
              command('copy-text', Copy, t('exports.copy'), () => void copyText(transcriptId)),
              command('export', Share, t('transcribe.actions.export'), () => store.show({ tag: 'export', jobId })),
              command('ask', MessageSquareQuote, t('library.askAbout'), () => askAbout(transcriptId)),
              command('show-in-library', Library, t('transcribe.actions.showInLibrary'), find),
            ]),
        ...offered,
        ...(state.tag === 'cancelled' ? [again()] : []),
        ...(pause === null ? [] : [command('pause', Pause, t('transcribe.actions.pause'), pause)]),
        ...(state.tag === 'paused' ? [resume()] : []),
        ...(isHeldHere ? [command('go-on-all', Play, t('transcribe.batch.goOn'), () => void store.hold(false))] : []),
        ...(isMovable(job)
          ? [
              command('run-next', ChevronsUp, t('transcribe.actions.runNext'), () => void store.runNext(job)),
              command('move-up', ArrowUp, t('transcribe.actions.moveUp'), () => void move(job, -1), {
                shortcut: 'Alt+ArrowUp',
              }),
              command('move-down', ArrowDown, t('transcribe.actions.moveDown'), () => void move(job, 1), {
                shortcut: 'Alt+ArrowDown',
              }),
            ]
          : []),
        ...(hasRawAnswer(state)
          ? [command('save-raw', FileDown, t('transcribe.actions.saveRaw'), () => void saveRaw(job))]
          : []),
        command('show-recording', FolderOpen, t('transcribe.actions.showRecording'), show),
        command('details', Info, t('transcribe.actions.details'), () => store.show({ tag: 'details', jobId })),
        'separator',
        ...(cancel && state.tag !== 'needs-user'
          ? [command('cancel', X, t('transcribe.actions.cancel'), cancel, { isDanger: true })]
          : []),
        ...(remove
          ? [command('remove', Trash2, t('common.remove'), remove, { isDanger: true, shortcut: 'Delete' })]
          : []),
      ];
      // The entries are built when their menu opens, because a list draws many rows and opens few menus.
      return { main: main(), entries, open, cancel, remove, pause };
    };
  }, [transcribe, t, showToast, copy, move, forFailure, isHeld]);
}

function useFailureCommands(): (job: JobView, action: FailureAction) => MenuCommand | null {
  const t = useText();
  const actionText = useFailureActionText();
  const showToast = useToast();
  const transcribe = useTranscribe();
  const { isFree } = modeOf(useSettings().mode);
  return useMemo(() => {
    const { store, openTranscript, restoreTranscript, openSettings } = transcribe;
    const copyResult = async (job: JobView) => {
      if ((await store.copyResult(job)) !== null)
        showToast({ icon: Copy, text: t('transcribe.actions.copied', { name: job.name }) });
    };
    return (job, action) => {
      const offer = (onAction: () => void) => command(action, icons[action] ?? RotateCw, actionText(action), onAction);
      if (freeSteps.has(action)) return offer(() => void store.retry(job, false));
      if (newCharges.has(action))
        // Where nothing is charged, nothing is asked.
        return isFree
          ? offer(() => void store.retry(job, true))
          : offer(() => store.show({ tag: 'charge-question', jobId: job.id }));
      if (action === 'enter-key' || action === 'change-key') return offer(() => void store.enterKey());
      if (action === 'change-address') return offer(openSettings);
      if (action === 'locate-file') return offer(() => void store.locate(job));
      const failure = 'failure' in job.state ? job.state.failure : null;
      const transcriptId = failure?.params?.['transcriptId'];
      if (action === 'copy-earlier' && transcriptId !== undefined) return offer(() => void copyResult(job));
      if (action !== 'open-earlier' || typeof transcriptId !== 'string') return null;
      return failure?.code === 'same_in_trash'
        ? command(action, ArchiveRestore, t('transcripts.restoreAndOpen'), () => restoreTranscript(transcriptId))
        : offer(() => openTranscript(transcriptId));
    };
  }, [transcribe, t, actionText, showToast, isFree]);
}

export function useRowMove(): (job: JobView, step: -1 | 1) => Promise<void> {
  const t = useText();
  const showToast = useToast();
  const jobsNow = useJobsNow();
  const { store } = useTranscribe();
  return useCallback(
    async (job, step) => {
      // Read on demand: subscribing would redraw every row of a long list on each change.
      const line = lineOf(jobsNow());
      const beforeId = beforeAfterStep(line, job.id, step);
      if (beforeId === undefined || (await store.move([job.id], beforeId)) === null) return;
      const place = line.findIndex(({ id }) => id === job.id) + 1 + step;
      showToast({ text: t('transcribe.actions.moved', { name: job.name, place }) });
    },
    [t, showToast, jobsNow, store],
  );
}

export interface JobPresentation {
  readonly icon: LucideIcon | 'spinner';
  readonly tone: StatusTone;
  readonly status: string;
  /** Separated by dots, the least important last, because the line may be cut at its end. */
  readonly facts: readonly string[];
  readonly progress: Progress | null;
  readonly explanation: string | null;
}

/** What the row says in its own words. */
const knownStatuses = new Set(['queued', 'pending', 'processing', 'completed', 'success', 'failed']);

/** An estimate from earlier jobs is accurate to a minute at best. */
const roughly = (ms: number): number => {
  const step = ms >= 90_000 ? 60_000 : 10_000;
  return Math.max(step, Math.round(ms / step) * step);
};

const isToday = (atMs: number, nowMs: number) => new Date(atMs).toDateString() === new Date(nowMs).toDateString();

const look = (
  icon: JobPresentation['icon'],
  tone: StatusTone,
  status: string,
  more: Partial<JobPresentation> = {},
): JobPresentation => ({ icon, tone, status, facts: [], progress: null, explanation: null, ...more });

/** `nowMs` is the present time for running times. */
export function useJobPresentation(): (job: JobView, nowMs: number) => JobPresentation {
  const t = useText();
  const formats = useFormats();
  const words = useFailureText();
  const { pace, isHeld } = useQueue();
  const rate = useCreditRate();
  const { mode } = useSettings();
  const { origin, isFree } = modeOf(mode);
  const isLocal = origin === 'local';
  const { isPausedOnBattery } = useConnection();
  const cost = (job: JobView): readonly string[] => {
    const credits = isFree ? null : expectedCredits([job], rate);
    if (credits === null) return [];
    const count = Math.ceil(credits * 10) / 10;
    return [t('transcribe.cost.about', { count, amount: formats.number(count) })];
  };
  /** The usual duration for a recording of this length; empty until earlier jobs were measured. */
  const usually = (job: JobView): readonly string[] => {
    const usual = usualServiceMs(pace, job.durationMs);
    // A wide range says nothing, and practice mode runs at the speed of this computer.
    if (usual === null || isFree || pace.sampleCount < 3) return [];
    if (usual.medianMs < 1000 || usual.highMs > usual.lowMs * 2) return [];
    return [t('transcribe.state.usually', { time: formats.duration(roughly(usual.medianMs)) })];
  };
  const paused = (sentBytes: number, totalBytes: number): JobPresentation => {
    const fraction = totalBytes > 0 ? sentBytes / totalBytes : 0;
    const facts = sentBytes === 0 || isLocal ? [] : [t('transcribe.state.pausedByYou')];
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
      const time = formats.duration(roughly(leftMs));
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
            time: formats.duration(pace.leftMs),
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
        return look('spinner', 'neutral', t(isLocal ? 'transcribe.here.atWork' : 'transcribe.state.processing'), {
          facts: [passed(state.sinceMs), ...usually(job), ...unknown],
          progress: { tag: 'indeterminate' },
        });
      }
      case 'retrying': {
        const leftMs = state.untilMs - nowMs;
        const time = formats.duration(Math.max(1000, leftMs));
        const next = leftMs > 500 ? t('transcribe.state.nextTry', { time }) : t('transcribe.state.nextTryNow');
        const { title, textAfterTitle: explanation } = words(state.failure);
        return look(Timer, 'neutral', title, { facts: [next], explanation });
      }
      case 'blocked':
        if (state.by === 'model') return look(Pause, 'neutral', t('transcribe.here.needsModel'));
        return look(Pause, 'neutral', words(state.failure).title);
      case 'paused':
        return paused(state.sentBytes, state.totalBytes);
      case 'needs-user':
      case 'failed': {
        const { title, textAfterTitle: explanation } = words(state.failure);
        if (!isTwin(job)) return look(CircleAlert, state.tag === 'failed' ? 'bad' : 'warn', title, { explanation });
        const name = state.failure.params?.['name'];
        const isIsolated = job.kind === 'isolate' && state.failure.code === 'duplicate';
        return look(CopyCheck, 'neutral', isIsolated ? t('isolate.repeats.duplicate.title') : title, {
          facts: name === undefined ? [] : [t('transcribe.state.sameAs', { name: String(name) })],
        });
      }
      case 'done': {
        const [date, time] = [formats.date(state.finishedAtMs), formats.time(state.finishedAtMs)];
        const isNow = isToday(state.finishedAtMs, nowMs);
        return look(Check, 'ok', isNow ? time : t('transcribe.state.doneAt', { date, time }));
      }
      case 'cancelled':
        return look(X, 'neutral', t('transcribe.state.cancelled'), {
          facts: state.isAcceptedByService && !isLocal ? [t('transcribe.state.cancelledAtService')] : [],
        });
    }
  };
}
