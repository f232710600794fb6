import type { DatabaseSync } from 'node:sqlite';
import { jobColumnNames, jobColumns, memoryColumns } from '../sqlite-rows.ts';
import type { DamagedRows } from './damaged-rows.ts';

export interface SalvagedJobs {
  /** Rows whose newest state is known, from the damaged file. */
  readonly current: ReadonlySet<string>;
  /** How many of them are new or newer than what the copy has. */
  readonly broughtCount: number;
}

/** Takes over rows of the queue that are missing or as new as the copy's or newer; the key of a newer one wins. */
export function salvageJobs(database: DatabaseSync, { jobs }: DamagedRows): SalvagedJobs {
  const known = database.prepare('SELECT seq FROM jobs WHERE id = ?');
  // A key belongs to one row: of two that claim it the one of the copy is the one that was checked.
  const keyOwner = database.prepare('SELECT id FROM jobs WHERE idempotency_key = ?');
  const put = database.prepare(
    `INSERT INTO jobs (${jobColumnNames}, is_hidden, tag, sha256, idempotency_key, remote_id, memory, rank)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, path = excluded.path, name = excluded.name,
       size_bytes = excluded.size_bytes, duration_ms = excluded.duration_ms, is_hidden = excluded.is_hidden,
       tag = excluded.tag, sha256 = excluded.sha256, idempotency_key = excluded.idempotency_key,
       remote_id = excluded.remote_id, memory = excluded.memory, rank = excluded.rank`,
  );
  const current = new Set<string>();
  let broughtCount = 0;
  for (const { job, isHidden } of jobs.values()) {
    const seq = known.get(job.id)?.['seq'];
    if (typeof seq === 'number' && seq > job.seq) continue;
    const key = job.memory.intent?.idempotencyKey ?? null;
    const owner = key === null ? undefined : keyOwner.get(key)?.['id'];
    if (owner !== undefined && owner !== job.id) continue;
    put.run(...jobColumns(job), isHidden ? 1 : 0, ...memoryColumns(job.memory), job.rank);
    current.add(job.id);
    if (seq !== job.seq) broughtCount += 1;
  }
  return { current, broughtCount };
}
