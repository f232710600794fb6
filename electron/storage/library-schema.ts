import { DatabaseSync } from 'node:sqlite';

/** JSON notes in which folders, tags and the trash were kept before version 12. */
const note = (name: string) => `(SELECT iif(json_valid(value), value, 'null') FROM meta WHERE key = 'note-${name}')`;
const filed = (part: string) => `json_each(${note('folders')}, '$.${part}') AS n`;
const ofKey = `items.kind = substr(n.key, 1, instr(n.key, ':') - 1) AND items.id = substr(n.key, instr(n.key, ':') + 1)`;

/** Segments of texts as they came, as rows of `transcript_segments`. Texts from before version 6 have no marks. */
export const segmentsAsCame = (texts: string) => `
  SELECT o.transcript_id, s.value ->> 'id' AS id, (s.key + 1) * 65536, s.value ->> 'speakerId' AS speakerId,
    CAST(s.value ->> 'startMs' AS INTEGER) AS startMs, CAST(s.value ->> 'endMs' AS INTEGER) AS endMs,
    s.value ->> 'text' AS text, CASE WHEN json_type(s.value, '$.words') = 'array' THEN (
      SELECT json_group_array(json_array(
        CAST(w.value ->> 'startMs' AS INTEGER) - CAST(s.value ->> 'startMs' AS INTEGER),
        CAST(w.value ->> 'endMs' AS INTEGER) - CAST(s.value ->> 'startMs' AS INTEGER),
        CASE WHEN w.value ->> 'isEstimated' THEN 1 ELSE 0 END +
          CASE w.value ->> 'mark' WHEN 'cut' THEN 2 WHEN 'redacted' THEN 4 WHEN 'cut-redacted' THEN 6 ELSE 0 END) ORDER BY w.key)
      FROM json_each(s.value, '$.words') AS w) END AS words
  FROM ${texts} AS o, json_each(o.body, '$.segments') AS s`;

