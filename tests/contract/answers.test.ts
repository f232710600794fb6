import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sendJson, startScriptedServer, type ScriptedServer } from '../support/scripted-server.ts';
import { join } from 'node:path';
import { openClient, recordingFolder, submission, testKey } from './client-rig.ts';
import { openService } from './service-rig.ts';

let server: ScriptedServer;
let other: ScriptedServer;
let files: Awaited<ReturnType<typeof recordingFolder>>;
let client: ReturnType<typeof openClient>;

beforeAll(async () => {
  server = await startScriptedServer((_request, response) => sendJson(response, 500, {}));
  other = await startScriptedServer((_request, response) => sendJson(response, 200, { id: 'stolen' }));
  files = await recordingFolder();
  client = openClient(server.url, { receiveStallMs: 500 });
});
afterEach(() => {
  client.lines.length = 0;
});
afterAll(async () => {
  await client.api.close();
  await Promise.all([server.close(), other.close(), files.dispose()]);
});

const words = { id: 'tr_1', status: 'completed', text: 'Salom', request_id: 'req_9' };

test('an upload is one multipart request with the key, its number and the exact bytes of the file', async () => {
  const content = Buffer.from(Array.from({ length: 700_000 }, (_, at) => at % 251));
  const source = await files.recording(content, 'a "quoted"\r\nmañana suhbat — 1.mp3');
  const progress: (readonly [number, number])[] = [];
  server.script = (_request, response) => sendJson(response, 200, words);
  const input = submission(source, { onProgress: (sent, total) => progress.push([sent, total]) });
  const result = await client.api.submit(input);

  expect(result).toMatchObject({ ok: true, value: { remoteId: 'tr_1', status: 'completed', requestId: 'req_9' } });
  const seen = server.seen.at(-1);
  expect(seen).toMatchObject({
    method: 'POST',
    url: '/v1/stt',
    headers: {
      authorization: `Bearer ${testKey}`,
      'idempotency-key': input.idempotencyKey,
      'content-length': String(seen?.body.length),
    },
  });
  const form = await new Response(new Uint8Array(seen?.body ?? []), {
    headers: { 'content-type': seen?.headers['content-type'] ?? '' },
  }).formData();
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
  const source = await files.recording('abc');
  server.script = (_request, response) => sendJson(response, 503, {});
  const input = submission(source);
  await client.api.submit(input);
  const first = server.seen.at(-1)?.body;
  await client.api.submit(input);
  expect(first?.equals(server.seen.at(-1)?.body ?? Buffer.alloc(0))).toBe(true);
});

test.each([
  [202, { id: 'tr_2' }, { status: 'queued', remoteId: 'tr_2' }],
  [202, { status: 'success', data: { transcription_id: 'tr_3' } }, { status: 'queued', remoteId: 'tr_3' }],
  [202, { message: 'accepted' }, { status: 'unknown', remoteId: null }],
  [200, 'just text', { status: 'unknown', remoteId: null, raw: '"just text"' }],
  [200, { odd: true }, { status: 'unknown', remoteId: null, raw: '{"odd":true}' }],
  [200, null, { status: 'unknown', remoteId: null }],
])('a %i with %j is used as far as it can be read, never as a failure', async (status, body, expected) => {
  server.script = (_request, response) => sendJson(response, status, body);
  const result = await client.api.submit(submission(await files.recording('x')));
  expect(result).toMatchObject({ ok: true, value: expected });
});

test.each([
  ['/v1/stt/transcriptions/tr_5', 'tr_5'],
  ['https://elsewhere.example/api/v1/stt/transcriptions/a%2Fb/?x=1', 'a/b'],
  ['/v1/stt/transcriptions/%2E%2E', null],
  ['/v1/stt/transcriptions/%E0%A4%A', null],
  ['/somewhere/else/tr_5', null],
])(
  'the id of a 202 without one is read from its Location %s as %s, and nothing follows it',
  async (location, remoteId) => {
    server.script = (_request, response) => void response.writeHead(202, { location }).end();
    const result = await client.api.submit(submission(await files.recording('x')));
    expect(result).toMatchObject({ ok: true, value: { remoteId, status: remoteId === null ? 'unknown' : 'queued' } });
    expect(server.seen.at(-1)?.method).toBe('POST');
  },
);

test('a 204 to an upload is a success without any details', async () => {
  server.script = (_request, response) => void response.writeHead(204).end();
  const result = await client.api.submit(submission(await files.recording('x')));
  expect(result).toMatchObject({ ok: true, value: { status: 'unknown', raw: '' } });
});

