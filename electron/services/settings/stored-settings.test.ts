import fc from 'fast-check';
import { expect, it } from 'vitest';
import { settings as pageShape } from '../../../shared/ipc/schemas.ts';
import { firstLanguage } from './first-language.ts';
import { readEnvironment } from './environment.ts';
import { defaultSettings, readStoredSettings } from './stored-settings.ts';

it('no file is a first run, not damage', () => {
  expect(readStoredSettings(null)).toEqual({ settings: defaultSettings, isDamaged: false });
});

it('what was written is read back, and fields of a newer version do not matter', () => {
  const stored = { ...defaultSettings, mode: 'practice' as const, interfaceLanguage: 'ru' as const, keySaved: true };
  expect(readStoredSettings(JSON.stringify({ ...stored, somethingNew: 1 }))).toEqual({
    settings: stored,
    isDamaged: false,
  });
});

it.each(['', '{"mode":"serv', '[]', 'null', '3', '"text"', ' '.repeat(300_000)])(
  'a file with %.20j is damaged',
  (text) => {
    expect(readStoredSettings(text)).toEqual({ settings: defaultSettings, isDamaged: true });
  },
);

it('a field of the wrong kind falls to the strict side, the others stay', () => {
  const text = JSON.stringify({
    ...defaultSettings,
    mode: 'root',
    keySaved: 'yes',
    interfaceLanguage: 'ru',
    window: { width: 'x' },
  });
  expect(readStoredSettings(text)).toEqual({
    settings: { ...defaultSettings, interfaceLanguage: 'ru' },
    isDamaged: true,
  });
});

it('whatever is in the file, the page gets settings that its contract knows', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc
          .dictionary(fc.constantFrom(...Object.keys(defaultSettings), '__proto__'), fc.jsonValue())
          .map((fields) => JSON.stringify(fields)),
      ),
      (text) => {
        expect(pageShape.safeParse(readStoredSettings(text).settings).success).toBe(true);
      },
    ),
    { numRuns: 1000 },
  );
});

it('only a run from source takes its address and folder from the environment; a key is used in both', () => {
  const env = { OVOZ_SERVICE_URL: 'http://127.0.0.1:1', OVOZ_DATA_DIR: '/tmp/x', OVOZ_API_KEY: ' sk_live_0123456789 ' };
  const [source, packaged] = [readEnvironment(env, false), readEnvironment(env, true)];
  expect([source.serviceUrl, source.dataDir, source.apiKey?.reveal()]).toEqual([
    'http://127.0.0.1:1',
    '/tmp/x',
    'sk_live_0123456789',
  ]);
  expect([packaged.serviceUrl, packaged.dataDir, packaged.apiKey?.reveal()]).toEqual([
    null,
    null,
    'sk_live_0123456789',
  ]);
});

it.each([
  [['ru-RU', 'en-US'], 'ru'],
  [['uz-Cyrl-UZ'], 'uz'],
  [['uz_UZ'], 'uz'],
  [['de-DE', 'ru'], 'ru'],
  [['de-DE'], 'en'],
  [[], 'en'],
])('a system that speaks %j first sees %s', (preferred, language) => {
  expect(firstLanguage(preferred)).toBe(language);
});
