import { afterAll, beforeAll, expect, test } from 'vitest';
import { endingOf } from '../../electron/cli/ending.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { readLegacyFacts } from '../../electron/api/legacy/resources.ts';
import { sendLegacy } from '../../electron/services/jobs/kinds/legacy-transcription.ts';
import type { QueuePorts } from '../../electron/services/jobs/ports.ts';
import { createAccountService } from '../../electron/services/account/account-service.ts';
import { Secret } from '../../electron/secret/secret.ts';
import { openServiceClient } from '../../electron/api/service-client.ts';
import { sendJson, startScriptedServer, type ScriptedServer } from '../support/scripted-server.ts';
import { openService } from './service-rig.ts';
import { recordingFolder, testKey } from './client-rig.ts';

let server: ScriptedServer;
let files: Awaited<ReturnType<typeof recordingFolder>>;
let client: ReturnType<typeof openService>;

beforeAll(async () => {
  server = await startScriptedServer((_request, response) => sendJson(response, 500, {}));
  files = await recordingFolder();
  client = openService(server.url);
});
afterAll(async () => {
  await client.close();
  await Promise.all([server.close(), files.dispose()]);
});

const key = { id: 'k1', name: 'Studio', masked_key: 'sk_…ab12', enabled: true, permissions: { llm: 'read', odd: 7 } };

test('S-32: account routes take the access token, legacy routes their own key, the others the developer key', async () => {
  server.script = (_request, response) => sendJson(response, 200, { data: { keys: [key], next_cursor: null } });
  await client.account.keys({});
  expect(server.seen.at(-1)?.headers).toMatchObject({ authorization: 'Bearer jwt_CANARY_0123456789abcdef' });
  expect(server.seen.at(-1)?.headers).not.toHaveProperty('x-api-key');
  server.script = (_request, response) => sendJson(response, 200, { results: [], count: 0 });
  await client.legacy.speeches({ page: 1, limit: 10 });
  expect(server.seen.at(-1)?.headers).toMatchObject({
    'x-api-key': 'old_CANARY_0123456789abcdef',
    'accept-language': 'en',
  });
  expect(server.seen.at(-1)?.headers).not.toHaveProperty('authorization');
  server.script = (_request, response) => sendJson(response, 200, { voices: [] });
  await client.speak.voices({});
  expect(server.seen.at(-1)?.headers['authorization']).toBe(`Bearer ${testKey}`);
});

test('without its secret a route is not even requested', async () => {
  const before = server.seen.length;
  const bare = openServiceClient({
    connection: () => ({ kind: 'practice', baseUrl: server.url, key: new Secret(testKey) }),
    log: { write: () => undefined },
    allowsLoopbackHttp: true,
  });
  expect(await bare.account.keys({})).toMatchObject({ ok: false, error: { row: 'E-033', outcome: 'not_sent' } });
  expect(await bare.legacy.longTranscription('1')).toMatchObject({
    ok: false,
    error: { row: 'E-032', code: 'no_legacy_key' },
  });
  expect(server.seen.length).toBe(before);
  await bare.close();
});

