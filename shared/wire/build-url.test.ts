import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assumptions } from './assumptions.ts';
import { buildUrl, type AddressParts } from './build-url.ts';
import { endpoints } from './endpoints.ts';

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
  fc.assert(
    fc.property(
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
    ),
    { numRuns: process.env['OVOZ_LONG'] === undefined ? 1000 : 20_000 },
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

test('every assumption is used by the reading of some answer', () => {
  const used = new Set(Object.values(endpoints).flatMap(({ assumes }) => [...assumes]));
  expect([...used].toSorted()).toEqual(Object.keys(assumptions).toSorted());
});
