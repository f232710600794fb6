import fc from 'fast-check';
import { expect, test } from 'vitest';
import { classify, type RequestContext } from './classify.ts';
import { readEnvelope } from './envelope.ts';
import { parseGuardedJson } from './guarded-json.ts';
import { isKnownRow } from './rows.ts';
import { cpuTimeMs } from '../../../tests/support/measure-thread.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;
const context: RequestContext = { request: 'create-with-key', target: 'route', serverNowMs: 0 };
const seeds = [
  '{"message":"No","error":{"code":"some_code","fields":{"title":["too long"]}},"request_id":"r1"}',
  '{"error":{"message":"No","type":"request_error","code":"llm_usage_pending"},"request_id":"r2"}',
  '{"detail":[{"loc":["body","x"],"msg":"bad"}],"error_key":"bad_audio"}',
  '{"data":{"id":"tr_1","status":"completed","text":"Salom \\u045e","segments":[{"start":0.5,"end":1e3}]}}',
  '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
  '<!doctype html><html><body>Sign in</body></html>',
].map((text) => new TextEncoder().encode(text));
const edit = fc.record({
  at: fc.nat(200),
  how: fc.constantFrom('set', 'drop', 'insert', 'repeat', 'cut', 'nest'),
  bytes: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 6 }),
    fc
      .constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', '1e999', '__proto__', '\ud83d', '\u0000', '\\ud800')
      .map((text) => new TextEncoder().encode(text)),
  ),
});

function edited(seed: Uint8Array, edits: readonly { at: number; how: string; bytes: Uint8Array }[]): string {
  let bytes = [...seed];
  for (const { at, how, bytes: more } of edits) {
    const place = Math.min(at, bytes.length);
    if (how === 'set') bytes.splice(place, more.length, ...more);
    else if (how === 'drop') bytes.splice(place, more.length);
    else if (how === 'insert') bytes.splice(place, 0, ...more);
    else if (how === 'repeat') bytes = [...bytes.slice(0, place), ...bytes.slice(Math.max(0, place - 20))];
    else if (how === 'cut') bytes = bytes.slice(0, place);
    else bytes = [...Array.from({ length: place }, () => 0x5b), ...bytes];
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

test('P-03: bodies with damaged bytes are read or refused, in time, without reaching a prototype', () => {
  let slowestMs = 0;
  fc.assert(
    fc.property(fc.constantFrom(...seeds), fc.array(edit, { minLength: 1, maxLength: 5 }), (seed, edits) => {
      const body = edited(seed, edits);
      const startedAtMs = cpuTimeMs();
      const json = parseGuardedJson(body);
      const envelope = readEnvelope(body, false);
      const failure = classify({ kind: 'answer', status: 400, headers: {}, body }, context);
      slowestMs = Math.max(slowestMs, cpuTimeMs() - startedAtMs);
      expect(typeof json.isJson).toBe('boolean');
      expect(isKnownRow(failure.row)).toBe(true);
      expect(failure.code).toMatch(/^[a-z0-9_.:-]{1,64}$/u);
      expect(Object.keys(envelope.fields ?? {})).not.toContain('__proto__');
    }),
    { numRuns: isLong ? 250_000 : 3000 },
  );
  expect(slowestMs).toBeLessThan(isLong ? 500 : 200);
  expect(Object.keys(Object.prototype)).toEqual([]);
}, 600_000);

test('F-27: depth, width, huge numbers and lone surrogates cost no more than their length', () => {
  const wide = `{${Array.from({ length: 1_000_000 }, (_, at) => `"k${at}":1e999`).join(',')}}`;
  const before = process.memoryUsage().rss;
  const startedAtMs = cpuTimeMs();
  for (const body of ['['.repeat(100_000), '{"a":'.repeat(100_000), wide, '"\\ud800"', '[1e999,-1e999]']) {
    const failure = classify({ kind: 'answer', status: 422, headers: {}, body }, context);
    expect(failure.row).toBe('E-050');
    expect(failure.details?.isWellFormed() ?? true).toBe(true);
  }
  expect(cpuTimeMs() - startedAtMs).toBeLessThan(8000);
  expect((process.memoryUsage().rss - before) / 1024 ** 2).toBeLessThan(400);
});
