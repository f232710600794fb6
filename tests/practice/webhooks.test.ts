import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startPracticeServer, type PracticeServer } from '../../electron/practice/server.ts';
import { findSpeechProgram } from '../../electron/practice/speech/speech-program.ts';
import { call, callJson, codeOf, type Reply } from './practice-client.ts';

const program = await findSpeechProgram(process.env['PATH'] ?? '');

interface Heard {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let heard: Heard[] = [];
let answer: (response: ServerResponse, at: number) => void;
beforeEach(() => {
  heard = [];
  answer = (response) => void response.writeHead(204).end();
});
const receiver = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    heard.push({ path: request.url ?? '', headers: request.headers, body });
    answer(response, heard.length);
  });
});

let server: PracticeServer;
beforeAll(async () => {
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const webhookReceiver = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  // Twelve hours are less than half a second on this clock.
  server = await startPracticeServer({ webhookReceiver, webhookClockScale: 0.00001, webhookTimeoutMs: 300 });
});
afterAll(async () => {
  await server.close();
  receiver.closeAllConnections();
  receiver.close();
});

interface Made {
  readonly path: string;
  readonly secret: string;
  readonly webhook: Record<string, unknown>;
}
const fields = { url: 'https://hooks.example.com/in?from=studio', event_types: ['tts.generation.completed'] };
async function make(change: Record<string, unknown> = {}, of = server): Promise<Made> {
  const { status, body, text } = await callJson(of, 'POST', '/v1/webhooks', { ...fields, ...change });
  expect(status, text).toBe(201);
  const webhook = body['webhook'] as Record<string, unknown>;
  const path = `/v1/webhooks/${String(webhook['id'])}`;
  onTestFinished(async () => void (await callJson(of, 'DELETE', path, {}).catch(() => undefined)));
  return { path, secret: String(body['secret']), webhook };
}
const inside = (reply: Reply, name: string): Record<string, unknown> => reply.body[name] as Record<string, unknown>;
const test = async ({ path }: Made, of = server): Promise<string> => {
  const reply = await call(of, 'POST', `${path}/test`);
  expect([reply.status, inside(reply, 'delivery')['event_type']]).toEqual([202, 'webhook.test']);
  return String(inside(reply, 'delivery')['id']);
};
async function deliveryOf({ path }: Made, id: string, of = server): Promise<Record<string, unknown>> {
  const { body } = await call(of, 'GET', `${path}/deliveries`);
  return (body['deliveries'] as Record<string, unknown>[]).find((one) => one['id'] === id) ?? {};
}
const until = (made: Made, id: string, status: string): Promise<void> =>
  expect.poll(async () => (await deliveryOf(made, id))['status'], { timeout: 8000 }).toBe(status);

describe('a subscription', () => {
  it('shows its secret at its creation and its rotation only, and counts its changes', async () => {
    const made = await make();
    expect(made.webhook).toMatchObject({ ...fields, enabled: true, revision: 1, disabled_at: null });
    expect(made.webhook['secret_suffix']).toBe(made.secret.slice(-4));
    const read = await call(server, 'GET', made.path);
    expect(read.text).not.toContain(made.secret);
    const rotated = await call(server, 'POST', `${made.path}/rotate-secret`);
    expect(rotated.body['secret']).not.toBe(made.secret);
    expect(inside(rotated, 'webhook')['revision']).toBe(2);
    const stale = await callJson(server, 'PATCH', made.path, { enabled: false, expected_revision: 1 });
    expect([stale.status, codeOf(stale)]).toEqual([409, 'webhook_revision_conflict']);
    const changed = await callJson(server, 'PATCH', made.path, { enabled: false, expected_revision: 2 });
    expect(inside(changed, 'webhook')).toMatchObject({ enabled: false, revision: 3 });
    expect((await callJson(server, 'DELETE', made.path, {})).status).toBe(204);
    expect((await call(server, 'GET', made.path)).status).toBe(200);
  });

  it.each([
    'http://hooks.example.com/',
    'https://hooks.example.com:8443/',
    'https://user:secret@hooks.example.com/',
    'https://hooks.example.com/#part',
    'https://localhost/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::1]/',
    'https://printer.local/',
    'https://intranet/',
    `https://hooks.example.com/${'x'.repeat(2048)}`,
    'nonsense',
  ])('is not created for %s', async (url) => {
    const reply = await callJson(server, 'POST', '/v1/webhooks', { ...fields, url });
    expect([reply.status, codeOf(reply)]).toEqual([422, 'validation_error']);
  });

  it.each<readonly [string, unknown]>([
    ['no types', { ...fields, event_types: [] }],
    ['a type twice', { ...fields, event_types: [fields.event_types[0], fields.event_types[0]] }],
    ['the type of tests', { ...fields, event_types: ['webhook.test'] }],
    ['an unknown field', { ...fields, name: 'x' }],
  ])('is not created with %s', async (_name, body) => {
    const reply = await callJson(server, 'POST', '/v1/webhooks', body);
    expect([reply.status, codeOf(reply)]).toEqual([422, 'validation_error']);
  });

  it('is one of twenty, in numbered pages', async () => {
    const own = await startPracticeServer();
    onTestFinished(() => own.close());
    for (let count = 0; count < 20; count += 1)
      expect((await callJson(own, 'POST', '/v1/webhooks', fields)).status).toBe(201);
    const reply = await callJson(own, 'POST', '/v1/webhooks', fields);
    expect([reply.status, codeOf(reply)]).toEqual([409, 'webhook_limit_reached']);
    const page = await call(own, 'GET', '/v1/webhooks?page=2&page_size=8');
    expect((page.body['webhooks'] as unknown[]).length).toBe(8);
    expect(page.body['pagination']).toEqual({
      total: 20,
      total_pages: 3,
      page: 2,
      page_size: 8,
      has_next: true,
      has_previous: true,
      next_page: 3,
      previous_page: 1,
    });
    for (const [query, code] of [
      ['page=0', 'invalid_pagination'],
      ['page_size=101', 'invalid_pagination'],
      ['page=1&page=2', 'invalid_filter'],
      ['limit=3', 'invalid_filter'],
    ])
      expect(codeOf(await call(own, 'GET', `/v1/webhooks?${query}`))).toBe(code);
    expect(codeOf(await call(own, 'GET', '/v1/webhooks/wh_absent'))).toBe('webhook_not_found');
  });
});

