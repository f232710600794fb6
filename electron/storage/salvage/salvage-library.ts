import type { DatabaseSync } from 'node:sqlite';
import type { SalvagedCounts } from '../../services/library/recovery.ts';
import { inTransaction } from '../sqlite-database.ts';
import { type DamagedPages, noPages, openDamagedPages } from './damaged-pages.ts';
import { type DamagedRows, findRows } from './damaged-rows.ts';
import { mendRows } from './mend-rows.ts';
import { salvageTexts } from './salvage-texts.ts';
import { jobColumnNames, jobColumns, memoryColumns } from '../sqlite-rows.ts';

/** The share of the whole work that is scanning the damaged file; the rest is copying texts. */
const shareOfLooking = 0.4;

/**
 * Copies everything readable from a damaged library into its replacement, whose content was valid at `knownAtMs` (Unix
 * milliseconds; null: it is empty). All of it or nothing: disk errors are thrown. Without a damaged file no newer row
 * is known. `onShare` gets the progress, 0 to 1.
 */
export function salvageLibrary(
  database: DatabaseSync,
  damagedPath: string | null,
  knownAtMs: number | null,
  onShare: (share: number) => void,
): SalvagedCounts {
  const pages = damagedPath === null ? noPages : openDamagedPages(damagedPath);
  try {
    const found = findRows(pages, (share) => onShare(share * shareOfLooking));
    const onText = (share: number) => onShare(shareOfLooking + share * (1 - shareOfLooking));
    return inTransaction(database, () => merge(database, pages, found, knownAtMs, onText));
  } finally {
    pages.close();
  }
}

function merge(
  database: DatabaseSync,
  pages: DamagedPages,
  found: DamagedRows,
  knownAtMs: number | null,
  onText: (share: number) => void,
): SalvagedCounts {
  const jobs = salvageJobs(database, found);
  const transcriptCount = salvageTexts(database, pages, found, onText);
  salvageRest(database, found);
  const mended = mendRows(database, jobs.current, knownAtMs ?? 0);
  const isThere = database.prepare('SELECT 1 FROM jobs WHERE id = ?');
  const lostJobCount = [...found.mentionedJobIds].filter((id) => isThere.get(id) === undefined).length;
  const readCount = found.jobs.size + found.texts.length;
  return { readCount, jobCount: jobs.broughtCount, transcriptCount, ...mended, lostJobCount };
}

/** The journal, automatic work, the queue's measurements and pending deletions. */
function salvageRest(database: DatabaseSync, { events, automation, notes }: DamagedRows): void {
  const addEvent = database.prepare(
    `INSERT INTO job_events (id, job_id, at_ms, event) SELECT ?1, ?2, ?3, ?4
     WHERE EXISTS (SELECT 1 FROM jobs WHERE id = ?2) ON CONFLICT (id) DO NOTHING`,
  );
  for (const { id, jobId, atMs, event } of events) addEvent.run(id, jobId, atMs, event);
  const addEntry = database.prepare(
    `INSERT INTO automation (kind, key, at_ms, name, outcome, row) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (kind, key) DO UPDATE SET at_ms = excluded.at_ms, name = excluded.name,
       outcome = excluded.outcome, row = excluded.row WHERE excluded.at_ms > at_ms`,
  );
  for (const { kind, key, atMs, name, outcome, row } of automation) {
    addEntry.run(kind, key, atMs, name, outcome, row);
  }
  const saveNote = database.prepare(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  for (const [name, value] of notes) saveNote.run(name, value);
}

interface SalvagedJobs {
  /** Rows whose newest state is known from the damaged file. */
  readonly current: ReadonlySet<string>;
  /** How many of them are missing in the backup or newer there. */
  readonly broughtCount: number;
}

/** Copies rows of the queue that are missing or at least as new as the backup's; the key of a newer one wins. */
function salvageJobs(database: DatabaseSync, { jobs }: DamagedRows): SalvagedJobs {
  const known = database.prepare('SELECT seq FROM jobs WHERE id = ?');
  // A key belongs to one row: of two that claim it, the backup's was verified.
  const keyOwner = database.prepare('SELECT id FROM jobs WHERE idempotency_key = ?');
  const put = database.prepare(
    `INSERT INTO jobs (${jobColumnNames}, is_hidden, tag, sha256, idempotency_key, remote_id, memory, rank, origin)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, path = excluded.path, name = excluded.name,
       size_bytes = excluded.size_bytes, duration_ms = excluded.duration_ms, is_hidden = excluded.is_hidden,
       tag = excluded.tag, sha256 = excluded.sha256, idempotency_key = excluded.idempotency_key,
       remote_id = excluded.remote_id, memory = excluded.memory, rank = excluded.rank`,
  );
  const current = new Set<string>();
  let broughtCount = 0;
  for (const { job, isHidden, origin } of jobs.values()) {
    const seq = known.get(job.id)?.['seq'];
    if (typeof seq === 'number' && seq > job.seq) continue;
    const key = job.memory.intent?.idempotencyKey ?? null;
    const owner = key === null ? undefined : keyOwner.get(key)?.['id'];
    if (owner !== undefined && owner !== job.id) continue;
    put.run(...jobColumns(job), isHidden ? 1 : 0, ...memoryColumns(job.memory), job.rank, origin);
    current.add(job.id);
    if (seq !== job.seq) broughtCount += 1;
  }
  return { current, broughtCount };
}
