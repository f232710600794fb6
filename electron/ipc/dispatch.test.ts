import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contract } from '../../shared/ipc/contract.ts';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import { defineContract } from '../../shared/ipc/define.ts';
import type { Handlers } from '../../shared/ipc/derive.ts';
import { err, ok } from '../../shared/result/result.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { createDispatcher, type CallReport, type Dispatch } from './dispatch.ts';
import { createRateLimiter } from './rate-limit.ts';
import { refusal } from './refusal.ts';
import { isTrustedSender, type SenderFacts } from './sender-policy.ts';

const nothing = lazySchema(() => z.strictObject({}));
const done = lazySchema(() => z.object({}));
const small = defineContract({
  requests: {
    'echo.text': {
      input: lazySchema(() => z.strictObject({ text: z.string() })),
      output: lazySchema(() => z.object({ text: z.string() })),
    },
    'echo.bytes': {
      input: lazySchema(() => z.strictObject({ bytes: z.instanceof(Uint8Array) })),
      output: lazySchema(() => z.object({ length: z.number() })),
      maxInputBytes: 1_000_000,
    },
    'breaks.throw': { input: nothing, output: done },
    'breaks.output': { input: nothing, output: lazySchema(() => z.object({ count: z.number() })) },
    'refuses.politely': { input: nothing, output: done },
  },
  events: {},
  streams: {},
});

const failure: Failure = {
  row: 'E-010',
  code: 'file_unreadable',
  outcome: 'not_sent',
  layer: 'local',
  retry: 'wait_user',
  scope: 'item',
  envelope: 'none',
  params: { name: 'a.mp3' },
};
const leaky = { ...failure, path: '/home/person/a.mp3', stack: 'Error at …' };

const handlers: Handlers<typeof small> = {
  'echo.text': async ({ text }) => ok({ text }),
  'echo.bytes': async ({ bytes }) => ok({ length: bytes.byteLength }),
  'breaks.throw': async () => {
    throw new Error('secret path /home/person');
  },
  'breaks.output': async () => ok({ count: 'three' as unknown as number }),
  'refuses.politely': async () => err(leaky),
};

const studio: SenderFacts = { windowId: 7, frameUrl: 'app://studio/#/transcribe', isMainFrame: true };
const trusts = (sender: SenderFacts) => isTrustedSender(sender, 'studio', (id) => (id === 7 ? 'studio' : undefined));

function build(checksOutput = true) {
  const reports: CallReport[] = [];
  let nowMs = 0;
  const dispatch = createDispatcher({
    contract: small,
    handlers,
    isTrusted: trusts,
    rate: createRateLimiter({ burst: 5, perSecond: 10 }, () => nowMs),
    checksOutput,
    now: () => nowMs,
    newBugId: () => 'bug-1',
    report: (report) => reports.push(report),
  });
  return { dispatch, reports, wait: (ms: number) => (nowMs += ms) };
}

describe('a call', () => {
  it('reaches its handler and comes back as a value', async () => {
    const { dispatch, reports } = build();
    expect(await dispatch(studio, { method: 'echo.text', input: { text: 'salom' } })).toEqual(ok({ text: 'salom' }));
    expect(reports).toEqual([{ event: 'ipc-call', method: 'echo.text', ms: 0 }]);
  });

  it('that throws is a bug with an id, and nothing of the error reaches the page', async () => {
    const { dispatch, reports } = build();
    const answer = await dispatch(studio, { method: 'breaks.throw', input: {} });
    expect(answer).toMatchObject({ ok: false, error: { row: 'E-230', params: { bugId: 'bug-1' } } });
    expect(!answer.ok && answer.error.params).toEqual({ bugId: 'bug-1' });
    expect(JSON.stringify(answer)).not.toContain('person');
    expect(reports[0]).toMatchObject({ event: 'ipc-bug', method: 'breaks.throw', bugId: 'bug-1' });
  });

  it('whose answer breaks the contract is a bug where answers are checked', async () => {
    expect(await build().dispatch(studio, { method: 'breaks.output', input: {} })).toMatchObject({
      error: { code: 'bug' },
    });
    expect(await build(false).dispatch(studio, { method: 'breaks.output', input: {} })).toEqual(ok({ count: 'three' }));
  });

  it('that fails comes back rebuilt, without what a failure may not hold', async () => {
    expect(await build().dispatch(studio, { method: 'refuses.politely', input: {} })).toEqual(err(failure));
  });
});

