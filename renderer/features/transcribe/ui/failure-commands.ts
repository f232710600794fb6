import { ArchiveRestore, Copy, FileText, KeyRound, MapPinned, RotateCw, Settings, type LucideIcon } from 'lucide-react';
import type { TFunction } from 'i18next';
import { freeSteps, newCharges, type FailureAction } from '../../../../shared/domain/failures/actions.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import type { MenuCommand } from '../../../ui/menu.tsx';
import type { useToast } from '../../../ui/toast.tsx';
import type { TranscribeActions } from '../transcribe-context.ts';

const icons: Partial<Record<FailureAction, LucideIcon>> = {
  'enter-key': KeyRound,
  'change-key': KeyRound,
  'change-address': Settings,
  'locate-file': MapPinned,
  'open-earlier': FileText,
  'copy-earlier': Copy,
};

export interface FailureMeans extends TranscribeActions {
  readonly t: TFunction;
  readonly actionText: (action: FailureAction) => string;
  readonly showToast: ReturnType<typeof useToast>;
  /** Nothing is charged, so nothing is asked. */
  readonly isFree: boolean;
}

/** The action that a failed row offers, as a command; null if this screen can't perform it. */
export function failureCommands({
  t,
  actionText,
  showToast,
  isFree,
  store,
  openTranscript,
  restoreTranscript,
  openSettings,
}: FailureMeans): (job: JobView, action: FailureAction) => MenuCommand | null {
  return (job, action) => {
    const command = (onAction: () => void): MenuCommand => ({
      id: action,
      text: actionText(action),
      icon: icons[action] ?? RotateCw,
      onAction,
    });
    if (freeSteps.has(action)) return command(() => void store.retry(job, false));
    if (newCharges.has(action)) {
      if (isFree) return command(() => void store.retry(job, true));
      return command(() => {
        store.show({ tag: 'charge-question', jobId: job.id });
      });
    }
    if (action === 'enter-key' || action === 'change-key') return command(() => void store.enterKey());
    if (action === 'change-address') return command(openSettings);
    if (action === 'locate-file') return command(() => void store.locate(job));
    if (
      action === 'copy-earlier' &&
      'failure' in job.state &&
      job.state.failure.params?.['transcriptId'] !== undefined
    ) {
      const copy = async () => {
        if ((await store.copyResult(job)) !== null)
          showToast({ icon: Copy, text: t('transcribe.actions.copied', { name: job.name }) });
      };
      return command(() => void copy());
    }
    if (action === 'open-earlier' && 'failure' in job.state) {
      const transcriptId = job.state.failure.params?.['transcriptId'];
      if (typeof transcriptId !== 'string') return null;
      if (job.state.failure.code === 'same_in_trash') {
        const restore = command(() => {
          restoreTranscript(transcriptId);
        });
        return { ...restore, text: t('transcripts.restoreAndOpen'), icon: ArchiveRestore };
      }
      return command(() => {
        openTranscript(transcriptId);
      });
    }
    return null;
  };
}
