import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClientClock } from '../../electron/api/http/clock.ts';
import { awaitExport } from '../../electron/services/isolation/kept-exports.ts';
import { overrideWire } from '../../shared/wire/wire-table.ts';
import { sendJson, startScriptedServer, type ScriptedServer, type SeenRequest } from '../support/scripted-server.ts';
import { recordingFolder } from './client-rig.ts';
import { openService } from './service-rig.ts';

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

const formOf = ({ headers, body }: SeenRequest): Promise<FormData> =>
  new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
const textsOf = (form: FormData, field: string): Promise<readonly string[]> =>
  Promise.all(form.getAll(field).map((part) => new Response(part).text()));

test('an isolation is one form with its options, under its key', async () => {
  server.script = (_request, response) =>
    sendJson(response, 202, { data: { job: { id: 'iso_1', status: 'queued', audio_status: 'pending' } } });
  const idempotencyKey = randomUUID();
  const source = await files.recording('sound', 'uy.mp3');
  expect(await client.isolate.submit({ source, title: 'Uy', speechRestoration: true, idempotencyKey })).toMatchObject({
    ok: true,
    value: { id: 'iso_1', progress: 'working', audio: null },
  });
  const seen = server.seen.at(-1);
  if (seen === undefined) throw new Error('one request');
  expect(seen).toMatchObject({
    method: 'POST',
    url: '/v1/voice-isolations',
    headers: { 'idempotency-key': idempotencyKey },
  });
  const form = await formOf(seen);
  expect([...form.keys()]).toEqual(['title', 'speech_restoration', 'audio']);
  expect([form.get('title'), form.get('speech_restoration')]).toEqual(['Uy', 'true']);
  expect(await textsOf(form, 'audio')).toEqual(['sound']);
});

test('a batch is one form with all files in order, and its jobs are returned in that order', async () => {
  server.script = (_request, response) =>
    sendJson(response, 202, { jobs: [{ id: 'a' }, { odd: true }, { isolation_id: 'c', status: 'queued' }] });
  const sent: number[] = [];
  const sources = await Promise.all(['one', 'two!', 'three'].map((content) => files.recording(content)));
  const jobs = await client.isolate.submitBatch({
    sources,
    speechRestoration: false,
    idempotencyKey: randomUUID(),
    onFileBytes: (bytes) => sent.push(bytes),
  });
  expect(jobs.ok && jobs.value.map((job) => job?.id ?? null)).toEqual(['a', null, 'c']);
  const seen = server.seen.at(-1);
  if (seen === undefined) throw new Error('one request');
  expect(seen.headers['content-length']).toBe(String(seen.body.length));
  expect(await textsOf(await formOf(seen), 'audio')).toEqual(['one', 'two!', 'three']);
  expect(sent).toEqual([3, 7, 12]);
});

test('E-048: a recording of more than 300 MiB is not sent', async () => {
  const before = server.seen.length;
  const source = { ...(await files.recording('sound')), sizeBytes: 300 * 2 ** 20 + 1 };
  const request = { speechRestoration: false, idempotencyKey: randomUUID() };
  for (const refused of [
    await client.isolate.submit({ ...request, source }),
    await client.isolate.submitBatch({ ...request, sources: [source] }),
  ]) {
    expect(refused).toMatchObject({ ok: false, error: { row: 'E-048', outcome: 'not_sent' } });
  }
  expect(server.seen.length).toBe(before);
});

test('E-162: a refused batch has accepted nothing; a file that changed stops it before it is sent', async () => {
  const sources = [await files.recording('one'), await files.recording('two')];
  const request = { sources, speechRestoration: false, idempotencyKey: randomUUID() };
  server.script = (_request, response) =>
    sendJson(response, 402, { message: 'x', error: { code: 'insufficient_credits' } });
  expect(await client.isolate.submitBatch(request)).toMatchObject({ ok: false, error: { row: 'E-162', status: 402 } });
  const before = server.seen.length;
  const changed = [sources[0], { ...sources[1], sizeBytes: 99 }] as typeof sources;
  expect(await client.isolate.submitBatch({ ...request, sources: changed })).toMatchObject({
    ok: false,
    error: { row: 'E-011', outcome: 'not_sent' },
  });
  expect(server.seen.length).toBe(before);
});

