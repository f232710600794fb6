import { z } from 'zod';
import { exportFormats } from '../exports/formats.ts';
import { lazySchema } from '../lazy-schema.ts';
import { writingStyles } from '../dictation/clean-up.ts';
import { dictationModes } from '../dictation/take-view.ts';
import { batchLayouts, copyCollisions, defaultCopyTemplate } from '../exports/copy-name.ts';
import { interfaceLanguages, speechLanguages } from '../languages.ts';
import { modeIds } from '../modes.ts';
import { defaultProxy, proxyModes, readProxyHost } from '../network/proxy.ts';
import { defaultSpendLimit } from '../spend/spend-limit.ts';
import { comparedPlace, editorPlace, namesLeftAsText, openedTranscripts, pixels, windowPlace } from './left-places.ts';
import { transcriptScripts } from '../transcript/in-script.ts';
import { copyTemplate, replacement } from './setting-values.ts';

export const exportFormat = lazySchema(() => z.enum(exportFormats));
/** Options from a form: each format reads its own and ignores the rest. */
export const givenOptions = lazySchema(() =>
  z.record(z.string().max(40), z.union([z.string().max(40), z.number(), z.boolean()])),
);

/** More in a menu are not looked through. */
export const mostRecentExports = 8;
const amount = lazySchema(() => z.number().finite().nonnegative());

export const laneHeights = ['low', 'usual', 'tall'] as const;
/** How far playback jumps back or forward, in milliseconds. */
export const jumpLengths = [1000, 2000, 3000, 5000, 10_000, 15_000, 30_000] as const;
/** How far pausing jumps back, in milliseconds; 0: not at all. */
export const pauseRewinds = [0, 500, 1000, 2000, 3000, 5000] as const;

