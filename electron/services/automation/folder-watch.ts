import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { Library } from '../library/library.ts';
import type { LocalFile } from '../library/file-inspector.ts';

/** A file that has stopped growing. */
export interface StableFile {
  readonly path: string;
  readonly name: string;
  /** Unchanged for the same file after a restart, or after more was written to it. */
  readonly identity: string;
}

export interface WatchPort {
  /** The files that are now in the folder and its subfolders. */
  list(folder: string): Promise<Result<readonly StableFile[], Failure>>;
  /** Calls back for each file once it is complete, including existing ones. */
  watch(folder: string, onFile: (file: StableFile) => void): { close(): Promise<void> };
}

export interface FolderWatchSettings {
  /** Null: nothing is watched. */
  readonly folder: string | null;
  readonly language: SpeechLanguage;
  readonly includeSpeakers: boolean;
  /** By the legacy API. */
  readonly isLegacy: boolean;
}

export interface FolderWatchOptions {
  readonly settings: () => FolderWatchSettings;
  readonly port: WatchPort;
  readonly library: () => Library | null;
  /** Whether these may be sent now; files that would exceed a limit of the user wait in the folder. */
  readonly mayTake: (file: LocalFile) => Promise<boolean>;
  readonly now: () => number;
}

/**
 * Adds recordings that appear in a folder: each once, also across restarts, when it has stopped growing. What was there
 * when watching began is left alone. The log has what was added, and why something was not.
 */
export function createFolderWatch({ settings, port, library, mayTake, now }: FolderWatchOptions) {
  let watching: { readonly folder: string; readonly of: Library; readonly close: () => Promise<void> } | null = null;
  let last: Promise<void> = Promise.resolve();

  const take = async (owner: Library, file: StableFile): Promise<void> => {
    if (watching?.of !== owner || owner.automation.find('watch', file.identity) !== null) return;
    const note = (outcome: 'done' | 'skipped' | 'failed', row: string | null) =>
      owner.automation.note({ kind: 'watch', key: file.identity, atMs: now(), name: file.name, outcome, row });
    const { files, refused } = await owner.files.inspect([file.path]);
    const [found] = files;
    if (found === undefined) return note('failed', refused[0]?.failure.row ?? null);
    // Stays in the folder: the user, who set the limit, can still drop it.
    if (!(await mayTake(found))) return note('skipped', null);
    const { language, includeSpeakers, isLegacy } = settings();
    const options = { kind: 'transcribe', language, includeSpeakers, ...(isLegacy ? { isLegacy } : {}) } as const;
    // Added first and recorded afterwards: a crash in between leads to a question about a duplicate, never to a lost
    // recording.
    const added = await owner.jobs.add([{ path: file.path, ...options }]);
    note(added.jobIds.length > 0 ? 'done' : 'failed', added.refused[0]?.failure.row ?? null);
  };

  const stop = async (): Promise<void> => {
    const old = watching;
    watching = null;
    await old?.close();
  };

  const follow = async (): Promise<void> => {
    const { folder } = settings();
    const owner = library();
    if (watching !== null && watching.folder === folder && watching.of === owner) return;
    await stop();
    if (folder === null || owner === null) return;
    const mark = `folder:${folder}`;
    if (owner.automation.find('watch', mark) === null) {
      const there = await port.list(folder);
      if (!there.ok) return;
      for (const { identity, name } of [...there.value, { identity: mark, name: '' }])
        owner.automation.note({ kind: 'watch', key: identity, atMs: now(), name, outcome: 'there-before', row: null });
    }
    const watched = port.watch(folder, (file) => {
      last = last.then(() => take(owner, file));
    });
    watching = { folder, of: owner, close: () => watched.close() };
  };

  return {
    /** The settings or the library may have changed. */
    refresh: (): void => {
      last = last.then(follow);
    },
    /** When everything that was begun is done. */
    settled: (): Promise<void> => last,
    close: async (): Promise<void> => {
      await last;
      await stop();
    },
  };
}

export type FolderWatch = ReturnType<typeof createFolderWatch>;
