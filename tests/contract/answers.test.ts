import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { sendJson, startScriptedServer } from '../support/scripted-server.ts';
import { openService, scriptedService, submission, testKey } from './client-rig.ts';

const service = await scriptedService({ limits: { receiveStallMs: 500 } });
const { server, files, client, answer, refuse, last, lastJson, lastForm, countOf } = service;
const other = await startScriptedServer((_request, response) => sendJson(response, 200, { id: 'stolen' }));
afterAll(() => other.close());
beforeEach(() => {
  client.lines.length = 0;
});

const words = { id: 'tr_1', status: 'completed', text: 'Salom', request_id: 'req_9' };
const submit = async () => client.stt.submit(submission(await files.recording('x')));

test('an upload is one multipart request with the key, its number and the exact bytes of the file', async () => {
  const content = Buffer.from(Array.from({ length: 700_000 }, (_, at) => at % 251));
  const source = await files.recording(content, 'a "quoted"\r\nmañana suhbat — 1.mp3');
  const progress: (readonly [number, number])[] = [];
  answer(200, words);
  const input = submission(source, { onProgress: (sent, total) => progress.push([sent, total]) });
  const result = await client.stt.submit(input);

  expect(result).toMatchObject({ ok: true, value: { remoteId: 'tr_1', status: 'completed', requestId: 'req_9' } });
  expect(last()).toMatchObject({
    method: 'POST',
    url: '/v1/stt',
    headers: {
      authorization: `Bearer ${testKey}`,
      'idempotency-key': input.idempotencyKey,
      'content-length': String(last().body.length),
    },
  });
  const form = await lastForm();
  expect([...form.keys()]).toEqual(['language', 'include_speakers', 'audio']);
  expect([form.get('language'), form.get('include_speakers')]).toEqual(['uz', 'true']);
  const audio = form.get('audio');
  if (!(audio instanceof File)) throw new Error('the audio part is a file');
  expect(audio.type).toBe('audio/mpeg');
  expect(audio.name).toContain('mañana suhbat — 1.mp3');
  expect(Buffer.from(await audio.arrayBuffer()).equals(content)).toBe(true);
  expect(progress.at(-1)).toEqual([700_000, 700_000]);
});

test('two attempts with one number send the same bytes', async () => {
  answer(503, {});
  const input = submission(await files.recording('abc'));
  await client.stt.submit(input);
  const first = last().body;
  await client.stt.submit(input);
  expect(first.equals(last().body)).toBe(true);
});

test.each([
  [202, { id: 'tr_2' }, { status: 'queued', remoteId: 'tr_2' }],
  [202, { status: 'success', data: { transcription_id: 'tr_3' } }, { status: 'queued', remoteId: 'tr_3' }],
  [202, { message: 'accepted' }, { status: 'unknown', remoteId: null }],
  [200, 'just text', { status: 'unknown', remoteId: null, raw: '"just text"' }],
  [200, { odd: true }, { status: 'unknown', remoteId: null, raw: '{"odd":true}' }],
  [204, null, { status: 'unknown', raw: '' }],
])('a %i with %j is used as far as it can be read, never as a failure', async (status, body, expected) => {
  answer(status, body);
  expect(await submit()).toMatchObject({ ok: true, value: expected });
});

test.each([
  ['/v1/stt/transcriptions/tr_5', 'tr_5'],
  ['https://elsewhere.example/api/v1/stt/transcriptions/a%2Fb/?x=1', 'a/b'],
  ['/v1/stt/transcriptions/%2E%2E', null],
  ['/v1/stt/transcriptions/%E0%A4%A', null],
  ['/somewhere/else/tr_5', null],
])('the id of a 202 without one is read from its Location %s as %s, and nothing follows it', async (location, id) => {
  answer(202, null, { location });
  const status = id === null ? 'unknown' : 'queued';
  expect(await submit()).toMatchObject({ ok: true, value: { remoteId: id, status } });
  expect(last().method).toBe('POST');
});

