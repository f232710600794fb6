import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assumptions, type AssumptionName } from './assumptions.ts';
import { buildUrl } from './build-url.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { defaultWireTable, overrideWire, withAliases } from './wire-table.ts';

const rows = Object.entries<Endpoint>(endpoints);

test.each(rows)('%s is a whole row: an address can be made of it, and its assumption has a sentence', (_name, row) => {
  const places = [...row.path.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => [name, 'a/b'] as const);
  const url = buildUrl({
    baseUrl: 'https://api.example',
    allowsLoopbackHttp: false,
    path: row.path,
    values: Object.fromEntries(places),
  });
  expect(url).toMatchObject({ ok: true });
  expect(row.firstByteMs).toBeGreaterThanOrEqual(10_000);
  expect(row.evidence === 'documented' || row.assumes.length > 0).toBe(true);
  for (const name of row.assumes) expect(assumptions[name satisfies AssumptionName].length).toBeGreaterThan(20);
});

test('two routes never have the same method and address', () => {
  const seen = rows.map(([, { method, path, transport }]) => `${transport} ${method} ${path}`);
  expect(new Set(seen).size).toBe(seen.length);
});

test('only routes that create something with a key of their own are repeated with it', () => {
  for (const [name, { method, retry }] of rows) {
    if (retry === 'with-idempotency-key') expect([name, method]).toEqual([name, 'POST']);
  }
});

test('an assumed path, a field and a name of an answer are corrected by plain data', () => {
  const read = overrideWire({
    paths: { 'webhooks.deliveries': '/v1/hooks/{webhook_id}/log' },
    fields: { 'isolate.audio': 'file' },
    aliases: { testo: 'text' },
  });
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  expect(read.value.endpoints['webhooks.deliveries']).toMatchObject({
    path: '/v1/hooks/{webhook_id}/log',
    method: 'GET',
    permission: 'webhooks: access',
  });
  expect(read.value.endpoints['webhooks.test']).toBe(endpoints['webhooks.test']);
  expect(read.value.fields).toMatchObject({ 'isolate.audio': 'file', 'isolate.title': 'title' });
  expect(overrideWire({})).toEqual({ ok: true, value: defaultWireTable });
});

test.each([
  [null, '', 'not-an-object'],
  [[], '', 'not-an-object'],
  [{ path: {} }, 'path', 'unknown-name'],
  [{ paths: 'x' }, 'paths', 'not-an-object'],
  [{ paths: { 'no.such': '/v1/x' } }, 'paths.no.such', 'unknown-name'],
  [{ paths: { 'stt.submit': '/v2/stt' } }, 'paths.stt.submit', 'is-documented'],
  [{ paths: { 'webhooks.list': 'https://evil.example/v1' } }, 'paths.webhooks.list', 'not-a-path'],
  [{ paths: { 'webhooks.list': '//evil.example/v1' } }, 'paths.webhooks.list', 'not-a-path'],
  [{ paths: { 'webhooks.list': '/v1/../x' } }, 'paths.webhooks.list', 'not-a-path'],
  [{ paths: { 'webhooks.list': '/v1/x?a=1' } }, 'paths.webhooks.list', 'not-a-path'],
  [{ paths: { 'webhooks.list': '/v1/{id}' } }, 'paths.webhooks.list', 'other-places'],
  [{ paths: { 'webhooks.read': '/v1/hook' } }, 'paths.webhooks.read', 'other-places'],
  [{ paths: { 'webhooks.list': 7 } }, 'paths.webhooks.list', 'not-a-name'],
  [{ fields: { 'no.such': 'x' } }, 'fields.no.such', 'unknown-name'],
  [{ fields: { 'isolate.audio': 'a b' } }, 'fields.isolate.audio', 'not-a-name'],
  [{ aliases: { a: '__proto__' } }, 'aliases.a', 'not-a-name'],
])('an invalid correction is reported, and nothing of it is used: %j', (data, at, problem) => {
  expect(overrideWire(data)).toEqual({ ok: false, error: [{ at, problem }] });
});

test('any settings give a table or the reasons against it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (data) => {
      const read = overrideWire(data);
      expect(read.ok || read.error.length > 0).toBe(true);
    }),
  );
});

test('answers are read under the names that this version knows, at any depth', () => {
  const body = { dato: [{ testo: 'Salom', n: 1 }], id: 7 };
  expect(withAliases(body, { dato: 'data', testo: 'text' })).toEqual({ data: [{ text: 'Salom', n: 1 }], id: 7 });
  expect(withAliases({ testo: 'a', text: 'b' }, { testo: 'text' })).toEqual({ testo: 'a', text: 'b' });
  expect(withAliases(body, {})).toBe(body);
});
