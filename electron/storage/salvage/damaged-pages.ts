import { closeSync, existsSync, fstatSync, openSync } from 'node:fs';
import { pageBytes, readAt, readCommittedPages, type CommittedPages } from '../sqlite-log.ts';

/** The pages of a database that SQLite itself can't read any more, each as it was written last. */
export interface DamagedPages {
  readonly count: number;
  /** Page `number`, from 1; null when the file does not reach that far. What is on it may be damaged. */
  read(number: number): Buffer | null;
  close(): void;
}

/** What is read of a library that is not there. */
export const noPages: DamagedPages = { count: 0, read: () => null, close: () => undefined };

/** Opens a damaged database and the log of SQLite beside it, for reading only. Throws what the system says. */
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
