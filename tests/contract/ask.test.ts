import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { scriptedService } from './client-rig.ts';

const service = await scriptedService({ streamIdleMs: 300 });
const { server, files, client, answer, refuse, last, lastJson, countOf } = service;

const question = () => ({
  model: 'm1',
  messages: [{ role: 'user', content: 'Nima gap?' }] as const,
  maxCompletionTokens: 64,
  idempotencyKey: randomUUID(),
});
const openStream = (response: ServerResponse, id = 'llm_1'): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-llm-request-id': id });
const delta = (content: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
const done = 'data: [DONE]\n\n';
/** Asks with a stream that sends this and ends. */
const streamOf = (text: string) => {
  server.script = (_request, response) => void openStream(response).end(text);
  return stream();
};
const stream = async () => {
  const pieces: string[] = [];
  const told = await client.ask.askStreaming(question(), (piece) => pieces.push(piece));
  return { answer: told, heard: pieces.join('') };
};

test('stream-complete: a stream is complete at [DONE], even if the connection stays open; what follows is ignored', async () => {
  server.script = (_request, response) => {
    openStream(response).write(`: hello\n\n${delta('Yaxshi')}${delta(', rahmat')}`);
    response.write('data: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"completion_tokens":4}}\n\n');
    response.write(`${done}${delta('more')}`);
  };
  const told = await stream();
  expect(told.answer).toMatchObject({
    ok: true,
    value: { text: 'Yaxshi, rahmat', finishReason: 'stop', usage: { outputTokens: 4 }, llmRequestId: 'llm_1' },
  });
  expect(told.heard).toBe('Yaxshi, rahmat');
  expect(lastJson()).toMatchObject({ model: 'm1', stream: true, max_completion_tokens: 64 });
});

test('a question refused before it was read (429, 503) is repeated under the same key', async () => {
  const refusals = [429, 503];
  const before = server.seen.length;
  server.script = (_request, response) => {
    const status = refusals.shift();
    if (status === undefined) return void openStream(response).end(`${delta('Ha')}${done}`);
    const code = status === 429 ? 'rate_limited' : 'service_unavailable';
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end(JSON.stringify({ error: { code } }));
  };
  expect((await stream()).answer).toMatchObject({ ok: true, value: { text: 'Ha' } });
  const sent = server.seen.slice(before);
  expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(sent).toHaveLength(3);
});

test.each([
  ['closes well', (response: ServerResponse) => void response.end()],
  ['is reset', (response: ServerResponse) => void response.socket?.resetAndDestroy()],
])(
  'stream-stopped-early: a stream that %s without [DONE] keeps its text and is never asked again',
  async (_name, end) => {
    server.script = (_request, response) =>
      void openStream(response).write(delta('Yarmi'), () => setImmediate(end, response));
    const sent = await countOf(async () =>
      expect((await stream()).answer).toMatchObject({
        ok: false,
        error: {
          failure: { kind: 'stream-stopped-early', outcome: 'unknown', retry: 'look_first' },
          partial: 'Yarmi',
          llmRequestId: 'llm_1',
        },
      }),
    );
    expect(sent).toBe(1);
  },
);

test('stream-silent: silence ends a stream; a comment is a sign of life', async () => {
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
    error: { failure: { kind: 'stream-silent' }, partial: 'Bir, ikki', llmRequestId: 'llm_1' },
  });
});

test.each([
  ['{"error":{"message":"no","type":"request_error","code":"model_overloaded"}}', 'stream-failed', 'model_overloaded'],
  ['{"error":{"message":"no","code":"insufficient_credits"}}', 'credits-too-few-to-ask', 'insufficient_credits'],
  ['{"error":{"message":"no","code":"llm_usage_pending"}}', 'earlier-question-pending', 'llm_usage_pending'],
  ['{"message":"no","code":"broken"}', 'stream-failed', 'broken'],
])('stream-failed: an error inside a stream ends it with the row of its code: %s', async (data, row, code) => {
  const name = data.includes('"error"') ? '' : 'event: error\n';
  const { answer: told } = await streamOf(`${delta('Yarmi')}${name}data: ${data}\n\n`);
  expect(told).toMatchObject({
    ok: false,
    error: { failure: { kind: row, code, outcome: 'unknown' }, partial: 'Yarmi' },
  });
  expect(!told.ok && told.error.failure.status).toBe(undefined);
});

test('unknown events are ignored, data is read by its shape whatever its event is called, and the last line may be short', async () => {
  const heartbeats = 'event: heartbeat\ndata: ping\n\nevent: heartbeat\ndata: 1\n\nevent: meta\ndata: {x\n\n';
  expect((await streamOf(`${delta('a')}${heartbeats}${delta('b')}data: [DONE]`)).answer).toMatchObject({
    ok: true,
    value: { text: 'ab' },
  });
  const named = (data: string) => `event: chunk\n${data}`;
  const whole = `${named(delta('a'))}${named(delta('b'))}event: done\n${done}`;
  expect((await streamOf(whole)).answer).toMatchObject({ ok: true, value: { text: 'ab' } });
  const broken = `${named(delta('a'))}${named('data: {oops\n\n')}${done}`;
  expect((await streamOf(broken)).answer).toMatchObject({ ok: false, error: { partial: 'a', unreadable: ['{oops'] } });
});

