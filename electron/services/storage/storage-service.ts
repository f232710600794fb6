import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { isTypedAs } from '../../../shared/domain/text/uzbek-letters.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { ModeId } from '../../../shared/domain/modes.ts';
import type { Library } from '../library/library.ts';
import type { KeyService } from '../secrets/key-service.ts';
import { defaultSettings } from '../settings/stored-settings.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { CleanablePart, KeptAudio, MoveProgress, StorageFiles, StorageUse } from './storage-files.ts';

export interface StorageServiceOptions {
  readonly files: StorageFiles;
  /** Closes the workspace of a mode, if open, while its files are changed. */
  readonly connection: { whileClosed<T>(which: ModeId | 'any', work: () => Promise<T>): Promise<T> };
  readonly workspaces: { readonly current: () => Result<Pick<Library, 'keptAudio'>> };
  readonly keys: Pick<KeyService, 'forget'>;
  readonly settings: SettingsStore;
  /** Clears the browser part's data for our pages. */
  readonly clearBrowserData: () => Promise<void>;
}

export interface Cleaned {
  readonly use: StorageUse;
  readonly freedBytes: number;
}

const total = ({ parts }: StorageUse): number => parts.reduce((sum, { bytes }) => sum + bytes, 0);

/** What the app stores on this computer: how much, and its removal. Recordings are never touched. */
export function createStorageService(options: StorageServiceOptions) {
  const { files, connection, workspaces, keys, settings, clearBrowserData } = options;
  /** Of the service's library; while it is closed nothing is known about its audio, and all of it stays. */
  const keptAudio = async (): Promise<KeptAudio> => {
    const library = workspaces.current();
    if (settings.get().mode !== 'service' || !library.ok) return null;
    const kept = await library.value.keptAudio();
    return kept.ok ? kept.value : null;
  };
  let moving: AbortController | null = null;
  return {
    measure: async (): Promise<StorageUse> => files.measure(await keptAudio()),

    /** Removes what can be created again or was explicitly chosen. E-183 when another program has that library open. */
    async clean(part: CleanablePart): Promise<Result<Cleaned>> {
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
      if (moving !== null) return err(makeFailure('E-239', { code: 'move_failed' }));
      const own = new AbortController();
      moving = own;
      try {
        return await connection.whileClosed('any', () => files.move(path, onProgress, own.signal));
      } finally {
        moving = null;
      }
    },
    /** Possible until the new path is in effect; copied files are removed again. */
    cancelMove: (): void => moving?.abort(),

    /**
     * Erases everything that the app stores and returns to the first screen. `typed` must be the word that the user was
     * asked for. The key is removed first: when the keychain refuses, nothing else is touched and its row gives the
     * reason. The language is kept, so that the user can read what follows.
     */
    async eraseEverything(typed: string, word: string): Promise<Result<null>> {
      if (!isTypedAs(word, typed)) {
        return err(makeFailure('E-231', { code: 'not_confirmed' }));
      }
      return connection.whileClosed('any', async () => {
        const forgotten = await keys.forget();
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
