import { distinctFileName, foldedName } from '../../../shared/domain/exports/safe-file-name.ts';
import { copyName, type CopyCollision } from '../../../shared/domain/exports/copy-name.ts';
import { exporters } from '../../../shared/domain/exports/exporters.ts';
import type { ExportFormat } from '../../../shared/domain/exports/formats.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import type { Library } from '../library/library.ts';

/** What a person wants to happen with finished texts. */
export interface AutoExportSettings {
  readonly isOn: boolean;
  /** Null until one is chosen. */
  readonly folder: string | null;
  readonly formats: readonly ExportFormat[];
  readonly template: string;
  readonly collision: CopyCollision;
  /** Only what was finished after this is copied; Unix milliseconds. */
  readonly sinceMs: number;
}

/** The folder copies go to. */
export interface ExportFolder {
  /** Names of what is in it; E-214 when it can't be read. */
  names(folder: string): Promise<Result<readonly string[], Failure>>;
  join(folder: string, name: string): string;
}

export interface AutoExportPorts {
  readonly settings: () => AutoExportSettings;
  readonly folders: ExportFolder;
  readonly now: () => number;
}

type Finished = JobView & { readonly kind: 'transcribe' } & {
  readonly state: { readonly transcriptId: string } & Extract<JobView['state'], { tag: 'done' }>;
};
const isFinished = (job: JobView): job is Finished => job.kind === 'transcribe' && job.state.tag === 'done';

/**
 * Saves finished texts where a person wants them. What was saved is written down, so that each is saved once, also
 * across restarts; what failed is tried again when the library is opened the next time or the folder is chosen anew.
 */
export function createAutoExport({ settings, folders, now }: AutoExportPorts) {
  let last: Promise<void> = Promise.resolve();

  const saveOne = async (library: Library, job: Finished, format: ExportFormat): Promise<void> => {
    const { folder, template, collision } = settings();
    const key = `${job.state.transcriptId}:${format}`;
    const before = library.automation.find('copy', key);
    if (folder === null || (before !== null && before.outcome !== 'failed')) return;
    const extension = exporters[format].extension;
    const facts = {
      sourceName: job.name,
      finishedAtMs: job.state.finishedAtMs,
      language: job.language,
      speakerCount: job.state.speakerCount,
    };
    let name = copyName(template, facts, extension);
    const note = (outcome: 'done' | 'skipped' | 'failed', row: string | null) =>
      library.automation.note({ kind: 'copy', key, atMs: now(), name, outcome, row });
    const there = await folders.names(folder);
    if (!there.ok) return note('failed', there.error.row);
    const taken = new Set(there.value.map(foldedName));
    if (taken.has(foldedName(name))) {
      if (collision === 'skip') return note('skipped', null);
      if (collision === 'number') name = distinctFileName(name.slice(0, -extension.length), extension, taken);
    }
    const saved = await library.exports.save(
      { transcriptId: job.state.transcriptId, format, options: {} },
      folders.join(folder, name),
    );
    note(saved.ok ? 'done' : 'failed', saved.ok ? null : saved.error.row);
  };

  return {
    /** Looks at rows that changed; returns at once, the writing goes on behind. */
    follow(library: Library, jobs: readonly JobView[]): void {
      const { isOn, folder, sinceMs, formats } = settings();
      if (!isOn || folder === null) return;
      const finished = jobs.filter(isFinished).filter(({ state }) => state.finishedAtMs >= sinceMs);
      if (finished.length === 0) return;
      // One after another: two copies of one name must see each other.
      last = last.then(async () => {
        for (const job of finished) for (const format of formats) await saveOne(library, job, format);
      });
    },
    /** When everything that was begun is written. */
    settled: (): Promise<void> => last,
  };
}
