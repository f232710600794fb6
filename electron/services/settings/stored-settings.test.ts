import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import { storedSettings } from '../../../shared/domain/settings/settings.ts';
import { readEnvironment } from './environment.ts';
import { defaultSettings, readStoredSettings, settingsVersion, type StoredSettings } from './stored-settings.ts';

const whole = { version: settingsVersion, isLegacy: false, isDamaged: false };
const strict = {
  ...defaultSettings,
  keepsLog: false,
  storesNoTakes: true,
  spendLimitMinutes: 0,
  usesLetterKeys: false,
};

it.each(['', '{"mode":"serv', '[]', 'null', '3', '"text"', ' '.repeat(300_000)])(
  'a file with %.20j is damaged: the defaults hold, and what can be refused is refused',
  (text) => {
    expect(readStoredSettings(text)).toEqual({ settings: strict, ...whole, isDamaged: true });
  },
);

it('a field of the wrong type falls back to the strict value, the others stay', () => {
  const text = JSON.stringify({
    ...defaultSettings,
    version: settingsVersion,
    mode: 'root',
    keySaved: 'yes',
    keepsLog: 'no',
    interfaceLanguage: 'ru',
    window: { width: 'x' },
  });
  expect(readStoredSettings(text)).toEqual({
    settings: { ...defaultSettings, keepsLog: false, interfaceLanguage: 'ru' },
    ...whole,
    isDamaged: true,
  });
});

const version1 = {
  interfaceLanguage: 'ru',
  appearance: 'dark',
  serviceAddress: 'https://speech.example.test',
  mode: 'service',
  speechLanguage: 'en',
  includeSpeakers: true,
  usesLegacyTranscription: false,
  restoresSpeech: true,
  keySaved: true,
  window: { x: 5, y: 6, width: 1000, height: 700, isMaximized: true },
} as const;

it('a file of version 1 keeps every choice, and former rules become choices', () => {
  expect(readStoredSettings(JSON.stringify(version1))).toEqual({
    settings: { ...defaultSettings, ...version1, keepsLog: true, reducesMotion: false, transcriptSize: 17 },
    ...whole,
    isLegacy: true,
  });
});

it('a choice that is in a file of version 1 already is not replaced by the former rule', () => {
  const chosen = { keepsLog: false, reducesMotion: true, transcriptSize: 21 };
  expect(readStoredSettings(JSON.stringify({ ...version1, ...chosen })).settings).toMatchObject(chosen);
});

it('the folder that version 2 watched is watched on', () => {
  const read = readStoredSettings(JSON.stringify({ ...version1, version: 2, watchFolder: '/recordings' }));
  expect(read).toMatchObject({ isLegacy: true, isDamaged: false, settings: { watchFolders: ['/recordings'] } });
});

it.each([0, -1, 1.5, '2', null, true])(
  '%j is no version: the file counts as damaged, readable fields are kept',
  (version) => {
    const read = readStoredSettings(JSON.stringify({ ...version1, version }));
    expect(read).toMatchObject({ version: settingsVersion, isDamaged: true, settings: { interfaceLanguage: 'ru' } });
  },
);

it('whatever is in the file, the page gets settings that its contract knows', () => {
  forAllIn(
    1000,
    fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .dictionary(fc.constantFrom(...Object.keys(defaultSettings), 'version', '__proto__'), fc.jsonValue())
        .map((fields) => JSON.stringify(fields)),
    ),
    (text) => {
      expect(storedSettings().safeParse(readStoredSettings(text).settings).success).toBe(true);
    },
  );
});

it('only a run from source takes its address and folder from the environment; a key is used in both', () => {
  const env = {
    OVOZ_SERVICE_URL: 'http://127.0.0.1:1',
    OVOZ_SERVICE_WS_URL: 'ws://127.0.0.1:2',
    OVOZ_GRPC_HOST: '127.0.0.1:3',
    OVOZ_DATA_DIR: '/tmp/x',
    OVOZ_API_KEY: ' sk_live_0123456789 ',
    OVOZ_ACCOUNT_TOKEN: 'token_0123456789',
    OVOZ_LEGACY_KEY: 'older_0123456789',
  };
  const secretsOf = (isPackaged: boolean) => {
    const { apiKey, accountToken, legacyKey, ...places } = readEnvironment(env, isPackaged);
    return { secrets: [apiKey, accountToken, legacyKey].map((secret) => secret?.reveal()), places };
  };
  const secrets = ['sk_live_0123456789', 'token_0123456789', 'older_0123456789'];
  const places = { serviceUrl: 'http://127.0.0.1:1', streamUrl: 'ws://127.0.0.1:2', grpcHost: '127.0.0.1:3' };
  expect(secretsOf(false)).toMatchObject({ secrets, places: { ...places, dataDir: '/tmp/x' } });
  const none = { serviceUrl: null, streamUrl: null, grpcHost: null, dataDir: null };
  expect(secretsOf(true)).toMatchObject({ secrets, places: none });
});

/** What writes, spends, sends or acts by itself: an unreadable value never means yes. */
const acts = {
  mode: 'unset',
  dictationStyle: 'verbatim',
  dictationTarget: 'list',
  syncsEdits: false,
  storesNoTakes: true,
  keepsMicrophoneReady: false,
  restoresSpeech: false,
  savesCopies: false,
  watchFolders: [],
  copyFolder: null,
  keepsLog: false,
  spendLimitMinutes: 0,
  toolRights: 'ask',
  agreedConnections: [],
  usesLetterKeys: false,
  playsFromOtherPrograms: false,
  usesLegacyTranscription: false,
} as const;
const safeSides: StoredSettings = { ...strict, ...acts };
const typed = new Set(['serviceAddress', 'streamAddress', 'callHost', 'copyTemplate']).union(
  new Set(['dictationDevice', 'dictationSession', 'restorationModel']),
);

it.each(Object.entries(safeSides))('%s falls to its safe side alone when it can’t be read (5.5)', (name, safe) => {
  for (const broken of [{ no: { sense: 1 } }, 'zzz', -7.5, ['x', 3]]) {
    const chosen = { ...defaultSettings, interfaceLanguage: 'ru' as const, transcriptSize: 22, [name]: broken };
    const read = readStoredSettings(JSON.stringify({ ...chosen, version: settingsVersion }));
    const isText = typed.has(name) && typeof broken === 'string';
    expect([broken, read.isDamaged]).toEqual([broken, !isText]);
    expect(read.settings).toEqual({ ...chosen, [name]: isText ? broken : safe });
  }
});

it('a proxy with a name and password, an unsupported scheme or an invalid port is rejected', () => {
  for (const server of ['me:secret@proxy.test', 'http://proxy.test', 'proxy.test:1', 'two words', 'ПРОКСИ']) {
    const read = readStoredSettings(
      JSON.stringify({ ...defaultSettings, version: settingsVersion, proxy: { mode: 'manual', server, port: 1 } }),
    );
    expect([server, read.settings.proxy]).toEqual([server, defaultSettings.proxy]);
  }
});
