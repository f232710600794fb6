import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendJson, startScriptedServer, type ScriptedServer } from '../support/scripted-server.ts';
import { recordingFolder } from './client-rig.ts';
import { openService } from './service-rig.ts';

let server: ScriptedServer;
let files: Awaited<ReturnType<typeof recordingFolder>>;
let client: ReturnType<typeof openService>;

beforeAll(async () => {
  server = await startScriptedServer((_request, response) => sendJson(response, 500, {}));
  files = await recordingFolder();
  client = openService(server.url, { streamIdleMs: 300 });
});
afterAll(async () => {
  await client.close();
  await Promise.all([server.close(), files.dispose()]);
});

const question = () => ({
  model: 'm1',
  messages: [{ role: 'user', content: 'Nima gap?' }] as const,
  maxCompletionTokens: 64,
  idempotencyKey: randomUUID(),
});
const openStream = (response: ServerResponse, id = 'llm_1'): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-llm-request-id': id });
const delta = (content: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
const stream = async () => {
  const pieces: string[] = [];
  const answer = await client.ask.askStreaming(question(), (piece) => pieces.push(piece));
  return { answer, heard: pieces.join('') };
};

test('E-101: a stream is complete at [DONE], even if the connection stays open; what follows is ignored', async () => {
  server.script = (_request, response) => {
    openStream(response).write(`: hello\n\n${delta('Yaxshi')}${delta(', rahmat')}`);
    response.write('data: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"completion_tokens":4}}\n\n');
    response.write(`data: [DONE]\n\n${delta('more')}`);
  };
  const { answer, heard } = await stream();
  expect(answer).toMatchObject({
    ok: true,
    value: { text: 'Yaxshi, rahmat', finishReason: 'stop', usage: { outputTokens: 4 }, llmRequestId: 'llm_1' },
  });
  expect(heard).toBe('Yaxshi, rahmat');
  const sent: unknown = JSON.parse(server.seen.at(-1)?.body.toString() ?? '');
  expect(sent).toMatchObject({ model: 'm1', stream: true, max_completion_tokens: 64 });
});

test('a question refused before it was read (429, 503) is repeated under the same key', async () => {
  const refusals = [429, 503];
  const before = server.seen.length;
  server.script = (_request, response) => {
    const status = refusals.shift();
    if (status === undefined) return void openStream(response).end(`${delta('Ha')}data: [DONE]\n\n`);
    const code = status === 429 ? 'rate_limited' : 'service_unavailable';
    sendJson(response, status, { error: { code } }, { 'retry-after': '0' });
  };
  expect((await stream()).answer).toMatchObject({ ok: true, value: { text: 'Ha' } });
  const sent = server.seen.slice(before);
  expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(sent).toHaveLength(3);
});

test.each([
  ['closes well', (response: ServerResponse) => void response.end()],
  ['is reset', (response: ServerResponse) => void response.socket?.resetAndDestroy()],
])('E-102: a stream that %s without [DONE] keeps its text and is never asked again', async (_name, end) => {
  const before = server.seen.length;
  server.script = (_request, response) =>
    void openStream(response).write(delta('Yarmi'), () => setImmediate(end, response));
  expect((await stream()).answer).toMatchObject({
    ok: false,
    error: {
      failure: { row: 'E-102', outcome: 'unknown', retry: 'look_first' },
      partial: 'Yarmi',
      llmRequestId: 'llm_1',
    },
  });
  expect(server.seen.length - before).toBe(1);
});

test('E-104: silence ends a stream; a comment is a sign of life', async () => {
  server.script = (_request, response) => {
    openStream(response).write(delta('Bir'));
    let beats = 0;
    const beat = setInterval(() => {
      beats += 1;
      response.write(': still here\n\n');
      if (beats === 3) response.write(delta(', ikki'));
      if (beats === 4) clearInterval(beat);
    }, 120);
  };
  expect((await stream()).answer).toMatchObject({
    ok: false,
    error: { failure: { row: 'E-104' }, partial: 'Bir, ikki', llmRequestId: 'llm_1' },
  });
});

test.each([
  [
    'data: {"error":{"message":"no","type":"request_error","code":"model_overloaded"}}\n\n',
    'E-103',
    'model_overloaded',
  ],
  ['data: {"error":{"message":"no","code":"insufficient_credits"}}\n\n', 'E-075', 'insufficient_credits'],
  ['data: {"error":{"message":"no","code":"llm_usage_pending"}}\n\n', 'E-074', 'llm_usage_pending'],
  ['event: error\ndata: {"message":"no","code":"broken"}\n\n', 'E-103', 'broken'],
])('E-103: an error inside a stream ends it with the row of its code: %j', async (event, row, code) => {
  server.script = (_request, response) => void openStream(response).write(`${delta('Yarmi')}${event}`);
  const { answer } = await stream();
  expect(answer).toMatchObject({ ok: false, error: { failure: { row, code, outcome: 'unknown' }, partial: 'Yarmi' } });
  expect(!answer.ok && answer.error.failure.status).toBe(undefined);
});

test('unknown events are ignored, and an end without an empty line after it is an end', async () => {
  const heartbeats = 'event: heartbeat\ndata: ping\n\nevent: heartbeat\ndata: 1\n\nevent: meta\ndata: {x\n\n';
  server.script = (_request, response) =>
    void openStream(response).end(`${delta('a')}${heartbeats}${heartbeats}${delta('b')}data: [DONE]`);
  expect((await stream()).answer).toMatchObject({ ok: true, value: { text: 'ab' } });
});

test('data is read by its shape, whatever the event is called', async () => {
  const named = (data: string) => `event: chunk\n${data}`;
  const whole = `${named(delta('a'))}${named(delta('b'))}event: done\ndata: [DONE]\n\n`;
  server.script = (_request, response) => void openStream(response).end(whole);
  expect((await stream()).answer).toMatchObject({ ok: true, value: { text: 'ab' } });
  const broken = `${named(delta('a'))}${named('data: {oops\n\n')}data: [DONE]\n\n`;
  server.script = (_request, response) => void openStream(response).end(broken);
  expect((await stream()).answer).toMatchObject({ ok: false, error: { partial: 'a', unreadable: ['{oops'] } });
});

test('E-106: an unreadable part does not end an answer, and the user is told that a piece is missing', async () => {
  const broken = 'data: {oops\n\ndata: x\n\ndata: 1\n\n';
  server.script = (_request, response) =>
    void openStream(response).end(`${delta('a')}${broken}${delta('b')}data: [DONE]\n\n`);
  expect((await stream()).answer).toMatchObject({
    ok: false,
    error: {
      failure: { row: 'E-106', outcome: 'accepted', retry: 'never' },
      partial: 'ab',
      unreadable: ['{oops', 'x', '1'],
    },
  });
  const strange = '{"output":{"tokens":["S","alom"]}}';
  server.script = (_request, response) => void openStream(response).end(`data: ${strange}\n\ndata: [DONE]\n\n`);
  expect((await stream()).answer).toMatchObject({
    ok: false,
    error: { failure: { row: 'E-106', outcome: 'accepted' }, partial: '', unreadable: [strange] },
  });
});

test('E-107: a stop keeps what has arrived and the id to look up', async () => {
  server.script = (_request, response) => void openStream(response, 'llm_stop').write(delta('Yarmi'));
  const stop = new AbortController();
  const answer = await client.ask.askStreaming({ ...question(), signal: stop.signal }, () => stop.abort());
  expect(answer).toMatchObject({
    ok: false,
    error: { failure: { row: 'E-107', code: 'stopped' }, partial: 'Yarmi', llmRequestId: 'llm_stop' },
  });
});

test('E-108: JSON instead of a stream is an answer, and an immediate answer is read the same way', async () => {
  server.script = (_request, response) =>
    sendJson(
      response,
      200,
      {
        id: 'c1',
        created: 1,
        choices: [{ message: { content: [{ type: 'text', text: 'Salom' }] }, finish_reason: 'stop' }],
      },
      { 'x-llm-request-id': 'llm_2' },
    );
  const { answer, heard } = await stream();
  expect(answer).toMatchObject({ ok: true, value: { text: 'Salom', llmRequestId: 'llm_2' } });
  expect(heard).toBe('Salom');
  expect(await client.ask.ask(question())).toMatchObject({ ok: true, value: { text: 'Salom', finishReason: 'stop' } });
  expect(JSON.parse(server.seen.at(-1)?.body.toString() ?? '')).not.toHaveProperty('stream');
});

test('a stream under another content type is read as what it is', async () => {
  server.script = (_request, response) =>
    void response
      .writeHead(200, { 'content-type': 'text/plain', 'x-llm-request-id': 'llm_3' })
      .end(`${delta('Yaxshi')}data: [DONE]\n\n`);
  expect(await stream()).toMatchObject({
    answer: { ok: true, value: { text: 'Yaxshi', llmRequestId: 'llm_3' } },
    heard: 'Yaxshi',
  });
  server.script = (_request, response) => void response.writeHead(200).end(delta('Yax'));
  expect((await stream()).answer).toMatchObject({ ok: false, error: { failure: { row: 'E-102' }, partial: 'Yax' } });
});

test('E-070: a repeated key is looked up by the id of the first question, and nothing is sent again', async () => {
  const before = server.seen.length;
  server.script = (_request, response) =>
    sendJson(response, 409, {
      error: { message: 'again', type: 'request_error', code: 'duplicate' },
      request_id: 'llm_first',
    });
  expect(await client.ask.ask(question())).toMatchObject({
    ok: false,
    error: { failure: { row: 'E-070', outcome: 'accepted' }, llmRequestId: 'llm_first' },
  });
  expect((await stream()).answer).toMatchObject({ ok: false, error: { llmRequestId: 'llm_first' } });
  expect(server.seen.length - before).toBe(2);
});

test('E-105: an error before the first byte is left to the caller to repeat with the same key', async () => {
  server.script = (_request, response) => sendJson(response, 502, {});
  expect(await client.ask.ask(question())).toMatchObject({
    ok: false,
    error: { failure: { row: 'E-105', retry: 'same_key', outcome: 'unknown' }, partial: '' },
  });
});

test.each([
  [{ status: 'completed', credits: '12.5', credits_debited: 13, usage: { input_tokens: 9 } }, 'settled', '12.5'],
  [{ request: { id: 'q', status: 'usage_pending' } }, 'usage-pending', null],
  [{ data: { status: 'Failed', credits_exact: 0 } }, 'failed', '0'],
  [{ status: 'in_progress' }, 'running', null],
  [{ status: 'dreaming' }, 'unknown', null],
  // Fractions are counted in units of a hundred-millionth of a credit.
  [{ status: 'settled', credit_units: 1_234_567, credits_debited: 0 }, 'settled', '0.01234567'],
])('the status %j is %s', async (body, outcome, credits) => {
  server.script = (_request, response) => sendJson(response, 200, body);
  expect(await client.ask.status('q/1')).toMatchObject({ ok: true, value: { outcome, credits } });
  expect(server.seen.at(-1)?.url).toBe('/v1/llm/requests/q%2F1');
});

test('models list prices and what they can see, by any usual names', async () => {
  server.script = (_request, response) =>
    sendJson(response, 200, {
      object: 'list',
      credits_per_usd: 1000,
      data: [
        {
          id: 'm1',
          created: 0,
          pricing: { input_cents_per_million: 25, output_cents_per_million: 100.5 },
          capabilities: ['vision'],
        },
        {
          id: 'm2',
          input_price: '7',
          output_price: '8',
          capabilities: { vision: true, document: true },
          cached_input_price: 1,
        },
        { name: 'no id' },
      ],
    });
  expect(await client.ask.models()).toMatchObject({
    ok: true,
    value: {
      creditsPerUsd: '1000',
      models: [
        { id: 'm1', inputPrice: '25', outputPrice: '100.5', seesImages: true, readsDocuments: false },
        { id: 'm2', inputPrice: '7', outputPrice: '8', seesImages: true, readsDocuments: true },
      ],
    },
  });
});

test('an attachment is one form and never repeated; the list continues from the last one', async () => {
  const file = {
    id: 'file_1',
    object: 'file',
    bytes: 3,
    filename: 'a.png',
    purpose: 'vision',
    created_at: 100,
    expires_at: 200,
  };
  server.script = (_request, response) => sendJson(response, 201, file);
  const source = await files.recording('png', 'a.png');
  expect(await client.ask.upload(source, { purpose: 'vision', model: 'model_1' })).toMatchObject({
    ok: true,
    value: { id: 'file_1', createdAtMs: 100_000, expiresAtMs: 200_000 },
  });
  expect(server.seen.at(-1)?.body.toString()).toContain('Content-Type: image/png');
  expect(server.seen.at(-1)?.body.toString()).toMatch(/name="model"\r\n\r\nmodel_1/);
  const before = server.seen.length;
  server.script = (_request, response) => sendJson(response, 502, {});
  expect(await client.ask.upload(source, {})).toMatchObject({ ok: false });
  expect(server.seen.length - before).toBe(1);
  expect(server.seen.at(-1)?.headers['idempotency-key']).toBe(undefined);
  server.script = (_request, response) => sendJson(response, 413, { message: '', error: { code: 'file_too_large' } });
  expect(await client.ask.upload(source, {})).toMatchObject({ ok: false, error: { row: 'E-077' } });
  server.script = (_request, response) =>
    sendJson(response, 200, { object: 'list', data: [file], has_more: true, first_id: 'file_1', last_id: 'file_1' });
  expect(await client.ask.files({ after: 'file_0', purpose: 'vision' })).toMatchObject({
    ok: true,
    value: { files: [{ id: 'file_1' }], after: 'file_1' },
  });
  expect(server.seen.at(-1)?.url).toBe('/v1/files?limit=20&after=file_0&purpose=vision');
  server.script = (_request, response) =>
    sendJson(response, 200, { object: 'list', data: [], has_more: false, last_id: '' });
  expect(await client.ask.files({})).toMatchObject({ ok: true, value: { files: [], after: null } });
  server.script = (_request, response) => sendJson(response, 200, file);
  expect(await client.ask.file('file_1')).toMatchObject({ ok: true, value: { filename: 'a.png' } });
  server.script = (_request, response) => sendJson(response, 200, { id: 'file_1', object: 'file', deleted: true });
  expect(await client.ask.removeFile('file_1')).toEqual({ ok: true, value: null });
});

test('S-08: no question and no answer is in the log', async () => {
  server.script = (_request, response) => void openStream(response).end(`${delta('Maxfiy')}data: [DONE]\n\n`);
  await stream();
  expect(JSON.stringify(client.lines)).not.toMatch(/Maxfiy|Nima gap|CANARY|127\.0\.0\.1/u);
});
