import { Notification, powerSaveBlocker, type BrowserWindow } from 'electron';
import { batchProgress, followBatch, noBatch, type BatchEnd } from '../../../shared/domain/jobs/batch-progress.ts';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import { translate } from '../words.ts';

const shownNames = 3;

export interface QueueSignalsOptions {
  readonly window: () => BrowserWindow | undefined;
  readonly language: () => InterfaceLanguage;
  readonly settings: () => { readonly notifiesWhenDone: boolean; readonly keepsAwake: boolean };
  readonly onOpen: (transcriptId: string | null) => void;
}

interface RowsChange {
  readonly jobs: readonly JobView[];
  readonly removedIds: readonly string[];
}

/** Progress in the dock, a notification when a batch ends out of sight, and no sleep during uploads. */
export function createQueueSignals({ window, language, settings, onOpen }: QueueSignalsOptions) {
  const jobs = new Map<string, JobView>();
  let batch = noBatch;
  let blocker: number | null = null;
  let shownProgress = -1;

  const showProgress = () => {
    const { sentFraction, heardFraction, runningCount } = batchProgress([...jobs.values()]);
    const fraction = heardFraction ?? sentFraction;
    // A value of two means "busy, duration unknown", on systems that can show it.
    const value = runningCount === 0 ? -1 : fraction === null ? 2 : Math.floor(fraction * 100) / 100;
    const target = window();
    if (value === shownProgress || target === undefined || target.isDestroyed()) return;
    shownProgress = value;
    target.setProgressBar(value);
  };

  const holdSleep = () => {
    const isSending = [...jobs.values()].some(({ state }) => state.tag === 'uploading');
    const wants = isSending && settings().keepsAwake;
    if (wants && blocker === null) blocker = powerSaveBlocker.start('prevent-app-suspension');
    else if (!wants && blocker !== null) {
      powerSaveBlocker.stop(blocker);
      blocker = null;
    }
  };

  const namesOf = (names: readonly string[]): string => {
    const rest = names.length - shownNames;
    const listed = names.slice(0, shownNames).join(', ');
    return rest > 0 ? `${listed} ${translate(language(), 'dialogs.notice.more', { count: rest })}` : listed;
  };
  const notify = ({ doneNames, failedNames, transcriptId }: BatchEnd) => {
    if (!settings().notifiesWhenDone || !Notification.isSupported() || window()?.isFocused() === true) return;
    const say = (key: string, count: number) => translate(language(), `dialogs.notice.${key}`, { count });
    const notice = new Notification({
      title:
        doneNames.length === 0
          ? say('failedTitle', failedNames.length)
          : failedNames.length === 0
            ? say('doneTitle', doneNames.length)
            : `${say('doneTitle', doneNames.length)}, ${say('failedPart', failedNames.length)}`,
      body: namesOf(failedNames.length > 0 ? failedNames : doneNames),
      silent: true,
    });
    notice.on('click', () => onOpen(transcriptId));
    notice.show();
  };

  return {
    follow(change: RowsChange): void {
      for (const job of change.jobs) jobs.set(job.id, job);
      for (const id of change.removedIds) jobs.delete(id);
      const followed = followBatch(batch, change.jobs, change.removedIds);
      batch = followed.watch;
      showProgress();
      holdSleep();
      if (followed.end !== null) notify(followed.end);
    },
    refresh(): void {
      shownProgress = Number.NaN;
      showProgress();
      holdSleep();
    },
    close(): void {
      jobs.clear();
      holdSleep();
    },
  };
}
