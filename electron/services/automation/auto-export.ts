import { copyName, type CopyCollision } from '../../../shared/domain/exports/copy-name.ts';
import { exporters } from '../../../shared/domain/exports/exporters.ts';
import { exportFormats, type ExportFormat } from '../../../shared/domain/exports/formats.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { exportMany, type BatchPorts, type BatchRequest } from '../exports/batch-export.ts';
import type { Library } from '../library/library.ts';

/** The user's settings for automatic exports. */
export interface AutoExportSettings {
  readonly isOn: boolean;
  /** Null until one is chosen. */
  readonly folder: string | null;
  readonly formats: readonly ExportFormat[];
  readonly template: string;
  readonly collision: CopyCollision;
  /** The options of each format from its last export. */
  readonly options: BatchRequest['options'];
  /** Only what was finished after this is exported; Unix milliseconds. */
  readonly sinceMs: number;
}

/** The folder of the automatic exports. It is never created: a missing one is on a disk that is not plugged in. */
export interface ExportFolder {
  /** Names of its entries; E-214 when it can't be read. */
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
 * Saves finished texts where the user wants them, like an export of many. What was saved is recorded, so that each is
 * saved once, also across restarts. What failed is tried again when the user asks, when the library is opened next, or
 * when the folder is chosen again.
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
    // An interrupted run has neither, and is repeated next time.
    else if (!closing.signal.aborted) note('skipped', wanted, null);
  };
  const closing = new AbortController();

  return {
    /** Checks changed rows; returns at once and writes in the background. */
    follow(library: Library, jobs: readonly JobView[]): void {
      const { isOn, folder, sinceMs, formats } = settings();
      if (!isOn || folder === null) return;
      const finished = jobs.filter(isFinished).filter(({ state }) => state.finishedAtMs >= sinceMs);
      if (finished.length === 0) return;
      // One after another, because two exports of one name must see each other.
      last = last.then(async () => {
        for (const { name: sourceName, language, state } of finished)
          for (const format of formats) {
            const { transcriptId, finishedAtMs, speakerCount } = state;
            await saveOne(library, { transcriptId, sourceName, finishedAtMs, language, speakerCount }, format);
          }
      });
    },
    /** Repeats the exports that failed, including those of rows that have left the queue. */
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
    /** Resolves when everything that was begun is written. */
    settled: (): Promise<void> => last,
    /** Stops an audio file that is being written; the rest is exported when the library is opened next. */
    async close(): Promise<void> {
      closing.abort();
      await last;
    },
  };
}
