import { closeSync, existsSync, fstatSync, openSync } from 'node:fs';
import { pageBytes, readAt, readCommittedPages, type CommittedPages } from '../sqlite-log.ts';

/** The pages of a database that SQLite itself can no longer read, each in its latest version. */
export interface DamagedPages {
  readonly count: number;
  /** Page `number`, from 1; null when the file is shorter. Its content may be damaged. */
  read(number: number): Buffer | null;
  close(): void;
}

/** Stands in for a missing library. */
export const noPages: DamagedPages = { count: 0, read: () => null, close: () => undefined };

/** Opens a damaged database and SQLite's log next to it, read-only. Throws the system's errors. */
export function openDamagedPages(path: string): DamagedPages {
  const file = openSync(path, 'r');
  const logPath = `${path}-wal`;
  const log = existsSync(logPath) ? openSync(logPath, 'r') : null;
  const inFile = Math.ceil(fstatSync(file).size / pageBytes);
  const { frames, pageCount } = log === null ? noFrames : readCommittedPages(log);
  return {
    count: Math.max(inFile, pageCount),
    read(number) {
      const frame = frames.get(number);
      if (frame !== undefined && log !== null) return readAt(log, frame, pageBytes);
      return number < 1 || number > inFile ? null : readAt(file, (number - 1) * pageBytes, pageBytes);
    },
    close() {
      closeSync(file);
      if (log !== null) closeSync(log);
    },
  };
}

const noFrames: CommittedPages = { frames: new Map(), pageCount: 0 };
