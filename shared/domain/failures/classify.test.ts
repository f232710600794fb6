import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classify, type HttpAnswer, type RequestContext } from './classify.ts';
import { codeRows } from './code-rows.ts';
import { decideRetry } from './decide-retry.ts';
import type { NetworkFault } from './network-fault.ts';
import { isKnownRow } from './rows.ts';

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
        expect(isKnownRow(failure.row)).toBe(true);
        if (failure.outcome === 'refused' && status !== 429 && failure.row !== 'E-058') {
          const decision = decideRetry({
            failure,
            attempt: 1,
            elapsedMs: 0,
            patience: 'background',
            isRepeatable: true,
            random: () => 0,
          });
          expect([status, failure.row, decision.retry]).toEqual([status, failure.row, false]);
        }
      }
    }
  });
});

test('F-29: the row of a code wins, with its own status and with a wrong one', () => {
  for (const [code, general] of codeRows) {
    // Outside of cloning no voice was requested: the uploaded recording can't be read.
    const row = code === 'invalid_audio' ? 'E-049' : general;
    for (const status of [400, 401, 403, 409, 422, 429, 500, 503]) {
      expect(classify(answer(status, standard(code)), upload)).toMatchObject({ row, code, status });
    }
  }
});

test.each([
  [401, 'E-032'],
  [402, 'E-036'],
  [403, 'E-038'],
  [404, 'E-039'],
  [407, 'E-008'],
  [408, 'E-044'],
  [409, 'E-045'],
  [410, 'E-046'],
  [412, 'E-047'],
  [413, 'E-048'],
  [415, 'E-049'],
  [418, 'E-055'],
  [422, 'E-050'],
  [423, 'E-051'],
  [429, 'E-053'],
  [451, 'E-054'],
  [500, 'E-056'],
  [501, 'E-043'],
  [502, 'E-057'],
  [503, 'E-057'],
  [511, 'E-059'],
  [522, 'E-057'],
  [599, 'E-060'],
  [301, 'E-016'],
  [304, 'E-029'],
  [199, 'E-029'],
  [202, 'E-022'],
  [204, 'E-026'],
  [206, 'E-029'],
  [200, 'E-024'],
  [0, 'E-060'],
  [999, 'E-060'],
] as const)('status %i without a code of its own gives %s', (status, row) => {
  expect(classify(answer(status, standard('never_heard_of')), upload).row).toBe(row);
});

test('a 404 means a missing route, a missing object, or a job to look for, depending on the request', () => {
  const row = (target: RequestContext['target']): string =>
    classify(answer(404, standard('not_found')), { ...read, target }).row;
  expect([row('route'), row('resource'), row('job')]).toEqual(['E-039', 'E-040', 'E-041']);
});

test('HTML instead of JSON, and a temporary redirect to another host, count as answers of the network', () => {
  expect(classify(answer(200, bodies.html), upload)).toMatchObject({ row: 'E-009', outcome: 'unknown' });
  const redirect = (status: number, location: string): string => classify(answer(status, '', { location }), upload).row;
  expect(redirect(302, 'https://login.example/')).toBe('E-009');
  expect(redirect(302, 'https://API.example/elsewhere')).toBe('E-016');
  expect(redirect(302, '/elsewhere')).toBe('E-016');
  expect(redirect(308, 'https://www.example/')).toBe('E-016');
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
    classify({ kind: 'network', code: 'ECONNRESET', phase, isSecure: true }, { ...upload, request }).row;
  expect(lost('create-with-key', 'sending')).toBe('E-012');
  expect(lost('create', 'waiting')).toBe('E-013');
  expect(lost('read', 'waiting')).toBe('E-014');
  expect(lost('create-with-key', 'receiving')).toBe('E-015');
  const ended = { kind: 'network', code: 'UND_ERR_SOCKET', phase: 'waiting', isSecure: true } as const;
  expect(classify(ended, upload).code).toBe('connection_lost');
  expect(classify({ ...answer(200, '{"id":'), isTruncated: true }, upload)).toMatchObject({
    row: 'E-015',
    outcome: 'unknown',
    envelope: 'truncated',
  });
});

