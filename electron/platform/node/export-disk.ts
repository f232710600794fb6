import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { Archive, BatchPorts } from '../../services/exports/batch-export.ts';
import { asUsersFile, asUsersFolder, usersFileMode } from './users-files.ts';
import { openUnfinished, sweep, writeWholeFile } from './place-file.ts';
import { systemCode, writeFailure } from './storage-failure.ts';
import { dirname, join, resolve } from 'node:path';
import type { FilePort } from '../../services/library/store.ts';
import { hashFile, peekFile } from './hash-file.ts';
import { walkFiles } from './walk-files.ts';

/** A ZIP that is written file by file, so that its size does not depend on memory; it appears once it is finished. */
async function openZip(path: string): Promise<Result<Archive>> {
  try {
    await sweep(dirname(path)).catch(() => undefined);
    const { path: part, file } = await openUnfinished(path);
    let last: Promise<unknown> = Promise.resolve();
    const zip = new Zip((error, bytes) => {
      last = last.then(() => {
        if (error !== null) throw error;
        return file.writeFile(bytes);
      });
    });
    const attempt = async (work: () => Promise<void>): Promise<Result<null>> => {
      try {
        await work();
        await last;
        return ok(null);
      } catch (error) {
        return err(writeFailure(error));
      }
    };
    const cancel = async (): Promise<void> => {
      zip.terminate();
      await last.catch(() => undefined);
      await file.close();
      await rm(part, { force: true });
    };
    return ok({
      add: (name, bytes) =>
        attempt(async () => {
          const entry = new ZipDeflate(name, { level: 6 });
          zip.add(entry);
          entry.push(bytes, true);
        }),
      move: (name, from) =>
        attempt(async () => {
          try {
            // Audio is as small as it gets.
            const entry = new ZipPassThrough(name);
            zip.add(entry);
            for await (const bytes of createReadStream(from) as AsyncIterable<Uint8Array>) {
              entry.push(bytes);
              await last;
            }
            entry.push(new Uint8Array(), true);
          } finally {
            await rm(from, { force: true });
          }
        }),
      async finish() {
        const written = await attempt(async () => {
          try {
            zip.end();
            await last;
            await asUsersFile(file);
            await file.sync();
          } finally {
            await file.close();
          }
          await rename(part, path);
        });
        if (!written.ok) await rm(part, { force: true });
        return written;
      },
      cancel,
    });
  } catch (error) {
    return err(writeFailure(error));
  }
}

export const exportDisk = {
  names: (folder) =>
    readdir(folder).then(ok, (error: unknown) => (systemCode(error) === 'ENOENT' ? ok([]) : err(writeFailure(error)))),
  makeFolder: (folder) =>
    mkdir(folder, { recursive: true })
      .then(async (made) => {
        // Each folder that was made, from the deepest to the first.
        for (let path = resolve(folder); made !== undefined && path.length >= made.length; path = dirname(path))
          await asUsersFolder(path);
        return ok(null);
      })
      .catch((error: unknown) => err(writeFailure(error))),
  join,
  writeWhole: (path, bytes) => filePort.writeWhole(path, bytes),
  openArchive: openZip,
  now: Date.now,
  move: (from: string, to: string): Promise<Result<null>> =>
    rename(from, to).then(
      () => ok(null),
      (error: unknown) => err(writeFailure(error)),
    ),
} satisfies Omit<BatchPorts, 'open'> & Record<string, unknown>;

/** The disk, as the services need it. Exports get the permissions of the user's other files. */
export const filePort: FilePort = {
  hash: hashFile,
  peek: peekFile,
  isThere: (path) =>
    stat(path).then(
      () => true,
      () => false,
    ),
  walk: walkFiles,
  writeWhole: (path, text) => writeWholeFile(path, text, usersFileMode),
};
