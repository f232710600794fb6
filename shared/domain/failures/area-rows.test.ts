import fc from 'fast-check';
import { expect, test } from 'vitest';
import { classify, type HttpAnswer, type RequestContext } from './classify.ts';
import { isKnownRow } from './rows.ts';
import type { FailureArea } from './area-rows.ts';

const areas = [
  'account',
  'usage',
  'ask',
  'attachments',
  'clone',
  'clone-verify',
  'clone-remove',
  'webhooks',
  'isolation-batch',
  'dictation',
  'legacy',
] as const satisfies readonly FailureArea[];

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
  ['account', 400, 'validation_error', 'E-061'],
  ['account', 400, 'invalid_cursor', 'E-062'],
  ['account', 401, 'session_expired', 'E-033'],
  ['account', 401, 'whatever', 'E-033'],
  ['account', 403, 'origin_forbidden', 'E-064'],
  ['account', 404, 'not_found', 'E-065'],
  ['account', 409, 'api_key_in_use', 'E-066'],
  ['account', 503, 'auth_unavailable', 'E-058'],
  ['account', 502, 'x', 'E-067'],
  ['usage', 400, 'invalid_analytics_window', 'E-063'],
  ['usage', 400, 'invalid_filter', 'E-063'],
  ['usage', 400, 'invalid_pagination', 'E-062'],
  ['usage', 503, 'analytics_unavailable', 'E-058'],
  ['ask', 409, 'any_code', 'E-070'],
  ['ask', 409, 'llm_usage_pending', 'E-074'],
  ['ask', 402, 'insufficient_credits', 'E-075'],
  ['ask', 402, 'api_key_credit_limit', 'E-075'],
  ['ask', 400, 'strange', 'E-076'],
  ['ask', 500, 'strange', 'E-105'],
  ['ask', 504, 'strange', 'E-105'],
  ['attachments', 413, 'file_too_large', 'E-077'],
  ['attachments', 415, 'unsupported_media_type', 'E-078'],
  ['attachments', 422, 'validation_error', 'E-079'],
  ['attachments', 422, 'unsupported_attachment', 'E-079'],
  ['attachments', 422, 'invalid_attachment', 'E-079'],
  ['attachments', 422, 'attachment_unavailable', 'E-080'],
  ['attachments', 429, 'attachment_quota_exceeded', 'E-081'],
  ['attachments', 503, 'chat_unavailable', 'E-058'],
  ['clone', 402, 'voice_clone_subscription_required', 'E-085'],
  ['clone', 400, 'invalid_multipart', 'E-086'],
  ['clone', 413, 'audio_too_large', 'E-087'],
  ['clone', 404, 'voice_clone_not_found', 'E-088'],
  ['clone', 409, 'voice_clone_invalid_state', 'E-089'],
  ['clone', 409, 'voice_limit_reached', 'E-090'],
  ['clone', 422, 'validation_failed', 'E-091'],
  ['clone', 422, 'invalid_audio', 'E-092'],
  ['clone', 410, 'voice_clone_challenge_expired', 'E-093'],
  ['clone-verify', 422, 'challenge_mismatch', 'E-094'],
  ['clone-verify', 422, 'speaker_mismatch', 'E-094'],
  ['clone-verify', 503, 'speaker_verification_unavailable', 'E-095'],
  ['clone-verify', 500, 'internal', 'E-095'],
  ['clone', 429, 'voice_clone_rate_limited', 'E-096'],
  ['clone-remove', 502, 'x', 'E-097'],
  ['webhooks', 404, 'webhook_not_found', 'E-100'],
  ['webhooks', 409, 'webhook_revision_conflict', 'E-100'],
  ['webhooks', 409, 'webhook_limit_reached', 'E-100'],
  ['webhooks', 409, 'webhook_delivery_not_retryable', 'E-100'],
  ['webhooks', 422, 'validation_error', 'E-100'],
  ['webhooks', 400, 'invalid_pagination', 'E-062'],
  ['webhooks', 503, 'webhooks_unavailable', 'E-058'],
  ['isolation-batch', 402, 'insufficient_credits', 'E-162'],
  ['isolation-batch', 422, 'validation_error', 'E-162'],
  ['dictation', 401, 'invalid_realtime_ticket', 'E-121'],
  ['dictation', 403, 'origin_forbidden', 'E-122'],
  ['dictation', 404, 'not_found', 'E-123'],
  ['dictation', 502, 'x', 'E-124'],
] as const)('in %s a %i %s is %s', (area, status, code, row) => {
  expect(classify(answer(status, said(code)), context(area)).row).toBe(row);
});

