import { forAllIn } from '../../tests/support/for-all.ts';
import { readState } from './values.ts';
import { expect, test } from 'vitest';
import { buildUrl, type AddressParts } from './connection.ts';
import { endpoints, meterOf, paidRoute, type Endpoint, type EndpointName } from './endpoints.ts';
import fc from 'fast-check';

const rows = Object.entries(endpoints) as [EndpointName, Endpoint][];

test.each(rows)('%s is a whole row: an address can be made of it', (_name, row) => {
  const places = [...row.path.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => [name, 'a/b'] as const);
  const url = buildUrl({
    baseUrl: 'https://api.example',
    allowsLoopbackHttp: false,
    path: row.path,
    values: Object.fromEntries(places),
  });
  expect(url).toMatchObject({ ok: true });
  expect(row.firstByteMs).toBeGreaterThanOrEqual(10_000);
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

test('a creation with a key of its own costs something, so each is metered', () => {
  for (const [name, { retry }] of rows) {
    if (retry === 'with-idempotency-key') expect([name, meterOf(name)]).not.toEqual([name, 'free']);
  }
});

test('every paid route is documented and found by its method and address', () => {
  for (const [name, row] of rows) {
    const isPaid = meterOf(name) !== 'free';
    expect([name, paidRoute(row)]).toEqual([name, isPaid ? name : null]);
    if (isPaid) expect([name, row.evidence]).toEqual([name, 'documented']);
  }
});

test('plain reads are free', () => {
  for (const [name, { method, transport }] of rows) {
    if (method === 'GET' && transport === 'http') expect([name, meterOf(name)]).toEqual([name, 'free']);
  }
});

test('a documented word is a state, in any case; another word is kept as it is', () => {
  expect(readState('delivery', 'Retrying')).toEqual({ known: true, state: 'retrying' });
  expect(readState('legacy-task', 'success')).toEqual({ known: true, state: 'SUCCESS' });
  expect(readState('enrollment', 'cooling_down')).toEqual({ known: false, raw: 'cooling_down' });
  expect(readState('enrollment', 7)).toBe(null);
  expect(readState('enrollment', ' ')).toBe(null);
});

const parts: AddressParts = {
  baseUrl: 'https://api.example/gateway',
  allowsLoopbackHttp: false,
  path: endpoints['stt.read'].path,
};
const build = (more: Partial<AddressParts>): string => {
  const url = buildUrl({ ...parts, ...more });
  return url.ok ? url.value.href : url.error;
};

test('the prefix of the base address is kept and a query is added', () => {
  expect(build({ path: '/v1/stt/transcriptions', query: { limit: 10, cursor: 'a b&c', none: undefined } })).toBe(
    'https://api.example/gateway/v1/stt/transcriptions?limit=10&cursor=a+b%26c',
  );
  expect(build({ baseUrl: 'https://api.example/', path: '/v1/stt' })).toBe('https://api.example/v1/stt');
});

test('F-38: any identifier stays one part of the path, or is refused', () => {
  forAllIn(
    process.env['OVOZ_LONG'] === undefined ? 1000 : 20_000,
    fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('../../x', '%2e%2e', 'a/b?c#d')),
    (id) => {
      const url = buildUrl({ ...parts, values: { transcription_id: id } });
      if (!url.ok) {
        expect(['value-missing', 'value-unsafe']).toContain(url.error);
        return;
      }
      const [last, ...rest] = url.value.pathname.split('/').toReversed();
      expect(rest.toReversed().join('/')).toBe('/gateway/v1/stt/transcriptions');
      expect(decodeURIComponent(last ?? '')).toBe(id);
      expect(url.value.search + url.value.hash).toBe('');
    },
  );
  expect(build({ values: { transcription_id: '..' } })).toBe('value-unsafe');
  expect(build({})).toBe('value-missing');
});

test.each([
  ['http://api.example', 'base-not-secure'],
  ['http://127.0.0.1:80', 'base-not-secure'],
  ['ftp://api.example', 'base-not-secure'],
  ['https://user:pass@api.example', 'base-not-an-address'],
  ['https://api.example?x=1', 'base-not-an-address'],
  ['nonsense', 'base-not-an-address'],
])('%s is refused before anything is sent', (baseUrl, reason) => {
  expect(build({ baseUrl, path: '/v1/stt' })).toBe(reason);
});

test('plain http is accepted only on loopback and only where allowed', () => {
  const allowed = { allowsLoopbackHttp: true, path: '/v1/stt' };
  expect(build({ ...allowed, baseUrl: 'http://127.0.0.1:8080' })).toBe('http://127.0.0.1:8080/v1/stt');
  expect(build({ ...allowed, baseUrl: 'http://[::1]:8080' })).toBe('http://[::1]:8080/v1/stt');
  expect(build({ ...allowed, baseUrl: 'http://127.0.0.1.example' })).toBe('base-not-secure');
});
