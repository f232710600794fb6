import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { err, ok } from '../../../shared/result/result.ts';
import type { BatchPorts } from '../../services/exports/batch-export.ts';
import { filePort } from './file-port.ts';
import { systemCode, writeFailure } from './storage-failure.ts';
import { openZip } from './zip-archive.ts';

/** The disk as an export of many files sees it. */
export const exportDisk: Omit<BatchPorts, 'open'> = {
  names: (folder) =>
    readdir(folder).then(ok, (error: unknown) => (systemCode(error) === 'ENOENT' ? ok([]) : err(writeFailure(error)))),
  makeFolder: (folder) =>
    mkdir(folder, { recursive: true }).then(
      () => ok(null),
      (error: unknown) => err(writeFailure(error)),
    ),
  join,
  writeWhole: (path, bytes) => filePort.writeWhole(path, bytes),
  openArchive: openZip,
  now: Date.now,
};
