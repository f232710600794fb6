import {
  asArray,
  asFilledText,
  asJsonObject,
  isJsonObject,
  pick,
  unwrap,
  fieldsOf,
  readNamed,
  readWithId,
  readPage,
  asText,
  pickFrom,
  asCount,
  type Page,
  type JsonObject,
  readState,
} from './values.ts';
import { readSignedUrl } from './signed-url.ts';

export interface SpokenLanguage {
  readonly code: string;
  readonly name: string | null;
  /** False: the service knows it but can't speak it now. */
  readonly isAvailable: boolean;
}

/** The languages that can be spoken (assumptions: language-entry); null when there is no list. */
export function readSpeechCatalog(body: unknown) {
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

const readVoice = (value: unknown) =>
  readWithId(value, [], ['voice_id', 'voiceId', 'id'], (id, { text, texts, flag }, source) => {
    const one = text('language', 'language_code', 'lang');
    const listed = texts('languages');
    const inObjects = (pick(source, ['languages'], asArray) ?? []).flatMap((item) => readLanguage(item)?.code ?? []);
    return {
      voiceId: id,
      name: text('name', 'display_name', 'title'),
      languages: listed.length > 0 ? listed : inObjects.length > 0 ? inObjects : one === null ? [] : [one],
      gender: text('gender') ?? fieldsOf(pick(source, ['labels'], asJsonObject) ?? {}).text('gender'),
      kind: text('kind', 'type', 'category'),
      description: text('description'),
      orbPalette: text('orb_palette'),
      /** A voice cloned by the caller. */
      canManage: flag('can_manage') ?? false,
    };
  });

export type Voice = NonNullable<ReturnType<typeof readVoice>>;

const generationNames = ['id', 'generation_id', 'generationId'];

/** One generated speech (assumptions: generation-entry); null without an identifier. */
export const readGeneration = (body: unknown) =>
  readWithId(body, ['generation', 'item'], generationNames, (id, { text, count, decimal, moment }, source) => {
    const seconds = count('duration', 'duration_seconds', 'duration_sec');
    return {
      id,
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
  });

export type Generation = NonNullable<ReturnType<typeof readGeneration>>;

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

/** Parses the envelope of any step; null without an identifier. A voice counts only when the service says `passed`. */
export const readEnrollment = (body: unknown) =>
  readWithId(body, ['voice_clone', 'enrollment'], ['id'], (enrollmentId, { id, text, count, moment }, source) => {
    const around = [source, ...unwrap(body)];
    return {
      id: enrollmentId,
      status: readState('enrollment', source['status']),
      verification: readState('verification', source['verification_status']),
      attempts: count('verification_attempts') ?? 0,
      language: text('language'),
      referenceTranscript: text('reference_transcript'),
      name: text('name'),
      description: text('description'),
      labels: labelsIn(around),
      orbPalette: pickFrom(around, ['orb_palette'], asText) ?? null,
      removeNoise: fieldsOf(around.find((found) => typeof found['remove_noise'] === 'boolean') ?? {}).flag(
        'remove_noise',
      ),
      createdAt: moment('created_at'),
      updatedAt: moment('updated_at'),
      transcriptApprovedAt: moment('transcript_approved_at'),
      consentAcceptedAt: moment('consent_accepted_at'),
      challengeText: pick(source, ['challenge_text'], asText) ?? null,
      challengeExpiresAt: moment('challenge_expires_at'),
      heard: pick(source, ['verification_transcript'], asText) ?? null,
      verifiedAt: moment('verified_at'),
      failureCode: text('failure_code'),
      voiceId: id('voice_id'),
      score: pickFrom(around, ['score'], asCount) ?? null,
    };
  });

/** One enrollment as far as reported (contract 2.8); fields that a stage does not have are null. */
export type Enrollment = NonNullable<ReturnType<typeof readEnrollment>>;

const labelsIn = (sources: readonly JsonObject[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(pickFrom(sources, ['labels'], asJsonObject) ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );

/** The data of a cloned voice, which comes without a wrapper; null without a name. */
export function readVoiceMetadata(body: unknown) {
  const source = readNamed(body, ['metadata', 'voice'], ['name']);
  if (source === null) return null;
  const { text } = fieldsOf(source);
  const name = text('name');
  return name === null
    ? null
    : { name, description: text('description') ?? '', labels: labelsIn([source]), orbPalette: text('orb_palette') };
}

export type VoiceMetadata = NonNullable<ReturnType<typeof readVoiceMetadata>>;

/** What the account may clone; null when neither is given. */
export function readCloneCapabilities(body: unknown) {
  const source = readNamed(body, ['capabilities'], ['eligible', 'available']);
  if (source === null || !isJsonObject(source)) return null;
  const { flag, count } = fieldsOf(source);
  return {
    eligible: flag('eligible') ?? false,
    available: flag('available') ?? false,
    minSeconds: count('min_seconds'),
    maxSeconds: count('max_seconds'),
    maxBytes: count('max_bytes'),
  };
}

export type CloneCapabilities = NonNullable<ReturnType<typeof readCloneCapabilities>>;
