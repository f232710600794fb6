import { z } from 'zod';
import { interfaceLanguages, speechLanguages } from '../../../shared/domain/languages.ts';
import type { StoredSettings } from './settings-store.ts';

export const defaultSettings: StoredSettings = {
  interfaceLanguage: 'uz',
  appearance: 'system',
  serviceAddress: '',
  mode: 'unset',
  speechLanguage: 'uz',
  includeSpeakers: false,
  keySaved: false,
  window: { width: 1280, height: 800, isMaximized: false },
};

const pixels = z.number().int().min(-100_000).max(100_000);
const shape = {
  interfaceLanguage: z.enum(interfaceLanguages),
  appearance: z.enum(['system', 'light', 'dark']),
  serviceAddress: z.string().max(2048),
  mode: z.enum(['unset', 'service', 'practice']),
  speechLanguage: z.enum(speechLanguages),
  includeSpeakers: z.boolean(),
  keySaved: z.boolean(),
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

export interface ReadSettings {
  readonly settings: StoredSettings;
  /** Something on disk was there and could not be used; it should be kept aside and told of (E-186). */
  readonly isDamaged: boolean;
}

/**
 * Reads the text of a settings file. Unknown fields are left alone for a newer version; a field of the wrong kind
 * falls back to its default, which is the strict side for everything that can be switched on.
 */
export function readStoredSettings(text: string | null, defaults: StoredSettings = defaultSettings): ReadSettings {
  if (text === null) return { settings: defaults, isDamaged: false };
  let json: unknown;
  try {
    json = text.length > maxSettingsBytes ? null : JSON.parse(text);
  } catch {
    json = null;
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return { settings: defaults, isDamaged: true };
  const fields = json as Record<string, unknown>;
  const settings: Record<string, unknown> = { ...defaults };
  let isDamaged = false;
  for (const [name, schema] of Object.entries(shape)) {
    if (!Object.hasOwn(fields, name)) continue;
    const parsed = schema.safeParse(fields[name]);
    if (parsed.success) settings[name] = parsed.data;
    else isDamaged = true;
  }
  return { settings: settings as unknown as StoredSettings, isDamaged };
}