test('keys are read, changed, revoked and deleted; the secret of a new one prints nothing', async () => {
  server.script = (_request, response) =>
    sendJson(response, 200, { data: { keys: [key], next_cursor: 'c' }, request_id: 'r' });
  expect(await client.account.keys({ limit: 0 })).toMatchObject({
    ok: true,
    value: { items: [{ id: 'k1', permissions: { llm: 'read' } }], nextCursor: 'c' },
  });
  expect(server.seen.at(-1)?.url).toBe('/api/v1/account/api-keys?limit=1');
  server.script = (_request, response) =>
    sendJson(response, 201, { data: { key, secret: 'sk_CANARY' }, request_id: 'r' });
  const made = await client.account.createKey({ name: 'Studio', permissions: { llm: 'read' } });
  expect(JSON.stringify(made)).not.toContain('CANARY');
  expect(made.ok && made.value.secret?.reveal()).toBe('sk_CANARY');
  server.script = (_request, response) => sendJson(response, 200, { data: { key: { ...key, enabled: false } } });
  expect(await client.account.updateKey('k1', { enabled: false, expires_at: null })).toMatchObject({
    ok: true,
    value: { enabled: false },
  });
  expect(JSON.parse(server.seen.at(-1)?.body.toString() ?? '')).toEqual({ enabled: false, expires_at: null });
  server.script = (_request, response) => void response.writeHead(204).end();
  expect(await client.account.revokeKey('k1')).toEqual({ ok: true, value: null });
  expect(server.seen.at(-1)).toMatchObject({ method: 'POST', url: '/api/v1/account/api-keys/k1/revoke' });
  expect(await client.account.removeKey('k1')).toEqual({ ok: true, value: null });
  server.script = (_request, response) => sendJson(response, 409, { message: '', error: { code: 'api_key_in_use' } });
  expect(await client.account.removeKey('k1')).toMatchObject({ ok: false, error: { row: 'E-066' } });
  server.script = (_request, response) => sendJson(response, 404, { message: '', error: { code: 'not_found' } });
  expect(await client.account.removeKey('k1')).toEqual({ ok: true, value: null });
});

test('E-067: a new key whose answer was lost is never requested twice', async () => {
  const before = server.seen.length;
  server.script = (_request, response) => void response.socket?.resetAndDestroy();
  expect(await client.account.createKey({ name: 'x' })).toMatchObject({
    ok: false,
    error: { row: 'E-067', retry: 'look_first' },
  });
  expect(server.seen.length - before).toBe(1);
});

test('catalogues list only what is planned, with levels', async () => {
  const entry = { id: 'llm', name: 'LLM', description: 'd', levels: ['none', 'read'], implemented: false };
  server.script = (_request, response) => sendJson(response, 200, { data: { permissions: [entry, 1] } });
  expect(await client.account.permissions()).toMatchObject({
    ok: true,
    value: [{ id: 'llm', levels: ['none', 'read'], isImplemented: false }],
  });
  server.script = (_request, response) => sendJson(response, 200, { scopes: [{ id: 'tts:read' }], request_id: 'r' });
  expect(await client.account.scopes()).toMatchObject({ ok: true, value: [{ id: 'tts:read' }] });
});

test('usage keeps products and numbers of a newer service', async () => {
  server.script = (_request, response) =>
    sendJson(response, 200, {
      period: { from: '2026-11-01', to: '2026-11-08', timezone: 'UTC', granularity: 'day' },
      summary: { total_requests: 9, success_rate: 0.5, currency: 'USD', brand_new: 4, odd: null },
      series: [{ bucket: '2026-11-01', total_requests: 3 }, 7],
      product_usage: [{ product: 'dreams', credits: 2 }],
      status_codes: [{ key: '200', value: 8 }, { key: 500, value: 1 }, {}],
      top_routes: [],
      request_id: 'r',
    });
  expect(await client.account.analytics({ granularity: 'day' })).toMatchObject({
    ok: true,
    value: {
      granularity: 'day',
      currency: 'USD',
      summary: { total_requests: 9, success_rate: 0.5, brand_new: 4 },
      series: [{ label: '2026-11-01', values: { total_requests: 3 } }],
      products: [{ label: 'dreams', values: { credits: 2 } }],
      statusCodes: [
        { key: '200', value: 8 },
        { key: '500', value: 1 },
      ],
    },
  });
  server.script = (_request, response) =>
    sendJson(response, 400, { message: '', error: { code: 'invalid_analytics_window' } });
  expect(await client.account.analytics({})).toMatchObject({ ok: false, error: { row: 'E-063' } });
  server.script = (_request, response) =>
    sendJson(response, 200, {
      items: [
        {
          request_id: 'q',
          timestamp: '2026-11-01T10:00:00Z',
          status_code: 200,
          usage: { product: 'llm', credits: 0.25, billable: true },
        },
      ],
      next_cursor: null,
      period: {},
    });
  expect(await client.account.requestLogs({ status: 200, route: '/v1/tts' }, {})).toMatchObject({
    ok: true,
    value: { items: [{ status: 200, usage: { product: 'llm', credits: '0.25', isBillable: true } }] },
  });
  expect(server.seen.at(-1)?.url).toBe('/api/v1/account/request-logs?status=200&route=%2Fv1%2Ftts&limit=50');
});

