import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { limits } from './limits.ts';
import { mayBeAudio, openPart, type PartFile, readSignedUrl } from './download.ts';
import type { BodySink } from './transport.ts';
import { bodyOf, pageQuery, unreadable, type Reply } from './http.ts';
import type { Caller, NamedCall } from './caller.ts';
import type { UploadSource } from './upload.ts';
import {
  asArray,
  asFilledText,
  asJsonObject,
  isJsonObject,
  pick,
  unwrap,
  fieldsOf,
  textsByName,
  msOfSeconds,
  readNamed,
  readWithId,
  readPage,
  asText,
  pickFrom,
  asCount,
  type Page,
  readState,
} from './values.ts';

export interface SpeechInput {
  readonly text: string;
  readonly language: string;
  readonly voiceId: string;
  readonly speed: number;
  readonly idempotencyKey: string;
  readonly target: string;
  readonly signal?: AbortSignal;
  readonly listen?: () => (chunk: Uint8Array) => void;
}

/** `pending`: accepted but not generated yet; the same request with the same key asks again. */
export type Speech =
  | {
      readonly kind: 'made';
      readonly sizeBytes: number;
      readonly durationMs: number | null;
      readonly requestId: string | null;
    }
  | {
      readonly kind: 'pending';
      readonly generationId: string | null;
      readonly status: string | null;
      readonly requestId: string | null;
    };

const largestSpeechBytes = 2 * 1024 ** 3;

export function createSpeakApi(caller: Caller) {
  return {
    catalog: (signal?: AbortSignal) => caller.read('speak.languages', { signal }),
    voices: (filter: { readonly language?: string; readonly kind?: 'custom' }, signal?: AbortSignal) =>
      caller.read('voices.list', { query: { ...filter }, signal }),
    /** One attempt: repeating is the caller's decision, because only the caller knows that the key is durable. */
    speak: (input: SpeechInput) => speak(caller, input),
    list: (page: { readonly limit?: number; readonly cursor?: string }, signal?: AbortSignal) =>
      caller.read('speak.list', { query: pageQuery(page, limits.pages.generations), signal }),
    read: (generation_id: string, signal?: AbortSignal) =>
      caller.read('speak.read', { values: { generation_id }, signal }),
    remove: (generation_id: string, signal?: AbortSignal) =>
      caller.change('speak.remove', { values: { generation_id }, signal }, true),
  };
}

/** Speech from text, its history, and the voices (contract 4.5, 4.8). */
export type SpeakApi = ReturnType<typeof createSpeakApi>;

async function speak(caller: Caller, input: SpeechInput): Promise<Result<Speech>> {
  const opened = await openPart(input.target, largestSpeechBytes);
  if (!opened.ok) return opened;
  const part = opened.value;
  try {
    const reply = await caller.send('speak.generate', {
      // The order of the fields is fixed, because a repeat must have the same bytes.
      json: { text: input.text, language: input.language, voice_id: input.voiceId, speed: input.speed },
      idempotencyKey: input.idempotencyKey,
      attempts: 'once',
      sinkBody: ({ status, contentType }) =>
        status === 200 && mayBeAudio(contentType) ? teeSink(part.taker, input.listen?.()) : null,
      signal: input.signal,
    });
    return reply.ok ? await keep(reply.value, part) : reply;
  } finally {
    await part.discard();
  }
}

const teeSink = (sink: BodySink, hear: ((chunk: Uint8Array) => void) | undefined): BodySink =>
  hear === undefined
    ? sink
    : {
        maxBytes: sink.maxBytes,
        async write(chunk) {
          await sink.write(chunk);
          hear(chunk);
        },
      };

async function keep(reply: Reply, part: PartFile): Promise<Result<Speech>> {
  const { requestId } = reply;
  if (!reply.isTaken) {
    return reply.status === 202
      ? ok({ kind: 'pending', ...readPendingSpeech(bodyOf(reply)), requestId })
      : err(unreadable(reply, false));
  }
  const sizeBytes = part.sizeBytes();
  if (!isWholeWav(part.head(), sizeBytes)) {
    return err(
      makeFailure('audio-damaged', {
        code: 'damaged_wav',
        status: reply.status,
        requestId,
      }),
    );
  }
  const failure = await part.finish(startWithTrueSizes(part.head(), sizeBytes));
  if (failure !== null) return err({ ...failure, outcome: 'accepted' });
  return ok({ kind: 'made', sizeBytes, durationMs: wavDurationMs(part.head(), sizeBytes), requestId });
}

