import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { err, ok } from '../../../shared/result/result.ts';
import type { ExportFolder, StableFile, WatchPort } from '../../services/automation/automation.ts';
import { walkFiles } from './walk-files.ts';

/** Recorders and copying programs pause for less than this between two writes. */
const stableMs = 10_000;

/** Temporary files of other programs: locks, partial files, files that a cloud has not downloaded yet. */
const passing = /^(\.|~\$)|\.(part|partial|crdownload|download|tmp|temp|lock|icloud)$|^(thumbs\.db|desktop\.ini)$/iu;

/** A file in a cloud folder that is listed but not downloaded has a size and no blocks on the disk. */
const isPlaceholder = ({ size, blocks }: Stats): boolean => process.platform !== 'win32' && size > 0 && blocks === 0;

const identityOf = (path: string, { dev, ino, birthtimeMs, size, mtimeMs }: Stats): string =>
  ino > 0 && birthtimeMs > 0 ? `${dev}:${ino}:${Math.floor(birthtimeMs)}` : `${path}|${size}|${mtimeMs}`;

const named = (path: string, stats: Stats): StableFile => ({
  path,
  name: basename(path),
  identity: identityOf(path, stats),
});

/** Watches by file system notifications, and reports a file once it has not changed for `quietMs`. */
export const createWatchPort = (quietMs = stableMs): WatchPort => ({
  async list(folder) {
    const isThere = await lstat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isThere)
      return err(localFailure('file-unreadable', { code: 'folder_unreadable', params: { name: basename(folder) } }));
    const { files } = await walkFiles([folder]);
    const found = await Promise.all(
      files.map(({ path }) =>
        lstat(path).then(
          (stats) => named(path, stats),
          () => null,
        ),
      ),
    );
    return ok(found.filter((file) => file !== null));
  },

  watch(folder, onFile) {
    let isClosed = false;
    const begin = async () => {
      // Few users watch a folder, so the library is loaded on demand.
      const chokidar = await import('chokidar');
      if (isClosed) return null;
      const watcher = chokidar.watch(folder, {
        ignored: (path) => path !== folder && passing.test(basename(path)),
        followSymlinks: false,
        ignorePermissionErrors: true,
        awaitWriteFinish: { stabilityThreshold: quietMs, pollInterval: Math.min(1000, quietMs / 2) },
      });
      watcher.on('add', (path) => {
        lstat(path).then(
          (stats) => {
            if (stats.isFile() && stats.size > 0 && !isPlaceholder(stats)) onFile(named(path, stats));
          },
          () => undefined,
        );
      });
      // A deleted folder is watched again when it comes back, so there is nothing to report.
      watcher.on('error', () => undefined);
      return watcher;
    };
    const begun = begin();
    return {
      close: async () => {
        isClosed = true;
        await (await begun)?.close();
      },
    };
  },
});

export const copyFolder: ExportFolder = {
  async names(folder) {
    try {
      return ok(await readdir(folder));
    } catch {
      return err(localFailure('export-unfinished', { code: 'export_not_writable' }));
    }
  },
};
