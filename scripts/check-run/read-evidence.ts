import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Evidence } from './invariants.ts';
import { readAttempts, readState } from '../../electron/practice/state.ts';

type Row = Readonly<Record<string, unknown>>;
type JsonObject = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const number = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);
const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const object = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {};
const parsed = (value: unknown): JsonObject => object(JSON.parse(text(value)));

const wordsOf = (segments: unknown): string =>
  (Array.isArray(segments) ? segments : []).map((segment: unknown) => text(object(segment)['text'])).join('\n');

function segmentsOf(serviceDir: string, id: string): unknown {
  const path = join(serviceDir, 'transcripts', `${id}.json`);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];
}

function readAll(path: string, queries: readonly string[]): Row[][] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return queries.map((query) => database.prepare(query).all());
  } finally {
    database.close();
  }
}

export function readEvidence(library: string, serviceDir: string): Evidence {
  const [jobs = [], events = [], texts = []] = readAll(library, [
    'SELECT * FROM jobs',
    'SELECT * FROM job_events ORDER BY id',
    `SELECT job_id, remote_id, (SELECT json_group_array(json_object('text', text) ORDER BY position)
      FROM transcript_segments WHERE transcript_id = transcripts.id) AS segments FROM transcripts`,
  ]);
  const { ledger, transcriptions } = readState(serviceDir);
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
    acceptances: ledger.map(({ atMs, idempotencyKey, audioSha256, transcriptionId }) => ({
      atMs,
      key: idempotencyKey.toLowerCase(),
      sha256: audioSha256,
      subject: transcriptionId,
    })),
    attempts: readAttempts(serviceDir).map(
      ({ beganAtMs, endedAtMs = null, idempotencyKey: key, status = null, retryAfterMs = null }) => ({
        beganAtMs,
        endedAtMs,
        key,
        status,
        retryAfterMs,
      }),
    ),
    serviceTexts: new Map(Object.keys(transcriptions).map((id) => [id, wordsOf(segmentsOf(serviceDir, id))])),
  };
}
