import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPracticeServer, type PracticeServer } from '../../electron/practice/server.ts';
import {
  asPerson,
  call,
  callJson,
  codeOf,
  longSample,
  shortRecording,
  submit,
  until,
  type Server,
} from './practice-client.ts';

let server: PracticeServer;
let person: Server;
beforeAll(async () => {
  // Two minutes of transcription and a bit.
  server = await startPracticeServer({ credits: 150, pace: { queuedMs: 50, processingMs: 0 } });
  person = asPerson(server);
});
afterAll(() => server.close());

interface Item extends Record<string, unknown> {
  readonly request_id: string;
  readonly usage?: Record<string, unknown>;
}
async function logs(query = ''): Promise<Item[]> {
  const reply = await call(person, 'GET', `/api/v1/account/request-logs${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body['items'] as Item[];
}
const analytics = (query = '') => call(person, 'GET', `/api/v1/account/analytics${query}`);

describe('usage', () => {
  it('is charged once, reported in logs and sums, and limited by the account and by the key', async () => {
    const key = randomUUID();
    const first = await submit(server, shortRecording, { key });
    await submit(server, shortRecording, { key });
    const [again, original] = await logs('?route=/v1/stt&status=200');
    expect(original).toMatchObject({
      request_id: first.body['request_id'],
      method: 'POST',
      api_key_id: 'key_practice',
      api_key_prefix: server.token.slice(0, 13),
      usage: { product: 'stt', operation: 'transcribe', duration_ms: 8000, credits: 60, billable: true },
    });
    expect(Number(original?.['request_bytes'])).toBeGreaterThan(10_000);
    expect(again).not.toHaveProperty('usage');

    // Reserved at acceptance, settled with the real amount.
    const long = await submit(server, longSample, { fields: { language: 'uz' } });
    expect(long.status).toBe(202);
    await until(server, String(long.body['id']), 'completed');
    const [queued] = await logs('?status=202');
    expect(queued?.usage).toMatchObject({ credits: 60, billable: true });
    expect(Number(queued?.usage?.['duration_ms'])).toBeGreaterThan(30_000);

    const broke = await submit(server, shortRecording);
    expect([broke.status, codeOf(broke)]).toEqual([402, 'insufficient_credits']);
    const { body } = await analytics();
    expect(body['summary']).toMatchObject({ total_credits: 120, billable_requests: 2, currency: 'USD' });
    expect(body['product_usage']).toMatchObject([{ product: 'stt', operation: 'transcribe', total_requests: 2 }]);
    expect(body['status_codes']).toContainEqual({ key: '402', value: 1 });
    expect((body['summary'] as { failed_requests: number }).failed_requests).toBe(1);
  });

  it('counts against the limit of its own key', async () => {
    const rich = await startPracticeServer();
    const made = await callJson(asPerson(rich), 'POST', '/api/v1/account/api-keys', {
      name: 'Small',
      permissions: { speech_to_text: 'write' },
      credit_limit: 100,
    });
    const key = { url: rich.url, token: String((made.body['data'] as Record<string, unknown>)['secret']) };
    expect((await submit(key, shortRecording)).status).toBe(200);
    const reply = await submit(key, shortRecording);
    expect([reply.status, codeOf(reply)]).toEqual([402, 'api_key_credit_limit']);
    expect((await submit(rich, shortRecording)).status).toBe(200);
    await rich.close();
  });

  it('never contains keys, titles or texts', async () => {
    const text = JSON.stringify(await logs());
    expect(text).not.toContain(server.token);
    expect(text).not.toContain('two-sentences');
  });

  it('is paged by cursor and filters', async () => {
    const all = await logs('?limit=100');
    expect(all.length).toBeGreaterThan(3);
    const first = await call(person, 'GET', '/api/v1/account/request-logs?limit=2');
    const rest = await logs(`?limit=100&cursor=${String(first.body['next_cursor'])}`);
    expect([...(first.body['items'] as Item[]), ...rest]).toEqual(all);
    expect((await logs('?code=402')).map((item) => item['status_code'])).toEqual([402]);
    expect((await logs('?method=GET')).every((item) => item['method'] === 'GET')).toBe(true);
    expect(await logs('?api_key_id=key_other')).toEqual([]);
    expect(all.some((item) => item['route'] === '/v1/stt/transcriptions/{transcription_id}')).toBe(true);
  });

  it.each([
    ['/analytics?from=2026-01-02&to=2026-01-01', 'invalid_analytics_window'],
    ['/analytics?from=2026-01-01&to=2026-04-02', 'invalid_analytics_window'],
    ['/analytics?from=2026-01-01&to=2026-02-02&granularity=hour', 'invalid_analytics_window'],
    ['/analytics?from=yesterday', 'invalid_analytics_window'],
    ['/analytics?granularity=minute', 'invalid_filter'],
    ['/request-logs?limit=101', 'invalid_pagination'],
    ['/request-logs?cursor=mine', 'invalid_cursor'],
    ['/request-logs?status=many', 'invalid_filter'],
    ['/request-logs?method=BREW', 'invalid_filter'],
  ])('refuses %s with %s', async (path, code) => {
    const reply = await call(person, 'GET', `/api/v1/account${path}`);
    expect([reply.status, codeOf(reply)]).toEqual([400, code]);
  });

  it('accepts the widest windows, and is empty for a time without requests', async () => {
    const { body } = await analytics('?from=2020-01-01&to=2020-03-31');
    expect(body['period']).toEqual({
      from: '2020-01-01T00:00:00.000Z',
      to: '2020-03-31T00:00:00.000Z',
      timezone: 'UTC',
      granularity: 'day',
    });
    expect(body).toMatchObject({ summary: { total_requests: 0, success_rate: 0 }, series: [] });
    expect((await analytics('?from=2020-01-01&to=2020-02-01&granularity=hour')).status).toBe(200);
  });
});
