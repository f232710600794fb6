import { createHash } from 'node:crypto';
import { constants, createReadStream, type Dirent } from 'node:fs';
import { access, lstat, mkdir, open, readdir, realpath, rename, rm, statfs } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { DataFolder } from '../platform/node/data-folder.ts';
import { libraryFailure, systemCode } from '../platform/node/storage-failure.ts';
import { listBackups } from './library-backups.ts';
import {
  libraryRootOf,
  lockLibrary,
  rememberLibraryRoot,
  takesFolderName,
  type LibraryLock,
} from './library-folder.ts';

/** What the app stores, by purpose. `app` is the rest: settings, reserve, and the browser part's data. */
export type StoragePart = 'library' | 'prepared' | 'backups' | 'practice' | 'peaks' | 'log' | 'app';

export type CleanablePart = 'prepared' | 'backups' | 'practice' | 'peaks' | 'log';

export type KeptAudio = ReadonlySet<string> | null;

export interface PartUse {
  readonly part: StoragePart;
  readonly bytes: number;
  readonly removableBytes: number;
}

export interface StorageUse {
  readonly parts: readonly PartUse[];
  readonly freeBytes: number | null;
  /** Name of the folder that the user moved the library into, without its path; null: the app's own folder. */
  readonly movedTo: string | null;
}

export interface MoveProgress {
  readonly step: 'copying' | 'checking';
  readonly copiedBytes: number;
  readonly totalBytes: number;
}

const ownFile =
  /^((library|ledger|search)\.(db(-wal|-shm|-journal)?|corrupt-[0-9TZ]+(-wal|-shm)?)|open-requests\.json)$/;
const ownFolders = ['backups', 'prepared', 'audio', 'speech', 'voices', takesFolderName] as const;
const folderName = 'Ovoz Studio Library';
const chunkBytes = 1024 * 1024;
const spareBytes = 16 * 1024 * 1024;
const networkTypes = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f, 0x01021997]);

const refused = (code: string): Result<never> => err(makeFailure('library-not-moved', { code }));

interface Piece {
  readonly name: string;
  readonly bytes: number;
}

async function piecesOf(folder: string): Promise<readonly Piece[]> {
  const pieces: Piece[] = [];
  const add = async (inside: string, isOwn: (name: string) => boolean) => {
    const entries = await readdir(join(folder, inside), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (!entry.isFile() || !isOwn(entry.name)) continue;
      const name = join(inside, entry.name);
      pieces.push({ name, bytes: (await lstat(join(folder, name))).size });
    }
  };
  await add('', (name) => ownFile.test(name));
  for (const inside of ownFolders) await add(inside, () => true);
  return pieces;
}

const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  // Between two drives of Windows there is no relative path, so the result is absolute.
  return way === '' || (!way.startsWith(`..${sep}`) && way !== '..' && !isAbsolute(way));
};

/** library-not-moved with the reason why not. Nothing is written. */
export async function judgeTarget(
  root: string,
  chosen: string,
): Promise<Result<{ readonly path: string; readonly isNetwork: boolean }>> {
  try {
    const folder = await realpath(chosen);
    const from = await realpath(libraryRootOf(root));
    if (isInside(from, folder) || isInside(await realpath(root), folder)) return refused('move_inside');
    await access(folder, constants.W_OK);
    const path = join(folder, folderName);
    if (
      await lstat(path).then(
        () => true,
        () => false,
      )
    ) {
      if ((await readdir(path)).length > 0) return refused('move_not_empty');
    }
    const { bavail, bsize, type } = await statfs(folder);
    const needed = (await piecesOf(from)).reduce((sum, { bytes }) => sum + bytes, spareBytes);
    if (bavail * bsize < needed) return refused('move_no_room');
    return ok({ path, isNetwork: networkTypes.has(type) || folder.startsWith('\\\\') });
  } catch {
    return refused('move_not_writable');
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function copyPiece(
  from: string,
  to: string,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256');
  const source = await open(from, 'r');
  const target = await open(to, 'wx', 0o600);
  try {
    const buffer = Buffer.alloc(chunkBytes);
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await source.read(buffer, 0, chunkBytes, null);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      for (let at = 0; at < bytesRead;) at += (await target.write(buffer, at, bytesRead - at)).bytesWritten;
      onProgress(bytesRead);
    }
    await target.sync();
  } finally {
    await source.close();
    await target.close();
  }
  return hash.digest('hex');
}

function isWhole(path: string): boolean {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database.prepare('PRAGMA quick_check').get()?.['quick_check'] === 'ok';
  } finally {
    database.close();
  }
}

