import type { TakeChange } from '../../shared/domain/dictation/take-view.ts';
import type { JobView, QueueView } from '../../shared/domain/jobs/job-view.ts';
import type { PageSettings } from '../../shared/domain/settings/settings.ts';
import type { ShownTake } from '../../shared/domain/speech/speech-document.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { MoveProgress } from '../storage/storage-folder.ts';
import type { ConnectionDescription } from '../workspace/connection-service.ts';

type Nothing = Readonly<Record<string, never>>;

export interface Events {
  /** At most every 100 ms. A row with a lower `seq` than the one shown is ignored. */
  readonly 'jobs.changed': {
    readonly isWhole: boolean;
    readonly jobs: readonly JobView[];
    readonly removedIds: readonly string[];
    readonly queue: QueueView;
  };
  readonly 'files.adding': { readonly doneCount: number; readonly totalCount: number };
  readonly 'usage.changed': Nothing;
  /** The question about spending is open, or was answered. */
  readonly 'spend.asking': { readonly isOpen: boolean };
  readonly 'models.changed': Nothing;
  readonly 'connection.changed': ConnectionDescription;
  readonly 'settings.changed': PageSettings;
  readonly 'library.finding': {
    readonly checkedCount: number;
    readonly totalCount: number;
    readonly foundCount: number;
    readonly isOver: boolean;
    readonly failure: Failure | null;
  };
  readonly 'storage.moving': Omit<MoveProgress, 'step'> & {
    readonly step: MoveProgress['step'] | 'ended';
    readonly failure: Failure | null;
    readonly leftBytes: number;
  };
  readonly 'transcript.wanted': { readonly transcriptId: string };
  readonly 'window.changed': { readonly isMaximized: boolean; readonly isFocused: boolean };
  readonly 'window.leaving': Nothing;
  /** A menu item or a global key asked the page to run one of its commands. */
  readonly 'command.invoked': { readonly command: string };
  readonly 'dictation.changed': TakeChange;
  readonly 'speak.takeChanged': { readonly take: ShownTake };
  /** A signing secret was typed in its own window. */
  readonly 'webhooks.secretTyped': { readonly maskedSuffix: string };
}
