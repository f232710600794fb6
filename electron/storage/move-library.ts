import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, lstat, mkdir, open, readdir, realpath, rename, rm, statfs } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { MoveProgress } from '../services/storage/storage-files.ts';
import { lockLibrary } from './library-lock.ts';
import { libraryRootOf, rememberLibraryRoot, takesFolderName } from './library-location.ts';
import { systemCode } from '../platform/node/storage-failure.ts';

/** What belongs to a library: its files, and the folders of its backups and of extracted audio. */
const ownFile =
  /^((library|ledger|search)\.(db(-wal|-shm|-journal)?|corrupt-[0-9TZ]+(-wal|-shm)?)|open-requests\.json)$/;
const ownFolders = ['backups', 'prepared', 'audio', 'speech', 'voices', takesFolderName] as const;
const folderName = 'Ovoz Studio Library';
const chunkBytes = 1024 * 1024;
/** Left free beside what is copied. */
const spareBytes = 16 * 1024 * 1024;
/** Types of network file systems, on which a database may be damaged: NFS, SMB, CIFS, AFS, 9P. */
const networkTypes = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f, 0x01021997]);

const refused = (code: string): Result<never, Failure> => err(makeFailure('E-239', { code }));

interface Piece {
  /** Relative to the library's folder. */
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

/**
 * The path of the library inside a folder that the user chose, or E-239 with the reason why not. Nothing is written.
 */
export async function judgeTarget(
  root: string,
  chosen: string,
): Promise<Result<{ readonly path: string; readonly isNetwork: boolean }, Failure>> {
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

/**
 * Moves the library of a data folder, which must be closed, into a new folder: everything is copied under a temporary
 * name, flushed and read back; only then the new path is stored, and only after that the old files are deleted. A
 * failure or cancellation before that leaves the old library as it was and nothing at the new path.
 */
export async function moveLibrary(
  root: string,
  path: string,
  onProgress: (progress: MoveProgress) => void,
  signal: AbortSignal,
): Promise<Result<{ readonly leftBytes: number }, Failure>> {
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
