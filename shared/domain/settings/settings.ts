import { z } from 'zod';
import { writingStyles } from '../dictation/clean-up.ts';
import { dictationModes } from '../dictation/take-view.ts';
import { batchLayouts, copyCollisions, defaultCopyTemplate, templateFault } from '../exports/safe-file-name.ts';
import { exportFormats } from '../exports/formats.ts';
import { interfaceLanguages, speechLanguages } from '../languages.ts';
import { lazySchema } from '../lazy-schema.ts';
import { modeIds } from '../modes.ts';
import { defaultProxy, proxyModes, readProxyHost } from '../network/proxy.ts';
import { defaultSpendLimit } from '../spend/spend-limit.ts';
import { comparedPlace, editorPlace, namesLeftAsText, openedTranscripts, pixels, windowPlace } from './left-places.ts';

const copyTemplate = lazySchema(() =>
  z
    .string()
    .max(200)
    .refine((template) => templateFault(template) === null),
);

const replacement = lazySchema(() =>
  z.object({
    language: z.enum(speechLanguages).nullable(),
    say: z.string().min(1).max(200),
    write: z.string().max(2000),
    kind: z.enum(['word', 'part', 'pattern']),
    isCaseSensitive: z.boolean(),
  }),
);

export const exportFormat = lazySchema(() => z.enum(exportFormats));
export const givenOptions = lazySchema(() =>
  z.record(z.string().max(40), z.union([z.string().max(40), z.number(), z.boolean()])),
);

export const mostRecentExports = 8;
const amount = lazySchema(() => z.number().finite().nonnegative());

export const laneHeights = ['low', 'usual', 'tall'] as const;
export const jumpLengths = [1000, 2000, 3000, 5000, 10_000, 15_000, 30_000] as const;
/** How far pausing jumps back, in milliseconds; 0: not at all. */
export const pauseRewinds = [0, 500, 1000, 2000, 3000, 5000] as const;

