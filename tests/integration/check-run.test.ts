import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonLines } from '../support/cli-run.ts';
import { checkRun, openRunRig, type Checked, type RunRig } from '../support/run-rig.ts';

const files = 6;
const upload = { route: '/v1/stt', method: 'POST' };
let rig: RunRig;

beforeAll(async () => {
  rig = await openRunRig(files, [
    { ...upload, nth: 2, fault: 'drop-answer-after-acceptance' },
    { ...upload, nth: 4, fault: '429', retryAfter: '0.4' },
    { ...upload, nth: 5, fault: 'reset-before-read' },
  ]);
  const run = await rig.start().ended;
  expect(jsonLines(run.out).at(-1)).toEqual({ summary: { done: files, failed: 0, skipped: 0 } });
  await rig.stopService();
}, 120_000);
afterAll(() => rig.dispose());

test('a run with lost answers, a 429 and a reset keeps its guarantees', async () => {
  const checked = await rig.check('--items', String(files), '--done', String(files));
  expect(checked.lines.slice(0, -1)).toEqual([]);
  expect(checked.lines.at(-1)).toMatch(
    /^6 items, \d{2,} events, 6 texts, 9 requests, 6 acceptances: I1 I2 I3 I4 I7 hold$/u,
  );
  expect(checked.code).toBe(0);
});

let copies = 0;
/** The same evidence with one change. */
async function withPlanted(side: 'app' | 'service', sql: string): Promise<Checked> {
  copies += 1;
  const folder = join(rig.root, `copy-${copies}`);
  cpSync(rig.serviceDir, folder, { recursive: true });
  cpSync(rig.libraryPath, join(folder, 'library.db'));
  cpSync(`${rig.libraryPath}-wal`, join(folder, 'library.db-wal'), { force: true });
  const database = new DatabaseSync(join(folder, side === 'app' ? 'library.db' : 'practice.sqlite'));
  database.exec('PRAGMA foreign_keys = OFF; DROP TRIGGER IF EXISTS ledger_keeps_values;');
  database.exec('DROP TRIGGER IF EXISTS ledger_keeps_entries;');
  database.exec(sql);
  database.close();
  return checkRun(join(folder, 'library.db'), folder, '--items', String(files), '--done', String(files));
}

const firstKey = '(SELECT idempotency_key FROM ledger ORDER BY n LIMIT 1)';
const firstJob = '(SELECT id FROM jobs ORDER BY id LIMIT 1)';
const anotherRequest = (status: number, beganAt: string, retryAfter = 'NULL'): string =>
  `INSERT INTO attempts (began_at_ms, ended_at_ms, method, path, idempotency_key, status_code, retry_after_ms)
   SELECT ${beganAt}, ${beganAt} + 1, method, path, idempotency_key, ${status}, ${retryAfter} FROM attempts LIMIT 1`;

test.each([
  ['I1', 'an item that is gone', 'app', `DELETE FROM jobs WHERE id = ${firstJob}`],
  ['I1', 'an item that was left in the middle', 'app', `UPDATE jobs SET tag = 'sending' WHERE id = ${firstJob}`],
  ['I1', 'a text that is gone', 'app', `DELETE FROM transcripts WHERE job_id = ${firstJob}`],
  ['I1', 'an acceptance of nobody', 'service', `UPDATE ledger SET idempotency_key = 'stray' WHERE n = 1`],
  [
    'I2',
    'a key that was accepted twice',
    'service',
    `INSERT INTO ledger (at_ms, route, idempotency_key, audio_sha256, fields, transcription_id)
     SELECT at_ms, route, idempotency_key, audio_sha256, fields, transcription_id FROM ledger LIMIT 1`,
  ],
  [
    'I2',
    'a key that stood for other content',
    'service',
    `UPDATE ledger SET audio_sha256 = 'other' WHERE idempotency_key = ${firstKey}`,
  ],
  [
    'I2',
    'an item that was accepted under two keys',
    'app',
    `INSERT INTO job_events (job_id, at_ms, event) SELECT ${firstJob}, added_at_ms,
     json_object('type', 'hashed', 'freshKey', idempotency_key) FROM jobs WHERE id <> ${firstJob} LIMIT 1;
     UPDATE jobs SET idempotency_key = NULL WHERE id = (SELECT id FROM jobs WHERE id <> ${firstJob} LIMIT 1)`,
  ],
  [
    'I3',
    'one letter of a text',
    'app',
    `UPDATE transcript_segments SET text = replace(text, 'Assalomu alaykum', 'Assalomu aleykum')`,
  ],
  ['I4', 'a request before its key was stored', 'service', `UPDATE attempts SET began_at_ms = began_at_ms - 600000`],
  ['I4', 'a request that nobody asked for', 'service', anotherRequest(200, 'began_at_ms + 1')],
  ['I4', 'a key that was never stored', 'service', `UPDATE attempts SET idempotency_key = 'stray' WHERE seq = 1`],
  [
    'I7',
    'a 429 that was not waited for',
    'service',
    `UPDATE attempts SET retry_after_ms = 60000 WHERE status_code = 429`,
  ],
  [
    'I7',
    'a refusal that was asked again',
    'service',
    `UPDATE attempts SET status_code = 422, retry_after_ms = NULL WHERE status_code = 429`,
  ],
] as const)('%s: the checker finds %s', async (invariant, _what, side, sql) => {
  // The app's own log has the refusals it received; a planted one has to be there too.
  const told = sql.includes('422')
    ? `UPDATE job_events SET event = replace(event, '"status":429', '"status":422')`
    : '';
  const checked = told === '' ? await withPlanted(side, sql) : await withBoth(sql, told);
  expect(checked.lines.slice(0, -1).map((line) => line.slice(0, 2))).toContain(invariant);
  expect(checked.code).toBe(1);
});

async function withBoth(serviceSql: string, appSql: string): Promise<Checked> {
  const first = await withPlanted('service', serviceSql);
  expect(first.lines.some((line) => line.startsWith('I7'))).toBe(false);
  const folder = join(rig.root, `copy-${copies}`);
  const database = new DatabaseSync(join(folder, 'library.db'));
  database.exec(appSql);
  database.close();
  return checkRun(join(folder, 'library.db'), folder, '--items', String(files), '--done', String(files));
}

test('a run without records proves nothing', async () => {
  const empty = await openRunRig(0);
  const folder = join(rig.root, 'nothing');
  cpSync(rig.libraryPath, join(folder, 'library.db'), { recursive: true });
  const database = new DatabaseSync(join(folder, 'library.db'));
  database.exec('PRAGMA foreign_keys = OFF; DELETE FROM transcripts; DELETE FROM job_events; DELETE FROM jobs;');
  database.close();
  expect((await checkRun(join(folder, 'library.db'), empty.serviceDir)).code).toBe(2);
  await empty.dispose();
});
