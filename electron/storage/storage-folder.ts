import { createHash } from 'node:crypto';
import { constants, createReadStream, createWriteStream, type Dirent } from 'node:fs';
import { access, lstat, mkdir, readdir, realpath, rename, rm, statfs } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { DataFolder } from '../platform/node/data-folder.ts';
import { hashFile } from '../platform/node/hash-file.ts';
import { isTaken } from '../platform/node/place-file.ts';
import { hasNoRoom, libraryFailure, systemCode } from '../platform/node/storage-failure.ts';
import { listBackups } from './library-backups.ts';
import {
  libraryRootOf,
  lockLibrary,
  rememberLibraryRoot,
  takesFolderName,
  type LibraryLock,
} from './library-folder.ts';
import { isWhole, readFrom } from './sqlite-database.ts';

/** What the app stores, by purpose. `app` is the rest: settings, reserve, and the browser part's data. */
export type StoragePart = 'library' | 'prepared' | 'backups' | 'practice' | 'peaks' | 'log' | 'app';

export type CleanablePart = 'prepared' | 'backups' | 'practice' | 'peaks' | 'log';

export type KeptAudio = ReadonlySet<string> | null;

export interface StorageUse {
  readonly parts: readonly {
    readonly part: StoragePart;
    readonly bytes: number;
    readonly removableBytes: number;
  }[];
  readonly freeBytes: number | null;
  /** Name of the folder that the user moved the library into, without its path; null: the app's own folder. */
  readonly movedTo: string | null;
}

export interface MoveProgress {
  readonly step: 'copying' | 'checking';
  readonly copiedBytes: number;
  readonly totalBytes: number;
}

const lockName = 'library.lock';
/** Files in the app's folder by their origin. Unmatched files belong to somebody else and are never removed. */
const libraryFile =
  /^((library|ledger|search)\.((db|restoring)(-wal|-shm|-journal)?|corrupt-[0-9TZ]+(-wal|-shm)?)|open-requests\.json(\.part)?)$/;
const ownFolders = ['backups', 'prepared', 'audio', 'speech', 'voices', takesFolderName] as const;
const folderName = 'Ovoz Studio Library';
const chunkBytes = 1024 * 1024;
const spareBytes = 16 * 1024 * 1024;
const networkTypes = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f, 0x01021997]);

const refused = (code: string): Result<never> => err(makeFailure('library-not-moved', { code }));

/** Files directly in a folder; links and folders are left out, and a missing folder has none. */
async function filesIn(folder: string, name = /./u): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  return entries.filter((entry) => entry.isFile() && name.test(entry.name)).map((entry) => join(folder, entry.name));
}

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

const sizesOf = (paths: readonly string[]): Promise<readonly number[]> =>
  Promise.all(
    paths.map((path) =>
      lstat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
const sizeOf = async (paths: readonly string[]): Promise<number> => sum(await sizesOf(paths));

/** What moves with the library, as paths inside its folder. */
async function piecesOf(folder: string): Promise<readonly { readonly name: string; readonly bytes: number }[]> {
  const inside = await Promise.all(ownFolders.map((name) => filesIn(join(folder, name))));
  const paths = [...(await filesIn(folder, libraryFile)), ...inside.flat()];
  const sizes = await sizesOf(paths);
  return paths.map((path, at) => ({ name: relative(folder, path), bytes: sizes[at] ?? 0 }));
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
    if ((await isTaken(path)) && (await readdir(path)).length > 0) return refused('move_not_empty');
    const { bavail, bsize, type } = await statfs(folder);
    const needed = sum((await piecesOf(from)).map(({ bytes }) => bytes));
    if (bavail * bsize < needed + spareBytes) return refused('move_no_room');
    return ok({ path, isNetwork: networkTypes.has(type) || folder.startsWith('\\\\') });
  } catch {
    return refused('move_not_writable');
  }
}

async function copyPiece(
  from: string,
  to: string,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256');
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      onProgress(chunk.length);
      yield chunk;
    }
  };
  const target = createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(createReadStream(from, { highWaterMark: chunkBytes }), counted, target, { signal });
  return hash.digest('hex');
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
  const totalBytes = sum(pieces.map(({ bytes }) => bytes));
  const arriving = `${path}.part`;
  let copiedBytes = 0;
  let lock: LibraryLock | null = null;
  try {
    lock = lockLibrary(from);
    await rm(arriving, { recursive: true, force: true });
    await mkdir(arriving, { mode: 0o700 });
    for (const inside of ownFolders) await mkdir(join(arriving, inside), { mode: 0o700 });
    onProgress({ step: 'copying', copiedBytes, totalBytes });
    const count = (bytes: number) => {
      copiedBytes += bytes;
      onProgress({ step: 'copying', copiedBytes, totalBytes });
    };
    const hashes = new Map<string, string>();
    for (const { name } of pieces)
      hashes.set(name, await copyPiece(join(from, name), join(arriving, name), count, signal));
    onProgress({ step: 'checking', copiedBytes, totalBytes });
    for (const [name, sha256] of hashes) {
      const copy = await hashFile(join(arriving, name), signal);
      if (!copy.ok || copy.value.sha256 !== sha256) throw new Error('a copy differs');
    }
    if (hashes.has('library.db') && !readFrom(join(arriving, 'library.db'), isWhole))
      throw new Error('a copy is damaged');
    await rm(path, { recursive: true, force: true });
    await rename(arriving, path);
    rememberLibraryRoot(root, path);
  } catch (error) {
    await rm(arriving, { recursive: true, force: true }).catch(() => undefined);
    lock?.release();
    if (signal.aborted) return refused('move_cancelled');
    return refused(hasNoRoom(error) ? 'move_no_room' : 'move_failed');
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

const appFile = /^(access\.json|settings\.json\.damaged-\d+)$/;
const reserveFile = /^reserve\.bin$/;
const logFile = /^(studio|cli)\.log(\.1)?$/;
const peaksFile = /^[0-9a-f]{64}\.peaks$/;
const takeFile = /^[0-9a-f]{8}-[0-9a-f-]{27}\.(wav|jsonl)$/;
const madeFile = /^[0-9a-f]{8}-[0-9a-f-]{27}(-[a-z0-9]+)*(\.[\w-]+)*$/;
const preparedFile = /^[0-9a-f]{64}\.(m4a|ogg|mp3|flac|wav)(\.part)?$/;

async function sizeBelow(folder: string): Promise<number> {
  if (!(await isRealFolder(folder))) return 0;
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
  return (await sizeOf(await filesIn(folder))) + sum(await Promise.all(folders.map(sizeBelow)));
}

const isRealFolder = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

async function removeAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true });
}

