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
} from 'lucide-react';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useMemo } from 'react';
import { baseName } from '../../../../shared/domain/exports/safe-file-name.ts';
import { freeSteps } from '../../../../shared/domain/failures/actions.ts';
import { actionsOfFailure } from '../../../../shared/domain/failures/describe-failure.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { useQueue, useSettings } from '../../../bridge/live-state.tsx';
import { useFailureActionText } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import type { MenuCommand, MenuEntry } from '../../../ui/menu.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useCopy } from '../../../ui/notices.ts';
import { isMovable, isPausable } from '../model/queue-order.ts';
import { isCancellable, isRemovable, isTwin } from '../model/selectors.ts';
import { useTranscribe } from '../transcribe-context.ts';
import { failureCommands, type FailureMeans } from './failure-commands.ts';
import { useRowMove } from './use-row-move.ts';

export interface JobActions {
  /** The action drawn as a button of the row. */
  readonly main: MenuCommand | null;
  /** The entries of the menu, built when it opens, because a list draws many rows and opens few menus. */
  readonly entries: () => readonly MenuEntry[];
  readonly open: (() => void) | null;
  readonly cancel: (() => void) | null;
  readonly remove: (() => void) | null;
  readonly pause: (() => void) | null;
}

/**
 * An answer that could not be read or held no text is stored, because the user paid for it and must be able to get it.
 */
const hasRawAnswer = (state: JobView['state']): boolean =>
  state.tag === 'failed'
    ? state.hasRawAnswer
    : state.tag === 'needs-user' && (state.failure.row === 'E-024' || state.failure.row === 'E-028');

/** Whether a failed row can be retried without a charge. */
export const isFreeToRetry = ({ state }: JobView): boolean =>
  state.tag === 'failed' && actionsOfFailure(state.failure).some((action) => freeSteps.has(action));

interface Means extends FailureMeans {
  readonly copy: (text: string) => Promise<void>;
  readonly move: (job: JobView, step: -1 | 1) => Promise<void>;
  /** True while the whole queue is paused. */
  readonly isHeld: boolean;
}

/** The actions that are possible for a row now. Returns the same function until the language changes. */
export function useJobActions(): (job: JobView) => JobActions {
  const t = useText();
  const copy = useCopy();
  const actionText = useFailureActionText();
  const showToast = useToast();
  const transcribe = useTranscribe();
  const move = useRowMove();
  const { isHeld } = useQueue();
  const { isFree } = modeOf(useSettings().mode);
  return useMemo(
    () => jobActions({ ...transcribe, t, actionText, showToast, copy, move, isHeld, isFree }),
    [transcribe, t, actionText, showToast, copy, move, isHeld, isFree],
  );
}

