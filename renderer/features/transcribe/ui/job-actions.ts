import {
  FileDown,
  FileText,
  Info,
  KeyRound,
  MapPinned,
  RotateCw,
  Settings,
  Trash2,
  X,
  type LucideIcon,
} from 'lucide-react';
import type { FailureAction } from '../../../../shared/domain/failures/actions.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { useFailureActionText, useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import type { MenuCommand, MenuEntry } from '../../../ui/menu.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { isCancellable, isPerhapsAtService, isRemovable } from '../model/selectors.ts';
import { useTranscribe } from '../transcribe-context.ts';

export interface JobActions {
  /** The one that is drawn as a button of the row. */
  readonly main: MenuCommand | null;
  readonly entries: readonly MenuEntry[];
  readonly open: (() => void) | null;
  readonly cancel: (() => void) | null;
  readonly remove: (() => void) | null;
}

/** Retrying in its several names: free steps only. */
export const freeSteps: ReadonlySet<FailureAction> = new Set(['retry', 'try-now', 'go-on', 'check-again']);
/** Answers that may cost once more; their words say it. */
const newCharges: ReadonlySet<FailureAction> = new Set(['use-new-version', 'send-again']);

const icons: Partial<Record<FailureAction, LucideIcon>> = {
  'enter-key': KeyRound,
  'change-key': KeyRound,
  'change-address': Settings,
  'locate-file': MapPinned,
  'open-earlier': FileText,
};

/** What can be done with a row now. Only what works is offered. */
export function useJobActions(): (job: JobView) => JobActions {
  const t = useText();
  const words = useFailureWords();
  const actionText = useFailureActionText();
  const showToast = useToast();
  const { store, openTranscript, openSettings } = useTranscribe();

  const forFailure = (job: JobView, action: FailureAction): MenuCommand | null => {
    const command = (onAction: () => void): MenuCommand => ({
      id: action,
      text: actionText(action),
      icon: icons[action] ?? RotateCw,
      onAction,
    });
    if (freeSteps.has(action)) return command(() => void store.retry(job, false));
    if (newCharges.has(action)) return command(() => void store.retry(job, true));
    if (action === 'enter-key' || action === 'change-key') return command(() => void store.enterKey());
    if (action === 'change-address') return command(openSettings);
    if (action === 'open-earlier' && 'failure' in job.state) {
      const transcriptId = job.state.failure.params?.['transcriptId'];
      if (typeof transcriptId !== 'string') return null;
      return command(() => {
        openTranscript(transcriptId);
      });
    }
    return null;
  };

  return (job) => {
    const { state } = job;
    const offered =
      'failure' in state ? words(state.failure).actions.flatMap((action) => forFailure(job, action) ?? []) : [];
    const open =
      state.tag === 'done'
        ? () => {
            openTranscript(state.transcriptId);
          }
        : null;
    const cancelNow = async () => {
      const isAcceptedByService = await store.cancel(job);
      if (isAcceptedByService === null) return;
      showToast({
        icon: X,
        text: t(
          isAcceptedByService ? 'transcribe.cancelQuestion.doneAtService' : 'transcribe.cancelQuestion.doneHere',
          { name: job.name },
        ),
      });
    };
    const cancel = isCancellable(job)
      ? () => {
          if (isPerhapsAtService(job) === 'no') void cancelNow();
          else store.show({ tag: 'cancel-question', jobId: job.id });
        }
      : null;
    const remove = isRemovable(job)
      ? () => {
          if (state.tag === 'cancelled') void store.remove(job);
          else store.show({ tag: 'remove-question', jobId: job.id });
        }
      : null;
    const hasMain = state.tag === 'failed' || state.tag === 'needs-user';
    const goOn: MenuCommand[] =
      state.tag === 'cancelled'
        ? [{ id: 'retry', text: t('common.retry'), icon: RotateCw, onAction: () => void store.retry(job, false) }]
        : [];
    const openCommand: MenuCommand[] = open
      ? [{ id: 'open', text: t('common.open'), icon: FileText, onAction: open }]
      : [];
    // The button of a finished row stays plain, so that a long list stays calm; in the menu all have their pictures.
    const main = open ? { id: 'open', text: t('common.open'), onAction: open } : hasMain ? (offered[0] ?? null) : null;
    const saveRaw: MenuEntry[] =
      state.tag === 'failed' && state.hasRawAnswer
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
    const entries: MenuEntry[] = [
      ...openCommand,
      ...offered,
      ...goOn,
      ...saveRaw,
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
    return { main, entries, open, cancel, remove };
  };
}
