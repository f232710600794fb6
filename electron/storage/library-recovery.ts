import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import type { LibraryRecovery, SalvagedCounts } from '../services/library/recovery.ts';

/** The key under which the library stores that it was restored, until the user has read it. */
const metaKey = 'recovery';

const stored = lazySchema(() =>
  z.object({
    atMs: z.number(),
    restoredFromMs: z.number().nullable(),
    jobCount: z.number(),
    transcriptCount: z.number(),
    damagedTranscriptCount: z.number().nullable(),
    // Absent in reports of an older version.
    salvaged: z
      .object({
        readCount: z.number(),
        jobCount: z.number(),
        transcriptCount: z.number(),
        unsureCount: z.number(),
        refetchCount: z.number(),
        lostJobCount: z.number(),
      })
      .nullable()
      .default(null),
    /** The name of the damaged file, next to the library. */
    aside: z.string(),
  }),
);

const countOf = (database: DatabaseSync, table: 'jobs' | 'transcripts'): number =>
  Number(
    database
      .prepare(table === 'jobs' ? 'SELECT count(*) AS n FROM jobs' : 'SELECT count(*) AS n FROM transcripts')
      .get()?.['n'] ?? 0,
  );

/** How many transcripts a damaged file still lists; null when it can't even be counted. Changes nothing in it. */
export function countDamaged(path: string): number | null {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    return countOf(database, 'transcripts');
  } catch {
    return null;
  } finally {
    database?.close();
  }
}

export interface RecoveryFacts {
  readonly atMs: number;
  readonly restoredFromMs: number | null;
  readonly damagedTranscriptCount: number | null;
  readonly salvaged: SalvagedCounts;
  /** The absolute path of the file that was set aside. */
  readonly asidePath: string;
}

/** Stores in the current library what happened to the previous one. */
export function rememberRecovery(database: DatabaseSync, { asidePath, ...facts }: RecoveryFacts): void {
  const report: z.output<ReturnType<typeof stored>> = {
    ...facts,
    jobCount: countOf(database, 'jobs'),
    transcriptCount: countOf(database, 'transcripts'),
    aside: basename(asidePath),
  };
  database
    .prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
    .run(metaKey, JSON.stringify(report));
}

const read = (database: DatabaseSync): z.output<ReturnType<typeof stored>> | null => {
  const value = database.prepare('SELECT value FROM meta WHERE key = ?').get(metaKey)?.['value'];
  if (typeof value !== 'string') return null;
  try {
    return stored().parse(JSON.parse(value));
  } catch {
    return null;
  }
};

/** The stored recovery of the library at `path`; see `LibraryRecovery`. */
export function recoveryOf(database: DatabaseSync, path: string): LibraryRecovery {
  return {
    report() {
      const found = database.isOpen ? read(database) : null;
      if (found === null) return null;
      const { aside: _aside, ...report } = found;
      return report;
    },
    damagedFile() {
      const found = database.isOpen ? read(database) : null;
      const file = found === null ? null : join(dirname(path), basename(found.aside));
      return file !== null && existsSync(file) ? file : null;
    },
    acknowledge() {
      if (database.isOpen) database.prepare('DELETE FROM meta WHERE key = ?').run(metaKey);
    },
  };
}