export const storedSettings = lazySchema(() =>
  z.object({
    interfaceLanguage: z.enum(interfaceLanguages),
    appearance: z.enum(['system', 'light', 'dark']),
    /** Empty until the user enters one; there is no built-in address. */
    serviceAddress: z.string().max(2048),
    /** The address of live streams, if not the service's own (`wss://host`); changed by `connection.setPlaces`. */
    streamAddress: z.string().max(2048),
    /** Host and optional port of the legacy call (gRPC); empty: none. Changed by `connection.setPlaces`. */
    callHost: z.string().max(300),
    mode: z.enum(['unset', ...modeIds]),
    speechLanguage: z.enum(speechLanguages),
    includeSpeakers: z.boolean(),
    /** The next files are transcribed by the legacy API, as long as its key is here. */
    usesLegacyTranscription: z.boolean(),
    dictationLanguage: z.enum(speechLanguages),
    dictationMode: z.enum(dictationModes),
    dictationFollowsLayout: z.boolean(),
    /** The language for programs whose name contains these words; the first match counts. */
    dictationLanguageRules: z
      .array(z.strictObject({ program: z.string().trim().min(1).max(100), language: z.enum(speechLanguages) }))
      .max(50),
    /** The microphone by its name, because its id changes with each session; empty: the system's choice. */
    dictationDevice: z.string().max(300),
    dictationSession: z.string().max(64),
    keepsMicrophoneReady: z.boolean(),
    showsOverlay: z.boolean(),
    keepsOverlay: z.boolean(),
    overlayPlace: z.strictObject({ x: pixels(), y: pixels() }).nullable(),
    dictationSounds: z.boolean(),
    obeysSpokenSigns: z.boolean(),
    replacements: z.array(replacement()).max(2000),
    dictationStyle: z.enum(writingStyles),
    /** A model's style writes each phrase as it comes, and not only the whole when it is asked to. */
    rewritesEachPhrase: z.boolean(),
    /** Days after which the audio of a take is deleted; pinned takes stay. */
    takeSoundDays: z.number().int().min(1).max(365),
    /** Where texts go that are dictated with the global key: only the list, or the active program as well. */
    dictationTarget: z.enum(['list', 'app']),
    /** What to do when another window has come to the front since. */
    dictationWindowRule: z.enum(['return', 'here', 'keep']),
    /** Takes leave nothing on the disk. */
    storesNoTakes: z.boolean(),
    restoresSpeech: z.boolean(),
    /** The service's name of the restoration model; empty: the service chooses. */
    restorationModel: z.string().max(100),
    isolatesExcerpts: z.boolean(),
    isolatedFormat: z.enum(['wav', 'flac', 'mp3', 'ogg', 'm4a']),
    uploadsAtOnce: z.number().int().min(1).max(8),
    /** Less motion than the system asks for; `false` follows the system. */
    reducesMotion: z.boolean(),
    /** `high`: stronger lines and text than the system asks for. */
    contrast: z.enum(['system', 'high']),
    playsSounds: z.boolean(),
    usesLetterKeys: z.boolean(),
    playsFromOtherPrograms: z.boolean(),
    transcriptSize: z.number().int().min(14).max(24),
    transcriptTypeface: z.enum(['serif', 'sans']),
    laneHeight: z.enum(laneHeights),
    speakView: z.enum(['text', 'blocks']),
    editorPlaces: z.array(editorPlace()).max(100),
    namesLeftAsText: namesLeftAsText(),
    comparedPlaces: z.array(comparedPlace()).max(100),
    checksSpelling: z.boolean(),
    checksCaptions: z.boolean(),
    showsExactTimes: z.boolean(),
    knownWords: z.array(z.string().min(1).max(60)).max(5000),
    pausesOnBattery: z.boolean(),
    syncsEdits: z.boolean(),
    jumpMs: z.literal([...jumpLengths]),
    rewindOnPauseMs: z.number().int().min(0).max(5000),
    keepsLog: z.boolean(),
    notifiesWhenDone: z.boolean(),
    keepsAwake: z.boolean(),
    savesCopies: z.boolean(),
    copyFormats: z.array(exportFormat()).max(exportFormats.length),
    copyTemplate: copyTemplate(),
    copyCollision: z.enum(copyCollisions),
    copyFolder: z.string().max(4096).nullable(),
    /** The options of each format, and the last exported one; a repeated export uses them. */
    exportChoices: z.partialRecord(exportFormat(), givenOptions()),
    lastExportFormat: exportFormat().nullable(),
    /** For main only: recent exports with their places, newest first; pages get the last part of each folder. */
    recentExports: z
      .array(z.strictObject({ format: exportFormat(), options: givenOptions(), folder: z.string().max(4096) }))
      .max(mostRecentExports),
    manyExports: z.strictObject({
      formats: z.array(exportFormat()).max(exportFormats.length),
      template: copyTemplate(),
      collision: z.enum(copyCollisions),
      layout: z.enum(batchLayouts),
    }),
    exportFolder: z.string().max(4096).nullable(),
    /** Texts finished after this are exported automatically; Unix milliseconds. */
    copiesSinceMs: amount(),
    watchFolders: z.array(z.string().max(4096)).max(1000),
    /** Changed only by `connection.setProxy`, which validates it. */
    proxy: z.object({
      mode: z.enum(proxyModes),
      server: z.string().refine((server) => server === '' || readProxyHost(server)?.host === server),
      port: z.number().int().min(1).max(65_535),
    }),
    /** Minutes of work per hour above which main asks before sending (S-15); 0: each time; null: never. */
    spendLimitMinutes: z.number().int().min(0).max(100_000).nullable(),
    /** Each request of the tool server that costs or deletes is confirmed, or allowed up to the limit. */
    toolRights: z.enum(['ask', 'act']),
    /** What was sent lately, so that a restart does not begin a new hour. */
    spentLately: z.array(z.object({ atMs: amount(), requests: amount(), audioMs: amount() })).max(200),
    /** For main only: the connections to which the user agreed to send recordings without being asked. */
    agreedConnections: z.array(z.string().max(64)).max(50),
    openedTranscripts: openedTranscripts(),
    /** Changed shortcuts by command id: a shortcut such as `Mod+KeyO`, or null for none. Absent: the default. */
    shortcuts: z.record(z.string().max(64), z.string().max(64).nullable()),
    interfaceZoom: z.number().int().min(80).max(200),
    isRailOpen: z.boolean(),
    areToolsFolded: z.boolean(),
    isInspectorOpen: z.boolean(),
    replacesInFind: z.boolean(),
    isPictureShown: z.boolean(),
    /** Of a video beside its text, in CSS pixels; null: as wide as the window suggests. */
    pictureWidth: z.number().int().min(240).max(640).nullable(),
    /** Of the editor, in CSS pixels; null: as wide as the window suggests. */
    inspectorWidth: z.number().int().min(220).max(480).nullable(),
    recentActions: z.array(z.string().max(64)).max(20),
    /**
     * A key or token was put into the keychain's single entry of its kind, before there was an address or by an earlier
     * version: an empty answer then means "locked", not "first run".
     */
    keySaved: z.boolean(),
    olderKeySaved: z.boolean(),
    accountTokenSaved: z.boolean(),
    /** For main only: the origin for which each of them was entered, by its entry in the keychain. */
    keyOrigins: z.record(z.string().max(2200), z.string().max(2048)),
    window: windowPlace(),
  }),
);

