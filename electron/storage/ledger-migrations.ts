/** Steps of the ledger's schema, by the rules of the library's: run once, in order, never edited after a release. */
export const ledgerMigrations: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE paid_actions (
    id TEXT PRIMARY KEY,
    route TEXT NOT NULL,
    product TEXT NOT NULL,
    -- Counts and choices by an allow-list (PaidAsked), as JSON.
    asked TEXT NOT NULL,
    -- How many units the route is charged by, as far as we know; for estimates.
    units INTEGER,
    estimate TEXT,
    began_at_ms INTEGER NOT NULL,
    last_at_ms INTEGER NOT NULL,
    ended_at_ms INTEGER,
    attempts INTEGER NOT NULL,
    -- An earlier attempt had no end when this one began.
    was_interrupted INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL,
    status INTEGER,
    row TEXT,
    code TEXT,
    request_id TEXT,
    llm_request_id TEXT,
    remote_id TEXT,
    credits TEXT,
    characters INTEGER,
    duration_ms INTEGER,
    input_tokens INTEGER,
    output_tokens INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX paid_actions_by_time ON paid_actions (began_at_ms);
  CREATE INDEX paid_actions_by_remote_id ON paid_actions (remote_id) WHERE remote_id IS NOT NULL;
  CREATE INDEX paid_actions_by_question ON paid_actions (llm_request_id) WHERE llm_request_id IS NOT NULL;

  CREATE TABLE open_wishes (
    fingerprint TEXT PRIMARY KEY,
    action_id TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    remote_id TEXT
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- A fingerprint of the recording (HMAC of its SHA-256), by which it is known again when the library lost its row.
  ALTER TABLE paid_actions ADD COLUMN content TEXT;
  CREATE INDEX paid_actions_by_content ON paid_actions (content) WHERE content IS NOT NULL;
  `,
];
