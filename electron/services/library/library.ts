import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { ServiceClient } from '../../api/service-client.ts';
import type { Ledger } from '../account/ledger.ts';
import type { AutomationEntry, AutomationKind } from '../automation/automation-log.ts';
import type { ExportService } from '../exports/export-service.ts';
import type { JobService } from '../jobs/job-service.ts';
import type { DeletionService } from '../transcripts/deletion.ts';
import type { TranscriptService } from '../transcripts/transcript-service.ts';
import type { FileInspector } from './file-inspector.ts';
import type { LibraryRecovery } from './recovery.ts';

/** One library: its database, queue and exports. The service and practice each have their own (S-55). */
export interface Library {
  readonly jobs: JobService;
  readonly transcripts: TranscriptService;
  readonly exports: ExportService;
  readonly files: FileInspector;
  readonly deletion: DeletionService;
  /** Sounds in the library's folder that have to stay, by name; null: all of them at this moment. */
  keptSounds(): Promise<Result<ReadonlySet<string> | null>>;
  /** What was done without a hand, kept so that each thing is done once. A disk that refuses is asked again later. */
  readonly automation: {
    find(kind: AutomationKind, key: string): AutomationEntry | null;
    note(entry: AutomationEntry): void;
    /** The newest first. */
    list(limit: number): readonly AutomationEntry[];
  };
  /** E-182 when a damaged library was put aside at start and what could be restored was; otherwise null. */
  readonly notice: Failure | null;
  readonly recovery: LibraryRecovery;
  /** What was paid for from this library's work and beside it; closed together with it. */
  readonly ledger: Ledger;
  /** Everything of the service that this library belongs to; the queue goes through it as well. */
  readonly client: ServiceClient;
  close(): Promise<void>;
}
