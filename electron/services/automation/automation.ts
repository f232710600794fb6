import { copyName, type CopyCollision } from '../../../shared/domain/exports/safe-file-name.ts';
import { exporters } from '../../../shared/domain/exports/exporters.ts';
import { exportFormats, type ExportFormat } from '../../../shared/domain/exports/formats.ts';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import { exportMany, type BatchPorts, type BatchRequest } from '../exports/batch-export.ts';
import type { ImportWatch, LocalFile } from '../library/store.ts';
import type { Library } from '../library/library.ts';

export interface AutoExportSettings {
  readonly isOn: boolean;
  readonly folder: string | null;
  readonly formats: readonly ExportFormat[];
  readonly template: string;
  readonly collision: CopyCollision;
  readonly options: BatchRequest['options'];
  readonly sinceMs: number;
}

/** The folder of the automatic exports. It is never created: a missing one is on a disk that is not plugged in. */
export interface ExportFolder {
  names(folder: string): Promise<Result<readonly string[]>>;
}

type Finished = JobView & { readonly kind: 'transcribe' } & {
  readonly state: { readonly transcriptId: string } & Extract<JobView['state'], { tag: 'done' }>;
};
interface Copied extends Omit<Finished['state'], 'tag' | 'transcriptId'> {
  readonly transcriptId: string;
  readonly sourceName: string;
  readonly language: SpeechLanguage;
}
const keyOf = (transcriptId: string, format: ExportFormat): string => `${transcriptId}:${format}`;
/** The log is as long as this at most. */
const mostRetried = 1000;
const isFinished = (job: JobView): job is Finished => job.kind === 'transcribe' && job.state.tag === 'done';

interface AutoExportPorts {
  readonly settings: () => AutoExportSettings;
  readonly folders: ExportFolder;
  readonly disk: Omit<BatchPorts, 'open'>;
}

/** What was saved is recorded, so that each text is saved once, also across restarts. */
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
    settled: (): Promise<void> => last,
    /** Stops an audio file that is being written; the rest is exported when the library is opened next. */
    async close(): Promise<void> {
      closing.abort();
      await last;
    },
  };
}

/** A file that has stopped growing. */
export interface StableFile {
  readonly path: string;
  readonly name: string;
  readonly identity: string;
}

export interface WatchPort {
  list(folder: string): Promise<Result<readonly StableFile[]>>;
  watch(folder: string, onFile: (file: StableFile) => void): { close(): Promise<void> };
}

export interface FolderWatchSettings {
  readonly folders: readonly string[];
  readonly language: SpeechLanguage;
  readonly includeSpeakers: boolean;
  readonly isLegacy: boolean;
}

interface FolderWatchOptions {
  readonly settings: () => FolderWatchSettings;
  readonly port: WatchPort;
  readonly library: () => Library | null;
  /** False: it would exceed a limit of the user and stays in the folder; `waits`: it is added as paused. */
  readonly mayTake: (file: LocalFile) => Promise<boolean | 'waits'>;
  readonly now: () => number;
}

const unwatched: ImportWatch = { signal: new AbortController().signal, onProgress: () => undefined };

/** Each recording once, also across restarts; what was there before watching is left alone. */
export function createFolderWatch({ settings, port, library, mayTake, now }: FolderWatchOptions) {
  let watched: { readonly of: Library; readonly folders: Map<string, { close(): Promise<void> }> } | null = null;
  let last: Promise<void> = Promise.resolve();

  const take = async (owner: Library, folder: string, file: StableFile): Promise<void> => {
    // What waits here of a folder that is no longer watched is not sent.
    if (!settings().folders.includes(folder)) return;
    if (watched?.of !== owner || owner.automation.find('watch', file.identity) !== null) return;
    const note = (outcome: 'done' | 'skipped' | 'failed', row: string | null) =>
      owner.automation.note({ kind: 'watch', key: file.identity, atMs: now(), name: file.name, outcome, row });
    const { files, refused } = await owner.files.inspect([file.path]);
    const [found] = files;
    if (found === undefined) return note('failed', refused[0]?.failure.row ?? null);
    // Stays in the folder: the user, who set the limit, can still drop it.
    const admitted = await mayTake(found);
    if (admitted === false) return note('skipped', null);
    const { language, includeSpeakers, isLegacy } = settings();
    const options = { kind: 'transcribe', language, includeSpeakers, ...(isLegacy ? { isLegacy } : {}) } as const;
    // Recorded after it was added: a crash in between repeats a question, and loses no recording.
    const admit = () => Promise.resolve(admitted);
    const added = await owner.jobs.add([{ path: file.path, ...options }], { ...unwatched, admit });
    note(added.jobIds.length > 0 ? 'done' : 'failed', added.refused[0]?.failure.row ?? null);
  };

  const stop = async (): Promise<void> => {
    const old = watched;
    watched = null;
    for (const watcher of old?.folders.values() ?? []) await watcher.close();
  };

  const begin = async (owner: Library, folder: string): Promise<void> => {
    const mark = `folder:${folder}`;
    if (owner.automation.find('watch', mark) === null) {
      const there = await port.list(folder);
      if (!there.ok) return;
      for (const { identity, name } of [...there.value, { identity: mark, name: '' }])
        owner.automation.note({ kind: 'watch', key: identity, atMs: now(), name, outcome: 'there-before', row: null });
    }
    const watcher = port.watch(folder, (file) => {
      last = last.then(() => take(owner, folder, file));
    });
    watched?.folders.set(folder, watcher);
  };

  const follow = async (): Promise<void> => {
    const { folders } = settings();
    const owner = library();
    if (watched !== null && watched.of !== owner) await stop();
    if (owner === null) return;
    watched ??= { of: owner, folders: new Map() };
    for (const [folder, watcher] of watched.folders) {
      if (folders.includes(folder)) continue;
      watched.folders.delete(folder);
      await watcher.close();
    }
    for (const folder of folders) if (!watched.folders.has(folder)) await begin(owner, folder);
  };

  return {
    refresh: (): void => {
      last = last.then(follow);
    },
    settled: (): Promise<void> => last,
    close: async (): Promise<void> => {
      await last;
      await stop();
    },
  };
}

export type FolderWatch = ReturnType<typeof createFolderWatch>;
