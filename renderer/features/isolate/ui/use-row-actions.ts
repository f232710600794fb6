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
} from 'lucide-react';
import { useCallback } from 'react';
import { useLocation } from 'wouter';
import { freeSteps, newCharges, type FailureAction } from '../../../../shared/domain/failures/actions.ts';
import { isUnsent } from '../../../../shared/domain/jobs/batch-progress.ts';
import { actionsOfFailure } from '../../../../shared/domain/failures/describe-failure.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { useFailureActionText, useFailureFacts } from '../../../lib/failure-words.ts';
import { onceChanged } from '../../../lib/once-changed.ts';
import { useText } from '../../../lib/text.ts';
import type { MenuCommand, MenuEntry } from '../../../ui/menu.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useCopy, useUndoNotice } from '../../../ui/notices.ts';
import { useIsolate } from '../isolate-context.ts';
import { repeatOf } from '../model/repeats.ts';
import { useTellSaved } from './results.tsx';
import { isSplittable } from './use-row-look.ts';
import { useTranscribeResult } from './use-transcribe-result.tsx';

const undoMs = 20_000;
/** What the isolated audio can be saved as. */
export const savedFormats = ['mp3', 'wav', 'flac', 'ogg'] as const;

export interface RowActions {
  readonly main: MenuCommand | null;
  readonly entries: () => readonly MenuEntry[];
  readonly open: (() => void) | null;
  /** Hides, removes or cancels the row. */
  readonly end: () => void;
}

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

/** Cancels a row, and offers to undo if the service had not accepted it. */
export function useCancelRow(): (jobId: string) => void {
  const t = useText();
  const showToast = useToast();
  const showUndo = useUndoNotice();
  const store = useIsolate();
  return useCallback(
    (jobId) => {
      const cancel = async () => {
        const done = await store.actOn(jobId, 'cancel');
        if (done === null || done.changedCount === 0) return;
        if (done.acceptedCount > 0) showToast({ text: t('isolate.cancelledAccepted') });
        else {
          const undo = () => void store.actOn(jobId, 'undo-cancel');
          showUndo({ text: t('isolate.cancelled'), shownForMs: undoMs, undo });
        }
      };
      void cancel();
    },
    [store, t, showToast, showUndo],
  );
}

/** Removes rows that only ask; to undo it asks them again, and sends nothing. */
export function useRemoveRows(): (jobs: readonly JobView[]) => Promise<void> {
  const t = useText();
  const showUndo = useUndoNotice();
  const store = useIsolate();
  return useCallback(
    async (jobs) => {
      const ids = jobs.map(({ id }) => id);
      if ((await store.actOnAll(ids, 'remove')) === null) return;
      const undo = async () => {
        await store.unhide(ids);
        await store.actOnAll(ids, 'undo-cancel');
      };
      const text =
        jobs.length === 1
          ? t('transcribe.removedOne', { name: jobs[0]?.name ?? '' })
          : t('transcribe.removed', { count: jobs.length });
      showUndo({ text, shownForMs: undoMs, undo: () => void undo() });
    },
    [store, t, showUndo],
  );
}

/** Hides ended rows, with one undo for all of them. */
export function useHideRows(): (jobs: readonly JobView[]) => Promise<void> {
  const t = useText();
  const showUndo = useUndoNotice();
  const store = useIsolate();
  return useCallback(
    async (jobs) => {
      const hidden = await store.hide(jobs.map(({ id }) => id));
      if (hidden === null) return;
      showUndo({
        text:
          jobs.length === 1
            ? t('isolate.hidden', { name: jobs[0]?.name ?? '' })
            : t('isolate.hiddenMany', { count: hidden.jobIds.length }),
        shownForMs: hidden.undoMs,
        undo: () => void store.unhide(hidden.jobIds),
        until: onceChanged(store, (state) => state.hidden.includes(hidden)),
      });
    },
    [store, t, showUndo],
  );
}

