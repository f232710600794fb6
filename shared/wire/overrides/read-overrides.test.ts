import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Endpoint } from '../endpoint.ts';
import { endpoints } from '../endpoints.ts';
import { parseJsonWithLines } from './parse-json-with-lines.ts';
import { readOverrides } from './read-overrides.ts';

const whole = `{
  "format": 1,
  "paths": {
    "webhooks.list": "/v1/hooks"
  },
  "fields": { "isolate.audio": "file" },
  "aliases": { "testo": "text" }
}`;

test('a whole file corrects a route, a field of a body and a name of an answer, and lists its corrections', () => {
  const read = readOverrides(`\uFEFF${whole}`);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  expect(read.value.wire.endpoints['webhooks.list'].path).toBe('/v1/hooks');
  expect(read.value.corrected).toEqual(['paths.webhooks.list', 'fields.isolate.audio', 'aliases.testo']);
});

test('every error is reported with its line, and nothing of the file is used', () => {
  const text = `{
  "format": 1,
  "paths": {
    "stt.submit": "/v2/stt",
    "webhooks.list": "https://evil.example/v1",

    "webhooks.read": "/v1/hooks"
  },
  "fields": {"isolate.audio": "a b"},
  "host": "evil.example"
}`;
  expect(readOverrides(text)).toEqual({
    ok: false,
    error: [
      { line: 10, at: 'host', problem: 'unknown-name' },
      { line: 4, at: 'paths.stt.submit', problem: 'is-documented' },
      { line: 5, at: 'paths.webhooks.list', problem: 'not-a-path' },
      { line: 7, at: 'paths.webhooks.read', problem: 'other-places' },
      { line: 9, at: 'fields.isolate.audio', problem: 'not-a-name' },
    ],
  });
});

test.each([
  ['', 1, 'not-json'],
  ['{\n"format": 1,\n}', 3, 'not-json'],
  ['{\n"format": 1,\n"paths": {},\n"paths": {}}', 4, 'repeated-name'],
  ['{\n\n"format": 2}', 3, 'newer-format'],
  ['{"paths": {}}', 1, 'no-format'],
  ['{\n"format": "1"}', 2, 'no-format'],
  ['[]', 1, 'not-an-object'],
  [`{"format": 1, "aliases": ${'['.repeat(40)}`, 1, 'too-deep'],
  [' '.repeat(300_000), 1, 'too-large'],
])('%.30j is refused on line %i: %s', (text, line, problem) => {
  expect(readOverrides(text)).toMatchObject({ ok: false, error: [{ line, problem }] });
});

test('a row that a newer version documents as it was corrected causes no error', () => {
  const text = JSON.stringify({ format: 1, paths: { 'stt.submit': endpoints['stt.submit'].path } });
  expect(readOverrides(text)).toMatchObject({ ok: true });
});

test('no file changes where a credential goes: host, method, credential and permission stay', () => {
  const names = Object.keys(endpoints) as (keyof typeof endpoints)[];
  const file = fc.record({
    format: fc.constant(1),
    paths: fc.dictionary(
      fc.constantFrom(...names),
      fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.webPath(), fc.string(), fc.constant('/v1/hooks')),
      { maxKeys: 3 },
    ),
  });
  const unmoved = JSON.stringify(Object.values<Endpoint>(endpoints).map((row) => ({ ...row, path: '/' })));
  fc.assert(
    fc.property(file, (data) => {
      const read = readOverrides(JSON.stringify(data, null, 1));
      if (!read.ok) {
        expect(read.error.every(({ line }) => line >= 1)).toBe(true);
        return;
      }
      const corrected = Object.values<Endpoint>(read.value.wire.endpoints);
      expect(corrected.every(({ path }) => path.startsWith('/') && !path.startsWith('//'))).toBe(true);
      expect(JSON.stringify(corrected.map((row) => ({ ...row, path: '/' })))).toBe(unmoved);
    }),
    { numRuns: 300 },
  );
});

test('the reader with lines accepts what JSON.parse accepts, and rejects what it rejects', () => {
  const text = fc.oneof(
    fc.json({ maxDepth: 4 }),
    fc.string(),
    fc.json().map((json) => json.slice(0, -1)),
  );
  fc.assert(
    fc.property(text, (given) => {
      const read = parseJsonWithLines(given);
      if (!read.ok && read.error.problem !== 'not-json') return;
      let expected: unknown;
      try {
        expected = JSON.parse(given);
      } catch {
        expect(read.ok).toBe(false);
        return;
      }
      expect(read).toMatchObject({ ok: true });
      if (read.ok) expect(read.value.value).toEqual(expected);
    }),
    { numRuns: 2000 },
  );
});
