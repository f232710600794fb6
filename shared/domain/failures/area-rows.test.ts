import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { classify, type HttpAnswer, type RequestContext } from './classify.ts';
import { closeRow, liveCodeRow, speechCodeRow } from './live-rows.ts';
import { isFailureKind } from './rows.ts';
import type { FailureArea } from './area-rows.ts';

const areas = [
  ...(['account', 'usage', 'ask', 'attachments', 'clone', 'clone-verify', 'clone-remove', 'webhooks'] as const),
  ...(['isolation-batch', 'dictation', 'legacy'] as const),
] satisfies readonly FailureArea[];
const answer = (status: number, body: unknown, headers: HttpAnswer['headers'] = {}): HttpAnswer => ({
  kind: 'answer',
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const said = (code: string): unknown => ({ message: 'm', error: { code }, request_id: 'req_1' });
const context = (area: FailureArea, request: RequestContext['request'] = 'create'): RequestContext => ({
  request,
  target: 'route',
  area,
  serverNowMs: 0,
});

test.each([
  ['account', 401, 'session_expired', 'token-refused'],
  ['account', 502, 'x', 'key-secret-lost'],
  ['ask', 409, 'any_code', 'question-already-asked'],
  ['ask', 409, 'llm_usage_pending', 'earlier-question-pending'],
  ['ask', 402, 'insufficient_credits', 'credits-too-few-to-ask'],
  ['ask', 500, 'strange', 'stream-retried'],
  ['clone', 402, 'voice_clone_subscription_required', 'paid-plan-needed'],
  ['clone-verify', 422, 'speaker_mismatch', 'reading-mismatch'],
  ['clone-verify', 500, 'internal', 'reading-unsettled'],
  ['clone-remove', 502, 'x', 'voice-being-deleted'],
  ['dictation', 401, 'invalid_realtime_ticket', 'live-ticket-expired'],
  ['dictation', 502, 'x', 'live-dropped'],
] as const)('in %s a %i %s is %s', (area, status, code, row) => {
  expect(classify(answer(status, said(code)), context(area)).kind).toBe(row);
});

test.each([
  ['ask', 'stream-retried'],
  ['account', 'key-secret-lost'],
  ['clone-verify', 'reading-unsettled'],
  ['clone-remove', 'voice-being-deleted'],
  ['dictation', 'live-dropped'],
  ['webhooks', 'answer-lost'],
  ['attachments', 'answer-lost'],
] as const)('an answer lost in %s after something was sent is %s', (area, row) => {
  const lost = { kind: 'network', code: 'ECONNRESET', phase: 'waiting', isSecure: true } as const;
  expect(classify(lost, context(area)).kind).toBe(row);
  expect(classify({ ...lost, phase: 'connecting', code: 'ENOTFOUND' }, context(area)).kind).toBe('address-not-found');
});

test('a free read of a product counts as a read: no model was asked and nothing was charged', () => {
  const read = (area: FailureArea, status: number, code = 'x'): string =>
    classify(answer(status, said(code)), context(area, 'read')).kind;
  expect([read('ask', 500), read('clone-verify', 500), read('account', 500)]).toEqual(Array(3).fill('server-error'));
  expect(read('ask', 402)).toBe('payment-limit-reached');
});

test('legacy answers keep their key, and are judged by status', () => {
  const judged = (status: number, body: unknown) => classify(answer(status, body), context('legacy'));
  const refused = judged(402, { detail: 'Balance too low', error_key: 'insufficient_balance' });
  expect(refused).toMatchObject({ kind: 'payment-limit-reached', code: 'legacy.insufficient_balance' });
  expect(refused.envelope).toBe('legacy');
  const long = judged(403, { detail: 'Too long', error_key: 'duration_limit' });
  expect(long).toMatchObject({ kind: 'legacy-not-permitted', code: 'legacy.duration_limit' });
  expect(judged(400, { detail: 'x', error_key: 'y' }).kind).toBe('legacy-request-rejected');
  expect(judged(403, said('origin_forbidden')).kind).toBe('key-restricted');
  // Documented refusals of what was sent; a page in their place proves nothing.
  expect(judged(503, '')).toMatchObject({ kind: 'product-unavailable', outcome: 'refused' });
  expect(judged(503, '<html></html>')).toMatchObject({ kind: 'gateway-error', outcome: 'unknown' });
});

test('a limited voice says how long, and nothing is retried automatically', () => {
  const failure = classify(answer(429, said('voice_clone_rate_limited'), { 'retry-after': '90' }), context('clone'));
  expect(failure).toMatchObject({ kind: 'clone-rate-limited', retry: 'wait_user', retryAfterMs: 90_000 });
  expect(failure.params).toEqual({ wait: 90_000 });
});

test('F-28, P-21: every area, status and body gives a kind', () => {
  const bodies = ['', '<html></html>', 'null', '{"error":{"code":"x"}}', '{"error":"toString"}', '{"detail":[]}'];
  for (const area of areas) {
    for (let status = 100; status <= 599; status += 1) {
      for (const body of bodies) expect(isFailureKind(classify(answer(status, body), context(area)).kind)).toBe(true);
    }
  }
  forAll(fc.constantFrom(...areas), fc.integer(), fc.string(), (area, status, code) => {
    expect(isFailureKind(classify(answer(status, said(code)), context(area)).kind)).toBe(true);
  });
});

test.each([
  ['busy', 'phrase-busy', 'product-unavailable'],
  ['insufficient_credits', 'live-credits-exhausted', 'credits-exhausted'],
  ['service_unavailable', null, 'product-unavailable'],
  ['timeout', null, 'live-speech-cut'],
  ['constructor', 'live-error-unknown', 'live-speech-cut'],
] as const)('an error event %s is %s in dictation, and %s in live speech', (code, row, spokenRow) => {
  if (row !== null) expect(liveCodeRow(code)).toBe(row);
  expect(speechCodeRow(code)).toBe(spokenRow);
});

test.each([
  [1000, true, 'dictation-finished'],
  [1001, true, 'live-closed'],
  [1008, true, 'live-key-or-credits'],
  [1015, false, 'live-untrusted'],
] as const)('a socket closed with %i (done: %s) is %s', (code, isDone, row) => {
  expect(closeRow(code, isDone)).toBe(row);
});

test('any close code gives a kind', () => {
  forAll(fc.integer(), fc.boolean(), (code, isDone) => {
    expect(isFailureKind(closeRow(code, isDone))).toBe(true);
  });
});
