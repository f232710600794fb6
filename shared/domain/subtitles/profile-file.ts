import { z } from 'zod';
import { lazySchema } from '../lazy-schema.ts';
import { profileBounds, type SubtitleProfile } from './profiles.ts';

export interface NamedProfile {
  readonly name: string;
  readonly profile: SubtitleProfile;
}

const format = 'ovoz-studio-subtitle-profile';
export const maxProfileBytes = 16 * 1024;

const bounded = (name: keyof typeof profileBounds) =>
  z.number().int().min(profileBounds[name].min).max(profileBounds[name].max);

const profileShape = lazySchema(() =>
  z.object({
    charactersPerLine: bounded('charactersPerLine'),
    linesPerCue: bounded('linesPerCue'),
    charactersPerSecond: bounded('charactersPerSecond'),
    minimumMs: bounded('minimumMs'),
    maximumMs: bounded('maximumMs'),
    gapMs: bounded('gapMs'),
    chainMs: bounded('chainMs'),
    splitsAtSentences: z.boolean(),
  }),
);
const profileName = lazySchema(() => z.string().trim().min(1).max(80));
export const namedProfile = lazySchema(() => z.strictObject({ name: profileName(), profile: profileShape() }));
const fileShape = lazySchema(() =>
  z.object({
    format: z.literal(format),
    version: z.literal(1),
    name: profileName(),
    profile: profileShape(),
  }),
);

export const writeProfile = ({ name, profile }: NamedProfile): string =>
  `${JSON.stringify({ format, version: 1, name, profile }, null, 2)}\n`;

export function readProfile(text: string): NamedProfile | null {
  if (text.length > maxProfileBytes) return null;
  try {
    const found = fileShape().safeParse(JSON.parse(text.replace(/^\ufeff/u, '')));
    return found.success ? { name: found.data.name, profile: found.data.profile } : null;
  } catch {
    return null;
  }
}