test('E-009: HTML instead of JSON never counts as an answer', async () => {
  server.script = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><html>Sign in to Free Wi-Fi</html>');
  };
  const upload = await client.api.submit(submission(await files.recording('x')));
  expect(upload).toMatchObject({ ok: false, error: { row: 'E-009', outcome: 'unknown', retry: 'wait_user' } });
  expect(await client.api.read('tr_1')).toMatchObject({ ok: false, error: { row: 'E-009' } });
});

test('JSON that is labelled HTML, or is compressed without request, is still read', async () => {
  const source = await files.recording('x');
  server.script = (_request, response) => sendJson(response, 200, words, { 'content-type': 'text/html' });
  expect(await client.api.submit(submission(source))).toMatchObject({ ok: true, value: { remoteId: 'tr_1' } });
  expect(server.seen.at(-1)?.headers['accept-encoding']).toBe('identity');
  server.script = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync(JSON.stringify(words)));
  };
  expect(await client.api.submit(submission(source))).toMatchObject({ ok: true, value: { remoteId: 'tr_1' } });
  server.script = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync(JSON.stringify(words)).subarray(0, 40));
  };
  expect(await client.api.submit(submission(source))).toMatchObject({
    ok: false,
    error: { row: 'E-015', outcome: 'unknown' },
  });
});

test.each([301, 302, 303, 307, 308])(
  'F-20: a %i is not followed and no header reaches the second host',
  async (status) => {
    server.script = (_request, response) => void response.writeHead(status, { location: `${other.url}/v1/stt` }).end();
    const source = await files.recording('x');
    for (const result of [await client.api.submit(submission(source)), await client.api.list({ limit: 5 })]) {
      expect(result).toMatchObject({ ok: false, error: { code: 'unexpected_redirect', scope: 'queue' } });
    }
    expect(other.seen).toEqual([]);
  },
);

test('a refusal is not repeated and includes the message of the service, cleaned', async () => {
  const before = server.seen.length;
  server.script = (_request, response) =>
    sendJson(response, 402, {
      message: `no \u202e${testKey}`,
      error: { code: 'insufficient_credits' },
      request_id: 'req_7',
    });
  const result = await client.api.list({ limit: 10 });
  expect(result).toMatchObject({
    ok: false,
    error: { row: 'E-034', outcome: 'refused', status: 402, requestId: 'req_7', details: 'no [secret]' },
  });
  expect(server.seen.length - before).toBe(1);
});

test('a read is repeated after errors, four times at most', async () => {
  const before = server.seen.length;
  server.script = (_request, response, { number }) =>
    number - before < 3 ? sendJson(response, 500, {}) : sendJson(response, 200, words);
  expect(await client.api.read('tr_1')).toMatchObject({ ok: true, value: { remoteId: 'tr_1' } });
  expect(server.seen.length - before).toBe(3);
  server.script = (_request, response) => sendJson(response, 500, {});
  expect(await client.api.read('tr_1')).toMatchObject({ ok: false, error: { row: 'E-056' } });
  expect(server.seen.length - before).toBe(7);
});

test('a service that repeats the key in a header does not bring it into a failure', async () => {
  server.script = (_request, response) =>
    sendJson(response, 400, { error: { code: 'bad' } }, { 'x-request-id': `req-${testKey}` });
  const read = await client.api.read('tr_1');
  expect(read.ok).toBe(false);
  expect(JSON.stringify([read, client.lines])).not.toContain(testKey);
});

test('an answer that trickles for ever is aborted, into a file too', async () => {
  const { api } = openClient(server.url, { receiveGraceMs: 200, receiveStallMs: 5000 });
  server.script = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  };
  const startedAt = performance.now();
  const upload = await api.submit({
    source: await files.recording('sound'),
    language: 'uz',
    includeSpeakers: false,
    idempotencyKey: crypto.randomUUID(),
  });
  expect(upload).toMatchObject({ ok: false, error: { row: 'E-015', outcome: 'unknown', retry: 'same_key' } });
  expect(performance.now() - startedAt).toBeLessThan(5000);
  server.script = (_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/wav' });
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  };
  const { speak, close } = openService(server.url, { limits: { receiveGraceMs: 200, receiveStallMs: 5000 } });
  const target = join(files.folder, 'spoken.wav');
  const request = { text: 'a', language: 'uz', voiceId: 'v', speed: 1, idempotencyKey: crypto.randomUUID(), target };
  expect(await speak.speak(request)).toMatchObject({ ok: false, error: { row: 'E-015', code: 'receive_stalled' } });
  await close();
});

