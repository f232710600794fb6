import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parseFaultPlan, type FaultPlan } from '../../electron/practice/faults/fault-plan.ts';
import { startPracticeServer, type PracticeServer } from '../../electron/practice/server.ts';
import { shapeNames, shapeVariants } from '../../electron/practice/shapes/shape-variants.ts';
import { readLedger } from '../../electron/practice/state/ledger.ts';
import { call, codeOf, longSample, samplePath, shortRecording, submit, until } from './practice-client.ts';

function planOf(rules: readonly unknown[]): FaultPlan {
  const plan = parseFaultPlan({ rules });
  if (!plan.ok) throw new Error(plan.error);
  return plan.value;
}

async function serverWith(...rules: readonly unknown[]): Promise<PracticeServer> {
  const server = await startPracticeServer({ faultPlan: planOf(rules), pace: { queuedMs: 0, processingMs: 0 } });
  onTestFinished(() => server.close());
  return server;
}

const post = { route: '/v1/stt', method: 'POST' };
const detail = { route: '/v1/stt/transcriptions/:transcriptionId', method: 'GET' };
const accepted = (server: PracticeServer): number => readLedger(server.stateDir).length;

describe('a fault plan', () => {
  it('loses the answer of work that it accepted, and the same key finds that work again', async () => {
    const server = await serverWith({ ...post, nth: 1, fault: 'drop-answer-after-acceptance' });
    const key = randomUUID();
    await expect(submit(server, shortRecording, { key })).rejects.toThrow('fetch failed');
    expect(accepted(server)).toBe(1);
    expect((await submit(server, shortRecording, { key })).status).toBe(200);
    expect(accepted(server)).toBe(1);
  });

  it('resets before it reads, and accepts nothing', async () => {
    const server = await serverWith({ ...post, nth: 1, fault: 'reset-before-read' });
    await expect(submit(server, shortRecording)).rejects.toThrow('fetch failed');
    expect(accepted(server)).toBe(0);
  });

  it('cuts an answer after some bytes, after accepting', async () => {
    const server = await serverWith({ ...post, fault: 'cut-answer', bytes: 40 });
    await expect(submit(server, shortRecording)).rejects.toThrow('terminated');
    expect(accepted(server)).toBe(1);
  });

  it.each(['before', 'after'] as const)('never answers, %s acceptance', async (when) => {
    const server = await serverWith({ ...post, fault: 'never-answer', when });
    const patience = new AbortController();
    const pending = submit(server, shortRecording, { signal: patience.signal });
    const outcome = pending.then(
      () => 'answered',
      () => 'given up',
    );
    await expect.poll(() => accepted(server), { timeout: 10_000 }).toBe(when === 'after' ? 1 : 0);
    expect(await Promise.race([outcome, wait(300, 'silent')])).toBe('silent');
    patience.abort();
    expect(await outcome).toBe('given up');
    expect(accepted(server)).toBe(when === 'after' ? 1 : 0);
  });

  it.each([
    [{ fault: '402' }, 402, 'insufficient_credits', {}],
    [{ fault: '402', code: 'api_key_credit_limit' }, 402, 'api_key_credit_limit', {}],
    [{ fault: '401' }, 401, 'invalid_api_key', {}],
    [{ fault: '429', retryAfter: '7' }, 429, 'rate_limited', { 'retry-after': '7' }],
    [
      { fault: 'status', status: 503, code: 'service_unavailable', headers: { 'retry-after': '1' } },
      503,
      'service_unavailable',
      { 'retry-after': '1' },
    ],
    [{ fault: 'redirect', location: 'http://127.0.0.1:9/' }, 302, undefined, { location: 'http://127.0.0.1:9/' }],
    [{ fault: 'html-page' }, 200, undefined, { 'content-type': 'text/html; charset=utf-8' }],
  ])('answers %j instead of the truth and accepts nothing', async (fault, status, code, headers) => {
    const server = await serverWith({ ...post, ...fault });
    const reply = await submit(server, shortRecording);
    expect([reply.status, codeOf(reply)]).toEqual([status, code]);
    for (const [name, value] of Object.entries(headers)) expect(reply.headers.get(name)).toBe(value);
    expect(accepted(server)).toBe(0);
  });

  it('refuses after it accepted with a 200', async () => {
    const server = await serverWith({
      ...post,
      fault: 'status',
      status: 502,
      body: 'Bad gateway',
      headers: { 'content-type': 'text/plain' },
      when: 'after',
    });
    const reply = await submit(server, shortRecording);
    expect([reply.status, reply.text, accepted(server)]).toEqual([502, 'Bad gateway', 1]);
  });

  it('finds nothing in the first polls of each transcription', async () => {
    const server = await serverWith({ ...detail, fault: 'poll-404', times: 2 });
    for (let round = 0; round < 2; round += 1) {
      const id = String((await submit(server, shortRecording)).body['id']);
      const statuses: number[] = [];
      for (let poll = 0; poll < 3; poll += 1)
        statuses.push((await call(server, 'GET', `/v1/stt/transcriptions/${id}`)).status);
      expect(statuses).toEqual([404, 404, 200]);
    }
  });

  it('accepts long work and does not return its id', async () => {
    const server = await serverWith(
      { ...post, fault: '202-without-id' },
      { ...post, fault: 'shape', shape: 'under-data' },
    );
    const reply = await submit(server, longSample, { fields: { language: 'uz' } });
    expect(reply.status).toBe(202);
    expect(JSON.stringify(reply.body)).not.toMatch(/"(transcription_)?id"/);
    expect(accepted(server)).toBe(1);
  });

  it('lets the work on an accepted recording fail, with a code', async () => {
    const server = await serverWith({ route: 'queue', nth: 1, fault: 'fail-processing', code: 'model_unavailable' });
    const first = await submit(server, longSample, { fields: { language: 'uz' } });
    const failed = await until(server, String(first.body['id']), 'failed');
    expect(codeOf(failed)).toBe('model_unavailable');
    const second = await submit(server, longSample, { fields: { language: 'uz' } });
    await until(server, String(second.body['id']), 'completed');
  });

  it('reads as slowly as the plan says', async () => {
    const server = await serverWith({ ...post, fault: 'slow-read', bytesPerSecond: 60_000 });
    const start = performance.now();
    expect((await submit(server, shortRecording)).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(300);
  });

  it('selects by number, by every n-th, and by chance with a repeatable seed', () => {
    const chosen = (rule: object, rounds: number): string => {
      const plan = planOf([{ ...post, ...rule, fault: '402' }]);
      return Array.from({ length: rounds }, () => (plan.meet('POST', '/v1/stt', '').length > 0 ? 'x' : '.')).join('');
    };
    expect(chosen({ nth: 2 }, 5)).toBe('.x...');
    expect(chosen({ nth: [1, 4] }, 5)).toBe('x..x.');
    expect(chosen({ every: 3 }, 7)).toBe('..x..x.');
    expect(chosen({}, 3)).toBe('xxx');
    expect(chosen({ probability: 0.25, seed: 9 }, 60)).toBe(chosen({ probability: 0.25, seed: 9 }, 60));
    expect(chosen({ probability: 0.25, seed: 9 }, 60)).not.toBe(chosen({ probability: 0.25, seed: 10 }, 60));
    const hits = chosen({ probability: 0.25, seed: 3 }, 2000).replaceAll('.', '').length;
    expect(hits).toBeGreaterThan(400);
    expect(hits).toBeLessThan(600);
  });

  it('does not count requests of other routes', () => {
    const plan = planOf([{ ...post, nth: 1, fault: '402' }]);
    expect(plan.meet('GET', '/v1/stt/transcriptions', '')).toEqual([]);
    expect(plan.meet('POST', '/v1/stt', '')).toHaveLength(1);
  });

  it('is refused when it is invalid', () => {
    expect(parseFaultPlan({ rules: [{ route: '*', fault: 'explode' }] })).toMatchObject({ ok: false });
    expect(parseFaultPlan([])).toMatchObject({ ok: false });
  });
});

describe('shapes of a transcription', () => {
  // One server for all, because starting its decoders takes most of the time: the n-th request of a kind has the n-th
  // shape.
  let server: PracticeServer;
  beforeAll(async () => {
    const routes = ['/v1/stt', detail.route, '/v1/stt/transcriptions'];
    const rules = shapeNames.flatMap((shape, at) =>
      routes.map((route) => ({ route, nth: at + 1, fault: 'shape', shape })),
    );
    server = await startPracticeServer({ faultPlan: planOf(rules) });
  });
  afterAll(() => server.close());

  const at = (body: unknown, path: string): unknown =>
    path
      .split('.')
      .reduce<unknown>(
        (value, name) =>
          typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined,
        body,
      );

  it.each(shapeNames)('%s contains the same facts where its data says', async (name) => {
    const shape = shapeVariants[name];
    const reply = await submit(server, samplePath('lecture-ru.ogg'), {
      fields: { language: 'ru', include_speakers: 'true' },
    });
    const inside = shape.envelope === 'top' ? reply.body : reply.body[shape.envelope];
    const id = at(inside, shape.idField);
    expect(id).toMatch(/^tr_[0-9a-f]{32}$/);
    expect(at(inside, shape.textField)).toMatch(/^Сегодня на лекции/);
    const [segment] = at(inside, 'segments') as Record<string, unknown>[];
    expect(shape.times === 'ms' ? segment?.['start_ms'] : segment?.['start']).toBe(shape.times === 'ms' ? 700 : 0.7);
    expect(segment?.[shape.speakerField]).toBe('SPEAKER_00');
    const words = (shape.words === 'inside' ? segment?.['words'] : at(inside, 'words')) as Record<string, unknown>[];
    expect(words[0]?.[shape.wordField]).toBe('Сегодня');
    const again = await call(server, 'GET', `/v1/stt/transcriptions/${String(id)}`);
    expect({ ...again.body, request_id: '' }).toEqual({ ...reply.body, request_id: '' });
    expect((await call(server, 'GET', '/v1/stt/transcriptions')).text).toContain(String(id));
  });
});
