import { copyName, type CopyCollision } from '../../../shared/domain/exports/copy-name.ts';
import { exporters } from '../../../shared/domain/exports/exporters.ts';
import { exportFormats, type ExportFormat } from '../../../shared/domain/exports/formats.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { exportMany, type BatchPorts, type BatchRequest } from '../exports/batch-export.ts';
import type { Library } from '../library/library.ts';

/** What a person wants to happen with finished texts. */
export interface AutoExportSettings {
  readonly isOn: boolean;
  /** Null until one is chosen. */
  readonly folder: string | null;
  readonly formats: readonly ExportFormat[];
  readonly template: string;
  readonly collision: CopyCollision;
  /** What was chosen for each format when it was exported last. */
  readonly options: BatchRequest['options'];
  /** Only what was finished after this is copied; Unix milliseconds. */
  readonly sinceMs: number;
}

/** The folder that copies go to, which is never made anew: one that is away is on a disk that is not plugged in. */
export interface ExportFolder {
  /** Names of what is in it; E-214 when it can't be read. */
  names(folder: string): Promise<Result<readonly string[], Failure>>;
}

export interface AutoExportPorts {
  readonly settings: () => AutoExportSettings;
  readonly folders: ExportFolder;
  readonly disk: Omit<BatchPorts, 'open'>;
}

type Finished = JobView & { readonly kind: 'transcribe' } & {
  readonly state: { readonly transcriptId: string } & Extract<JobView['state'], { tag: 'done' }>;
};
/** What a copy is made of, and named by. */
interface Copied extends Omit<Finished['state'], 'tag' | 'transcriptId'> {
  readonly transcriptId: string;
  readonly sourceName: string;
  readonly language: SpeechLanguage;
}
const keyOf = (transcriptId: string, format: ExportFormat): string => `${transcriptId}:${format}`;
/** The log is as long as this at most. */
const mostRetried = 1000;
const isFinished = (job: JobView): job is Finished => job.kind === 'transcribe' && job.state.tag === 'done';

/**
 * Saves finished texts where a person wants them, as an export of many does. What was saved is written down, so that
 * each is saved once, also across restarts; what failed is tried again when a person asks for it, the library is opened
 * the next time or the folder is chosen anew.
 */
export function createAutoExport({ settings, folders, disk }: AutoExportPorts) {
  let last: Promise<void> = Promise.resolve();

  const saveOne = async (library: Library, { transcriptId, ...facts }: Copied, format: ExportFormat): Promise<void> => {
    const { folder, template, collision, options } = settings();
    const key = keyOf(transcriptId, format);
    const before = library.automation.find('copy', key);
    if (folder === null || (before !== null && before.outcome !== 'failed')) return;
    const wanted = copyName(template, facts, exporters[format].extension);
    const note = (outcome: 'done' | 'skipped' | 'failed', name: string, row: string | null) =>
      library.automation.note({ kind: 'copy', key, atMs: disk.now(), name, outcome, row });
    const there = await folders.names(folder);
    if (!there.ok) return note('failed', wanted, there.error.row);
    const [outcome] = await exportMany(
      { items: [{ transcriptId, formats: [format] }], options, template, collision, layout: 'files', folder },
      {
        ...disk,
        open: async (id) => {
          const opened = library.exports.open(id);
          return opened.ok ? ok({ ...opened.value, ...facts, createdAtMs: facts.finishedAtMs }) : opened;
        },
      },
      { signal: closing.signal, onProgress: () => undefined },
    );
    const failed = outcome?.failures[0];
    const output = outcome?.outputs[0];
    if (failed !== undefined) note('failed', wanted, failed.failure.row);
    else if (output !== undefined) note('done', output.split(/[/\\]/u).at(-1) ?? wanted, null);
    // A run that was stopped has neither, and is taken up the next time.
    else if (!closing.signal.aborted) note('skipped', wanted, null);
  };
  const closing = new AbortController();

  return {
    /** Looks at rows that changed; returns at once, the writing goes on behind. */
    follow(library: Library, jobs: readonly JobView[]): void {
      const { isOn, folder, sinceMs, formats } = settings();
      if (!isOn || folder === null) return;
      const finished = jobs.filter(isFinished).filter(({ state }) => state.finishedAtMs >= sinceMs);
      if (finished.length === 0) return;
      // One after another: two copies of one name must see each other.
      last = last.then(async () => {
        for (const { name: sourceName, language, state } of finished)
          for (const format of formats) {
            const { transcriptId, finishedAtMs, speakerCount } = state;
            await saveOne(library, { transcriptId, sourceName, finishedAtMs, language, speakerCount }, format);
          }
      });
    },
    /** Makes once more what could not be written, also of what stands in no queue any more. */
    async retry(library: Library): Promise<void> {
      const failed = library.automation
        .list(mostRetried)
        .filter(({ kind, outcome }) => kind === 'copy' && outcome === 'failed');
      last = last.then(async () => {
        for (const { key } of failed) {
          const [transcriptId = '', ...rest] = key.split(':');
          const format = exportFormats.find((one) => one === rest.join(':'));
          const opened = library.exports.open(transcriptId);
          const found = library.transcripts.find(transcriptId);
          if (format === undefined || !opened.ok || !found.ok) continue;
          const { createdAtMs: finishedAtMs, language, speakerCount } = opened.value;
          const { sourceName } = found.value;
          await saveOne(library, { transcriptId, sourceName, finishedAtMs, language, speakerCount }, format);
        }
      });
      await last;
    },
    /** When everything that was begun is written. */
    settled: (): Promise<void> => last,
    /** Stops an audio file that is being written; what is left is made when the library is opened the next time. */
    async close(): Promise<void> {
      closing.abort();
      await last;
    },
  };
}
