import { findOldRows } from '../../../shared/domain/jobs/batch-progress.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { ModeId } from '../../../shared/domain/modes.ts';
import { isTypedAs } from '../../../shared/domain/text/uzbek-letters.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { Library } from '../library/library.ts';
import { defaultSettings, type SettingsStore } from '../settings/stored-settings.ts';
import type { CleanablePart, KeptAudio, MoveProgress, StorageFiles, StorageUse } from '../../storage/storage-folder.ts';

export type { MoveProgress, StorageUse } from '../../storage/storage-folder.ts';

const total = ({ parts }: StorageUse): number => parts.reduce((sum, { bytes }) => sum + bytes, 0);

export function createStorageService(options: {
  readonly files: StorageFiles;
  readonly connection: { whileClosed<T>(which: ModeId | 'any', work: () => Promise<T>): Promise<T> };
  readonly workspaces: { readonly current: () => Result<Pick<Library, 'keptAudio'>> };
  readonly forgetKeys: () => Promise<Result<null>>;
  readonly settings: SettingsStore;
  readonly clearBrowserData: () => Promise<void>;
}) {
  const { files, connection, workspaces, forgetKeys, settings, clearBrowserData } = options;
  const keptAudio = async (): Promise<KeptAudio> => {
    const library = workspaces.current();
    if (settings.get().mode !== 'service' || !library.ok) return null;
    const kept = await library.value.keptAudio();
    return kept.ok ? kept.value : null;
  };
  let moving: AbortController | null = null;
  return {
    measure: async (): Promise<StorageUse> => files.measure(await keptAudio()),

    /** Removes what can be created again or was chosen. already-open when another program has that library open. */
    async clean(part: CleanablePart): Promise<Result<{ readonly use: StorageUse; readonly freedBytes: number }>> {
      const before = total(await files.measure(null));
      const removed =
        part === 'practice'
          ? await connection.whileClosed('practice', () => files.remove('practice', null))
          : await files.remove(part, part === 'prepared' ? await keptAudio() : null);
      if (!removed.ok) return removed;
      const use = await files.measure(await keptAudio());
      return ok({ use, freedBytes: Math.max(0, before - total(use)) });
    },

    judgeMove: (chosen: string) => files.judgeMove(chosen),

    /** Moves the library while it is closed, then opens it at its new path; after a failure it opens where it was. */
    async move(
      path: string,
      onProgress: (progress: MoveProgress) => void,
    ): Promise<Result<{ readonly leftBytes: number }>> {
      if (moving !== null) return err(makeFailure('library-not-moved', { code: 'move_failed' }));
      const own = new AbortController();
      moving = own;
      try {
        return await connection.whileClosed('any', () => files.move(path, onProgress, own.signal));
      } finally {
        moving = null;
      }
    },
    cancelMove: (): void => moving?.abort(),

    /** The key goes first: when the keychain refuses, nothing else is touched. The language stays. */
    async eraseEverything(typed: string, word: string): Promise<Result<null>> {
      if (!isTypedAs(word, typed)) {
        return err(makeFailure('ipc-refused', { code: 'not_confirmed' }));
      }
      return connection.whileClosed('any', async () => {
        const forgotten = await forgetKeys();
        if (!forgotten.ok) return forgotten;
        const removed = await files.removeEverything();
        if (!removed.ok) return removed;
        await clearBrowserData();
        const { interfaceLanguage, window } = settings.get();
        settings.update({ ...defaultSettings, interfaceLanguage, window });
        return removed;
      });
    },
  };
}

export type StorageService = ReturnType<typeof createStorageService>;

type QueueAndTexts = Pick<Library, 'jobs' | 'deletion'>;

export interface RowCount {
  readonly rowCount: number;
  readonly textCount: number;
}

interface OldRowsOptions {
  readonly library: () => Promise<Result<QueueAndTexts>>;
  readonly now: () => number;
}

export function createOldRows({ library, now }: OldRowsOptions) {
  let last: { owner: QueueAndTexts; rowIds: readonly string[]; textIds: readonly string[] } | null = null;
  const find = ({ jobs, deletion }: QueueAndTexts, days: number) => {
    const { jobIds, transcriptIds } = findOldRows(jobs.list().jobs, days, now());
    return { jobIds, transcriptIds: transcriptIds.filter((id) => !deletion.isGone(id)) };
  };
  return {
    async count(days: number): Promise<Result<RowCount>> {
      const opened = await library();
      if (!opened.ok) return opened;
      const { jobIds, transcriptIds } = find(opened.value, days);
      return ok({ rowCount: jobIds.length, textCount: transcriptIds.length });
    },

    /** Without `withTexts` the texts stay; `atService`: they are deleted there too. */
    async remove(days: number, withTexts: boolean, atService: boolean): Promise<Result<RowCount>> {
      const opened = await library();
      if (!opened.ok) return opened;
      const { jobs, deletion } = opened.value;
      const { jobIds, transcriptIds } = find(opened.value, days);
      const textIds = withTexts ? transcriptIds : [];
      if (textIds.length > 0) {
        const deleted = await deletion.removeAll(textIds, atService);
        if (!deleted.ok) return deleted;
      }
      // Rows of deleted texts have left the list together with them.
      const listed = new Set(jobs.list().jobs.map(({ id }) => id));
      const rowIds = jobIds.filter((id) => listed.has(id));
      const removed = rowIds.length === 0 ? ok(null) : await jobs.act(rowIds, 'remove');
      last = { owner: opened.value, rowIds: removed.ok ? rowIds : [], textIds };
      return removed.ok ? ok({ rowCount: jobIds.length, textCount: textIds.length }) : removed;
    },

    async restore(): Promise<Result<number>> {
      const opened = await library();
      if (!opened.ok) return opened;
      const wanted = last;
      last = null;
      if (wanted === null || wanted.owner !== opened.value) return ok(0);
      const { jobs, deletion } = opened.value;
      const texts = await deletion.restoreAll(wanted.textIds);
      if (!texts.ok) return texts;
      await jobs.bringBack(wanted.rowIds);
      return ok(texts.value + wanted.rowIds.length);
    },
  };
}

export type OldRowsService = ReturnType<typeof createOldRows>;
