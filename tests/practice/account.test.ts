import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { startPracticeServer } from '../../electron/practice/server.ts';
import { practice } from '../contract/live-rig.ts';
import { asPerson, call, longSample, newKey, said, shortRecording, submit, until } from './practice-client.ts';

const keysPath = '/api/v1/account/api-keys';
const server = await startPracticeServer();
afterAll(() => server.close());
const person = asPerson(server);

type Body = Record<string, unknown>;

describe('usage', () => {
  it('is charged once, reported in logs and sums, and limited by the account and by the key', async () => {
    // Two minutes of transcription and a bit.
    const own = await practice([], { credits: 150, pace: { queuedMs: 0, processingMs: 0 } });
    const logs = async (query: string): Promise<Body[]> =>
      (await call(asPerson(own), 'GET', `/api/v1/account/request-logs${query}`)).body['items'] as Body[];
    const key = randomUUID();
    const first = await submit(own, shortRecording, { key });
    await submit(own, shortRecording, { key });
    const [again, original] = await logs('?route=/v1/stt&status=200');
    expect(original).toMatchObject({
      request_id: first.body['request_id'],
      method: 'POST',
      usage: { product: 'stt', operation: 'transcribe', duration_ms: 8000, credits: 60, billable: true },
    });
    expect(again).not.toHaveProperty('usage');
    // Reserved at acceptance, settled with the real amount.
    const long = await submit(own, longSample, { fields: { language: 'uz' } });
    await until(own, String(long.body['id']), 'completed');
    expect((await logs('?status=202'))[0]?.['usage']).toMatchObject({ credits: 60, billable: true });
    expect(said(await submit(own, shortRecording))).toEqual([402, 'insufficient_credits']);
    const { body } = await call(asPerson(own), 'GET', '/api/v1/account/analytics');
    expect(body['summary']).toMatchObject({ total_credits: 120, billable_requests: 2, failed_requests: 1 });
    expect(body['product_usage']).toMatchObject([{ product: 'stt', operation: 'transcribe', total_requests: 2 }]);
    const all = await call(asPerson(own), 'GET', '/api/v1/account/request-logs?limit=2');
    const rest = await logs(`?limit=100&cursor=${String(all.body['next_cursor'])}`);
    expect([...(all.body['items'] as Body[]), ...rest]).toEqual(await logs('?limit=100'));
    expect(JSON.stringify(await logs('?limit=100'))).not.toMatch(new RegExp(`${own.token}|two-sentences`));

    const settings = { permissions: { speech_to_text: 'write' }, credit_limit: 100 };
    const limited = await newKey(server, settings);
    expect((await submit(limited, shortRecording)).status).toBe(200);
    expect(said(await submit(limited, shortRecording))).toEqual([402, 'api_key_credit_limit']);
    const used = await call(person, 'DELETE', `${keysPath}/${limited.id}`);
    expect(said(used)).toEqual([409, 'api_key_in_use']);
  });
});