test('legacy speech is a form by its own rules, and a task is polled until it is done', async () => {
  server.script = (_request, response) => sendJson(response, 201, { audio_path: '/media/a.wav' });
  expect(await client.legacy.speak({ transcript: 'Hi', language: 'en', mood: 'Happy', speed: 2 })).toMatchObject({
    ok: true,
    value: { id: null, audioPath: '/media/a.wav' },
  });
  const form = server.seen.at(-1);
  expect(form?.headers['content-length']).toBe(String(form?.body.length));
  expect([...(form?.body.toString().matchAll(/name="(\w+)"/gu) ?? [])].map(([, name]) => name)).toEqual([
    'transcript',
    'language',
  ]);
  server.script = (_request, response) => sendJson(response, 202, { id: 7, task_id: 't', status: 'PENDING' });
  expect(
    await client.legacy.speak({
      transcript: 'Salom',
      language: 'uz',
      voiceId: 3,
      mood: 'Sad',
      notifyUrl: 'https://a.example',
    }),
  ).toMatchObject({
    ok: true,
    value: { id: '7', status: { known: true, state: 'PENDING' } },
  });
  expect(server.seen.at(-1)?.body.toString()).not.toContain('mood');
  server.script = (_request, response) =>
    sendJson(response, 200, { id: 7, status: 'SUCCESS', audio_path: '/media/b.wav' });
  expect(await client.legacy.speechStatus('7')).toMatchObject({ ok: true, value: { status: { state: 'SUCCESS' } } });
  expect(server.seen.at(-1)?.url).toBe('/api/v1/tts/status/7/');
});

test('legacy transcription: short at once, long by polling, and a lost creation is never repeated', async () => {
  const source = await files.recording('x');
  server.script = (_request, response) =>
    sendJson(response, 200, { id: 1, gender: 'm', duration: 2.5, transcript: 'Salom' });
  expect(await client.legacy.transcribe({ source, language: 'uz', tellsSpeakersApart: true })).toMatchObject({
    ok: true,
    value: { id: '1', durationMs: 2500, transcript: 'Salom' },
  });
  expect(server.seen.at(-1)?.body.toString()).toMatch(/name="has_diarization"\r\n\r\ntrue\r\n/u);
  server.script = (_request, response) => sendJson(response, 200, { id: 2, task_id: 't', status: 'PENDING' });
  expect(await client.legacy.transcribeLong({ source, language: 'ru', isMeeting: false })).toMatchObject({
    ok: true,
    value: { remoteId: '2' },
  });
  server.script = (_request, response) =>
    sendJson(response, 200, { id: 2, status: 'SUCCESS', transcript: '', summary: 's' });
  const long = await client.legacy.longTranscription('2');
  expect(long).toMatchObject({ ok: true, value: { remoteId: '2', status: 'completed' } });
  expect(long.ok && readLegacyFacts(long.value.raw)).toMatchObject({ summary: 's' });
  server.script = (_request, response) => sendJson(response, 200, { results: [{ id: 1 }, {}], count: 11 });
  expect(await client.legacy.transcriptions({ page: 1, limit: 10 })).toMatchObject({
    ok: true,
    value: { items: [{ id: '1' }], total: 11 },
  });
  expect(await client.legacy.longTranscriptions({ page: 2, limit: 10 })).toMatchObject({ ok: true });
  expect(server.seen.at(-1)?.url).toBe('/api/v2/stt/get/?page=2&limit=10');
  const before = server.seen.length;
  server.script = (_request, response) => void response.socket?.resetAndDestroy();
  expect(await client.legacy.transcribe({ source, language: 'uz' })).toMatchObject({
    ok: false,
    error: { row: 'E-013' },
  });
  expect(server.seen.length - before).toBe(1);
  server.script = (_request, response) =>
    sendJson(response, 402, { detail: 'Balance', error_key: 'insufficient_balance' });
  expect(await client.legacy.transcribe({ source, language: 'uz' })).toMatchObject({
    ok: false,
    error: { row: 'E-036', code: 'legacy.insufficient_balance', envelope: 'legacy' },
  });
});

