import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { copyCollisions, defaultCopyTemplate, templateFault } from '../../../shared/domain/exports/copy-name.ts';
import { interfaceLanguages, speechLanguages } from '../../../shared/domain/languages.ts';
import { defaultProxy, proxyModes, readProxyHost } from '../../../shared/domain/network/proxy.ts';
import { defaultSpendLimit } from '../../../shared/domain/spend/spend-limit.ts';
import { transcriptScripts } from '../../../shared/domain/transcript/in-script.ts';
import { migrateSettings, settingsVersion } from './settings-migrations.ts';
import type { StoredSettings } from './settings-store.ts';

export const defaultSettings: StoredSettings = {
  interfaceLanguage: 'uz',
  appearance: 'system',
  serviceAddress: '',
  mode: 'unset',
  speechLanguage: 'uz',
  includeSpeakers: false,
  uploadsAtOnce: 2,
  reducesMotion: false,
  contrast: 'system',
  playsSounds: false,
  usesLetterKeys: true,
  transcriptSize: 17,
  transcriptTypeface: 'serif',
  transcriptScript: 'as-written',
  keepsLog: true,
  notifiesWhenDone: true,
  keepsAwake: true,
  savesCopies: false,
  copyFormats: ['txt'],
  copyTemplate: defaultCopyTemplate,
  copyCollision: 'number',
  copyFolder: null,
  copiesSinceMs: 0,
  watchFolder: null,
  proxy: defaultProxy,
  spendLimitMinutes: defaultSpendLimit,
  spentLately: [],
  shortcuts: {},
  interfaceZoom: 100,
  isRailOpen: true,
  isInspectorOpen: true,
  inspectorWidth: null,
  recentActions: [],
  keySaved: false,
  olderKeySaved: false,
  window: { width: 1280, height: 800, isMaximized: false },
};

const pixels = z.number().int().min(-100_000).max(100_000);
/** Where something is written or taken from: never a place that depends on where the app was started. */
const folder = z.string().max(4096).refine(isAbsolute);
const amount = z.number().finite().nonnegative();
const shape = {
  interfaceLanguage: z.enum(interfaceLanguages),
  appearance: z.enum(['system', 'light', 'dark']),
  serviceAddress: z.string().max(2048),
  mode: z.enum(['unset', 'service', 'practice']),
  speechLanguage: z.enum(speechLanguages),
  includeSpeakers: z.boolean(),
  uploadsAtOnce: z.number().int().min(1).max(8),
  reducesMotion: z.boolean(),
  contrast: z.enum(['system', 'high']),
  playsSounds: z.boolean(),
  usesLetterKeys: z.boolean(),
  transcriptSize: z.number().int().min(14).max(24),
  transcriptTypeface: z.enum(['serif', 'sans']),
  transcriptScript: z.enum(transcriptScripts),
  keepsLog: z.boolean(),
  notifiesWhenDone: z.boolean(),
  keepsAwake: z.boolean(),
  savesCopies: z.boolean(),
  copyFormats: z.array(z.enum(['txt', 'srt', 'vtt', 'json'])).max(8),
  copyTemplate: z
    .string()
    .max(200)
    .refine((template) => templateFault(template) === null),
  copyCollision: z.enum(copyCollisions),
  copyFolder: folder.nullable(),
  copiesSinceMs: amount,
  watchFolder: folder.nullable(),
  proxy: z.object({
    mode: z.enum(proxyModes),
    server: z.string().refine((server) => server === '' || readProxyHost(server)?.host === server),
    port: z.number().int().min(1).max(65_535),
  }),
  spendLimitMinutes: z.number().int().min(0).max(100_000).nullable(),
  spentLately: z.array(z.object({ atMs: amount, requests: amount, audioMs: amount })).max(200),
  shortcuts: z.record(z.string().max(64), z.string().max(64).nullable()),
  interfaceZoom: z.number().int().min(80).max(200),
  isRailOpen: z.boolean(),
  isInspectorOpen: z.boolean(),
  inspectorWidth: z.number().int().min(220).max(480).nullable(),
  recentActions: z.array(z.string().max(64)).max(20),
  keySaved: z.boolean(),
  olderKeySaved: z.boolean(),
  window: z.object({
    x: pixels.optional(),
    y: pixels.optional(),
    width: pixels.min(1),
    height: pixels.min(1),
    isMaximized: z.boolean(),
  }),
} satisfies Record<keyof StoredSettings, z.ZodType>;

/** Bounds of what is read as settings at all; a larger file is damaged. */
export const maxSettingsBytes = 256 * 1024;

/**
 * What holds where a choice was made and can't be read any more: nothing is written that a person may have refused,
 * each time is asked before something is charged, no key does anything by itself, and no file is written over.
 */
const strictSide: Partial<StoredSettings> = {
  keepsLog: false,
  spendLimitMinutes: 0,
  usesLetterKeys: false,
  copyCollision: 'number',
};

export interface ReadSettings {
  readonly settings: StoredSettings;
  /** The version to write into the file. */
  readonly version: number;
  /** The file is of an older version: what was read should be written back with the new number. */
  readonly isOlder: boolean;
  /** Something on disk was there and could not be used; it should be kept aside and told of (E-186). */
  readonly isDamaged: boolean;
}

/**
 * Reads the text of a settings file of this version or an older one. Unknown fields are left alone for a newer
 * version; a field of the wrong kind falls back to its default, or to the strict side where there is one.
 */
export function readStoredSettings(text: string | null, defaults: StoredSettings = defaultSettings): ReadSettings {
  if (text === null) return { settings: defaults, version: settingsVersion, isOlder: false, isDamaged: false };
  let json: unknown;
  try {
    json = text.length > maxSettingsBytes ? null : JSON.parse(text);
  } catch {
    json = null;
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { settings: { ...defaults, ...strictSide }, version: settingsVersion, isOlder: false, isDamaged: true };
  }
  const { fields, version, isOlder, isDamaged: isNumberDamaged } = migrateSettings(json as Record<string, unknown>);
  const settings: Record<string, unknown> = { ...defaults };
  let isDamaged = isNumberDamaged;
  for (const [name, schema] of Object.entries(shape)) {
    if (!Object.hasOwn(fields, name)) continue;
    const parsed = schema.safeParse(fields[name]);
    if (parsed.success) settings[name] = parsed.data;
    else {
      isDamaged = true;
      if (name in strictSide) settings[name] = strictSide[name as keyof StoredSettings];
    }
  }
  return { settings: settings as unknown as StoredSettings, version, isOlder, isDamaged };
}