describe('a delivery', () => {
  it('is a signed POST that a receiver can verify', async () => {
    const made = await make();
    const id = await test(made);
    await until(made, id, 'succeeded');
    const [one] = heard;
    expect(one?.path).toBe('/in?from=studio');
    const timestamp = String(one?.headers['x-service-timestamp']);
    const signature = createHmac('sha256', made.secret)
      .update(`${timestamp}.${one?.body ?? ''}`)
      .digest('hex');
    expect(one?.headers).toMatchObject({
      'x-service-event': 'webhook.test',
      'x-service-delivery-id': id,
      'x-service-signature': `v1=${signature}`,
    });
    const event = JSON.parse(one?.body ?? '{}') as Record<string, unknown>;
    expect(event).toMatchObject({ type: 'webhook.test', data: { object: 'webhook_test' } });
    expect(event['id']).toBe(one?.headers['x-service-event-id']);
    expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(30);
    const retried = await call(server, 'POST', `${made.path}/deliveries/${id}/retry`);
    expect([retried.status, codeOf(retried)]).toEqual([409, 'webhook_delivery_not_retryable']);
  });

  it('is repeated up to eight times when the receiver fails, with one event id, and again on request', async () => {
    answer = (response, at) => {
      // Silence, a broken connection, and every status that is worth another attempt.
      if (at === 1) return;
      if (at === 2) response.destroy();
      else response.writeHead([408, 409, 425, 429, 500, 503][at - 3] ?? 500).end();
    };
    const made = await make();
    const id = await test(made);
    await until(made, id, 'failed');
    expect(heard).toHaveLength(8);
    expect(new Set(heard.map(({ headers }) => headers['x-service-event-id'])).size).toBe(1);
    expect(await deliveryOf(made, id)).toMatchObject({ attempt_count: 8, response_status: 503, next_attempt_at: null });
    answer = (response) => void response.writeHead(200).end();
    expect((await call(server, 'POST', `${made.path}/deliveries/${id}/retry`)).status).toBe(202);
    await until(made, id, 'succeeded');
    expect(await deliveryOf(made, id)).toMatchObject({ attempt_count: 9, response_status: 200 });
  });

  it.each([400, 302, 410])('is not repeated after %i', async (status) => {
    answer = (response) => void response.writeHead(status, { location: '/elsewhere' }).end();
    const made = await make();
    const id = await test(made);
    await until(made, id, 'failed');
    expect(heard).toHaveLength(1);
    expect(await deliveryOf(made, id)).toMatchObject({ error_code: 'receiver_refused', response_status: status });
  });

  it('is cancelled with its subscription, and stays so when that is enabled again', async () => {
    const slow = await startPracticeServer();
    onTestFinished(() => slow.close());
    const made = await make({}, slow);
    const id = await test(made, slow);
    await expect.poll(async () => (await deliveryOf(made, id, slow))['status'], { timeout: 5000 }).toBe('retrying');
    expect((await deliveryOf(made, id, slow))['error_code']).toBe('connection_failed');
    await callJson(slow, 'PATCH', made.path, { enabled: false });
    expect(await deliveryOf(made, id, slow)).toMatchObject({ status: 'canceled', next_attempt_at: null });
    await callJson(slow, 'PATCH', made.path, { enabled: true });
    expect((await deliveryOf(made, id, slow))['status']).toBe('canceled');
  });

  it.skipIf(program === null)('reports finished speech, without its words', async () => {
    await make();
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const body = JSON.stringify({ text: 'Hello there', language: 'en', voice_id: 'voice_practice_en_alice' });
    expect((await call(server, 'POST', '/v1/tts', { headers, body })).status).toBe(200);
    await expect.poll(() => heard.length, { timeout: 5000 }).toBe(1);
    expect(JSON.parse(heard[0]?.body ?? '{}')).toMatchObject({
      type: 'tts.generation.completed',
      data: { object: 'tts_generation', status: 'completed', credits_used: 11 },
    });
    expect(heard[0]?.body).not.toContain('Hello');
  });

  it('never leaves this computer', async () => {
    await expect(startPracticeServer({ webhookReceiver: 'http://example.com' })).rejects.toThrow('127.0.0.1');
  });
});