describe('a forbidden call gets the same constant', () => {
  const good = { method: 'echo.text', input: { text: 'x' } };
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  it.each<[string, SenderFacts, unknown]>([
    ['another window', { ...studio, windowId: 8 }, good],
    ['a frame inside the page', { ...studio, isMainFrame: false }, good],
    ['another site', { ...studio, frameUrl: 'https://studio/' }, good],
    ['a look-alike host', { ...studio, frameUrl: 'app://studio.evil/' }, good],
    ['the key window’s page', { ...studio, frameUrl: 'app://studio/key.html' }, good],
    ['an empty address', { ...studio, frameUrl: '' }, good],
    ['about:blank', { ...studio, frameUrl: 'about:blank' }, good],
    ['an unknown method', studio, { method: 'echo.nothing', input: {} }],
    ['a method of Object', studio, { method: 'constructor', input: {} }],
    ['__proto__', studio, { method: '__proto__', input: {} }],
    ['no envelope', studio, 'echo.text'],
    ['an envelope with more in it', studio, { ...good, as: 'admin' }],
    ['a wrong type', studio, { method: 'echo.text', input: { text: 3 } }],
    ['a field too many', studio, { method: 'echo.text', input: { text: 'x', more: 1 } }],
    ['too many bytes of text', studio, { method: 'echo.text', input: { text: 'ў'.repeat(140_000) } }],
    ['too many bytes of buffer', studio, { method: 'echo.bytes', input: { bytes: new Uint8Array(1_000_001) } }],
    ['a cycle', studio, { method: 'echo.text', input: loop }],
    ['a Map', studio, { method: 'echo.text', input: new Map([['text', 'x']]) }],
  ])('%s', async (_name, sender, message) => {
    const { dispatch, reports } = build();
    expect(await dispatch(sender, message)).toBe(refusal);
    expect(reports.map(({ event }) => event)).toEqual(['ipc-refused']);
  });

  it('and so do calls that come too fast, until time has passed', async () => {
    const { dispatch, wait } = build();
    const answers = await Promise.all(Array.from({ length: 8 }, () => dispatch(studio, good)));
    expect(answers.filter((answer) => answer === refusal)).toHaveLength(3);
    wait(1000);
    expect(await dispatch(studio, good)).toEqual(ok({ text: 'x' }));
  });
});

it('a large buffer is accepted where its request says so', async () => {
  const message = { method: 'echo.bytes', input: { bytes: new Uint8Array(900_000) } };
  expect(await build().dispatch(studio, message)).toEqual(ok({ length: 900_000 }));
});

describe('P-01: whatever a page sends to the real contract', () => {
  const called: string[] = [];
  const methods = Object.keys(contract.requests) as (keyof typeof contract.requests)[];
  const spies = Object.fromEntries(
    methods.map((method) => [
      method,
      async (input: unknown) => {
        called.push(method);
        expect(contract.requests[method].input().safeParse(input).success).toBe(true);
        return err(failure);
      },
    ]),
  ) as unknown as Handlers<typeof contract>;
  const dispatch: Dispatch = createDispatcher({
    contract,
    handlers: spies,
    isTrusted: trusts,
    rate: createRateLimiter({ burst: Infinity, perSecond: 1 }, () => 0),
    checksOutput: true,
    now: () => 0,
    newBugId: () => 'bug-1',
    report: () => undefined,
  });

  const token = fc.constantFrom('a'.repeat(24), '../../etc/passwd', '', 'x');
  const word = fc.oneof(
    token,
    fc.constantFrom('uz', 'service', 'files', 'close', 'srt', 'system', '__proto__', 'constructor'),
    fc.string(),
  );
  const leaf = fc.oneof(
    word,
    fc.boolean(),
    fc.double(),
    fc.constantFrom<unknown>(null, undefined, Number.NaN, 10n, new Date(0), new Uint8Array(4), 'x'.repeat(300_000)),
  );
  const names = fc.constantFrom('files', 'kind', 'tokens', 'token', 'jobId', 'transcriptId', 'mode', 'action', 'text');
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(tie('node'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(names, fc.string()), tie('node'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).node;
  const fields = { jobId: word, transcriptId: word, format: word, mode: word, action: word, kind: word, title: word };
  const nearly = fc.record({ ...fields, tokens: fc.array(word), serviceAddress: word }, { requiredKeys: [] });
  const senders = fc.constantFrom(
    studio,
    studio,
    studio,
    { ...studio, windowId: 1 },
    { ...studio, isMainFrame: false },
  );
  const message = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ method: fc.oneof(fc.constantFrom(...methods), word), input: fc.oneof(nearly, value) }),
    },
    { weight: 1, arbitrary: value },
  );

  it('gets one of three shapes of answer, and a handler only ever sees a valid input of a trusted sender', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(senders, message, async (sender, sent) => {
        called.length = 0;
        const answer = await dispatch(sender, sent);
        if (answer === refusal) refused += 1;
        else expect(answer).toEqual(err(failure));
        expect(called).toHaveLength(answer === refusal ? 0 : 1);
        if (!trusts(sender)) expect(answer).toBe(refusal);
      }),
      { numRuns: process.env['OVOZ_LONG'] === undefined ? 2000 : 20_000 },
    );
    expect(refused).toBeGreaterThan(100);
  });
});
