import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parseFaultPlan } from '../../electron/practice/faults/fault-plan.ts';
import { startPracticeServer, type PracticeOptions, type PracticeServer } from '../../electron/practice/server.ts';
import { readLedger } from '../../electron/practice/state/ledger.ts';
import { asPerson, call, callJson, codeOf, type Reply, type Server } from './practice-client.ts';

const path = '/v1/chat/completions';
const text =
  'The meeting began at nine. Anvar spoke about the budget of the school. Lunch was late. The budget is decided in March.';
const question = {
  model: 'practice-extract',
  messages: [{ role: 'user', content: `${text}\n\nWhat about the budget?` }],
};
const ask = (server: Server, body: unknown, key: string = randomUUID()): Promise<Reply> =>
  call(server, 'POST', path, {
    headers: { 'idempotency-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const status = (server: Server, id: unknown): Promise<Reply> => call(server, 'GET', `/v1/llm/requests/${String(id)}`);

async function serverWith(options: PracticeOptions, ...rules: readonly unknown[]): Promise<PracticeServer> {
  const plan = parseFaultPlan({ rules: rules.map((rule) => ({ route: path, ...(rule as object) })) });
  if (!plan.ok) throw new Error(plan.error);
  const server = await startPracticeServer({ ...options, faultPlan: plan.value });
  onTestFinished(() => server.close());
  return server;
}

interface Choice {
  readonly message: { readonly content: string };
  readonly finish_reason: string;
}

let server: PracticeServer;
beforeAll(async () => {
  server = await startPracticeServer({ limits: { streamPieceMs: 0 } });
});
afterAll(() => server.close());

describe('models and completions', () => {
  it('lists models with prices and abilities', async () => {
    const { body } = await call(server, 'GET', '/v1/models');
    expect(body).toMatchObject({ object: 'list', credits_per_usd: 1000 });
    const models = body['data'] as Record<string, unknown>[];
    expect(models.map((model) => model['created'])).toEqual([0, 0]);
    expect(models[0]).toMatchObject({ id: 'practice-extract', capabilities: { vision: false, document: false } });
  });

  it('answers with sentences of the text, says that it is practice, and reports what it cost', async () => {
    const reply = await ask(server, question);
    expect(reply.status, reply.text).toBe(200);
    const [choice] = reply.body['choices'] as Choice[];
    expect(choice?.message.content).toMatch(/^\[No AI in practice mode/);
    expect(choice?.message.content).toContain('The budget is decided in March.');
    expect(choice?.finish_reason).toBe('stop');
    expect(Number(reply.body['created'])).toBeGreaterThan(1_600_000_000);
    const id = reply.headers.get('x-llm-request-id');
    const usage = reply.body['usage'] as Record<string, number>;
    const known = await status(server, id);
    expect(known.body).toMatchObject({ id, status: 'completed', usage, credits_debited: 1 });
    const expected = ((usage['prompt_tokens'] ?? 0) * 100 + (usage['completion_tokens'] ?? 0) * 400) / 100_000;
    expect(Number(known.body['credits'])).toBeCloseTo(expected, 8);
    const logs = await call(asPerson(server), 'GET', `/api/v1/account/request-logs?route=${path}`);
    expect((logs.body['items'] as { usage?: unknown }[])[0]?.usage).toMatchObject({
      product: 'llm',
      operation: 'chat.completions',
      billable: true,
    });
    expect(logs.text).not.toContain('Anvar');
    expect((await status(server, 'llm_absent')).status).toBe(404);
  });

  it('a repeated key returns the first request and never the answer again', async () => {
    const key = randomUUID();
    const first = await ask(server, question, key);
    const id = first.headers.get('x-llm-request-id');
    for (const body of [question, { ...question, max_completion_tokens: 5 }]) {
      const again = await ask(server, body, key);
      expect([again.status, codeOf(again), again.headers.get('x-llm-request-id')]).toEqual([
        409,
        'duplicate_idempotency_key',
        id,
      ]);
      expect(again.text).not.toContain('budget');
    }
    expect(readLedger(server.stateDir).filter(({ idempotencyKey }) => idempotencyKey === key)).toHaveLength(1);
  });

  it.each<readonly [string, unknown]>([
    ['no messages', { ...question, messages: [] }],
    ['an unknown role', { ...question, messages: [{ role: 'king', content: 'x' }] }],
    ['an unknown model', { ...question, model: 'gpt' }],
    ['13 parts', { ...question, messages: [{ role: 'user', content: Array(13).fill({ type: 'text', text: 'x' }) }] }],
    [
      'parts of an assistant',
      { ...question, messages: [{ role: 'assistant', content: [{ type: 'text', text: 'x' }] }] },
    ],
    [
      'five files in a message',
      { ...question, messages: [{ role: 'user', content: Array(5).fill({ type: 'file', file: { file_id: 'f' } }) }] },
    ],
    [
      'seventeen files',
      {
        ...question,
        messages: Array(5).fill({ role: 'user', content: Array(4).fill({ type: 'file', file: { file_id: 'f' } }) }),
      },
    ],
    ['no room for an answer', { ...question, max_completion_tokens: 0 }],
    ['more than the model takes', { ...question, messages: [{ role: 'user', content: 'word '.repeat(33_000) }] }],
  ])('refuses %s in the envelope of its handlers', async (_name, body) => {
    const reply = await ask(server, body);
    expect([reply.status, codeOf(reply)]).toEqual([400, 'validation_error']);
    expect(reply.body['error']).toMatchObject({ type: 'request_error', message: expect.any(String) });
  });

  it('reserves input and the longest output, so that a poor account is refused before, and releases the rest', async () => {
    const poor = await serverWith({ credits: 2 });
    const broke = await ask(poor, { ...question, max_completion_tokens: 1024 });
    expect([broke.status, codeOf(broke)]).toEqual([402, 'insufficient_credits']);
    for (let round = 0; round < 3; round += 1)
      expect((await ask(poor, { ...question, max_completion_tokens: 200 })).status).toBe(200);
  });

  it('keys read and write as they are allowed', async () => {
    const make = async (level: string): Promise<Server> => {
      const { body } = await callJson(asPerson(server), 'POST', '/api/v1/account/api-keys', {
        name: 'x',
        permissions: { llm: level },
      });
      return { url: server.url, token: String((body['data'] as Record<string, unknown>)['secret']) };
    };
    const writer = await make('write');
    const done = await ask(writer, question);
    expect(done.status).toBe(200);
    expect((await status(writer, done.headers.get('x-llm-request-id'))).status).toBe(403);
    expect((await ask(await make('read'), question)).status).toBe(403);
  });
});

/** The data of each event; other lines are ignored, as the format says. */
const eventsOf = (stream: string): string[] =>
  stream
    .replaceAll('\r\n', '\n')
    .split('\n\n')
    .flatMap((event) => (event.startsWith('data: ') ? [event.slice(6)] : []));
const contentOf = (events: readonly string[]): string =>
  events
    .flatMap((event) => {
      try {
        return [
          (JSON.parse(event) as { choices?: { delta: { content?: string } }[] }).choices?.[0]?.delta.content ?? '',
        ];
      } catch {
        return [];
      }
    })
    .join('');
const streaming = { ...question, stream: true };

describe('a stream', () => {
  it('has the same words as the whole answer, the usage, and ends with [DONE]', async () => {
    const whole = ((await ask(server, question)).body['choices'] as Choice[])[0]?.message.content;
    const reply = await ask(server, streaming);
    expect(reply.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const events = eventsOf(reply.text);
    expect(contentOf(events)).toBe(whole);
    expect(events.at(-1)).toBe('[DONE]');
    expect(JSON.parse(events.at(-2) ?? '{}')).toMatchObject({ choices: [{ finish_reason: 'stop' }], usage: {} });
    expect(reply.headers.get('x-llm-request-id')).toMatch(/^llm_/);
  });

  it('arrives piece by piece', async () => {
    const slow = await serverWith({ limits: { streamPieceMs: 20 } });
    const response = await fetch(`${slow.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${slow.token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(streaming),
    });
    let pieces = 0;
    for await (const _piece of response.body as unknown as AsyncIterable<Uint8Array>) pieces += 1;
    expect(pieces).toBeGreaterThan(5);
  });

  it('breaks as the plan says, and the status shows the result', async () => {
    const hows = ['cut', 'no-done', 'error-event', 'junk', 'crlf', 'single-bytes'];
    const weak = await serverWith(
      { limits: { streamPieceMs: 0 } },
      ...hows.map((how, at) => ({ nth: at + 1, fault: 'stream', how })),
    );
    await expect(ask(weak, streaming)).rejects.toThrow('terminated');
    const noDone = await ask(weak, streaming);
    expect(eventsOf(noDone.text)).not.toContain('[DONE]');
    expect((await status(weak, noDone.headers.get('x-llm-request-id'))).body['status']).toBe('completed');
    const failed = await ask(weak, streaming);
    expect([failed.status, failed.text]).toEqual([200, expect.stringContaining('"code":"model_unavailable"')]);
    const expected = contentOf(eventsOf((await ask(server, streaming)).text));
    for (const how of ['junk', 'crlf', 'single-bytes']) {
      const reply = await ask(weak, streaming);
      expect([how, contentOf(eventsOf(reply.text))]).toEqual([how, expected]);
    }
  });

  it('stops all questions while the usage of one is not known', async () => {
    const weak = await serverWith({ limits: { usageReconcileMs: 500 } }, { nth: 1, fault: 'usage-pending' });
    const first = await ask(weak, question);
    const id = first.headers.get('x-llm-request-id');
    expect((await status(weak, id)).body).toMatchObject({ status: 'usage_pending', usage: null });
    const refused = await ask(weak, question);
    expect([refused.status, codeOf(refused)]).toEqual([409, 'llm_usage_pending']);
    await expect.poll(async () => (await ask(weak, question)).status, { timeout: 5000 }).toBe(200);
    expect((await status(weak, id)).body['status']).toBe('completed');
  });
});
