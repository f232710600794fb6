import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Evidence } from './evidence.ts';

type Row = Readonly<Record<string, unknown>>;
type JsonObject = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const number = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);
const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const object = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {};
const parsed = (value: unknown): JsonObject => object(JSON.parse(text(value)));

/** The texts of the segments, one per line. */
const wordsOf = (segments: unknown): string =>
  (Array.isArray(segments) ? segments : []).map((segment: unknown) => text(object(segment)['text'])).join('\n');

function readAll(path: string, queries: readonly string[]): Row[][] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return queries.map((query) => database.prepare(query).all());
  } finally {
    database.close();
  }
}

/** Reads the records of both sides: the library of the app and the state folder of the practice service. */
export function readEvidence(library: string, serviceDir: string): Evidence {
  const [jobs = [], events = [], texts = []] = readAll(library, [
    'SELECT * FROM jobs',
    'SELECT * FROM job_events ORDER BY id',
    `SELECT job_id, remote_id, (SELECT json_group_array(json_object('text', text) ORDER BY position)
      FROM transcript_segments WHERE transcript_id = transcripts.id) AS segments FROM transcripts`,
  ]);
  const [acceptances = [], attempts = [], records = []] = readAll(join(serviceDir, 'practice.sqlite'), [
    'SELECT * FROM ledger ORDER BY n',
    'SELECT * FROM attempts ORDER BY seq',
    'SELECT id, segments FROM transcriptions',
  ]);
  return {
    jobs: jobs.map((row) => ({
      id: text(row['id']),
      tag: text(row['tag']),
      addedAtMs: number(row['added_at_ms']),
      sha256: textOrNull(row['sha256']),
      key: textOrNull(row['idempotency_key'])?.toLowerCase() ?? null,
      remoteId: textOrNull(row['remote_id']),
      isPrepared: object(parsed(row['memory'])['intent'])['preparedName'] !== undefined,
    })),
    events: events.map((row) => {
      const event = parsed(row['event']);
      const failure = event['failure'] === undefined ? null : object(event['failure']);
      return {
        jobId: text(row['job_id']),
        atMs: number(row['at_ms']),
        type: text(event['type']),
        freshKey: textOrNull(event['freshKey'])?.toLowerCase() ?? null,
        acceptsCharge: event['consent'] === true,
        failure: failure && { outcome: text(failure['outcome']), status: numberOrNull(failure['status']) },
      };
    }),
    texts: texts.map((row) => ({
      jobId: text(row['job_id']),
      remoteId: textOrNull(row['remote_id']),
      text: wordsOf(JSON.parse(text(row['segments']))),
    })),
    acceptances: acceptances.map((row) => ({
      atMs: number(row['at_ms']),
      key: text(row['idempotency_key']).toLowerCase(),
      sha256: text(row['audio_sha256']),
      subject: text(row['transcription_id']),
    })),
    attempts: attempts.map((row) => ({
      beganAtMs: number(row['began_at_ms']),
      endedAtMs: numberOrNull(row['ended_at_ms']),
      key: text(row['idempotency_key']),
      status: numberOrNull(row['status_code']),
      retryAfterMs: numberOrNull(row['retry_after_ms']),
    })),
    serviceTexts: new Map(records.map((row) => [text(row['id']), wordsOf(JSON.parse(text(row['segments'])))])),
  };
}
