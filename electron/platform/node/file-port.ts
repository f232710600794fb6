import { stat } from 'node:fs/promises';
import type { FilePort } from '../../services/library/store.ts';
import { writeWholeFile } from './atomic-file.ts';
import { hashFile } from './hash-file.ts';
import { peekFile } from './peek-file.ts';
import { walkFiles } from './walk-files.ts';

/** As the person started us with; the app's own, stricter one is set later and is not for their files. */
const personsMask = process.umask();

/** Of files that are written for the person. */
export const personsFileMode = 0o666 & ~personsMask;

/** The disk as the services see it. Exports get the permissions of the person's other files. */
export const filePort: FilePort = {
  hash: hashFile,
  peek: peekFile,
  isThere: (path) =>
    stat(path).then(
      () => true,
      () => false,
    ),
  walk: walkFiles,
  writeWhole: (path, text) => writeWholeFile(path, text, personsFileMode),
};
