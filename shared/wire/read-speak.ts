import { asArray, asFilledText, asJsonObject, isJsonObject, pick, unwrap } from './json-access.ts';
import { readSignedUrl, type SignedUrl } from './signed-url.ts';
import { fieldsOf, readNamed, readPage, type Page } from './values.ts';

export interface SpokenLanguage {
  readonly code: string;
  readonly name: string | null;
  /** False: the service knows it but can't speak it now. */
  readonly isAvailable: boolean;
}

export interface SpeechCatalog {
  readonly languages: readonly SpokenLanguage[];
  readonly model: string | null;
}

export interface Voice {
  readonly voiceId: string;
  readonly name: string | null;
  readonly languages: readonly string[];
  readonly gender: string | null;
  readonly kind: string | null;
  readonly description: string | null;
  readonly orbPalette: string | null;
  /** Whether this key may change its data: a voice cloned by the caller. */
  readonly canManage: boolean;
}

export interface Generation {
  readonly id: string;
  readonly text: string | null;
  readonly voiceId: string | null;
  readonly language: string | null;
  /** The word of the service, lower case. */
  readonly status: string | null;
  readonly createdAt: string | null;
  readonly durationMs: number | null;
  readonly characters: number | null;
  readonly credits: string | null;
  readonly audio: SignedUrl | null;
}

/** The languages that can be spoken (assumptions: language-entry); null when there is no list. */
export function readSpeechCatalog(body: unknown): SpeechCatalog | null {
  const page = readPage(body, ['languages'], readLanguage);
  if (page === null) return null;
  const model = unwrap(body)
    .map((source) => pick(source, ['model', 'model_id'], nameOf))
    .find((found) => found !== undefined);
  return { languages: page.items, model: model ?? null };
}

const nameOf = (value: unknown): string | undefined =>
  isJsonObject(value) ? pick(value, ['id', 'name'], asFilledText) : asFilledText(value);

function readLanguage(value: unknown): SpokenLanguage | null {
  if (!isJsonObject(value)) {
    const code = asFilledText(value);
    return code === undefined ? null : { code, name: null, isAvailable: true };
  }
  const code = pick(value, ['code', 'language', 'id', 'language_code'], asFilledText);
  if (code === undefined) return null;
  const name = pick(value, ['name', 'label', 'title'], asFilledText) ?? null;
  return { code, name, isAvailable: fieldsOf(value).flag('available', 'is_available') ?? true };
}

/** A page of voices (assumptions: voice-entry); null when there is no list. */
export const readVoices = (body: unknown): Page<Voice> | null => readPage(body, ['voices'], readVoice);

function readVoice(value: unknown): Voice | null {
  if (!isJsonObject(value)) return null;
  const { text, id, texts, flag } = fieldsOf(value);
  const voiceId = id('voice_id', 'voiceId', 'id');
  if (voiceId === null) return null;
  const one = text('language', 'language_code', 'lang');
  const listed = texts('languages');
  const inObjects = (pick(value, ['languages'], asArray) ?? []).flatMap((item) => readLanguage(item)?.code ?? []);
  return {
    voiceId,
    name: text('name', 'display_name', 'title'),
    languages: listed.length > 0 ? listed : inObjects.length > 0 ? inObjects : one === null ? [] : [one],
    gender: text('gender') ?? fieldsOf(pick(value, ['labels'], asJsonObject) ?? {}).text('gender'),
    kind: text('kind', 'type', 'category'),
    description: text('description'),
    orbPalette: text('orb_palette'),
    canManage: flag('can_manage') ?? false,
  };
}

const generationNames = ['id', 'generation_id', 'generationId'];

/** One generated speech (assumptions: generation-entry); null without an identifier. */
export function readGeneration(body: unknown): Generation | null {
  const source = readNamed(body, ['generation', 'item'], generationNames);
  if (source === null) return null;
  const { text, id, count, decimal, moment } = fieldsOf(source);
  const generationId = id(...generationNames);
  if (generationId === null) return null;
  const seconds = count('duration', 'duration_seconds', 'duration_sec');
  return {
    id: generationId,
    text: text('text', 'transcript', 'input'),
    voiceId: text('voice_id', 'voiceId'),
    language: text('language', 'language_code'),
    status: text('status', 'state')?.toLowerCase() ?? null,
    createdAt: moment('created_at', 'createdAt'),
    durationMs: count('duration_ms') ?? (seconds === null ? null : Math.round(seconds * 1000)),
    characters: count('characters', 'character_count'),
    credits: decimal('credits_used', 'credits'),
    audio: readSignedUrl(source),
  };
}

/** A page of the history (assumptions: generation-entry); null when there is no list. */
export const readGenerations = (body: unknown): Page<Generation> | null =>
  readPage(body, ['generations'], readGeneration);

/** What a pending 202 contains; all of it may be missing (assumptions: pending-speech). */
export function readPendingSpeech(body: unknown): {
  readonly generationId: string | null;
  readonly status: string | null;
} {
  const sources = unwrap(body);
  const source = sources.find((found) => fieldsOf(found).id(...generationNames, 'job_id') !== null);
  return {
    generationId: source === undefined ? null : fieldsOf(source).id(...generationNames, 'job_id'),
    status: sources.map((found) => fieldsOf(found).text('status', 'state')).find((found) => found !== null) ?? null,
  };
}
