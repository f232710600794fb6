import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Ledger } from '../account/ledger.ts';
import { createExportService } from '../exports/export-service.ts';
import { createJobQueue, type QueueOptions } from '../jobs/job-queue.ts';
import type { QueuePorts } from '../jobs/ports.ts';
import { createTranscriptService } from '../transcripts/transcript-service.ts';
import { createFileInspector } from './file-inspector.ts';
import type { Library, LibraryRecovery } from './library.ts';

export interface LibraryParts {
  readonly ports: QueuePorts;
  readonly queue: QueueOptions;
  readonly isPractice: boolean;
  /** "Speaker 2" in the language of the recording. */
  readonly nameSpeaker: (language: InterfaceLanguage, number: number) => string;
  readonly notice: Failure | null;
  readonly recovery: LibraryRecovery;
  readonly ledger: Ledger;
}

/** The services of one library over its store; `close` stops the queue first. */
export function createLibrary({
  ports,
  queue,
  isPractice,
  nameSpeaker,
  notice,
  recovery,
  ledger,
}: LibraryParts): Library {
  const { store, files, sounds, api, log } = ports;
  const jobs = createJobQueue(ports, queue);
  return {
    jobs,
    transcripts: createTranscriptService({ store, files, sounds, api, log, isPractice }),
    exports: createExportService({ store, files, nameSpeaker }),
    files: createFileInspector(files, sounds),
    notice,
    recovery,
    ledger,
    async close() {
      await jobs.stop();
      await sounds.close();
      store.close();
    },
  };
}