/** Copied, flushed and read back before the new path is stored; only then old files are deleted. */
export async function moveLibrary(
  root: string,
  path: string,
  onProgress: (progress: MoveProgress) => void,
  signal: AbortSignal,
): Promise<Result<{ readonly leftBytes: number }>> {
  const from = libraryRootOf(root);
  const pieces = await piecesOf(from);
  const totalBytes = pieces.reduce((sum, { bytes }) => sum + bytes, 0);
  const arriving = `${path}.part`;
  let copiedBytes = 0;
  let lock: ReturnType<typeof lockLibrary> | null = null;
  try {
    lock = lockLibrary(from);
    await rm(arriving, { recursive: true, force: true });
    await mkdir(arriving, { mode: 0o700 });
    for (const inside of ownFolders) await mkdir(join(arriving, inside), { mode: 0o700 });
    onProgress({ step: 'copying', copiedBytes, totalBytes });
    const sums = new Map<string, string>();
    for (const { name } of pieces) {
      const sum = await copyPiece(
        join(from, name),
        join(arriving, name),
        (bytes) => {
          copiedBytes += bytes;
          onProgress({ step: 'copying', copiedBytes, totalBytes });
        },
        signal,
      );
      sums.set(name, sum);
    }
    onProgress({ step: 'checking', copiedBytes, totalBytes });
    for (const [name, sum] of sums) {
      signal.throwIfAborted();
      if ((await hashOf(join(arriving, name))) !== sum) throw new Error('a copy differs');
    }
    if (sums.has('library.db') && !isWhole(join(arriving, 'library.db'))) throw new Error('a copy is damaged');
    await rm(path, { recursive: true, force: true });
    await rename(arriving, path);
    rememberLibraryRoot(root, path);
  } catch (error) {
    await rm(arriving, { recursive: true, force: true }).catch(() => undefined);
    lock?.release();
    if (signal.aborted) return refused('move_cancelled');
    return refused(['ENOSPC', 'EDQUOT', 'EFBIG'].includes(systemCode(error)) ? 'move_no_room' : 'move_failed');
  }
  // The new library is in effect from here on; an old file that can't be deleted only takes up space.
  let leftBytes = 0;
  for (const { name, bytes } of pieces) {
    await rm(join(from, name), { force: true }).catch(() => {
      leftBytes += bytes;
    });
  }
  lock.release();
  return ok({ leftBytes });
}

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

export function openStorageFolder(folder: DataFolder) {
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
      return err(systemCode(error) === 'EBUSY' ? localFailure('already-open') : libraryFailure(error));
    }
  };
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
  const madeFiles = async () =>
    (
      await Promise.all(['audio', 'speech', 'voices'].map((name) => filesIn(join(libraryRoot(), name), madeFile)))
    ).flat();
  const libraryFiles = () => filesIn(libraryRoot(), libraryFile);
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
    async measure(kept: KeptAudio): Promise<StorageUse> {
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
    judgeMove: (chosen: string) => judgeTarget(root, chosen),
    move: (path: string, onProgress: (progress: MoveProgress) => void, signal: AbortSignal) =>
      moveLibrary(root, path, onProgress, signal),
    /** already-open when another process has what is to be removed open. */
    remove: (part: CleanablePart, kept: KeptAudio): Promise<Result<null>> => removals[part](kept),
    /** Everything except the settings file and the locks; both libraries must be closed. */
    removeEverything: (): Promise<Result<null>> =>
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

export type StorageFiles = ReturnType<typeof openStorageFolder>;
