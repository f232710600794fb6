/** One step of the schema, run once, in a transaction, in order. Never edited after a release; new ones are added. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    path TEXT NOT NULL,
    name TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    duration_ms INTEGER,
    language TEXT NOT NULL,
    include_speakers INTEGER NOT NULL,
    added_at_ms INTEGER NOT NULL,
    is_hidden INTEGER NOT NULL DEFAULT 0,
    -- Copies of what the memory holds, for look-ups and for the promise that a key is never used twice.
    tag TEXT NOT NULL,
    sha256 TEXT,
    idempotency_key TEXT UNIQUE,
    remote_id TEXT,
    memory TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX jobs_by_content ON jobs (sha256) WHERE sha256 IS NOT NULL;
  CREATE INDEX jobs_by_remote_id ON jobs (remote_id) WHERE remote_id IS NOT NULL;

  CREATE TABLE job_events (
    id INTEGER PRIMARY KEY,
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    at_ms INTEGER NOT NULL,
    event TEXT NOT NULL
  ) STRICT;
  CREATE INDEX job_events_by_job ON job_events (job_id);

  CREATE TABLE raw_answers (
    id INTEGER PRIMARY KEY,
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    at_ms INTEGER NOT NULL,
    source TEXT NOT NULL,
    request_id TEXT,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX raw_answers_by_job ON raw_answers (job_id);

  CREATE TABLE media (
    sha256 TEXT PRIMARY KEY,
    path TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    duration_ms INTEGER,
    seen_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE transcripts (
    id TEXT PRIMARY KEY,
    job_id TEXT NOT NULL UNIQUE REFERENCES jobs (id),
    title TEXT NOT NULL,
    source_name TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    media_sha256 TEXT NOT NULL REFERENCES media (sha256),
    remote_id TEXT,
    raw_answer_id INTEGER REFERENCES raw_answers (id),
    language TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE jobs ADD COLUMN rank REAL NOT NULL DEFAULT 0;
  UPDATE jobs SET rank = places.place
    FROM (SELECT id, row_number() OVER (ORDER BY added_at_ms, id) AS place FROM jobs) AS places
    WHERE places.id = jobs.id;
  `,
  `
  CREATE TABLE automation (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    name TEXT NOT NULL,
    outcome TEXT NOT NULL,
    row TEXT,
    PRIMARY KEY (kind, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX automation_by_time ON automation (at_ms);
  `,
  // Told without reading the words, which may be a hundred megabytes.
  `ALTER TABLE transcripts ADD COLUMN word_count INTEGER;`,
  // Of thousands of rows with one content hardly any is under way or done, and each new one looks for such a twin.
  `
  CREATE INDEX jobs_by_live_content ON jobs (sha256, language, include_speakers, added_at_ms DESC, id)
    WHERE sha256 IS NOT NULL AND tag NOT IN ('failed', 'cancelled', 'needs-user');
  `,
];