async function attempt(work: () => Promise<void>): Promise<Result<null>> {
  try {
    await work();
    return ok(null);
  } catch (error) {
    // Windows does not remove a file that somebody has open.
    return err(systemCode(error) === 'EBUSY' ? localFailure('already-open') : libraryFailure(error));
  }
}

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

export function openStorageFolder({ root, peaks, logs }: DataFolder) {
  const practice = join(root, 'practice');
  const libraryRoot = () => libraryRootOf(root);
  const backups = () => listBackups(join(libraryRoot(), 'library.db'));

  const removePractice = async () => {
    if (!(await isRealFolder(practice))) return;
    const entries = await readdir(practice).catch((): string[] => []);
    // Backups are deleted before the library: a missing library next to backups would count as lost and be restored.
    const order = entries.toSorted((left, right) => Number(right === 'backups') - Number(left === 'backups'));
    for (const name of order) {
      if (name !== lockName) await rm(join(practice, name), { recursive: true, force: true });
    }
  };
  const preparedFiles = () => filesIn(join(libraryRoot(), 'prepared'), preparedFile);
  /** With takes of dictation, also those that an older version left here when the library was moved. */
  const libraryFiles = async () => {
    const places = [
      filesIn(libraryRoot(), libraryFile),
      ...[...new Set([libraryRoot(), root])].map((place) => filesIn(join(place, takesFolderName), takeFile)),
      ...['audio', 'speech', 'voices'].map((name) => filesIn(join(libraryRoot(), name), madeFile)),
    ];
    return (await Promise.all(places)).flat();
  };
  const filesOf = {
    library: libraryFiles,
    prepared: preparedFiles,
    backups: async () => backups(),
    peaks: () => filesIn(peaks, peaksFile),
    log: () => filesIn(logs, logFile),
  };
  const removable = {
    prepared: async (kept: KeptAudio) =>
      kept === null ? [] : (await preparedFiles()).filter((path) => !kept.has(basename(path))),
    backups: async () => backups().slice(1),
    peaks: filesOf.peaks,
    log: filesOf.log,
  };

  const inLibraryFolder = ['library', 'prepared', 'backups'] as const;

  return {
    async measure(kept: KeptAudio): Promise<StorageUse> {
      const measured = async (part: keyof typeof filesOf) => ({
        part,
        bytes: await sizeOf(await filesOf[part]()),
        removableBytes: part === 'library' ? 0 : await sizeOf(await removable[part](kept)),
      });
      const [practiceBytes, lockBytes, all, disk, inLibrary, beside] = await Promise.all([
        sizeBelow(practice),
        sizeOf([join(practice, lockName)]),
        sizeBelow(root),
        statfs(root).catch(() => null),
        Promise.all(inLibraryFolder.map(measured)),
        Promise.all((['peaks', 'log'] as const).map(measured)),
      ]);
      const practiceUse = { bytes: practiceBytes, removableBytes: Math.max(0, practiceBytes - lockBytes) };
      const known = [...beside, practiceUse, ...(libraryRoot() === root ? inLibrary : [])];
      const otherBytes = Math.max(0, all - sum(known.map(({ bytes }) => bytes)));
      return {
        parts: [
          ...inLibrary,
          { part: 'practice', ...practiceUse },
          ...beside,
          { part: 'app', bytes: otherBytes, removableBytes: 0 },
        ],
        freeBytes: disk === null ? null : disk.bavail * disk.bsize,
        movedTo: libraryRoot() === root ? null : basename(dirname(libraryRoot())),
      };
    },
    judgeMove: judgeTarget.bind(null, root),
    move: moveLibrary.bind(null, root),
    /** already-open when another process has what is to be removed open. */
    remove: (part: CleanablePart, kept: KeptAudio): Promise<Result<null>> =>
      part === 'practice'
        ? withLocks([practice], removePractice)
        : attempt(async () => removeAll(await removable[part](kept))),
    /** Everything except the settings file and the locks; both libraries must be closed. */
    removeEverything: (): Promise<Result<null>> =>
      withLocks([libraryRoot(), practice], async () => {
        for (const part of ['backups', 'library', 'prepared', 'peaks', 'log'] as const)
          await removeAll(await filesOf[part]());
        await removePractice();
        await removeAll(await filesIn(libraryRoot(), reserveFile));
        await removeAll(await filesIn(root, appFile));
        rememberLibraryRoot(root, root);
      }),
  };
}

export type StorageFiles = ReturnType<typeof openStorageFolder>;
