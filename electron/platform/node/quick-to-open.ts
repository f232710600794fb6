import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isBackupDue } from './library-backups.ts';

/**
 * Whether the library in this folder opens in no time: there is one, its last owner ended well (SQLite then leaves no
 * log beside it), and no copy of it is due. Any other is checked or copied as a whole when it is opened.
 */
export function isQuickToOpen(folder: string, nowMs: number): boolean {
  const path = join(folder, 'library.db');
  return existsSync(path) && !existsSync(`${path}-wal`) && !isBackupDue(path, nowMs);
}
