import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import { cpuTimeMs } from '../../../tests/support/measure-thread.ts';
import { classify, type HttpAnswer, type RequestContext } from './classify.ts';
import { codeRows } from './code-rows.ts';
import { decideRetry } from './decide-retry.ts';
import type { NetworkFault } from './network-fault.ts';
import { isFailureKind } from './rows.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;
const upload: RequestContext = { request: 'create-with-key', target: 'route', serverNowMs: 0, host: 'api.example' };
const read: RequestContext = { ...upload, request: 'read', target: 'resource' };

const answer = (status: number, body: unknown = '', headers: HttpAnswer['headers'] = {}): HttpAnswer => ({
  kind: 'answer',
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const standard = (code: string): unknown => ({ message: 'm', error: { code }, request_id: 'req_1' });

const bodies = {
  empty: '',
  html: '<!doctype html><html><body>Sign in</body></html>',
  text: 'upstream said no',
  jsonNull: 'null',
  jsonArray: '[1,2]',
  standard: JSON.stringify({
    message: 'No',
    error: { code: 'some_code', fields: { title: 'too long' } },
    request_id: 'r1',
  }),
  llm: JSON.stringify({ error: { message: 'No', type: 'request_error', code: 'some_code' }, request_id: 'r2' }),
  legacy: JSON.stringify({ detail: [{ loc: ['body'], msg: 'bad' }], error_key: 'bad_audio' }),
  both: JSON.stringify({ message: 'Top', error: { message: 'In', type: 'x', code: 'some_code' }, detail: 'd' }),
};

describe('F-28: every status with every kind of body', () => {
  test.each(Object.entries(bodies))('%s bodies always give a row, and a refusal is not repeated', (_name, body) => {
    for (let status = 100; status <= 599; status += 1) {
      for (const context of [upload, read]) {
        const failure = classify(answer(status, body), context);
        expect(isFailureKind(failure.kind)).toBe(true);
        if (failure.outcome === 'refused' && status !== 429 && failure.kind !== 'product-unavailable') {
          const asked = { failure, attempt: 1, elapsedMs: 0, isRepeatable: true, random: () => 0 };
          const decision = decideRetry({ ...asked, patience: 'background' });
          expect([status, failure.kind, decision.retry]).toEqual([status, failure.kind, false]);
        }
      }
    }
  });
});

test('F-29: the kind of a code wins, with its own status and with a wrong one', () => {
  for (const [code, general] of codeRows) {
    // Outside of cloning no voice was requested: the uploaded recording can't be read.
    const row = code === 'invalid_audio' ? 'type-unsupported' : general;
    for (const status of [400, 401, 403, 409, 422, 429, 500, 503]) {
      expect(classify(answer(status, standard(code)), upload)).toMatchObject({ kind: row, code, status });
    }
  }
});

test.each([
  [402, 'payment-limit-reached'],
  [403, 'key-restricted'],
  [407, 'proxy-sign-in'],
  [408, 'asked-to-wait'],
  [410, 'gone-at-service'],
  [413, 'file-too-large'],
  [422, 'fields-invalid'],
  [429, 'rate-limited'],
  [500, 'server-error'],
  [502, 'gateway-error'],
  [503, 'gateway-error'],
  [202, 'no-receipt'],
  [999, 'unknown-server-error'],
] as const)('status %i without a code of its own gives %s', (status, row) => {
  expect(classify(answer(status, standard('never_heard_of')), upload).kind).toBe(row);
});

test('a 404 means a missing route, a missing object, or a job to look for, depending on the request', () => {
  const row = (target: RequestContext['target']): string =>
    classify(answer(404, standard('not_found')), { ...read, target }).kind;
  expect([row('route'), row('resource'), row('job')]).toEqual(['not-offered', 'deleted-at-service', 'job-not-found']);
});

test('HTML instead of JSON, and a temporary redirect to another host, count as answers of the network', () => {
  expect(classify(answer(200, bodies.html), upload)).toMatchObject({ kind: 'web-page-answered', outcome: 'unknown' });
  const redirect = (status: number, location: string): string =>
    classify(answer(status, '', { location }), upload).kind;
  expect(redirect(302, 'https://login.example/')).toBe('web-page-answered');
  expect(redirect(302, 'https://API.example/elsewhere')).toBe('redirect-refused');
  expect(redirect(302, '/elsewhere')).toBe('redirect-refused');
  expect(redirect(308, 'https://www.example/')).toBe('redirect-refused');
});

test('an HTML refusal may replace the answer to accepted work, so the outcome is unknown', () => {
  const outcome = (status: number, body: unknown, context: RequestContext): string =>
    classify(answer(status, body), context).outcome;
  for (const status of [402, 403, 413, 415, 451]) {
    expect(outcome(status, bodies.html, upload)).toBe('unknown');
    expect(outcome(status, standard('no'), upload)).toBe('refused');
    expect(outcome(status, bodies.html, read)).toBe('refused');
  }
});

test('a lost answer is unknown, and what follows depends on the request', () => {
  const lost = (request: RequestContext['request'], phase: NetworkFault['phase']): string =>
    classify({ kind: 'network', code: 'ECONNRESET', phase, isSecure: true }, { ...upload, request }).kind;
  expect(lost('create-with-key', 'sending')).toBe('connection-dropped');
  expect(lost('create', 'waiting')).toBe('answer-lost');
  expect(lost('read', 'waiting')).toBe('connection-slow');
  expect(lost('create-with-key', 'receiving')).toBe('answer-truncated');
  const ended = { kind: 'network', code: 'UND_ERR_SOCKET', phase: 'waiting', isSecure: true } as const;
  expect(classify(ended, upload).code).toBe('connection_lost');
  expect(classify({ ...answer(200, '{"id":'), isTruncated: true }, upload)).toMatchObject({
    kind: 'answer-truncated',
    outcome: 'unknown',
    envelope: 'truncated',
  });
});

test('the server is quoted harmlessly: no controls, no direction marks, no address, no secret, 300 characters', () => {
  const message = `\u202eevil\u0000 see https://bucket.example/a?sig=abc Bearer abc.def sk_live_1234567890 ${'x '.repeat(400)}`;
  const { details = '' } = classify(answer(400, { message, error: { code: 'x' } }), upload);
  expect(details).not.toMatch(/[\p{Cc}\p{Bidi_Control}]|https?:|sk_live|abc\.def/u);
  expect(Array.from(details).length).toBe(300);
});

test('request ids come from the body, then from the headers, and only if they are well formed', () => {
  const id = (body: unknown, headers: HttpAnswer['headers'] = {}): string | undefined =>
    classify(answer(400, body, headers), upload).requestId;
  expect(id({ request_id: 'top', error: { code: 'x', request_id: 'in' } }, { 'x-request-id': 'head' })).toBe('top');
  expect(id({ error: { code: 'x', request_id: 'in' } })).toBe('in');
  expect(id('', { 'x-request-id': 'head' })).toBe('head');
  expect(id({ request_id: 'a b<script>' })).toBeUndefined();
  expect(id({ request_id: 'x'.repeat(129) })).toBeUndefined();
});

test('hostile JSON can neither throw nor reach a prototype', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(classify(answer(400, deep), upload).envelope).toBe('text');
  classify(answer(400, '{"__proto__":{"polluted":1},"error":{"fields":{"__proto__":"x"},"code":"c"}}'), upload);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

const anyDate = fc.date({ noInvalidDate: true }).map((date) => date.toUTCString());
const headerSet = fc.record(
  {
    'retry-after': fc.oneof(fc.string(), fc.nat().map(String), anyDate),
    date: fc.oneof(fc.string(), anyDate),
    location: fc.oneof(fc.string(), fc.webUrl()),
    'x-request-id': fc.string(),
  },
  { requiredKeys: [] },
);
const anyBody = fc.oneof(
  fc.string(),
  fc.json(),
  fc.constantFrom(...Object.values(bodies)),
  fc.record({ error: fc.anything(), message: fc.anything(), detail: fc.anything() }).map((body) => safeJson(body)),
);
const anyContext = fc.record({
  request: fc.constantFrom('read', 'create-with-key', 'create', 'change'),
  target: fc.constantFrom('route', 'resource', 'job'),
  serverNowMs: fc.oneof(fc.integer(), fc.double()),
  permission: fc.option(fc.string()),
} as const);

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return 'unprintable';
  }
}

test('P-21: any status, headers, body and context give a row, plain data and a finite wait', () => {
  const answers = fc.record({
    kind: fc.constant('answer' as const),
    status: fc.integer({ min: 0, max: 999 }),
    headers: headerSet,
    body: anyBody,
    isTruncated: fc.boolean(),
    isOversize: fc.boolean(),
  });
  forAllIn(isLong ? 100_000 : 3000, answers, anyContext, (given, context) => {
    const failure = classify(given, context);
    expect(isFailureKind(failure.kind)).toBe(true);
    expect(structuredClone(failure)).toEqual(failure);
    expect(Array.from(failure.details ?? '').length).toBeLessThanOrEqual(300);
    expect(failure.retryAfterMs ?? 0).toBeGreaterThanOrEqual(0);
    expect(failure.retryAfterMs ?? 0).toBeLessThanOrEqual(86_400_000);
    expect(failure.code).toMatch(/^[a-z0-9_.:-]{1,64}$/u);
  });
});

test('P-21: any network fault gives a kind, and before the connection is ready nothing counts as sent', () => {
  const fault = fc.record({
    kind: fc.constant('network' as const),
    code: fc.oneof(fc.string(), fc.constantFrom('ECONNRESET', 'ENOTFOUND', 'EPIPE', 'CERT_HAS_EXPIRED')),
    phase: fc.constantFrom('connecting', 'sending', 'waiting', 'receiving'),
    isSecure: fc.boolean(),
  } as const);
  forAllIn(isLong ? 20_000 : 1000, fault, anyContext, (seen, context) => {
    const failure = classify(seen, context);
    expect(isFailureKind(failure.kind)).toBe(true);
    expect(failure.outcome).toBe(seen.phase === 'connecting' ? 'not_sent' : 'unknown');
  });
});

test('F-27: depth, width, huge numbers and lone surrogates cost no more than their length', () => {
  const wide = `{${Array.from({ length: 1_000_000 }, (_, at) => `"k${at}":1e999`).join(',')}}`;
  const before = process.memoryUsage().rss;
  const startedAtMs = cpuTimeMs();
  for (const body of ['['.repeat(100_000), '{"a":'.repeat(100_000), wide, '"\\ud800"', '[1e999,-1e999]']) {
    const failure = classify({ kind: 'answer', status: 422, headers: {}, body }, upload);
    expect(failure.kind).toBe('fields-invalid');
    expect(failure.details?.isWellFormed() ?? true).toBe(true);
  }
  expect(cpuTimeMs() - startedAtMs).toBeLessThan(8000);
  expect((process.memoryUsage().rss - before) / 1024 ** 2).toBeLessThan(400);
});