/** The actions that are possible for a row now. */
export function useRowActions(onOpen: (audioId: string) => void): (job: JobView) => RowActions {
  const t = useText();
  const copy = useCopy();
  const actionText = useFailureActionText();
  const factsOf = useFailureFacts();
  const showToast = useToast();
  const store = useIsolate();
  const cancelRow = useCancelRow();
  const transcribe = useTranscribeResult();
  const tellSaved = useTellSaved();
  const [, navigate] = useLocation();
  const forFailure = (job: JobView, action: FailureAction): MenuCommand | null => {
    const command = (icon: MenuCommand['icon'], onAction: () => void): MenuCommand => ({
      id: action,
      text: actionText(action),
      ...(icon === undefined ? {} : { icon }),
      onAction,
    });
    if (freeSteps.has(action)) return command(RotateCw, () => void store.retry(job.id, false));
    if (newCharges.has(action)) {
      const again = command(action === 'send-anyway' ? Blend : RotateCw, () => void store.retry(job.id, true));
      const repeat = repeatOf(job);
      return repeat === null || repeat === 'same_stopped' ? again : { ...again, text: t('isolate.actions.sendAgain') };
    }
    if (action === 'enter-key' || action === 'change-key') return command(KeyRound, () => void store.enterKey());
    if (action === 'locate-file') return command(MapPinned, () => void store.locate(job.id));
    if (action === 'copy-earlier')
      return repeatOf(job) === 'duplicate'
        ? { ...command(Blend, () => void store.openEarlier(job.id)), text: t('isolate.actions.useEarlier') }
        : null;
    if (action === 'change-address')
      return command(Settings, () => {
        navigate('/settings/connection');
      });
    return null;
  };
  const hide = useHideRows();
  const removeRows = useRemoveRows();
  const splitJob = async (job: JobView) => {
    const done = await store.split(job.id);
    if (done !== null && done.partCount > 0) showToast({ text: t('isolate.splitDone', { count: done.partCount }) });
  };
  return (job) => {
    const { state } = job;
    const audioId = state.tag === 'done' ? state.audioId : undefined;
    const offered =
      'failure' in state ? actionsOfFailure(state.failure).flatMap((action) => forFailure(job, action) ?? []) : [];
    const open =
      audioId === undefined
        ? null
        : () => {
            onOpen(audioId);
          };
    const cancel = () => {
      if (isAtService(job)) store.askCancel(job.id);
      else cancelRow(job.id);
    };
    const copyDetails = (): Promise<void> => {
      const failure = 'failure' in state ? factsOf(state.failure) : [];
      const facts = [{ label: job.name, value: job.id }, ...failure];
      return copy(facts.map(({ label, value }) => `${label}: ${value}`).join('\n'));
    };
    const resume: MenuCommand = {
      id: 'resume',
      text: t('isolate.actions.resume'),
      icon: Play,
      onAction: () => void store.actOn(job.id, 'go-on'),
    };
    const again: MenuCommand = {
      id: 'again',
      text: t('isolate.actions.retry'),
      icon: RotateCw,
      onAction: () => void store.retry(job.id, false),
    };
    const split: MenuCommand | null = isSplittable(job)
      ? { id: 'split', text: t('isolate.actions.split'), icon: Scissors, onAction: () => void splitJob(job) }
      : null;
    const end = () => {
      if (isEnded(job)) void hide([job]);
      else if (isAsking(job)) void removeRows([job]);
      else cancel();
    };
    const remove: MenuCommand = {
      id: 'remove',
      text: t('common.remove'),
      icon: Trash2,
      shortcut: 'Delete',
      onAction: end,
    };
    return {
      open,
      end,
      main:
        state.tag === 'paused'
          ? resume
          : state.tag === 'cancelled'
            ? again
            : state.tag === 'failed' || state.tag === 'needs-user' || state.tag === 'blocked'
              ? repeatOf(job) === 'same_in_queue'
                ? remove
                : (split ?? offered[0] ?? null)
              : null,
      entries: () => [
        ...(open === null ? [] : [{ id: 'open', text: t('isolate.actions.open'), icon: Blend, onAction: open }]),
        ...(audioId === undefined
          ? []
          : [
              {
                id: 'transcribe',
                text: t('isolate.actions.transcribe'),
                icon: Captions,
                onAction: () => void transcribe(audioId, job.name),
              },
              {
                id: 'save',
                text: t('isolate.actions.save'),
                icon: Download,
                entries: savedFormats.map((format) => ({
                  id: format,
                  text: format.toUpperCase(),
                  onAction: () => void store.save(audioId, format).then(tellSaved),
                })),
              },
            ]),
        ...(split === null ? [] : [split]),
        ...offered,
        ...(state.tag === 'cancelled' ? [again] : []),
        ...(state.tag === 'paused' ? [resume] : []),
        ...(isPausable(job)
          ? [
              {
                id: 'pause',
                text: t('isolate.actions.pause'),
                icon: Pause,
                onAction: () => void store.actOn(job.id, 'pause'),
              },
            ]
          : []),
        {
          id: 'recording',
          text: t('transcribe.actions.showRecording'),
          icon: FolderOpen,
          onAction: () => void store.showRecording(job.id),
        },
        { id: 'details', text: t('isolate.actions.copyDetails'), icon: Copy, onAction: () => void copyDetails() },
        'separator',
        isEnded(job)
          ? { id: 'hide', text: t('isolate.actions.hide'), icon: EyeOff, shortcut: 'Delete', onAction: end }
          : isAsking(job)
            ? remove
            : {
                id: 'cancel',
                text: t(isAtService(job) ? 'isolate.actions.stopWaiting' : 'isolate.actions.cancel'),
                icon: X,
                isDanger: true,
                shortcut: 'Delete',
                onAction: end,
              },
      ],
    };
  };
}