test('stream-piece-unreadable: an unreadable part does not end an answer, and the user is told that a piece is missing', async () => {
  const broken = 'data: {oops\n\ndata: x\n\ndata: 1\n\n';
  expect((await streamOf(`${delta('a')}${broken}${delta('b')}${done}`)).answer).toMatchObject({
    ok: false,
    error: {
      failure: { kind: 'stream-piece-unreadable', outcome: 'accepted', retry: 'never' },
      partial: 'ab',
      unreadable: ['{oops', 'x', '1'],
    },
  });
  const strange = '{"output":{"tokens":["S","alom"]}}';
  expect((await streamOf(`data: ${strange}\n\n${done}`)).answer).toMatchObject({
    ok: false,
    error: { failure: { kind: 'stream-piece-unreadable', outcome: 'accepted' }, partial: '', unreadable: [strange] },
  });
});

test('stream-sent-whole: JSON instead of a stream is an answer, and an immediate answer is read the same way', async () => {
  const choice = { message: { content: [{ type: 'text', text: 'Salom' }] }, finish_reason: 'stop' };
  answer(200, { id: 'c1', created: 1, choices: [choice] }, { 'x-llm-request-id': 'llm_2' });
  const told = await stream();
  expect(told.answer).toMatchObject({ ok: true, value: { text: 'Salom', llmRequestId: 'llm_2' } });
  expect(told.heard).toBe('Salom');
  expect(await client.ask.ask(question())).toMatchObject({ ok: true, value: { text: 'Salom', finishReason: 'stop' } });
  expect(lastJson()).not.toHaveProperty('stream');
});

test('question-already-asked: a repeated key is looked up by the id of the first question, and nothing is sent again', async () => {
  answer(409, { error: { message: 'again', type: 'request_error', code: 'duplicate' }, request_id: 'llm_first' });
  const sent = await countOf(async () => {
    expect(await client.ask.ask(question())).toMatchObject({
      ok: false,
      error: { failure: { kind: 'question-already-asked', outcome: 'accepted' }, llmRequestId: 'llm_first' },
    });
    expect((await stream()).answer).toMatchObject({ ok: false, error: { llmRequestId: 'llm_first' } });
  });
  expect(sent).toBe(2);
});

test('stream-retried: an error before the first byte is left to the caller to repeat with the same key', async () => {
  answer(502, {});
  expect(await client.ask.ask(question())).toMatchObject({
    ok: false,
    error: { failure: { kind: 'stream-retried', retry: 'same_key', outcome: 'unknown' }, partial: '' },
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
  answer(200, body);
  expect(await client.ask.status('q/1')).toMatchObject({ ok: true, value: { outcome, credits } });
  expect(last().url).toBe('/v1/llm/requests/q%2F1');
});

test('models list prices and what they can see, by any usual names', async () => {
  const pricing = { input_cents_per_million: 25, output_cents_per_million: 100.5 };
  const capabilities = { vision: true, document: true };
  answer(200, {
    object: 'list',
    credits_per_usd: 1000,
    data: [
      { id: 'm1', created: 0, pricing, capabilities: ['vision'] },
      { id: 'm2', input_price: '7', output_price: '8', capabilities, cached_input_price: 1 },
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
  const times = { created_at: 100, expires_at: 200 };
  const file = { id: 'file_1', object: 'file', bytes: 3, filename: 'a.png', purpose: 'vision', ...times };
  answer(201, file);
  const source = await files.recording('png', 'a.png');
  expect(await client.ask.upload(source, { purpose: 'vision', model: 'model_1' })).toMatchObject({
    ok: true,
    value: { id: 'file_1', createdAtMs: 100_000, expiresAtMs: 200_000 },
  });
  expect(last().body.toString()).toContain('Content-Type: image/png');
  expect(last().body.toString()).toMatch(/name="model"\r\n\r\nmodel_1/);
  answer(502, {});
  expect(await countOf(async () => expect((await client.ask.upload(source, {})).ok).toBe(false))).toBe(1);
  expect(last().headers['idempotency-key']).toBe(undefined);
  refuse(413, 'file_too_large');
  expect(await client.ask.upload(source, {})).toMatchObject({ ok: false, error: { kind: 'attachment-too-large' } });
  answer(200, { object: 'list', data: [file], has_more: true, first_id: 'file_1', last_id: 'file_1' });
  expect(await client.ask.files({ after: 'file_0', purpose: 'vision' })).toMatchObject({
    ok: true,
    value: { files: [{ id: 'file_1' }], after: 'file_1' },
  });
  expect(last().url).toBe('/v1/files?limit=20&after=file_0&purpose=vision');
  answer(200, { object: 'list', data: [], has_more: false, last_id: '' });
  expect(await client.ask.files({})).toMatchObject({ ok: true, value: { files: [], after: null } });
  answer(200, { id: 'file_1', object: 'file', deleted: true });
  expect(await client.ask.removeFile('file_1')).toEqual({ ok: true, value: null });
  expect(last()).toMatchObject({ method: 'DELETE', url: '/v1/files/file_1' });
});

test('S-08: no question and no answer is in the log', async () => {
  await streamOf(`${delta('Maxfiy')}${done}`);
  expect(client.lines.length).toBeGreaterThan(0);
  expect(JSON.stringify(client.lines)).not.toMatch(/Maxfiy|Nima gap|CANARY|127\.0\.0\.1/u);
});