test.each([
  [{ id: 'i', status: 'processing', audio_status: 'completed', audio_url: 'https://f.example/a' }, 'completed'],
  [{ id: 'i', status: 'completed', audio_status: 'completed' }, 'working'],
  [{ id: 'i', status: 'completed', audio_status: 'converting', audio_url: 'https://f.example/a' }, 'working'],
  [{ id: 'i', status: 'failed', error_code: 'MODEL_FAILED' }, 'failed'],
  [{ id: 'i', audio_status: 'failed', audio_url: 'https://f.example/a' }, 'failed'],
  [{ id: 'i', status: 'resting' }, 'working'],
])('the job %j is %s', async (job, progress) => {
  server.script = (_request, response) => sendJson(response, 200, { voice_isolation: job, request_id: 'r' });
  expect(await client.isolate.read('i')).toMatchObject({ ok: true, value: { id: 'i', progress } });
});

test('a missing job is looked up; one that is hidden twice is hidden', async () => {
  server.script = (_request, response) => sendJson(response, 404, { message: '', error: { code: 'not_found' } });
  expect(await client.isolate.read('i')).toMatchObject({ ok: false, error: { row: 'E-041' } });
  expect(await client.isolate.remove('i')).toEqual({ ok: true, value: null });
});

test('an export is requested once, and polled until it has an address', async () => {
  const before = server.seen.length;
  server.script = (_request, response) => sendJson(response, 503, {});
  expect(await client.isolate.createExport('i', 'flac')).toMatchObject({ ok: false });
  expect(server.seen.length - before).toBe(1);
  expect(JSON.parse(server.seen.at(-1)?.body.toString() ?? '')).toEqual({ format: 'flac' });
  server.script = (_request, response) => sendJson(response, 202, { export: { format: 'flac', status: 'processing' } });
  expect(await client.isolate.createExport('i', 'flac')).toMatchObject({ ok: true, value: { progress: 'working' } });
  server.script = (_request, response) =>
    sendJson(response, 200, { data: { status: 'ready', download_url: 'https://f.example/x?sig=CANARY' } });
  const ready = await client.isolate.readExport('i', 'flac');
  expect(ready).toMatchObject({ ok: true, value: { progress: 'completed' } });
  expect(JSON.stringify(ready)).not.toContain('CANARY');
  expect(server.seen.at(-1)?.url).toBe('/v1/voice-isolations/i/exports/flac');
});

test('an export that the service has already is only read; a missing or failed one is requested', async () => {
  const ports = { client, clock: systemClientClock };
  const options = { waitMs: 10_000, signal: new AbortController().signal };
  const methods = async (answers: readonly { readonly status: number; readonly body: object }[]) => {
    const before = server.seen.length;
    let next = 0;
    server.script = (_request, response) => {
      const { status = 500, body = {} } = answers[next] ?? {};
      next += 1;
      sendJson(response, status, body);
    };
    expect(await awaitExport(ports, 'i', 'flac', options)).toEqual({ ok: true, value: null });
    return server.seen.slice(before).map(({ method }) => method);
  };
  const there = { status: 200, body: { status: 'ready', download_url: 'https://f.example/x' } };
  const missing = { status: 404, body: { message: '', error: { code: 'not_found' } } };
  const failed = { status: 200, body: { status: 'failed' } };
  const requested = { status: 202, body: { status: 'processing' } };
  expect(await methods([there])).toEqual(['GET']);
  expect(await methods([missing, requested, there])).toEqual(['GET', 'POST', 'GET']);
  expect(await methods([failed, requested, there])).toEqual(['GET', 'POST', 'GET']);
});

test('the history is requested within the limits of the service, and fields use corrected names', async () => {
  server.script = (_request, response) => sendJson(response, 200, { isolations: [{ id: 'a' }, {}], next_cursor: 'n' });
  expect(await client.isolate.list({ limit: 80 })).toMatchObject({
    ok: true,
    value: { items: [{ id: 'a' }], nextCursor: 'n' },
  });
  expect(server.seen.at(-1)?.url).toBe('/v1/voice-isolations?limit=50');
  const wire = overrideWire({ fields: { 'isolate.audio': 'recording' } });
  if (!wire.ok) throw new Error('a valid correction');
  const corrected = openService(server.url, { wire: wire.value });
  await corrected.isolate.submit({
    source: await files.recording('x'),
    speechRestoration: false,
    idempotencyKey: randomUUID(),
  });
  const seen = server.seen.at(-1);
  if (seen === undefined) throw new Error('one request');
  expect([...(await formOf(seen)).keys()]).toEqual(['speech_restoration', 'recording']);
  await corrected.close();
});
