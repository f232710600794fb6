import { stat } from 'node:fs/promises';
import type { FilePort } from '../../services/library/store.ts';
import { writeWholeFile } from './atomic-file.ts';
import { usersFileMode } from './users-files.ts';
import { hashFile } from './hash-file.ts';
import { peekFile } from './peek-file.ts';
import { walkFiles } from './walk-files.ts';

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
