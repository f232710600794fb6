import type { FilePort } from '../../services/library/store.ts';
import { writeWholeFile } from './atomic-file.ts';
import { hashFile } from './hash-file.ts';
import { peekFile } from './peek-file.ts';
import { walkFiles } from './walk-files.ts';

/** The disk as the services see it. Exports get the permissions of the person's other files. */
export const filePort: FilePort = {
  hash: hashFile,
  peek: peekFile,
  walk: walkFiles,
  writeWhole: (path, text) => writeWholeFile(path, text, 0o666 & ~process.umask()),
};