function isWholeWav(head: Buffer, sizeBytes: number): boolean {
  if (head.length < 44 || head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE')
    return false;
  const stated = head.readUInt32LE(4);
  return isOpen(stated) || stated + 8 <= sizeBytes;
}

/** Written before the length was known. */
const isOpen = (stated: number): boolean => stated === 0 || stated === 0xffff_ffff;

function startWithTrueSizes(head: Buffer, sizeBytes: number): Buffer | null {
  const dataAt = chunkAt(head, 'data');
  const isDataOpen = dataAt !== null && isOpen(head.readUInt32LE(dataAt + 4)) && sizeBytes > dataAt + 8;
  if (!isOpen(head.readUInt32LE(4)) && !isDataOpen) return null;
  const start = Buffer.from(head.subarray(0, (dataAt ?? 4) + 8));
  start.writeUInt32LE(sizeBytes - 8, 4);
  if (isDataOpen) start.writeUInt32LE(sizeBytes - dataAt - 8, dataAt + 4);
  return start;
}

function chunkAt(head: Buffer, name: string): number | null {
  for (let at = 12; at + 8 <= head.length;) {
    if (head.toString('latin1', at, at + 4) === name) return at;
    const size = head.readUInt32LE(at + 4);
    at += 8 + size + (size % 2);
  }
  return null;
}

function wavDurationMs(head: Buffer, sizeBytes: number): number | null {
  if (head.toString('latin1', 12, 16) !== 'fmt ' || head.toString('latin1', 36, 40) !== 'data') return null;
  const bytesPerSecond = head.readUInt32LE(28);
  const stated = head.readUInt32LE(40);
  const dataBytes = stated === 0 ? sizeBytes - 44 : Math.min(stated, sizeBytes - 44);
  return bytesPerSecond === 0 ? null : Math.round((dataBytes * 1000) / bytesPerSecond);
}

export interface CloneConsent extends VoiceMetadata {
  readonly consentAccepted: true;
}

export function createCloneApi(caller: Caller) {
  const step = (id: string, more: NamedCall): NamedCall => ({
    values: { id },
    attempts: 'once',
    ...more,
  });
  const voice = (voice_id: string, more: NamedCall): NamedCall => ({
    values: { voice_id },
    ...more,
  });

  return {
    capabilities: (signal?: AbortSignal) => caller.read('clone.capabilities', { signal }),
    upload: (
      {
        source,
        language,
        removeNoise,
      }: { readonly source: UploadSource; readonly language: 'uz' | 'en' | 'ru'; readonly removeNoise: boolean },
      signal?: AbortSignal,
    ) =>
      caller.read('clone.upload', {
        form: {
          fields: { language, remove_noise: removeNoise },
          files: [{ field: 'audio', source }],
        },
        attempts: 'once',
        signal,
      }),
    approve: (id: string, transcript: string, signal?: AbortSignal) =>
      caller.read('clone.approve', step(id, { json: { transcript }, signal })),
    challenge: (id: string, consent: CloneConsent, signal?: AbortSignal) =>
      caller.read(
        'clone.challenge',
        step(id, { json: { ...metadataBody(consent), consent_accepted: consent.consentAccepted }, signal }),
      ),
    verify: (id: string, source: UploadSource, signal?: AbortSignal) =>
      caller.read(
        'clone.verify',
        step(id, {
          form: {
            fields: {},
            files: [{ field: 'audio', source }],
          },
          signal,
        }),
      ),
    read: (id: string, signal?: AbortSignal) => caller.read('clone.read', { values: { id }, signal }),
    metadata: (voiceId: string, signal?: AbortSignal) => caller.read('clone.metadata.read', voice(voiceId, { signal })),
    replaceMetadata: (voiceId: string, metadata: VoiceMetadata, signal?: AbortSignal) =>
      caller.change('clone.metadata.replace', voice(voiceId, { json: metadataBody(metadata), signal })),
    /** Ends the use of the voice at once; repeated until its recordings are gone (voice-being-deleted). */
    remove: (voiceId: string, signal?: AbortSignal) => caller.change('clone.remove', voice(voiceId, { signal }), true),
  };
}

/** No step has an idempotency key and each counts against a limit, so none is repeated (contract 4.12). */
export type CloneApi = ReturnType<typeof createCloneApi>;

/** Always sends everything: an absent field is removed, and empty values are refused. */
function metadataBody({ name, description, labels, orbPalette }: VoiceMetadata): Readonly<Record<string, unknown>> {
  const filled = Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== ''));
  return { name, description, labels: filled, ...(orbPalette === null ? {} : { orb_palette: orbPalette }) };
}

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
    return {
      id,
      text: text('text', 'transcript', 'input'),
      voiceId: text('voice_id', 'voiceId'),
      language: text('language', 'language_code'),
      status: text('status', 'state')?.toLowerCase() ?? null,
      createdAt: moment('created_at', 'createdAt'),
      durationMs: count('duration_ms') ?? msOfSeconds(count('duration', 'duration_seconds', 'duration_sec')),
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
      labels: textsByName(pickFrom(around, ['labels'], asJsonObject)),
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

/** The data of a cloned voice, which comes without a wrapper; null without a name. */
export function readVoiceMetadata(body: unknown) {
  const source = readNamed(body, ['metadata', 'voice'], ['name']);
  if (source === null) return null;
  const { text } = fieldsOf(source);
  const name = text('name');
  return name === null
    ? null
    : {
        name,
        description: text('description') ?? '',
        labels: textsByName(pickFrom([source], ['labels'], asJsonObject)),
        orbPalette: text('orb_palette'),
      };
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