test.each([
  ['ask', 'E-105'],
  ['account', 'E-067'],
  ['clone-verify', 'E-095'],
  ['clone-remove', 'E-097'],
  ['dictation', 'E-124'],
  ['webhooks', 'E-013'],
  ['attachments', 'E-013'],
] as const)('an answer lost in %s after something was sent is %s', (area, row) => {
  const lost = { kind: 'network', code: 'ECONNRESET', phase: 'waiting', isSecure: true } as const;
  expect(classify(lost, context(area)).row).toBe(row);
  expect(classify({ ...lost, phase: 'connecting', code: 'ENOTFOUND' }, context(area)).row).toBe('E-002');
});

test('a free read of a product counts as a read: no model was asked and nothing was charged', () => {
  const read = (area: FailureArea, status: number, code = 'x'): string =>
    classify(answer(status, said(code)), context(area, 'read')).row;
  expect([read('ask', 500), read('ask', 402), read('clone-verify', 500)]).toEqual(['E-056', 'E-036', 'E-056']);
  expect(read('account', 500)).toBe('E-056');
});

test('of the changes to an account only a creation loses a secret', () => {
  expect(classify(answer(502, ''), context('account', 'change')).row).toBe('E-057');
});

test('legacy answers keep their key, and are judged by status', () => {
  const body = { detail: 'Balance too low', error_key: 'insufficient_balance' };
  expect(classify(answer(402, body), context('legacy'))).toMatchObject({
    row: 'E-036',
    code: 'legacy.insufficient_balance',
    envelope: 'legacy',
  });
  expect(classify(answer(400, body), context('legacy')).row).toBe('E-151');
  // Documented refusals of what was sent; a page in their place proves nothing.
  expect(classify(answer(503, ''), context('legacy'))).toMatchObject({ row: 'E-058', outcome: 'refused' });
  expect(classify(answer(503, '<html></html>'), context('legacy'))).toMatchObject({ row: 'E-057', outcome: 'unknown' });
  const long = { detail: 'Too long', error_key: 'duration_limit' };
  expect(classify(answer(403, long), context('legacy'))).toMatchObject({ row: 'E-247', code: 'legacy.duration_limit' });
  expect(classify(answer(403, said('origin_forbidden')), context('legacy')).row).toBe('E-038');
});

test('a limited voice says how long, and nothing is retried automatically', () => {
  const failure = classify(answer(429, said('voice_clone_rate_limited'), { 'retry-after': '90' }), context('clone'));
  expect(failure).toMatchObject({ row: 'E-096', retry: 'wait_user', retryAfterMs: 90_000, params: { wait: 90_000 } });
});

test('F-28, P-21: every area, status and body gives a row', () => {
  const bodies = ['', '<html></html>', 'null', '{"error":{"code":"x"}}', '{"error":"toString"}', '{"detail":[]}'];
  for (const area of areas) {
    for (let status = 100; status <= 599; status += 1) {
      for (const body of bodies) expect(isKnownRow(classify(answer(status, body), context(area)).row)).toBe(true);
    }
  }
  fc.assert(
    fc.property(fc.constantFrom(...areas), fc.integer(), fc.string(), (area, status, code) => {
      expect(isKnownRow(classify(answer(status, said(code)), context(area)).row)).toBe(true);
    }),
  );
});