test('web-page-answered: HTML instead of JSON never counts as an answer', async () => {
  server.script = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><html>Sign in to Free Wi-Fi</html>');
  };
  expect(await submit()).toMatchObject({
    ok: false,
    error: { kind: 'web-page-answered', outcome: 'unknown', retry: 'wait_user' },
  });
  expect(await client.stt.read('tr_1')).toMatchObject({ ok: false, error: { kind: 'web-page-answered' } });
});

test.each([301, 302, 303, 307, 308])(
  'F-20: a %i is not followed and no header reaches the second host',
  async (status) => {
    answer(status, null, { location: `${other.url}/v1/stt` });
    for (const result of [await submit(), await client.stt.list({ limit: 5 })]) {
      expect(result).toMatchObject({ ok: false, error: { code: 'unexpected_redirect', scope: 'queue' } });
    }
    expect(other.seen).toEqual([]);
  },
);

test('a refusal is not repeated and includes the message of the service, cleaned', async () => {
  const error = { code: 'insufficient_credits' };
  answer(402, { message: `no \u202e${testKey}`, error, request_id: 'req_7' });
  const sent = await countOf(async () =>
    expect(await client.stt.list({ limit: 10 })).toMatchObject({
      ok: false,
      error: { kind: 'credits-exhausted', outcome: 'refused', status: 402, requestId: 'req_7', details: 'no [secret]' },
    }),
  );
  expect(sent).toBe(1);
});

test.each([400, 401, 403, 404, 413, 418, 422])('a %i to an upload is final: it is not sent again', async (status) => {
  answer(status, '<html>no</html>');
  const source = await files.recording('x');
  expect(await countOf(async () => expect((await client.stt.submit(submission(source))).ok).toBe(false))).toBe(1);
});

test('a read is repeated after errors, four times at most', async () => {
  let left = 2;
  server.script = (_request, response) => sendJson(response, (left -= 1) >= 0 ? 500 : 200, words);
  const read = () => client.stt.read('tr_1');
  expect(await countOf(async () => expect(await read()).toMatchObject({ ok: true, value: { remoteId: 'tr_1' } }))).toBe(
    3,
  );
  answer(500, {});
  expect(await countOf(async () => expect(await read()).toMatchObject({ error: { kind: 'server-error' } }))).toBe(4);
});

test('a service that repeats the key in a header does not bring it into a failure', async () => {
  refuse(400, 'bad', { 'x-request-id': `req-${testKey}` });
  const read = await client.stt.read('tr_1');
  expect(read.ok).toBe(false);
  expect(JSON.stringify([read, client.lines])).not.toContain(testKey);
});

test('an answer that trickles for ever is aborted, into a file too', async () => {
  const slow = openService(server.url, { limits: { receiveGraceMs: 200, receiveStallMs: 5000 } });
  server.script = ({ url }, response) => {
    response.writeHead(200, { 'content-type': url === '/v1/tts' ? 'audio/wav' : 'application/json' });
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  };
  expect(await slow.stt.submit(submission(await files.recording('sound')))).toMatchObject({
    ok: false,
    error: { kind: 'answer-truncated', outcome: 'unknown', retry: 'same_key' },
  });
  const target = join(files.folder, 'spoken.wav');
  const request = { text: 'a', language: 'uz', voiceId: 'v', speed: 1, idempotencyKey: crypto.randomUUID(), target };
  expect(await slow.speak.speak(request)).toMatchObject({
    ok: false,
    error: { kind: 'answer-truncated', code: 'receive_stalled' },
  });
  await slow.close();
});