/**
 * Everything in the settings file. The part that pages get is derived from it (`settings` in `shared/ipc/schemas.ts`).
 */
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
    /** `unset` until the first screen is done. */
    mode: z.enum(['unset', ...modeIds]),
    /** For the next files that are added. */
    speechLanguage: z.enum(speechLanguages),
    includeSpeakers: z.boolean(),
    /** The next files are transcribed by the legacy API, as long as its key is here. */
    usesLegacyTranscription: z.boolean(),
    dictationLanguage: z.enum(speechLanguages),
    dictationMode: z.enum(dictationModes),
    /** The keyboard's language is the language of dictation. */
    dictationFollowsLayout: z.boolean(),
    /** The language for programs whose name contains these words; the first match counts. */
    dictationLanguageRules: z
      .array(z.strictObject({ program: z.string().trim().min(1).max(100), language: z.enum(speechLanguages) }))
      .max(50),
    /** The microphone by its name, because its id changes with each session; empty: the system's choice. */
    dictationDevice: z.string().max(300),
    /** The take that is continued; empty: the next one is new. */
    dictationSession: z.string().max(64),
    /** The microphone stays on, so that speech just before the key press is recorded too. */
    keepsMicrophoneReady: z.boolean(),
    /** A small window above the others during dictation into another program. */
    showsOverlay: z.boolean(),
    /** It stays between takes too, with the key and the language. */
    keepsOverlay: z.boolean(),
    overlayPlace: z.strictObject({ x: pixels(), y: pixels() }).nullable(),
    /** A short sound when recording starts and stops. */
    dictationSounds: z.boolean(),
    /** Spoken punctuation and commands ("new line") take effect. */
    obeysSpokenSigns: z.boolean(),
    replacements: z.array(replacement()).max(2000),
    /** How dictated text is written: as it was said, tidied here, or by a model. */
    dictationStyle: z.enum(writingStyles),
    /** Days after which the audio of a take is deleted; pinned takes stay. */
    takeSoundDays: z.number().int().min(1).max(365),
    /** Where texts go that are dictated with the global key: only the list, or the active program as well. */
    dictationTarget: z.enum(['list', 'app']),
    /** What to do when another window has come to the front since. */
    dictationWindowRule: z.enum(['return', 'here', 'keep']),
    /** Takes leave nothing on the disk. */
    storesNoTakes: z.boolean(),
    /** The choice for the next recordings to isolate. */
    restoresSpeech: z.boolean(),
    /** The service's name of the restoration model; empty: the service chooses. */
    restorationModel: z.string().max(100),
    /** Only an excerpt of each next recording to isolate is sent. */
    isolatesExcerpts: z.boolean(),
    uploadsAtOnce: z.number().int().min(1).max(8),
    /** Less motion than the system asks for; `false` follows the system. */
    reducesMotion: z.boolean(),
    /** `high`: stronger lines and text than the system asks for. */
    contrast: z.enum(['system', 'high']),
    /** A short sound when all work is done and when some of it failed. */
    playsSounds: z.boolean(),
    /** Whether keys without Ctrl, Alt or ⌘ run commands. */
    usesLetterKeys: z.boolean(),
    /** The keys of playback control an opened transcript from any program. */
    playsFromOtherPrograms: z.boolean(),
    /** Of people's words, in CSS pixels. */
    transcriptSize: z.number().int().min(14).max(24),
    transcriptTypeface: z.enum(['serif', 'sans']),
    /** Height of the waveform in a transcript, where the window has room for it. */
    laneHeight: z.enum(laneHeights),
    speakView: z.enum(['text', 'blocks']),
    /** Where transcripts were left, most recent first. */
    editorPlaces: z.array(editorPlace()).max(100),
    namesLeftAsText: namesLeftAsText(),
    /** How comparisons were left, most recent first. */
    comparedPlaces: z.array(comparedPlace()).max(100),
    /** Misspelt words are marked in texts whose language has a dictionary. */
    checksSpelling: z.boolean(),
    /** The segments of a transcript show which caption rules their captions break. */
    checksCaptions: z.boolean(),
    /** The text shows when each segment begins and ends to the millisecond, its length and its reading speed. */
    showsExactTimes: z.boolean(),
    /** The user's own dictionary: words that are not misspelt. */
    knownWords: z.array(z.string().min(1).max(60)).max(5000),
    /** Recognition on this computer waits while it runs on its battery. */
    pausesOnBattery: z.boolean(),
    /** Edited texts replace those in the account at the service. */
    syncsEdits: z.boolean(),
    /** How far the keys and buttons jump back and forward in a transcript. */
    jumpMs: z.literal([...jumpLengths]),
    /** How far pausing a transcript jumps back, to find the place again; 0: not at all. */
    rewindOnPauseMs: z.number().int().min(0).max(5000),
    /** The alphabet in which Uzbek transcripts are shown. */
    transcriptScript: z.enum(transcriptScripts),
    /** Whether the app writes a log (S-08). */
    keepsLog: z.boolean(),
    /** A notification when everything is done or something needs the user, while the window is not in front. */
    notifiesWhenDone: z.boolean(),
    /** The computer does not fall asleep during uploads. */
    keepsAwake: z.boolean(),
    /** Whether finished texts are saved to the chosen folder automatically. */
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
    /** The options of the last export of many. */
    manyExports: z.strictObject({
      formats: z.array(exportFormat()).max(exportFormats.length),
      template: copyTemplate(),
      collision: z.enum(copyCollisions),
      layout: z.enum(batchLayouts),
    }),
    exportFolder: z.string().max(4096).nullable(),
    /** Texts finished after this are exported automatically; Unix milliseconds. */
    copiesSinceMs: amount(),
    watchFolder: z.string().max(4096).nullable(),
    /** Changed only by `connection.setProxy`, which validates it. */
    proxy: z.object({
      mode: z.enum(proxyModes),
      server: z.string().refine((server) => server === '' || readProxyHost(server)?.host === server),
      port: z.number().int().min(1).max(65_535),
    }),
    /** Minutes of work per hour above which main asks before sending (S-15); 0: each time; null: never. */
    spendLimitMinutes: z.number().int().min(0).max(100_000).nullable(),
    /**
     * Programs that use the tool server: each request that costs or deletes is confirmed, or allowed up to the limit.
     */
    toolRights: z.enum(['ask', 'act']),
    /** What was sent lately, so that a restart does not begin a new hour. */
    spentLately: z.array(z.object({ atMs: amount(), requests: amount(), audioMs: amount() })).max(200),
    /** For main only, most recent first. */
    openedTranscripts: openedTranscripts(),
    /** Changed shortcuts by command id: a shortcut such as `Mod+KeyO`, or null for none. Absent: the default. */
    shortcuts: z.record(z.string().max(64), z.string().max(64).nullable()),
    /** Size of the interface, in percent. */
    interfaceZoom: z.number().int().min(80).max(200),
    isRailOpen: z.boolean(),
    areToolsFolded: z.boolean(),
    isInspectorOpen: z.boolean(),
    /** Find in a transcript offers to replace as well. */
    replacesInFind: z.boolean(),
    /** Of the editor, in CSS pixels; null: as wide as the window suggests. */
    inspectorWidth: z.number().int().min(220).max(480).nullable(),
    /** Of the list below an opened comparison, in CSS pixels; null: as high as the window suggests. */
    isolateListHeight: z.number().int().min(60).max(4000).nullable(),
    /** Ids of the commands last run from the palette, newest first. */
    recentActions: z.array(z.string().max(64)).max(20),
    /**
     * Set when the key, the one of the legacy API or the account token was put into the keychain: an empty answer then
     * means "locked", not "first run".
     */
    keySaved: z.boolean(),
    olderKeySaved: z.boolean(),
    accountTokenSaved: z.boolean(),
    window: windowPlace(),
  }),
);

type Unchangeable<T> = T extends object ? { readonly [K in keyof T]: Unchangeable<T[K]> } : T;
export type StoredSettings = Unchangeable<z.output<ReturnType<typeof storedSettings>>>;

/** Settings that pages never get. A new setting reaches pages unless it is listed here. */
export const mainOnlySettings = {
  copyFolder: true,
  exportFolder: true,
  recentExports: true,
  copiesSinceMs: true,
  watchFolder: true,
  overlayPlace: true,
  spentLately: true,
  openedTranscripts: true,
  keySaved: true,
  olderKeySaved: true,
  accountTokenSaved: true,
  window: true,
} as const satisfies { readonly [K in keyof StoredSettings]?: true };

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
  takeSoundDays: 7,
  dictationTarget: 'list',
  dictationWindowRule: 'keep',
  storesNoTakes: false,
  restoresSpeech: false,
  restorationModel: '',
  isolatesExcerpts: false,
  uploadsAtOnce: 2,
  reducesMotion: false,
  contrast: 'system',
  playsSounds: false,
  usesLetterKeys: true,
  playsFromOtherPrograms: false,
  transcriptSize: 17,
  transcriptTypeface: 'serif',
  laneHeight: 'usual',
  speakView: 'text',
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
  transcriptScript: 'as-written',
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
  watchFolder: null,
  proxy: defaultProxy,
  spendLimitMinutes: defaultSpendLimit,
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
