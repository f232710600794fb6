import { z } from 'zod';
import { exportFormats } from '../exports/formats.ts';
import { lazySchema } from '../lazy-schema.ts';
import { dictationModes } from '../dictation/take-view.ts';
import { batchLayouts, copyCollisions, defaultCopyTemplate, templateFault } from '../exports/copy-name.ts';
import { interfaceLanguages, speechLanguages } from '../languages.ts';
import { modeIds } from '../modes.ts';
import { defaultProxy, proxyModes, readProxyHost } from '../network/proxy.ts';
import { defaultSpendLimit } from '../spend/spend-limit.ts';
import { transcriptScripts } from '../transcript/in-script.ts';

export const exportFormat = lazySchema(() => z.enum(exportFormats));
const copyTemplate = lazySchema(() =>
  z
    .string()
    .max(200)
    .refine((template) => templateFault(template) === null),
);
/** Options as a form gives them: each format reads its own and leaves out what it does not know. */
export const givenOptions = lazySchema(() =>
  z.record(z.string().max(40), z.union([z.string().max(40), z.number(), z.boolean()])),
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
/** More in a menu are not looked through. */
export const mostRecentExports = 8;
const pixels = lazySchema(() => z.number().int().min(-100_000).max(100_000));
const amount = lazySchema(() => z.number().finite().nonnegative());

export const laneHeights = ['low', 'usual', 'tall'] as const;

/** Where a transcript was left: position, how much of it the lane showed, speed, and what was scrolled to. */
const editorPlace = lazySchema(() =>
  z.object({
    id: z.string().max(64),
    timeMs: amount(),
    visibleMs: z.number().finite().positive(),
    rate: z.number().min(0.25).max(3),
    /** The first segment that was seen; null when the text followed what is heard. */
    topSegment: z.string().max(64).nullable().default(null),
  }),
);

/** Everything the settings file holds. What pages see of it is derived (`settings` in `shared/ipc/schemas.ts`). */
export const storedSettings = lazySchema(() =>
  z.object({
    interfaceLanguage: z.enum(interfaceLanguages),
    appearance: z.enum(['system', 'light', 'dark']),
    /** Empty until the person gives one; there is no built-in address. */
    serviceAddress: z.string().max(2048),
    /** Where live streams are, when not at the address of the service (`wss://host`); changed by `connection.setPlaces`. */
    streamAddress: z.string().max(2048),
    /** Host and perhaps port of the legacy call (gRPC); empty: none. Changed by `connection.setPlaces`. */
    callHost: z.string().max(300),
    /** `unset` until the first screen is done. */
    mode: z.enum(['unset', ...modeIds]),
    /** For the next files that are added. */
    speechLanguage: z.enum(speechLanguages),
    includeSpeakers: z.boolean(),
    dictationLanguage: z.enum(speechLanguages),
    dictationMode: z.enum(dictationModes),
    /** The language of the keyboard is that of dictation. */
    dictationFollowsLayout: z.boolean(),
    /** In programs whose name has these words, that language; the first that fits counts. */
    dictationLanguageRules: z
      .array(z.strictObject({ program: z.string().trim().min(1).max(100), language: z.enum(speechLanguages) }))
      .max(50),
    /** The microphone by its name, because its id is another one in each session; empty: the system's choice. */
    dictationDevice: z.string().max(300),
    /** The take that is spoken on in; empty: the next one is new. */
    dictationSession: z.string().max(64),
    /** The microphone stays on, so that what was said just before the key is there too. */
    keepsMicrophoneReady: z.boolean(),
    /** A small window above the others while one dictates into another program. */
    showsOverlay: z.boolean(),
    /** Main's own: where it was left. */
    overlayPlace: z.strictObject({ x: pixels(), y: pixels() }).nullable(),
    /** A short sound when recording starts and stops. */
    dictationSounds: z.boolean(),
    /** Signs and commands that are said ("new line") are obeyed. */
    obeysSpokenSigns: z.boolean(),
    replacements: z.array(replacement()).max(2000),
    /** Days after which the sound of a take goes; pinned takes stay. */
    takeSoundDays: z.number().int().min(1).max(365),
    /** Where texts go that are dictated by the key of the system: the list alone, or the program in use as well. */
    dictationTarget: z.enum(['list', 'app']),
    /** When another window has come to the front since. */
    dictationWindowRule: z.enum(['return', 'here', 'keep']),
    /** Takes leave nothing on the disk. */
    storesNoTakes: z.boolean(),
    /** For the next recordings that noise is taken out of. */
    restoresSpeech: z.boolean(),
    /** The service's name of the model for that; empty: the one it chooses. */
    restorationModel: z.string().max(100),
    /** Uploads that run at the same time. */
    uploadsAtOnce: z.number().int().min(1).max(8),
    /** Less motion than the system asks for; `false` follows the system. */
    reducesMotion: z.boolean(),
    /** `high`: stronger lines and text than the system asks for. */
    contrast: z.enum(['system', 'high']),
    /** A short sound when all work is done and when some of it failed. */
    playsSounds: z.boolean(),
    /** Whether keys without Ctrl, Alt or ⌘ run actions. */
    usesLetterKeys: z.boolean(),
    /** Of people's words, in CSS pixels. */
    transcriptSize: z.number().int().min(14).max(24),
    transcriptTypeface: z.enum(['serif', 'sans']),
    /** Of the waveform in a transcript, where the window has room for it. */
    laneHeight: z.enum(laneHeights),
    /** Where transcripts were left, the latest first. */
    editorPlaces: z.array(editorPlace()).max(100),
    /** Edited texts take the place of those in the account at the service. */
    syncsEdits: z.boolean(),
    /** How far a pause in a transcript jumps back, so that one hears where one was; 0: not at all. */
    rewindOnPauseMs: z.number().int().min(0).max(5000),
    /** The letters Uzbek transcripts are shown in. */
    transcriptScript: z.enum(transcriptScripts),
    /** Whether the app writes a log of what it did (S-08). */
    keepsLog: z.boolean(),
    /** A notice of the system when everything is done or something needs the person, while the window is not in front. */
    notifiesWhenDone: z.boolean(),
    /** The computer does not fall asleep while something is being sent. */
    keepsAwake: z.boolean(),
    /** Whether finished texts are saved to the chosen folder by themselves. */
    savesCopies: z.boolean(),
    copyFormats: z.array(exportFormat()).max(exportFormats.length),
    copyTemplate: copyTemplate(),
    copyCollision: z.enum(copyCollisions),
    /** Main's own: pages know the last part of it only. */
    copyFolder: z.string().max(4096).nullable(),
    /** What was chosen for each format, and the one that was exported last; a repeated export is made by them. */
    exportChoices: z.partialRecord(exportFormat(), givenOptions()),
    lastExportFormat: exportFormat().nullable(),
    /** Main's own: what was exported where, the latest first; pages know the last part of each folder. */
    recentExports: z
      .array(z.strictObject({ format: exportFormat(), options: givenOptions(), folder: z.string().max(4096) }))
      .max(mostRecentExports),
    /** How many at once were exported the last time. */
    manyExports: z.strictObject({
      formats: z.array(exportFormat()).max(exportFormats.length),
      template: copyTemplate(),
      collision: z.enum(copyCollisions),
      layout: z.enum(batchLayouts),
    }),
    /** Main's own: where the last export went. */
    exportFolder: z.string().max(4096).nullable(),
    /** Copies are made of what was finished after this; Unix milliseconds. */
    copiesSinceMs: amount(),
    /** Main's own as well; null: nothing is watched. */
    watchFolder: z.string().max(4096).nullable(),
    /** Changed by `connection.setProxy` only, which reads what was written. */
    proxy: z.object({
      mode: z.enum(proxyModes),
      server: z.string().refine((server) => server === '' || readProxyHost(server)?.host === server),
      port: z.number().int().min(1).max(65_535),
    }),
    /** Minutes of work in an hour above which main asks before it is sent (S-15); 0: each time; null: never. */
    spendLimitMinutes: z.number().int().min(0).max(100_000).nullable(),
    /** Programs that use the tool server: each request that costs or deletes is asked about, or allowed up to the limit. */
    toolRights: z.enum(['ask', 'act']),
    /** What was let through lately, so that a restart does not begin a new hour. */
    spentLately: z.array(z.object({ atMs: amount(), requests: amount(), audioMs: amount() })).max(200),
    /** Changed keys by the id of their action: a shortcut such as `Mod+KeyO`, or null for none. Absent: the default. */
    shortcuts: z.record(z.string().max(64), z.string().max(64).nullable()),
    /** Size of the interface, in percent. */
    interfaceZoom: z.number().int().min(80).max(200),
    isRailOpen: z.boolean(),
    isInspectorOpen: z.boolean(),
    /** Of the editor, in CSS pixels; null: as wide as the window suggests. */
    inspectorWidth: z.number().int().min(220).max(480).nullable(),
    /** Ids of actions that were run last from the palette, the newest first. */
    recentActions: z.array(z.string().max(64)).max(20),
    /** Set when a key was put into the keychain: then an empty answer means "locked", not "first run". */
    keySaved: z.boolean(),
    /** The same for the key of the legacy API. */
    olderKeySaved: z.boolean(),
    /** The same for the account token. */
    accountTokenSaved: z.boolean(),
    window: z.object({
      x: pixels().optional(),
      y: pixels().optional(),
      width: pixels().min(1),
      height: pixels().min(1),
      isMaximized: z.boolean(),
    }),
  }),
);

export type EditorPlace = StoredSettings['editorPlaces'][number];

type Unchangeable<T> = T extends object ? { readonly [K in keyof T]: Unchangeable<T[K]> } : T;
export type StoredSettings = Unchangeable<z.output<ReturnType<typeof storedSettings>>>;

/** What no page learns of. A new setting is a page's too, unless it is named here. */
export const mainOnlySettings = {
  copyFolder: true,
  exportFolder: true,
  recentExports: true,
  copiesSinceMs: true,
  watchFolder: true,
  overlayPlace: true,
  spentLately: true,
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
  dictationLanguage: 'uz',
  dictationMode: 'hold',
  dictationFollowsLayout: false,
  dictationLanguageRules: [],
  dictationDevice: '',
  dictationSession: '',
  keepsMicrophoneReady: false,
  showsOverlay: true,
  overlayPlace: null,
  dictationSounds: true,
  obeysSpokenSigns: true,
  replacements: [],
  takeSoundDays: 7,
  dictationTarget: 'list',
  dictationWindowRule: 'keep',
  storesNoTakes: false,
  restoresSpeech: false,
  restorationModel: '',
  uploadsAtOnce: 2,
  reducesMotion: false,
  contrast: 'system',
  playsSounds: false,
  usesLetterKeys: true,
  transcriptSize: 17,
  transcriptTypeface: 'serif',
  laneHeight: 'usual',
  editorPlaces: [],
  syncsEdits: false,
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
  shortcuts: {},
  interfaceZoom: 100,
  isRailOpen: true,
  isInspectorOpen: true,
  inspectorWidth: null,
  recentActions: [],
  keySaved: false,
  olderKeySaved: false,
  accountTokenSaved: false,
  window: { width: 1280, height: 800, isMaximized: false },
};