test('a 429 says how long to wait, by seconds or by the date of the answer itself', async () => {
  const source = await files.recording('x');
  const wait = async (headers: Record<string, string>) => {
    server.script = (_request, response) => sendJson(response, 429, {}, headers);
    const result = await client.api.submit(submission(source));
    return result.ok ? null : [result.error.row, result.error.retryAfterMs];
  };
  const skewed = Date.now() - 7_200_000;
  expect(await wait({ 'retry-after': '7.5' })).toEqual(['E-052', 7500]);
  expect(
    await wait({ 'retry-after': new Date(skewed + 30_000).toUTCString(), date: new Date(skewed).toUTCString() }),
  ).toEqual(['E-052', 30_000]);
  expect(await wait({})).toEqual(['E-053', undefined]);
  expect(await wait({ 'retry-after': 'later' })).toEqual(['E-053', undefined]);
});

test('F-38: an identifier with any content is one part of the path', async () => {
  server.script = (_request, response) => sendJson(response, 200, words);
  await client.api.read('../../v1/models?x=1#y');
  expect(server.seen.at(-1)?.url).toBe('/v1/stt/transcriptions/..%2F..%2Fv1%2Fmodels%3Fx%3D1%23y');
  const before = server.seen.length;
  expect(await client.api.read('..')).toMatchObject({ ok: false, error: { row: 'E-030', outcome: 'not_sent' } });
  expect(server.seen.length).toBe(before);
});

test('list, rename, delete and export speak the documented routes', async () => {
  server.script = (_request, response) => sendJson(response, 200, { data: [words], next_cursor: 'c 2' });
  expect(await client.api.list({ limit: 500, cursor: 'c/1' })).toMatchObject({
    ok: true,
    value: { items: [{ remoteId: 'tr_1', status: 'completed' }], nextCursor: 'c 2' },
  });
  expect(server.seen.at(-1)?.url).toBe('/v1/stt/transcriptions?limit=100&cursor=c%2F1');
  expect(await client.api.rename('tr_1', 'Yangi nom')).toEqual({ ok: true, value: null });
  expect(server.seen.at(-1)).toMatchObject({ method: 'PATCH', url: '/v1/stt/transcriptions/tr_1' });
  expect(JSON.parse(server.seen.at(-1)?.body.toString() ?? '')).toEqual({ title: 'Yangi nom' });
  server.script = (_request, response) => void response.writeHead(204).end();
  expect(await client.api.remove('tr_1')).toEqual({ ok: true, value: null });
  server.script = (_request, response) => sendJson(response, 404, { message: 'x', error: { code: 'not_found' } });
  expect(await client.api.remove('tr_1')).toEqual({ ok: true, value: null });
  expect(await client.api.rename('tr_1', 'x')).toMatchObject({ ok: false, error: { row: 'E-040' } });
  expect(await client.api.read('tr_1')).toMatchObject({ ok: false, error: { row: 'E-041', status: 404 } });
  server.script = (_request, response) => void response.end('\ufeff1\n00:00:00,000 --> 00:00:01,000\nSalom\n');
  expect(await client.api.export('tr_1', 'srt')).toEqual({
    ok: true,
    value: '1\n00:00:00,000 --> 00:00:01,000\nSalom\n',
  });
  expect(server.seen.at(-1)?.url).toBe('/v1/stt/transcriptions/tr_1/export?format=srt');
});

test('an invalid list is reported as an answer that can not be read', async () => {
  server.script = (_request, response) => sendJson(response, 200, { hello: 1 });
  expect(await client.api.list({ limit: 1 })).toMatchObject({ ok: false, error: { row: 'E-024' } });
});

test('S-08: a line per attempt names the route and never the address, a body, an identifier or the key', async () => {
  server.script = (_request, response) => sendJson(response, 200, { ...words, text: testKey });
  const result = await client.api.read('secret-identifier');
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
  const small = openClient(server.url, { maxBodyBytes: 1000, maxErrorBytes: 100 });
  server.script = (_request, response) => sendJson(response, 200, { text: 'x'.repeat(5000) });
  expect(await small.api.export('tr_1', 'json')).toMatchObject({ ok: false, error: { row: 'E-017' } });
  server.script = (_request, response) => sendJson(response, 401, { message: 'x'.repeat(5000) });
  expect(await small.api.list({ limit: 1 })).toMatchObject({ ok: false, error: { row: 'E-032', status: 401 } });
  await small.api.close();
});
