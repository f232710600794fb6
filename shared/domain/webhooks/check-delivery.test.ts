import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { checkDelivery, readHeaderLines, type SignText } from './check-delivery.ts';
import { webhookEventTypes } from './webhook.ts';

const secret = 'whsec_literal+not/decoded=';
const by =
  (key: string): SignText =>
  (text) =>
    createHmac('sha256', key).update(text).digest('hex');
const at = 1_700_000_000;
const now = at * 1000;
const signed = (body: string, timestamp = at): ReadonlyMap<string, string> =>
  new Map([
    ['x-service-timestamp', String(timestamp)],
    ['x-service-signature', `v1=${by(secret)(`${timestamp}.${body}`)}`],
  ]);
const verdictOf = (headers: ReadonlyMap<string, string>, body: string, nowMs = now, key = secret) =>
  checkDelivery(headers, body, by(key), nowMs).verdict;

it('a delivery is the service’s own only with the raw body, the whole secret, and in its time', () => {
  const body = '{"id": "evt_1",\n"type":"webhook.test"}';
  const good = signed(body);
  expect(verdictOf(good, body)).toBe('valid');
  expect(verdictOf(good, body, now + 300_000)).toBe('valid');
  expect(verdictOf(good, body, now + 300_001)).toBe('old');
  expect(verdictOf(good, body, now - 300_001)).toBe('old');
  expect(verdictOf(new Map([...good, ['x-service-timestamp', String(at + 1)]]), body)).toBe('mismatch');
  expect(verdictOf(good, body, now, secret.slice(6))).toBe('mismatch');
  expect(verdictOf(good, '{"id":"evt_1","type":"webhook.test"}')).toBe('mismatch');
});

it('any text signed by the secret is valid, and with any changed character it is not', () => {
  forAll(fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }), fc.nat(), (body, place) => {
    expect(verdictOf(signed(body), body)).toBe('valid');
    const index = place % body.length;
    const changed = `${body.slice(0, index)}${body[index] === 'x' ? 'y' : 'x'}${body.slice(index + 1)}`;
    expect(verdictOf(signed(body), changed)).toBe('mismatch');
  });
});

it('headers are read however they were copied, and any pasted text gives a verdict', () => {
  const [time, signature] = signed('{}').values();
  const spellings = [
    `X-Service-Timestamp: ${time}\nX-Service-Signature: ${signature}`,
    `x-service-timestamp:${time}\r\nx-service-signature:${signature}\r\n`,
    `{\n  "x-service-timestamp": "${time}",\n  "x-service-signature": "${signature}"\n}`,
    `-H 'X-Service-Timestamp: ${time}' \\\n-H 'X-Service-Signature: ${signature}' \\`,
  ];
  for (const text of spellings) expect(verdictOf(readHeaderLines(text), '{}')).toBe('valid');
  forAll(fc.string(), fc.string(), (headers, body) => {
    expect(verdictOf(readHeaderLines(headers), body)).not.toBe('valid');
  });
});

it('the events of a subscription are those of the contract, without the test event', () => {
  expect([...webhookEventTypes, 'webhook.test'].toSorted()).toEqual([
    'stt.transcription.completed',
    'stt.transcription.failed',
    'stt.transcription.queued',
    'tts.generation.completed',
    'webhook.test',
  ]);
});