function jobActions({
  t,
  actionText,
  showToast,
  copy,
  move,
  isHeld,
  isFree,
  ...transcribe
}: Means): (job: JobView) => JobActions {
  const { store, openTranscript, openIsolated, askAbout, findInLibrary, removeRows, cancelRows } = transcribe;
  const forFailure = failureCommands({ ...transcribe, t, actionText, showToast, isFree });
  return (job) => {
    const { state } = job;
    const offered =
      'failure' in state ? actionsOfFailure(state.failure).flatMap((action) => forFailure(job, action) ?? []) : [];
    const { transcriptId, audioId } = state.tag === 'done' ? state : {};
    const open =
      transcriptId !== undefined
        ? () => {
            openTranscript(transcriptId);
          }
        : audioId !== undefined
          ? () => {
              openIsolated(audioId);
            }
          : null;
    const cancel = isCancellable(job)
      ? () => {
          cancelRows([job.id]);
        }
      : null;
    const remove = isRemovable(job)
      ? () => {
          removeRows([job.id]);
        }
      : null;
    const hasMain = state.tag === 'failed' || state.tag === 'needs-user';
    const isHeldHere = isHeld && state.tag === 'waiting';
    const pause = isPausable(job) && !isHeldHere ? () => void store.actOn([job.id], 'pause') : null;
    const resume = (): MenuCommand => ({
      id: 'go-on',
      text: t('transcribe.actions.resume'),
      icon: Play,
      onAction: () => void store.actOn([job.id], 'go-on'),
    });
    const again = (): MenuCommand => ({
      id: 'retry',
      text: t('common.retry'),
      icon: RotateCw,
      onAction: () => void store.retry(job, false),
    });
    const goOn = (): readonly MenuCommand[] => [
      ...(state.tag === 'cancelled' ? [again()] : []),
      ...(pause === null ? [] : [{ id: 'pause', text: t('transcribe.actions.pause'), icon: Pause, onAction: pause }]),
      ...(state.tag === 'paused' ? [resume()] : []),
      ...(isHeldHere
        ? [
            {
              id: 'go-on-all',
              text: t('transcribe.batch.goOn'),
              icon: Play,
              onAction: () => void store.hold(false),
            },
          ]
        : []),
    ];
    const inLine = (): readonly MenuCommand[] =>
      isMovable(job)
        ? [
            {
              id: 'run-next',
              text: t('transcribe.actions.runNext'),
              icon: ChevronsUp,
              onAction: () => void store.runNext(job),
            },
            {
              id: 'move-up',
              text: t('transcribe.actions.moveUp'),
              icon: ArrowUp,
              shortcut: 'Alt+ArrowUp',
              onAction: () => void move(job, -1),
            },
            {
              id: 'move-down',
              text: t('transcribe.actions.moveDown'),
              icon: ArrowDown,
              shortcut: 'Alt+ArrowDown',
              onAction: () => void move(job, 1),
            },
          ]
        : [];
    const openCommand = (): readonly MenuCommand[] =>
      open ? [{ id: 'open', text: t('common.open'), icon: FileText, onAction: open }] : [];
    // Finished rows are the majority, so their button has no icon; their menu entries do.
    const main = open
      ? { id: 'open', text: t('common.open'), onAction: open }
      : state.tag === 'paused'
        ? resume()
        : state.tag === 'cancelled'
          ? again()
          : isTwin(job)
            ? (offered.find(({ id }) => id === 'open-earlier') ??
              (remove && { id: 'remove', text: t('common.remove'), icon: Trash2, onAction: remove }))
            : hasMain
              ? (offered[0] ?? null)
              : null;
    const saveRaw = (): readonly MenuEntry[] =>
      hasRawAnswer(state)
        ? [
            {
              id: 'save-raw',
              text: t('transcribe.actions.saveRaw'),
              icon: FileDown,
              onAction: () => {
                const save = async () => {
                  const name = await store.saveRawAnswer(job);
                  if (name !== null) showToast({ text: t('transcribe.rawSaved', { name }) });
                };
                void save();
              },
            },
          ]
        : [];
    const copyText = (): readonly MenuCommand[] =>
      transcriptId !== undefined
        ? [
            {
              id: 'copy-text',
              text: t('exports.copy'),
              icon: Copy,
              onAction: () => {
                void store.readText(transcriptId).then((text) => (text === null ? undefined : copy(text)));
              },
            },
          ]
        : [];
    const ofText = (): readonly MenuCommand[] =>
      transcriptId === undefined
        ? []
        : [
            {
              id: 'export',
              text: t('transcribe.actions.export'),
              icon: Share,
              onAction: () => {
                store.show({ tag: 'export', jobId: job.id });
              },
            },
            {
              id: 'ask',
              text: t('library.askAbout'),
              icon: MessageSquareQuote,
              onAction: () => {
                askAbout(transcriptId);
              },
            },
            {
              id: 'show-in-library',
              text: t('transcribe.actions.showInLibrary'),
              icon: Library,
              onAction: () => {
                findInLibrary(baseName(job.name));
              },
            },
          ];
    const entries = (): readonly MenuEntry[] => [
      ...openCommand(),
      ...copyText(),
      ...ofText(),
      ...offered,
      ...goOn(),
      ...inLine(),
      ...saveRaw(),
      {
        id: 'show-recording',
        text: t('transcribe.actions.showRecording'),
        icon: FolderOpen,
        onAction: () => void store.showRecording(job),
      },
      {
        id: 'details',
        text: t('transcribe.actions.details'),
        icon: Info,
        onAction: () => {
          store.show({ tag: 'details', jobId: job.id });
        },
      },
      'separator',
      ...(cancel && state.tag !== 'needs-user'
        ? [{ id: 'cancel', text: t('transcribe.actions.cancel'), icon: X, isDanger: true, onAction: cancel }]
        : []),
      ...(remove
        ? [
            {
              id: 'remove',
              text: t('common.remove'),
              icon: Trash2,
              isDanger: true,
              shortcut: 'Delete',
              onAction: remove,
            },
          ]
        : []),
    ];
    return { main, entries, open, cancel, remove, pause };
  };
}