type Unchangeable<T> = T extends object ? { readonly [K in keyof T]: Unchangeable<T[K]> } : T;
export type StoredSettings = Unchangeable<z.output<ReturnType<typeof storedSettings>>>;

export const mainOnlySettings = {
  copyFolder: true,
  exportFolder: true,
  recentExports: true,
  copiesSinceMs: true,
  watchFolders: true,
  overlayPlace: true,
  spentLately: true,
  agreedConnections: true,
  openedTranscripts: true,
  keySaved: true,
  olderKeySaved: true,
  accountTokenSaved: true,
  keyOrigins: true,
  window: true,
} as const satisfies { readonly [K in keyof StoredSettings]?: true };

export type PageSettings = Omit<StoredSettings, keyof typeof mainOnlySettings> & {
  /** Without its path; null until one is chosen with `automation.chooseFolder`. */
  readonly copyFolderName: string | null;
  readonly watchedFolders: readonly { readonly id: string; readonly name: string }[];
  readonly exportFolderName: string | null;
  readonly recentExports: readonly (Omit<StoredSettings['recentExports'][number], 'folder'> & {
    readonly folderName: string;
  })[];
};

export const defaultSettings: StoredSettings = {
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
  dictationMode: 'hold',
  dictationFollowsLayout: false,
  dictationLanguageRules: [],
  dictationDevice: '',
  dictationSession: '',
  keepsMicrophoneReady: false,
  showsOverlay: true,
  keepsOverlay: false,
  overlayPlace: null,
  dictationSounds: true,
  obeysSpokenSigns: true,
  replacements: [],
  dictationStyle: 'verbatim',
  rewritesEachPhrase: false,
  takeSoundDays: 7,
  dictationTarget: 'list',
  dictationWindowRule: 'keep',
  storesNoTakes: false,
  restoresSpeech: false,
  restorationModel: '',
  isolatesExcerpts: false,
  isolatedFormat: 'wav',
  uploadsAtOnce: 2,
  reducesMotion: false,
  contrast: 'system',
  playsSounds: false,
  usesLetterKeys: true,
  playsFromOtherPrograms: false,
  transcriptSize: 17,
  transcriptTypeface: 'serif',
  laneHeight: 'usual',
  speakView: 'blocks',
  editorPlaces: [],
  namesLeftAsText: [],
  comparedPlaces: [],
  checksSpelling: true,
  checksCaptions: false,
  showsExactTimes: false,
  knownWords: [],
  pausesOnBattery: false,
  syncsEdits: false,
  jumpMs: 5000,
  rewindOnPauseMs: 0,
  keepsLog: true,
  notifiesWhenDone: true,
  keepsAwake: true,
  savesCopies: false,
  copyFormats: ['txt'],
  copyTemplate: defaultCopyTemplate,
  copyCollision: 'number',
  exportChoices: {},
  lastExportFormat: null,
  recentExports: [],
  manyExports: { formats: ['docx', 'srt'], template: defaultCopyTemplate, collision: 'number', layout: 'folders' },
  exportFolder: null,
  copyFolder: null,
  copiesSinceMs: 0,
  watchFolders: [],
  proxy: defaultProxy,
  spendLimitMinutes: defaultSpendLimit,
  toolRights: 'ask',
  spentLately: [],
  agreedConnections: [],
  openedTranscripts: [],
  shortcuts: {},
  interfaceZoom: 100,
  isRailOpen: true,
  areToolsFolded: false,
  isInspectorOpen: true,
  replacesInFind: false,
  isPictureShown: true,
  pictureWidth: null,
  inspectorWidth: null,
  recentActions: [],
  keySaved: false,
  olderKeySaved: false,
  accountTokenSaved: false,
  keyOrigins: {},
  window: { width: 1280, height: 800, isMaximized: false },
};