test('a list follows each cursor once, and the log reads the page that was asked for', async () => {
  const account = createAccountService(
    client.account,
    () => Date.now(),
    () => '',
  );
  const cursors = () => server.seen.slice(before).map(({ url }) => new URL(url, server.url).searchParams.get('cursor'));
  let before = server.seen.length;
  server.script = (_request, response) => sendJson(response, 200, { data: { keys: [key], next_cursor: 'same' } });
  expect(await account.keys()).toMatchObject({ ok: true, value: [{ id: 'k1' }] });
  expect(cursors()).toEqual([null, 'same']);

  before = server.seen.length;
  const filter = { days: 7 as const, status: null, method: null, route: null, keyId: null, text: '' };
  const everything = { ...filter, isFailedOnly: false, hidesReads: false };
  server.script = (_request, response) =>
    sendJson(response, 200, { items: [{ request_id: 'r', status_code: 200 }], next_cursor: 'same' });
  expect(await account.log(everything, null)).toMatchObject({ ok: true, value: { nextCursor: 'same' } });
  expect(await account.log(everything, 'same')).toMatchObject({ ok: true, value: { nextCursor: null } });
  expect(await account.log({ ...everything, isFailedOnly: true }, null)).toMatchObject({ value: { entries: [] } });
  expect(cursors()).toEqual([null, 'same', null, 'same']);
});

test('an id or a key that can’t be sent is said to be one, and nothing is sent', async () => {
  const before = server.seen.length;
  expect(await client.speak.read('..')).toMatchObject({ error: { code: 'value_unsafe', outcome: 'not_sent' } });
  const messages = [{ role: 'user' as const, content: 'a' }];
  const question = { model: 'm', messages, maxCompletionTokens: 1, idempotencyKey: 'a\r\nb' };
  const asked = await client.ask.ask(question);
  expect(asked).toMatchObject({ error: { failure: { row: 'E-031', code: 'unfit_idempotency_key', layer: 'local' } } });
  for (const code of ['value_unsafe', 'unfit_idempotency_key'])
    expect(endingOf(makeFailure('E-030', { code, layer: 'local' }))).toMatch(/badId|badRequestKey/);
  expect(server.seen.length).toBe(before);
});

test.each([
  [null, 'true'],
  [15_000, 'true'],
  [14_999, 'false'],
])('speakers are told apart by the legacy API in a recording of %s ms: %s', async (durationMs, expected) => {
  server.script = (_request, response) => sendJson(response, 200, { id: 3, status: 'PENDING' });
  const job = { name: 'a.mp3', language: 'uz', includeSpeakers: true, durationMs, memory: { intent: null } };
  const connection = () => ({ legacyKey: new Secret('x') });
  const [ports, source] = [{ client, connection }, await files.recording('x')];
  const signal = new AbortController().signal;
  const sent = await sendLegacy(ports as unknown as QueuePorts, job as never, source, signal, () => undefined);
  expect(sent.ok).toBe(true);
  const field = /name="has_diarization"\r\n\r\n(\w+)/u.exec(server.seen.at(-1)?.body.toString() ?? '');
  expect(field?.[1]).toBe(expected);
});
