import { z } from 'zod';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';

const palettes = [
  'cloud',
  'support',
  'storytelling',
  'narrator',
  'energetic',
  'calm',
  'delicate',
  'steady',
  'deep',
  'bright',
] as const;

const characters = (least: number, most: number) =>
  z.string().refine((text) => {
    const count = Array.from(text).length;
    return count >= least && count <= most;
  }, `must have ${least} to ${most} characters`);

const labels = z.strictObject({
  language: z.string(),
  gender: z.enum(['male', 'female', 'neutral']).optional(),
  age: z.enum(['young', 'middle-aged', 'old']).optional(),
  accent: z
    .string()
    .refine((text) => text.trim() !== '' && Buffer.byteLength(text) <= 80, 'must have 1 to 80 bytes')
    .optional(),
});

/** The description that a user gives of a voice (contract 2.8), always complete. */
export interface VoiceMetadata {
  readonly name: string;
  readonly description: string;
  readonly labels: z.output<typeof labels>;
  readonly orbPalette: (typeof palettes)[number];
}

const metadata = z.strictObject({
  name: characters(1, 100).refine((text) => text.trim() !== '', 'must not be empty'),
  description: characters(0, 1000),
  labels,
  orb_palette: z.enum(palettes),
});

const asMetadata = ({ orb_palette: orbPalette, ...rest }: z.output<typeof metadata>): VoiceMetadata => ({
  ...rest,
  orbPalette,
});

const speaks = (language: SpeechLanguage) => (order: { readonly labels: { readonly language: string } }) =>
  order.labels.language === language;
const otherLanguage = { error: 'must be the language of the reference', path: ['labels', 'language'] };

/** The body that replaces the description of a voice in `language`. */
export const metadataBody = (language: SpeechLanguage) =>
  metadata.refine(speaks(language), otherLanguage).transform(asMetadata);

/** The body that asks for a reading text: metadata and consent. */
export const consentBody = (language: SpeechLanguage) =>
  metadata
    .extend({ consent_accepted: z.literal(true, { error: 'must be true' }) })
    .refine(speaks(language), otherLanguage)
    .transform(({ consent_accepted: _accepted, ...rest }) => asMetadata(rest));

export const writeMetadata = ({ name, description, labels: given, orbPalette }: VoiceMetadata) => ({
  name,
  description,
  labels: given,
  orb_palette: orbPalette,
});

/** As it is kept in the database. */
export const storedMetadata = z
  .object({ name: z.string(), description: z.string(), labels, orbPalette: z.enum(palettes) })
  .nullable();
