import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { systemClientClock } from '../../electron/service/transport.ts';
import { awaitExport } from '../../electron/services/isolation/kept-exports.ts';
import { sendJson } from '../support/scripted-server.ts';
import { scriptedService } from './client-rig.ts';

const { server, files, client, answer, refuse, last, lastJson, lastForm, countOf } = await scriptedService();
const request = () => ({ speechRestoration: false, idempotencyKey: randomUUID() });
const textsOf = (form: FormData): Promise<readonly string[]> =>
  Promise.all(form.getAll('audio').map((part) => new Response(part).text()));

test('an isolation is one form with its options, under its key', async () => {
  answer(202, { data: { job: { id: 'iso_1', status: 'queued', audio_status: 'pending' } } });
  const source = await files.recording('sound', 'uy.mp3');
  const wanted = { ...request(), source, title: 'Uy', speechRestoration: true };
  expect(await client.isolate.submit(wanted)).toMatchObject({
    ok: true,
    value: { id: 'iso_1', progress: 'working', audio: null },
  });
  const headers = { 'idempotency-key': wanted.idempotencyKey };
  expect(last()).toMatchObject({ method: 'POST', url: '/v1/voice-isolations', headers });
  const form = await lastForm();
  expect([...form.keys()]).toEqual(['title', 'speech_restoration', 'audio']);
  expect([form.get('title'), form.get('speech_restoration')]).toEqual(['Uy', 'true']);
  expect(await textsOf(form)).toEqual(['sound']);
});

test('a batch is one form with all files in order, and its jobs are returned in that order', async () => {
  answer(202, { jobs: [{ id: 'a' }, { odd: true }, { isolation_id: 'c', status: 'queued' }] });
  const sent: number[] = [];
  const sources = await Promise.all(['one', 'two!', 'three'].map((content) => files.recording(content)));
  const onFileBytes = (bytes: number) => void sent.push(bytes);
  const jobs = await client.isolate.submitBatch({ ...request(), sources, onFileBytes });
  expect(jobs.ok && jobs.value.map((job) => job?.id ?? null)).toEqual(['a', null, 'c']);
  expect(last().headers['content-length']).toBe(String(last().body.length));
  expect(await textsOf(await lastForm())).toEqual(['one', 'two!', 'three']);
  expect(sent).toEqual([3, 7, 12]);
});

test('what is too large, alone or in a batch, is not sent; nor is a batch of which a file changed', async () => {
  const source = await files.recording('sound');
  const large = { ...source, sizeBytes: 300 * 2 ** 20 + 1 };
  const tooLarge = { ok: false, error: { kind: 'file-too-large', code: 'file_too_large', outcome: 'not_sent' } };
  const sent = await countOf(async () => {
    expect(await client.isolate.submit({ ...request(), source: large })).toMatchObject(tooLarge);
    expect(await client.isolate.submitBatch({ ...request(), sources: [source, large] })).toMatchObject(tooLarge);
    expect(
      await client.isolate.submitBatch({ ...request(), sources: [source, { ...source, sizeBytes: 99 }] }),
    ).toMatchObject({ ok: false, error: { kind: 'file-changed', outcome: 'not_sent' } });
  });
  expect(sent).toBe(0);
  refuse(402, 'insufficient_credits');
  expect(await client.isolate.submitBatch({ ...request(), sources: [source] })).toMatchObject({
    ok: false,
    error: { kind: 'batch-refused', status: 402 },
  });
});

test.each([
  [{ id: 'i', status: 'processing', audio_status: 'completed', audio_url: 'https://f.example/a' }, 'completed'],
  [{ id: 'i', status: 'completed', audio_status: 'completed' }, 'working'],
  [{ id: 'i', status: 'completed', audio_status: 'converting', audio_url: 'https://f.example/a' }, 'working'],
  [{ id: 'i', status: 'failed', error_code: 'MODEL_FAILED' }, 'failed'],
  [{ id: 'i', audio_status: 'failed', audio_url: 'https://f.example/a' }, 'failed'],
  [{ id: 'i', status: 'resting' }, 'working'],
])('the job %j is %s', async (job, progress) => {
  answer(200, { voice_isolation: job, request_id: 'r' });
  expect(await client.isolate.read('i')).toMatchObject({ ok: true, value: { id: 'i', progress } });
});

test('an export is requested once, and polled until it has an address', async () => {
  answer(503, {});
  const create = () => client.isolate.createExport('i', 'flac');
  expect(await countOf(async () => expect((await create()).ok).toBe(false))).toBe(1);
  expect(lastJson()).toEqual({ format: 'flac' });
  answer(202, { export: { format: 'flac', status: 'processing' } });
  expect(await create()).toMatchObject({ ok: true, value: { progress: 'working' } });
  answer(200, { data: { status: 'ready', download_url: 'https://f.example/x?sig=CANARY' } });
  const ready = await client.isolate.readExport('i', 'flac');
  expect(ready).toMatchObject({ ok: true, value: { progress: 'completed' } });
  expect(JSON.stringify(ready)).not.toContain('CANARY');
  expect(last().url).toBe('/v1/voice-isolations/i/exports/flac');
});

test('an export that the service has already is only read; a missing or failed one is requested', async () => {
  const options = { waitMs: 10_000, signal: new AbortController().signal };
  const methods = async (answers: readonly { readonly status: number; readonly body: object }[]) => {
    const before = server.seen.length;
    let next = 0;
    server.script = (_request, response) => {
      const { status = 500, body = {} } = answers[next] ?? {};
      next += 1;
      sendJson(response, status, body);
    };
    expect(await awaitExport({ client, clock: systemClientClock }, 'i', 'flac', options)).toEqual({
      ok: true,
      value: null,
    });
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
