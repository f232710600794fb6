import type { DatabaseSync } from 'node:sqlite';
import { recoverAfterRestore, recoverLostText } from '../../../shared/domain/jobs/recover-after-restore.ts';
import type { JobMemory } from '../../../shared/domain/jobs/job-state.ts';
import { readJobRow } from '../sqlite-rows.ts';

export interface MendedRows {
  readonly unsureCount: number;
  readonly refetchCount: number;
}

/**
 * Corrects rows after a restore: those known only from the backup may have progressed since, and some that are recorded
 * as done have lost their text.
 */
export function mendRows(database: DatabaseSync, current: ReadonlySet<string>, knownAtMs: number): MendedRows {
  const save = database.prepare('UPDATE jobs SET tag = ?, memory = ?, is_hidden = 0 WHERE id = ?');
  const text = database.prepare('SELECT id FROM transcripts WHERE job_id = ?');
  const audio = database.prepare('SELECT id FROM audio WHERE job_id = ?');
  const facts = database.prepare(
    'SELECT id, created_at_ms, json_array_length(speakers) AS speakers FROM transcripts WHERE job_id = ?',
  );
  let [unsureCount, refetchCount] = [0, 0];
  const keep = (id: string, memory: JobMemory): void => {
    save.run(memory.state.tag, JSON.stringify(memory), id);
  };
  for (const row of database.prepare('SELECT * FROM jobs').all()) {
    const job = readJobRow(row);
    if (job === null) continue;
    const { memory } = job;
    if (memory.state.tag === 'done') {
      const table = memory.state.audioId === undefined ? text : audio;
      if (table.get(job.id)?.['id'] === (memory.state.audioId ?? memory.state.transcriptId)) continue;
      const next = recoverLostText(memory, knownAtMs);
      keep(job.id, next);
      if (next.state.tag === 'fetching') refetchCount += 1;
      else unsureCount += 1;
      continue;
    }
    const found = current.has(job.id) ? undefined : facts.get(job.id);
    if (found !== undefined) {
      // The text is newer than what the backup knows of its row.
      keep(job.id, finished(memory, found));
      continue;
    }
    const next = current.has(job.id) ? memory : recoverAfterRestore(memory, knownAtMs);
    if (next === memory) continue;
    keep(job.id, next);
    unsureCount += 1;
  }
  return { unsureCount, refetchCount };
}

const finished = (memory: JobMemory, text: Readonly<Record<string, unknown>>): JobMemory => ({
  ...memory,
  state: {
    tag: 'done',
    transcriptId: String(text['id']),
    speakerCount: Number(text['speakers']),
    finishedAtMs: Number(text['created_at_ms']),
  },
});
