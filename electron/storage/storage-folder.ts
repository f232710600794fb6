import type { Dirent } from 'node:fs';
import { lstat, readdir, rm, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { KeptAudio, StorageFiles, StoragePart } from '../services/storage/storage-files.ts';
import type { DataFolder } from '../platform/node/data-folder.ts';
import { libraryRootOf, rememberLibraryRoot, takesFolderName } from './library-location.ts';
import { judgeTarget, moveLibrary } from './move-library.ts';
import { listBackups } from './library-backups.ts';
import { lockLibrary, type LibraryLock } from './library-lock.ts';
import { libraryFailure, systemCode } from '../platform/node/storage-failure.ts';

const lockName = 'library.lock';
/** Files in the app's folder by their origin. Unmatched files belong to somebody else and are never removed. */
const libraryFile =
  /^((library|ledger|search)\.((db|restoring)(-wal|-shm|-journal)?|corrupt-[0-9TZ]+(-wal|-shm)?)|open-requests\.json(\.part)?)$/;
const accessFile = /^access\.json$/;
const reserveFile = /^reserve\.bin$/;
const settingsCopy = /^settings\.json\.damaged-\d+$/;
const logFile = /^(studio|cli)\.log(\.1)?$/;
const peaksFile = /^[0-9a-f]{64}\.peaks$/;
const takeFile = /^[0-9a-f]{8}-[0-9a-f-]{27}\.(wav|jsonl)$/;
/** Named by an id of the library, optionally with its export format; or still being written. */
const madeFile = /^[0-9a-f]{8}-[0-9a-f-]{27}(-[a-z0-9]+)*(\.[\w-]+)*$/;
const preparedFile = /^[0-9a-f]{64}\.(m4a|ogg|mp3|flac|wav)(\.part)?$/;

/** Files directly in a folder; links and folders are left out, and a missing folder has none. */
async function filesIn(folder: string, name: RegExp): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  return entries.filter((entry) => entry.isFile() && name.test(entry.name)).map((entry) => join(folder, entry.name));
}

