import { jobColumnNames } from './sqlite-rows.ts';
import { segmentsFromOriginal } from './transcript-rows.ts';

/** Audio named by its own content was copied there: it can't be created again. */
export const isKeptCopy = "m.path LIKE 'prepared:' || m.sha256 || '.%'";

/** What a text is called at the service that fills the library now (?1); it means nothing to another one. */
export const remoteIdHere = 'iif(j.origin = ?1, t.remote_id, NULL) AS remote_id';

/** Who recognised a text; null for one that was imported or dictated. */
export const orderedFrom = 'iif(t.remote_id IS NULL AND t.raw_answer_id IS NULL, NULL, j.origin) AS origin';

/** The statements of jobs, transcripts and the automation log. */
export const librarySql = {
  loadJobs: 'SELECT * FROM jobs WHERE is_hidden = 0 AND origin = ? ORDER BY added_at_ms, id',
  hiddenJobs:
    'SELECT * FROM jobs WHERE is_hidden = 1 AND kind = ? AND origin = ? ORDER BY added_at_ms DESC, id LIMIT 500',
  insertJob: `INSERT INTO jobs
    (${jobColumnNames}, rank, tag, sha256, idempotency_key, remote_id, memory, origin)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  updateJob: `UPDATE jobs SET seq = ?, path = ?, size_bytes = ?, duration_ms = ?, is_hidden = 0, tag = ?, sha256 = ?, idempotency_key = ?, remote_id = ?, memory = ?
    WHERE id = ?`,
  insertEvent: 'INSERT INTO job_events (job_id, at_ms, event) VALUES (?, ?, ?)',
  rerank: 'UPDATE jobs SET rank = ? WHERE id = ?',
  note: 'SELECT value FROM meta WHERE key = ?',
  saveNote: `INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  movePath: 'UPDATE jobs SET path = ? WHERE id = ?',
  hideJob: 'UPDATE jobs SET is_hidden = 1 WHERE id = ?',
  showJob: 'UPDATE jobs SET is_hidden = 0 WHERE id = ?',
  job: 'SELECT * FROM jobs WHERE id = ?',
  findSame:
    'SELECT * FROM jobs WHERE sha256 = ? AND language = ? AND include_speakers = ? AND kind = ? AND options = ? AND origin = ? ORDER BY added_at_ms DESC, id',
  // Its conditions match an index of its own.
  findTwin: `SELECT * FROM jobs WHERE sha256 = ? AND language = ? AND include_speakers = ? AND kind = ? AND options = ?
    AND origin = ? AND tag NOT IN ('failed', 'cancelled', 'needs-user') ORDER BY added_at_ms DESC, id`,
  // Uses the same index, which does not contain rows that wait for an answer.
  findText: `SELECT t.id FROM jobs j CROSS JOIN transcripts t ON t.job_id = j.id
    WHERE j.sha256 = ? AND j.language = ? AND j.include_speakers = ? AND j.kind = ? AND j.options = ? AND j.origin = ? AND j.tag = 'done' AND j.id <> ?
    AND j.tag NOT IN ('failed', 'cancelled', 'needs-user') ORDER BY j.added_at_ms DESC, j.id LIMIT 1`,
  takenRemoteId: 'SELECT 1 FROM jobs WHERE remote_id = ? AND origin = ? AND id <> ?',
  upsertMedia: `INSERT INTO media (sha256, path, size_bytes, duration_ms, seen_at_ms) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (sha256) DO UPDATE SET path = excluded.path, seen_at_ms = excluded.seen_at_ms`,
  insertTranscript: `INSERT INTO transcripts
    (id, job_id, title, source_name, created_at_ms, media_sha256, remote_id, raw_answer_id, language, word_count, duration_ms, speakers, model)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  insertOriginal: 'INSERT INTO transcript_originals (transcript_id, body) VALUES (?, CAST(? AS TEXT))',
  insertSegments: segmentsFromOriginal,
  revision: 'SELECT revision FROM transcripts WHERE id = ?',
  noteAutomation: `INSERT INTO automation (kind, key, at_ms, name, outcome, row) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (kind, key) DO UPDATE SET at_ms = excluded.at_ms, name = excluded.name, outcome = excluded.outcome, row = excluded.row`,
  automation: 'SELECT * FROM automation WHERE kind = ? AND key = ?',
  automationLog: `SELECT * FROM automation WHERE outcome <> 'there-before' ORDER BY at_ms DESC LIMIT ?`,
  transcriptFacts: `SELECT t.id, t.job_id, t.title, t.source_name, t.created_at_ms, t.media_sha256, ${remoteIdHere}, t.raw_answer_id, t.revision,
    t.model, ${orderedFrom}, m.path FROM transcripts t JOIN media m ON m.sha256 = t.media_sha256 JOIN jobs j ON j.id = t.job_id WHERE t.id = ?2`,
  wordCount: 'SELECT word_count FROM transcripts WHERE id = ?',
  renameTranscript: 'UPDATE transcripts SET title = ? WHERE id = ?',
  setLanguage: 'UPDATE transcripts SET language = ? WHERE id = ?',
  setRecordingLength: `UPDATE transcripts SET duration_ms = max(?1,
      (SELECT coalesce(max(end_ms), 0) FROM transcript_segments WHERE transcript_id = ?2),
      (SELECT coalesce(max(value ->> 'endMs'), 0) FROM json_each(coalesce(cuts, '[]'))))
    WHERE id = ?2`,
  recording: 'SELECT j.path FROM transcripts t JOIN jobs j ON j.id = t.job_id WHERE t.id = ?',
  // Includes the original recording of a transcript that plays other audio than was sent.
  prepared: `SELECT substr(m.path, 10) AS name, iif(${isKeptCopy}, m.path, j.path) AS recording FROM media m
    JOIN transcripts t ON t.media_sha256 = m.sha256 JOIN jobs j ON j.id = t.job_id WHERE m.path LIKE 'prepared:%'
    UNION SELECT j.memory ->> '$.intent.preparedName', j.path FROM transcripts t JOIN jobs j ON j.id = t.job_id
    WHERE j.sha256 <> t.media_sha256 AND j.memory ->> '$.intent.preparedName' IS NOT NULL`,
  relocate: 'UPDATE media SET path = ? WHERE sha256 = (SELECT media_sha256 FROM transcripts WHERE id = ?)',
} as const;
