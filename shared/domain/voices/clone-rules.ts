/** What the service accepts at each step of cloning a voice (contract 4.12 and 8). Milliseconds, bytes, characters. */
export const cloneRules = {
  reference: { leastMs: 10_000, mostMs: 30_000 },
  reading: { leastMs: 3000, mostMs: 60_000 },
  mostBytes: 10 * 1024 * 1024,
  transcriptCharacters: 20_000,
  nameCharacters: 100,
  descriptionCharacters: 1000,
  accentBytes: 80,
  attempts: 5,
  challengeMs: 600_000,
  leastScore: 0.72,
  voices: 5,
} as const;

export const voicePalettes = [
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
export type VoicePalette = (typeof voicePalettes)[number];

export const voiceGenders = ['male', 'female', 'neutral'] as const;
export const voiceAges = ['young', 'middle-aged', 'old'] as const;

export interface VoiceDetails {
  readonly name: string;
  readonly description: string;
  readonly gender: '' | (typeof voiceGenders)[number];
  readonly age: '' | (typeof voiceAges)[number];
  readonly accent: string;
  readonly palette: VoicePalette;
}

export const noDetails: VoiceDetails = {
  name: '',
  description: '',
  gender: '',
  age: '',
  accent: '',
  palette: 'calm',
};

export type DetailTrouble = 'name-missing' | 'name-long' | 'description-long' | 'accent-long';

const charactersOf = (text: string): number => Array.from(text).length;

export function findDetailTroubles({ name, description, accent }: VoiceDetails): readonly DetailTrouble[] {
  const found: DetailTrouble[] = [];
  if (name.trim() === '') found.push('name-missing');
  if (charactersOf(name.trim()) > cloneRules.nameCharacters) found.push('name-long');
  if (charactersOf(description.trim()) > cloneRules.descriptionCharacters) found.push('description-long');
  if (new TextEncoder().encode(accent.trim()).length > cloneRules.accentBytes) found.push('accent-long');
  return found;
}

/** What the service would refuse in a recording (contract 4.12, 8); null: nothing. */
export const findRecordingTrouble = (
  what: 'reference' | 'reading',
  { durationMs, sizeBytes }: { readonly durationMs: number; readonly sizeBytes: number },
): 'short' | 'long' | 'large' | null => {
  const { leastMs, mostMs } = cloneRules[what];
  if (sizeBytes > cloneRules.mostBytes) return 'large';
  return durationMs < leastMs ? 'short' : durationMs > mostMs ? 'long' : null;
};

/** The labels to send, without empty ones, because empty values are refused. */
export function labelsOf({ gender, age, accent }: VoiceDetails, language: string): Readonly<Record<string, string>> {
  const given = { gender, age, accent: accent.trim() };
  return { language, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')) };
}

const oneOf = <T extends string>(known: readonly T[], value: string | null | undefined): T | undefined =>
  known.find((one) => one === value);

export const detailsFrom = (voice: {
  readonly name: string | null;
  readonly description: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly orbPalette: string | null;
}): VoiceDetails => ({
  name: voice.name ?? '',
  description: voice.description ?? '',
  gender: oneOf(voiceGenders, voice.labels['gender']) ?? '',
  age: oneOf(voiceAges, voice.labels['age']) ?? '',
  accent: voice.labels['accent'] ?? '',
  palette: oneOf(voicePalettes, voice.orbPalette) ?? 'calm',
});

export const isTranscriptFit = (text: string): boolean =>
  text.trim() !== '' && charactersOf(text) <= cloneRules.transcriptCharacters;