test.each([
  ['ENETUNREACH', 'E-001'],
  ['ENOTFOUND', 'E-002'],
  ['EAI_AGAIN', 'E-002'],
  ['ECONNREFUSED', 'E-003'],
  ['EHOSTUNREACH', 'E-003'],
  ['UND_ERR_CONNECT_TIMEOUT', 'E-004'],
  ['CERT_HAS_EXPIRED', 'E-005'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'E-006'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'E-006'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'E-007'],
  ['ECONNRESET', 'E-007'],
  ['SOMETHING_NEW', 'E-003'],
] as const)('%s before the connection was ready means nothing was sent (%s)', (code, row) => {
  const failure = classify({ kind: 'network', code, phase: 'connecting', isSecure: true }, upload);
  expect(failure).toMatchObject({ row, outcome: 'not_sent' });
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

test('each envelope is recognized', () => {
  const kind = (body: string): string => classify(answer(400, body), upload).envelope;
  expect(kind(bodies.standard)).toBe('standard');
  expect(kind(bodies.llm)).toBe('llm');
  expect(kind(bodies.both)).toBe('standard');
  expect(kind(bodies.legacy)).toBe('legacy');
  expect(kind('<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>')).toBe('storage_xml');
  expect(kind(bodies.html)).toBe('html');
  expect(kind(bodies.text)).toBe('text');
  expect(kind('')).toBe('empty');
  expect(classify(answer(400, bodies.legacy), upload)).toMatchObject({ code: 'legacy.bad_audio', details: 'bad' });
});

test('hostile JSON can neither throw nor reach a prototype', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(classify(answer(400, deep), upload).envelope).toBe('text');
  classify(answer(400, '{"__proto__":{"polluted":1},"error":{"fields":{"__proto__":"x"},"code":"c"}}'), upload);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

const headerSet = fc.record(
  {
    'retry-after': fc.oneof(
      fc.string(),
      fc.nat().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    ),
    date: fc.oneof(
      fc.string(),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    ),
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

test(
  'P-21: any status, headers, body and context give a row, plain data and a finite wait',
  { timeout: 300_000 },
  () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999 }),
        headerSet,
        anyBody,
        fc.boolean(),
        fc.boolean(),
        anyContext,
        (status, headers, body, isTruncated, isOversize, context) => {
          const failure = classify({ kind: 'answer', status, headers, body, isTruncated, isOversize }, context);
          expect(isKnownRow(failure.row)).toBe(true);
          expect(structuredClone(failure)).toEqual(failure);
          expect(Array.from(failure.details ?? '').length).toBeLessThanOrEqual(300);
          if (failure.retryAfterMs !== undefined) {
            expect(failure.retryAfterMs).toBeGreaterThanOrEqual(0);
            expect(failure.retryAfterMs).toBeLessThanOrEqual(86_400_000);
          }
          expect(failure.code).toMatch(/^[a-z0-9_.:-]{1,64}$/u);
        },
      ),
      { numRuns: isLong ? 100_000 : 3000 },
    );
  },
);

test('P-21: any network fault gives a row, and before the connection is ready nothing counts as sent', () => {
  const fault = fc.record({
    kind: fc.constant('network' as const),
    code: fc.oneof(fc.string(), fc.constantFrom('ECONNRESET', 'ENOTFOUND', 'EPIPE', 'CERT_HAS_EXPIRED')),
    phase: fc.constantFrom('connecting', 'sending', 'waiting', 'receiving'),
    isSecure: fc.boolean(),
  } as const);
  fc.assert(
    fc.property(fault, anyContext, (seen, context) => {
      const failure = classify(seen, context);
      expect(isKnownRow(failure.row)).toBe(true);
      expect(failure.outcome).toBe(seen.phase === 'connecting' ? 'not_sent' : 'unknown');
    }),
    { numRuns: isLong ? 20_000 : 1000 },
  );
});