test('a 429 says how long to wait, by seconds or by the date of the answer itself', async () => {
  const wait = async (headers: Record<string, string>) => {
    answer(429, {}, headers);
    const result = await submit();
    return result.ok ? null : [result.error.kind, result.error.retryAfterMs];
  };
  const skewed = Date.now() - 7_200_000;
  const dates = { 'retry-after': new Date(skewed + 30_000).toUTCString(), date: new Date(skewed).toUTCString() };
  expect(await wait({ 'retry-after': '7.5' })).toEqual(['rate-limited-until', 7500]);
  expect(await wait(dates)).toEqual(['rate-limited-until', 30_000]);
  expect(await wait({})).toEqual(['rate-limited', undefined]);
  expect(await wait({ 'retry-after': 'later' })).toEqual(['rate-limited', undefined]);
});

test('F-38: an identifier with any content is one part of the path', async () => {
  answer(200, words);
  await client.stt.read('../../v1/models?x=1#y');
  expect(last().url).toBe('/v1/stt/transcriptions/..%2F..%2Fv1%2Fmodels%3Fx%3D1%23y');
});

test('list, rename, delete and export speak the documented routes', async () => {
  answer(200, { data: [words], next_cursor: 'c 2' });
  expect(await client.stt.list({ limit: 500, cursor: 'c/1' })).toMatchObject({
    ok: true,
    value: { items: [{ remoteId: 'tr_1', status: 'completed' }], nextCursor: 'c 2' },
  });
  expect(last().url).toBe('/v1/stt/transcriptions?limit=100&cursor=c%2F1');
  expect(await client.stt.rename('tr_1', 'Yangi nom')).toEqual({ ok: true, value: null });
  expect(last()).toMatchObject({ method: 'PATCH', url: '/v1/stt/transcriptions/tr_1' });
  expect(lastJson()).toEqual({ title: 'Yangi nom' });
  answer(204);
  expect(await client.stt.remove('tr_1')).toEqual({ ok: true, value: null });
  refuse(404, 'not_found');
  expect(await client.stt.remove('tr_1')).toEqual({ ok: true, value: null });
  expect(await client.stt.rename('tr_1', 'x')).toMatchObject({ ok: false, error: { kind: 'deleted-at-service' } });
  expect(await client.stt.read('tr_1')).toMatchObject({ ok: false, error: { kind: 'job-not-found', status: 404 } });
  const srt = '1\n00:00:00,000 --> 00:00:01,000\nSalom\n';
  server.script = (_request, response) => void response.end(`\ufeff${srt}`);
  expect(await client.stt.export('tr_1', 'srt')).toEqual({ ok: true, value: srt });
  expect(last().url).toBe('/v1/stt/transcriptions/tr_1/export?format=srt');
  answer(200, { hello: 1 });
  expect(await client.stt.list({ limit: 1 })).toMatchObject({ ok: false, error: { kind: 'answer-unreadable' } });
});

test('S-08: a line per attempt names the route and never the address, a body, an identifier or the key', async () => {
  answer(200, { ...words, text: testKey });
  const result = await client.stt.read('secret-identifier');
  expect(client.lines).toHaveLength(1);
  expect(client.lines[0]).toMatchObject({
    event: 'service-attempt',
    route: '/v1/stt/transcriptions/{transcription_id}',
    method: 'GET',
    status: 200,
    attempt: 1,
  });
  expect(JSON.stringify(client.lines)).not.toMatch(/CANARY|127\.0\.0\.1|secret-identifier|Salom/u);
  expect(JSON.stringify(result)).not.toContain('CANARY');
});

test('an answer over the limit is aborted; an overlong refusal still says what was refused', async () => {
  const { stt, close } = openService(server.url, { limits: { maxBodyBytes: 1000, maxErrorBytes: 100 } });
  answer(200, { text: 'x'.repeat(5000) });
  expect(await stt.export('tr_1', 'json')).toMatchObject({ ok: false, error: { kind: 'answer-too-large' } });
  answer(401, { message: 'x'.repeat(5000) });
  expect(await stt.list({ limit: 1 })).toMatchObject({ ok: false, error: { kind: 'key-refused', status: 401 } });
  await close();
});
