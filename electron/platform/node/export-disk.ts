import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { zip } from 'fflate';
import { err, ok } from '../../../shared/result/result.ts';
import type { BatchPorts } from '../../services/exports/batch-export.ts';
import { filePort } from './file-port.ts';
import { systemCode, writeFailure } from './storage-failure.ts';

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
  zip: (files) =>
    new Promise((resolve, reject) => {
      zip({ ...files }, { level: 6 }, (error, bytes) => {
        if (error === null) resolve(bytes);
        else reject(error);
      });
    }),
  now: Date.now,
};