const sizeOf = async (paths: readonly string[]): Promise<number> => {
  const sizes = await Promise.all(
    paths.map((path) =>
      lstat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
};

/** Total size below a folder. Links are not followed, and what vanishes meanwhile counts as nothing. */
async function sizeBelow(folder: string): Promise<number> {
  if (!(await isRealFolder(folder))) return 0;
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  let bytes = await sizeOf(entries.filter((entry) => entry.isFile()).map((entry) => join(folder, entry.name)));
  for (const entry of entries) if (entry.isDirectory()) bytes += await sizeBelow(join(folder, entry.name));
  return bytes;
}

const isRealFolder = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Measures and removes what the app stores in its folder. Synchronous only where a lock requires it. */
export function openStorageFolder(folder: DataFolder): StorageFiles {
  const { root } = folder;
  const practice = join(root, 'practice');
  const libraryRoot = () => libraryRootOf(root);
  const database = () => join(libraryRoot(), 'library.db');

  const removeAll = async (paths: readonly string[]) => {
    for (const path of paths) await rm(path, { force: true });
  };
  const removePractice = async () => {
    if (!(await isRealFolder(practice))) return;
    const entries = await readdir(practice).catch((): string[] => []);
    // Backups are deleted before the library: a missing library next to backups would count as lost and be restored.
    const order = entries.toSorted((left, right) => Number(right === 'backups') - Number(left === 'backups'));
    for (const name of order) {
      if (name !== lockName) await rm(join(practice, name), { recursive: true, force: true });
    }
  };
  const attempt = async (work: () => Promise<void>): Promise<Result<null>> => {
    try {
      await work();
      return ok(null);
    } catch (error) {
      // Windows does not remove a file that somebody has open.
      return err(systemCode(error) === 'EBUSY' ? localFailure('E-183') : libraryFailure(error));
    }
  };
  /** Nobody else may have the libraries open while their files are deleted. */
  const withLocks = (folders: readonly string[], work: () => Promise<void>): Promise<Result<null>> =>
    attempt(async () => {
      const locks: LibraryLock[] = [];
      try {
        for (const path of folders) if (await isRealFolder(path)) locks.push(lockLibrary(path));
        await work();
      } finally {
        for (const lock of locks) lock.release();
      }
    });

  /** Takes of dictation, including those that an older version left here when the library was moved. */
  const takeFiles = async () =>
    (
      await Promise.all(
        [...new Set([libraryRoot(), root])].map((place) => filesIn(join(place, takesFolderName), takeFile)),
      )
    ).flat();
  /** Isolated or generated audio, and recordings of voices; the library names these files. */
  const madeFiles = async () =>
    (
      await Promise.all(['audio', 'speech', 'voices'].map((name) => filesIn(join(libraryRoot(), name), madeFile)))
    ).flat();
  const libraryFiles = () => filesIn(libraryRoot(), libraryFile);
  /** The audio extracted for the library. */
  const preparedFiles = () => filesIn(join(libraryRoot(), 'prepared'), preparedFile);
  const looseAudio = async (kept: KeptAudio): Promise<readonly string[]> =>
    kept === null ? [] : (await preparedFiles()).filter((path) => !kept.has(basename(path)));

  const removals = {
    prepared: (kept: KeptAudio) => attempt(async () => removeAll(await looseAudio(kept))),
    peaks: () => attempt(async () => removeAll(await filesIn(folder.peaks, peaksFile))),
    log: () => attempt(async () => removeAll(await filesIn(folder.logs, logFile))),
    backups: () => attempt(async () => removeAll(listBackups(database()).slice(1))),
    practice: () => withLocks([practice], removePractice),
  };

  return {
    async measure(kept) {
      const copies = listBackups(database());
      const [library, takes, made, prepared, looseBytes, backups, older, practiceBytes, peaks, log, all] =
        await Promise.all([
          libraryFiles().then(sizeOf),
          takeFiles().then(sizeOf),
          madeFiles().then(sizeOf),
          preparedFiles().then(sizeOf),
          looseAudio(kept).then(sizeOf),
          sizeOf(copies),
          sizeOf(copies.slice(1)),
          sizeBelow(practice),
          filesIn(folder.peaks, peaksFile).then(sizeOf),
          filesIn(folder.logs, logFile).then(sizeOf),
          sizeBelow(root),
        ]);
      const lock = await sizeOf([join(practice, lockName)]);
      const known = takes + made + library + prepared + backups + practiceBytes + peaks + log;
      const part = (name: StoragePart, bytes: number, removableBytes = 0) => ({ part: name, bytes, removableBytes });
      const disk = await statfs(root).catch(() => null);
      return {
        parts: [
          part('library', library + takes + made),
          part('prepared', prepared, looseBytes),
          part('backups', backups, older),
          part('practice', practiceBytes, Math.max(0, practiceBytes - lock)),
          part('peaks', peaks, peaks),
          part('log', log, log),
          part(
            'app',
            Math.max(0, all - (libraryRoot() === root ? known : known - library - prepared - backups - takes - made)),
          ),
        ],
        freeBytes: disk === null ? null : disk.bavail * disk.bsize,
        movedTo: libraryRoot() === root ? null : basename(dirname(libraryRoot())),
      };
    },
    judgeMove: (chosen) => judgeTarget(root, chosen),
    move: (path, onProgress, signal) => moveLibrary(root, path, onProgress, signal),
    remove: (part, kept) => removals[part](kept),
    removeEverything: () =>
      withLocks([libraryRoot(), practice], async () => {
        await removeAll(listBackups(database()));
        await removeAll(await libraryFiles());
        await removeAll(await preparedFiles());
        await removeAll(await takeFiles());
        await removeAll(await madeFiles());
        await removePractice();
        await removeAll(await filesIn(folder.peaks, peaksFile));
        await removeAll(await filesIn(folder.logs, logFile));
        await removeAll(await filesIn(libraryRoot(), reserveFile));
        await removeAll(await filesIn(root, accessFile));
        await removeAll(await filesIn(root, settingsCopy));
        rememberLibraryRoot(root, root);
      }),
  };
}
