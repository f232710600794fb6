import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startPracticeServer } from '../../electron/practice/server.ts';
import { practice } from '../contract/live-rig.ts';
import { call, callJson, said, type Reply } from './practice-client.ts';

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
await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
const webhookReceiver = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
// Twelve hours are less than half a second on this clock.
const server = await startPracticeServer({ webhookReceiver, webhookClockScale: 0.00001, webhookTimeoutMs: 300 });
afterAll(async () => {
  await server.close();
  receiver.closeAllConnections();
  receiver.close();
});

const fields = { url: 'https://hooks.example.com/in?from=studio', event_types: ['tts.generation.completed'] };
const inside = (reply: Reply, name: string) => reply.body[name] as Record<string, unknown>;
async function make(of = server) {
  const made = await callJson(of, 'POST', '/v1/webhooks', fields);
  const webhook = inside(made, 'webhook');
  const path = `/v1/webhooks/${String(webhook['id'])}`;
  /** Sends a test; what is known of its delivery is read by `state`. */
  const test = async () => {
    const id = String(inside(await call(of, 'POST', `${path}/test`), 'delivery')['id']);
    const state = async () => {
      const { body } = await call(of, 'GET', `${path}/deliveries`);
      return (body['deliveries'] as Record<string, unknown>[]).find((one) => one['id'] === id) ?? {};
    };
    const until = (status: string) => expect.poll(async () => (await state())['status']).toBe(status);
    const retry = () => call(of, 'POST', `${path}/deliveries/${id}/retry`);
    return { id, state, until, retry };
  };
  return { path, secret: String(made.body['secret']), webhook, test };
}

describe('a delivery', () => {
  it('is a signed POST that a receiver can verify', async () => {
    const made = await make();
    const { id, until, retry } = await made.test();
    await until('succeeded');
    const [one] = heard;
    const timestamp = String(one?.headers['x-service-timestamp']);
    const signed = createHmac('sha256', made.secret).update(`${timestamp}.${one?.body ?? ''}`);
    expect(one?.path).toBe('/in?from=studio');
    expect(one?.headers).toMatchObject({
      'x-service-event': 'webhook.test',
      'x-service-delivery-id': id,
      'x-service-signature': `v1=${signed.digest('hex')}`,
    });
    const event = JSON.parse(one?.body ?? '{}') as Record<string, unknown>;
    expect(event).toMatchObject({ type: 'webhook.test', data: { object: 'webhook_test' } });
    expect(event['id']).toBe(one?.headers['x-service-event-id']);
    expect(said(await retry())).toEqual([409, 'webhook_delivery_not_retryable']);
  });

  it('is cancelled with its subscription, and never leaves this computer', async () => {
    const slow = await practice();
    const made = await make(slow);
    const { state, until } = await made.test();
    await until('retrying');
    expect((await state())['error_code']).toBe('connection_failed');
    for (const enabled of [false, true]) {
      await callJson(slow, 'PATCH', made.path, { enabled });
      expect(await state()).toMatchObject({ status: 'canceled', next_attempt_at: null });
    }
    await expect(startPracticeServer({ webhookReceiver: 'http://example.com' })).rejects.toThrow('127.0.0.1');
  });
});