/** Part of a step too: rows of another form are filled by another statement. */
export const fillSegments = (texts: string) => `
  INSERT INTO transcript_segments (transcript_id, segment_id, position, speaker_id, start_ms, end_ms, text, words)
  ${segmentsAsCame(texts)}`;

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
  // Counted without reading the words, which may be a hundred megabytes.
  `ALTER TABLE transcripts ADD COLUMN word_count INTEGER;`,
  // Hardly any row with the same content is under way or done, and each new row searches for one.
  `
  CREATE INDEX jobs_by_live_content ON jobs (sha256, language, include_speakers, added_at_ms DESC, id)
    WHERE sha256 IS NOT NULL AND tag NOT IN ('failed', 'cancelled', 'needs-user');
  `,
  // The service's original is never changed; the current text is in rows, so that an edit costs its own size.
  `
  CREATE TABLE transcript_originals (
    transcript_id TEXT PRIMARY KEY REFERENCES transcripts (id) ON DELETE CASCADE,
    body TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE transcript_segments (
    id INTEGER PRIMARY KEY,
    transcript_id TEXT NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
    segment_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    speaker_id TEXT,
    start_ms INTEGER NOT NULL,
    end_ms INTEGER NOT NULL,
    text TEXT NOT NULL,
    words TEXT
  ) STRICT;
  CREATE UNIQUE INDEX transcript_segments_by_id ON transcript_segments (transcript_id, segment_id);
  CREATE INDEX transcript_segments_in_order ON transcript_segments (transcript_id, position);
  CREATE TABLE transcript_revisions (
    transcript_id TEXT NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    label TEXT NOT NULL,
    change TEXT NOT NULL,
    inverse TEXT NOT NULL,
    name TEXT,
    PRIMARY KEY (transcript_id, number)
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE transcripts ADD COLUMN duration_ms INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE transcripts ADD COLUMN speakers TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE transcripts ADD COLUMN cuts TEXT;
  ALTER TABLE transcripts ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
  INSERT INTO transcript_originals (transcript_id, body) SELECT id, body FROM transcripts;
  UPDATE transcripts SET duration_ms = CAST(body ->> '$.durationMs' AS INTEGER),
    speakers = json_extract(body, '$.speakers') WHERE json_valid(body);
  ${fillSegments('(SELECT transcript_id, body FROM transcript_originals WHERE json_valid(body))')};
  UPDATE transcripts SET word_count = (
    SELECT coalesce(sum(length(text) - length(replace(text, ' ', '')) + (text <> '')), 0)
    FROM transcript_segments WHERE transcript_id = transcripts.id) WHERE word_count IS NULL;
  ALTER TABLE transcripts DROP COLUMN body;
  `,
  // `language` and `include_speakers` belong to transcriptions; other options are in `options`.
  `
  ALTER TABLE jobs ADD COLUMN kind TEXT NOT NULL DEFAULT 'transcribe';
  ALTER TABLE jobs ADD COLUMN options TEXT NOT NULL DEFAULT '{}';
  CREATE TABLE audio (
    id TEXT PRIMARY KEY,
    job_id TEXT NOT NULL UNIQUE REFERENCES jobs (id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    source_name TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    file_name TEXT NOT NULL,
    format TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    duration_ms INTEGER,
    remote_id TEXT,
    credits TEXT
  ) STRICT, WITHOUT ROWID;
  `,
  // Texts to speak, and each generation of them: the key is stored before the first byte of the request leaves.
  `
  CREATE TABLE speech_documents (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    blocks TEXT NOT NULL,
    settings TEXT NOT NULL,
    updated_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE speech_takes (
    id TEXT PRIMARY KEY,
    identity TEXT NOT NULL,
    text TEXT NOT NULL,
    language TEXT NOT NULL,
    voice_id TEXT NOT NULL,
    speed REAL NOT NULL,
    state TEXT NOT NULL,
    idempotency_key TEXT UNIQUE,
    generation_id TEXT,
    request_id TEXT,
    created_at_ms INTEGER NOT NULL,
    duration_ms INTEGER,
    size_bytes INTEGER,
    file_name TEXT,
    bars TEXT NOT NULL,
    failure TEXT,
    is_hidden INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX speech_takes_by_identity ON speech_takes (identity);
  CREATE INDEX speech_takes_by_time ON speech_takes (created_at_ms);
  `,
  // Questions about transcripts with their answers, saved while they arrive.
  `
  CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    changed_at_ms INTEGER NOT NULL,
    transcript_ids TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE exchanges (
    id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    asked_at_ms INTEGER NOT NULL,
    task TEXT NOT NULL,
    question TEXT NOT NULL,
    model TEXT NOT NULL,
    estimate TEXT,
    answer TEXT NOT NULL,
    citations TEXT NOT NULL,
    state TEXT NOT NULL,
    failure TEXT,
    llm_request_id TEXT,
    credits TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX exchanges_by_conversation ON exchanges (conversation_id, asked_at_ms);
  `,
  `
  ALTER TABLE exchanges ADD COLUMN files TEXT NOT NULL DEFAULT '[]';
  `,
  // A row belongs to the service it was added for; its id there means nothing to another one.
  `
  ALTER TABLE jobs ADD COLUMN origin TEXT NOT NULL DEFAULT 'service';
  ALTER TABLE transcripts ADD COLUMN model TEXT;
  `,
  // One table for what all kinds have. A dictation is in files of its own: its row begins when it is filed.
  `
  CREATE TABLE folders (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, parent_id TEXT) STRICT;
  CREATE TABLE tags (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL) STRICT;
  CREATE TABLE items (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    title TEXT NOT NULL DEFAULT '',
    source_name TEXT NOT NULL DEFAULT '',
    -- When it was made; for texts to speak and conversations: when they last changed.
    at_ms INTEGER NOT NULL DEFAULT 0,
    folder_id TEXT,
    -- In the trash since then. An item with a term but without this is gone already, and can still be brought back.
    trashed_at_ms INTEGER,
    erase_at_ms INTEGER,
    -- The job that returns to the queue together with it.
    queue_row TEXT,
    PRIMARY KEY (kind, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX items_by_term ON items (erase_at_ms) WHERE erase_at_ms IS NOT NULL;
  CREATE TABLE item_tags (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    item_id TEXT NOT NULL,
    tag_id TEXT NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
    UNIQUE (kind, item_id, tag_id),
    FOREIGN KEY (kind, item_id) REFERENCES items (kind, id) ON DELETE CASCADE
  ) STRICT;
  CREATE INDEX item_tags_by_tag ON item_tags (tag_id);
  -- What is to be deleted at the service too: as soon as the item is no longer here.
  CREATE TABLE removals_at_service (
    transcript_id TEXT PRIMARY KEY,
    remote_id TEXT NOT NULL,
    origin TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO items (kind, id, title, source_name, at_ms)
    SELECT 'transcript', id, title, source_name, created_at_ms FROM transcripts
    UNION ALL SELECT 'isolation', id, title, source_name, created_at_ms FROM audio
    UNION ALL SELECT 'speech', id, title, '', updated_at_ms FROM speech_documents
    UNION ALL SELECT 'conversation', id, title, '', changed_at_ms FROM conversations;
  INSERT OR IGNORE INTO items (kind, id) SELECT 'dictation', substr(n.key, 11) FROM (
    SELECT n.key FROM ${filed('placed')} UNION SELECT n.key FROM ${filed('trashed')}
    UNION SELECT n.key FROM ${filed('tagged')}) AS n WHERE n.key LIKE 'dictation:_%';
  INSERT OR IGNORE INTO folders (id, name, parent_id)
    SELECT n.value ->> 'id', coalesce(n.value ->> 'name', ''), n.value ->> 'parentId' FROM ${filed('folders')}
    WHERE n.value ->> 'id' IS NOT NULL ORDER BY n.key;
  INSERT OR IGNORE INTO tags (id, name) SELECT n.value ->> 'id', coalesce(n.value ->> 'name', '') FROM ${filed('tags')}
    WHERE n.value ->> 'id' IS NOT NULL ORDER BY n.key;
  UPDATE items SET folder_id = n.value FROM ${filed('placed')} WHERE ${ofKey};
  UPDATE items SET trashed_at_ms = CAST(n.value AS INTEGER), erase_at_ms = CAST(n.value AS INTEGER) + 30 * 86400000
    FROM ${filed('trashed')} WHERE ${ofKey};
  INSERT OR IGNORE INTO item_tags (kind, item_id, tag_id) SELECT items.kind, items.id, tags.id
    FROM ${filed('tagged')} CROSS JOIN items ON ${ofKey}
    CROSS JOIN json_each(n.value) AS one CROSS JOIN tags ON tags.id = one.value;
  UPDATE items SET queue_row = iif(n.value ->> 'wasListed', n.value ->> 'jobId', NULL),
    trashed_at_ms = iif(n.value ->> 'trashedUntilMs' IS NULL, NULL, CAST(n.value ->> 'atMs' AS INTEGER)),
    erase_at_ms = CAST(coalesce(n.value ->> 'trashedUntilMs', (n.value ->> 'atMs') + 60000) AS INTEGER)
    FROM json_each(${note('deleted')}) AS n
    WHERE items.kind = 'transcript' AND items.id = n.value ->> 'id' AND NOT coalesce(n.value ->> 'isErased', 0);
  INSERT OR IGNORE INTO removals_at_service
    SELECT n.value ->> 'id', n.value ->> 'remoteId', coalesce(n.value ->> 'origin', 'service')
    FROM json_each(${note('deleted')}) AS n
    WHERE n.value ->> 'id' IS NOT NULL AND n.value ->> 'remoteId' IS NOT NULL;
  DELETE FROM meta WHERE key IN ('note-folders', 'note-deleted');
  ALTER TABLE transcripts DROP COLUMN title;
  ALTER TABLE transcripts DROP COLUMN source_name;
  ALTER TABLE transcripts DROP COLUMN created_at_ms;
  ALTER TABLE audio DROP COLUMN title;
  ALTER TABLE audio DROP COLUMN source_name;
  ALTER TABLE audio DROP COLUMN created_at_ms;
  ALTER TABLE speech_documents DROP COLUMN title;
  ALTER TABLE speech_documents DROP COLUMN updated_at_ms;
  ALTER TABLE conversations DROP COLUMN title;
  ALTER TABLE conversations DROP COLUMN changed_at_ms;
  `,
  // What a conversation is about as it was chosen: folders, tags, searches.
  `
  ALTER TABLE conversations ADD COLUMN sources TEXT;
  `,
  `ALTER TABLE transcript_segments ADD COLUMN comments TEXT;`,
  // With which address and key it was sent: another service or account is not asked to delete it.
  `ALTER TABLE removals_at_service ADD COLUMN bound_to TEXT;`,
];

/** Whether our tables and indexes are defined letter by letter; SQLite's own check accepts any other definition. */
export function hasOwnSchema(database: DatabaseSync, version: number): boolean {
  const model = new DatabaseSync(':memory:');
  try {
    for (const step of migrations.slice(0, version)) model.exec(step);
    const own = model.prepare(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')",
    );
    const there = new Set(
      database
        .prepare('SELECT sql FROM sqlite_schema')
        .all()
        .map(({ sql }) => sql),
    );
    return own.all().every(({ sql }) => there.has(sql ?? null));
  } finally {
    model.close();
  }
}
