import fc from 'fast-check';
import { expect, it } from 'vitest';
import { settings as pageShape } from '../../../shared/ipc/schemas.ts';
import { readEnvironment } from './environment.ts';
import { settingsVersion } from './settings-migrations.ts';
import type { StoredSettings } from './settings-store.ts';
import { defaultSettings, readStoredSettings } from './stored-settings.ts';

const whole = { version: settingsVersion, isLegacy: false, isDamaged: false };
const strict = {
  ...defaultSettings,
  keepsLog: false,
  storesNoTakes: true,
  spendLimitMinutes: 0,
  usesLetterKeys: false,
};

it('no file is a first run, not damage', () => {
  expect(readStoredSettings(null)).toEqual({ settings: defaultSettings, ...whole });
});

it('what was written is read back, and fields of a newer version do not matter', () => {
  const stored = {
    ...defaultSettings,
    mode: 'practice' as const,
    interfaceLanguage: 'ru' as const,
    keySaved: true,
  };
  expect(readStoredSettings(JSON.stringify({ ...stored, version: settingsVersion, somethingNew: 1 }))).toEqual({
    settings: stored,
    ...whole,
  });
});

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

it('a file of a newer version is read, and keeps its number', () => {
  const read = readStoredSettings(JSON.stringify({ ...version1, version: 99, transcriptSize: 21 }));
  expect(read).toMatchObject({ version: 99, isLegacy: false, isDamaged: false });
  expect(read.settings).toMatchObject({ interfaceLanguage: 'ru', transcriptSize: 21 });
});

it.each([0, -1, 1.5, '2', null, true])(
  '%j is no version: the file counts as damaged, readable fields are kept',
  (version) => {
    const read = readStoredSettings(JSON.stringify({ ...version1, version }));
    expect(read).toMatchObject({ version: settingsVersion, isDamaged: true, settings: { interfaceLanguage: 'ru' } });
  },
);

it('whatever is in the file, the page gets settings that its contract knows', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc
          .dictionary(fc.constantFrom(...Object.keys(defaultSettings), 'version', '__proto__'), fc.jsonValue())
          .map((fields) => JSON.stringify(fields)),
      ),
      (text) => {
        expect(
          pageShape().safeParse({
            ...readStoredSettings(text).settings,
            copyFolderName: null,
            watchFolderName: null,
            exportFolderName: null,
            recentExports: [],
          }).success,
        ).toBe(true);
      },
    ),
    { numRuns: 1000 },
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
  const [source, packaged] = [readEnvironment(env, false), readEnvironment(env, true)];
  expect([source.serviceUrl, source.dataDir, source.apiKey?.reveal()]).toEqual([
    'http://127.0.0.1:1',
    '/tmp/x',
    'sk_live_0123456789',
  ]);
  expect([packaged.accountToken?.reveal(), packaged.legacyKey?.reveal()]).toEqual([
    'token_0123456789',
    'older_0123456789',
  ]);
  expect([source.streamUrl, source.grpcHost]).toEqual(['ws://127.0.0.1:2', '127.0.0.1:3']);
  expect([packaged.streamUrl, packaged.grpcHost]).toEqual([null, null]);
  expect([packaged.serviceUrl, packaged.dataDir, packaged.apiKey?.reveal()]).toEqual([
    null,
    null,
    'sk_live_0123456789',
  ]);
});

/**
 * The fallback of each setting with an unreadable value: never the choice that writes, spends or acts automatically.
 */
const safeSides: { readonly [Name in keyof StoredSettings]: StoredSettings[Name] } = {
  interfaceLanguage: 'uz',
  appearance: 'system',
  serviceAddress: '',
  streamAddress: '',
  callHost: '',
  mode: 'unset',
  speechLanguage: 'uz',
  includeSpeakers: true,
  usesLegacyTranscription: false,
  dictationLanguage: 'uz',
  dictationFollowsLayout: false,
  dictationLanguageRules: [],
  dictationMode: 'hold',
  dictationDevice: '',
  dictationSession: '',
  keepsMicrophoneReady: false,
  showsOverlay: true,
  overlayPlace: null,
  keepsOverlay: false,
  dictationSounds: true,
  obeysSpokenSigns: true,
  dictationStyle: 'verbatim',
  replacements: [],
  checksSpelling: true,
  checksCaptions: false,
  showsExactTimes: false,
  knownWords: [],
  pausesOnBattery: false,
  syncsEdits: false,
  takeSoundDays: 7,
  dictationTarget: 'list',
  dictationWindowRule: 'keep',
  storesNoTakes: true,
  restoresSpeech: false,
  restorationModel: '',
  isolatesExcerpts: false,
  uploadsAtOnce: 2,
  notifiesWhenDone: true,
  keepsAwake: true,
  savesCopies: false,
  copyFormats: ['txt'],
  copyTemplate: '{name}',
  copyCollision: 'number',
  exportChoices: {},
  lastExportFormat: null,
  recentExports: [],
  manyExports: { formats: ['docx', 'srt'], template: '{name}', collision: 'number', layout: 'folders' },
  exportFolder: null,
  copyFolder: null,
  copiesSinceMs: 0,
  watchFolder: null,
  reducesMotion: false,
  contrast: 'system',
  playsSounds: false,
  usesLetterKeys: false,
  playsFromOtherPrograms: false,
  transcriptSize: 17,
  transcriptTypeface: 'serif',
  laneHeight: 'usual',
  speakView: 'text',
  editorPlaces: [],
  namesLeftAsText: [],
  comparedPlaces: [],
  jumpMs: 5000,
  rewindOnPauseMs: 0,
  transcriptScript: 'as-written',
  keepsLog: false,
  proxy: { mode: 'system', server: '', port: 8080 },
  spendLimitMinutes: 0,
  toolRights: 'ask',
  spentLately: [],
  openedTranscripts: [],
  shortcuts: {},
  interfaceZoom: 100,
  isRailOpen: true,
  areToolsFolded: false,
  isInspectorOpen: true,
  replacesInFind: false,
  inspectorWidth: null,
  isolateListHeight: null,
  recentActions: [],
  keySaved: false,
  olderKeySaved: false,
  accountTokenSaved: false,
  window: { width: 1280, height: 800, isMaximized: false },
};

it.each(Object.entries(safeSides))('%s falls to its safe side alone when it can’t be read (5.5)', (name, safe) => {
  for (const broken of [{ no: { sense: 1 } }, 'zzz', -7.5, ['x', 3]]) {
    const chosen = { ...defaultSettings, interfaceLanguage: 'ru' as const, transcriptSize: 22, [name]: broken };
    const read = readStoredSettings(JSON.stringify({ ...chosen, version: settingsVersion }));
    const isText =
      [
        'serviceAddress',
        'streamAddress',
        'callHost',
        'copyTemplate',
        'dictationDevice',
        'dictationSession',
        'restorationModel',
      ].includes(name) && typeof broken === 'string';
    expect([broken, read.isDamaged]).toEqual([broken, !isText]);
    expect(read.settings).toEqual({ ...chosen, [name]: isText ? broken : safe });
  }
});

it('a proxy with a name and password, an unsupported scheme or an invalid port is rejected', () => {
  for (const server of [
    'me:secret@proxy.test',
    'http://proxy.test',
    'proxy.test:1',
    'two words',
    'ПРОКСИ',
    'UPPER.test',
  ]) {
    const read = readStoredSettings(
      JSON.stringify({ ...defaultSettings, version: settingsVersion, proxy: { mode: 'manual', server, port: 1 } }),
    );
    expect([server, read.settings.proxy]).toEqual([server, defaultSettings.proxy]);
  }
});
