import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { limits } from '../../../shared/wire/limits.ts';
import {
  readPendingSpeech,
  type CloneCapabilities,
  type Enrollment,
  type VoiceMetadata,
} from '../../../shared/wire/read-speak.ts';
import { mayBeAudio, openPart, type PartFile } from '../http/download-signed.ts';
import type { BodySink } from '../http/transport.ts';
import { bodyOf, pageQuery, unreadable, type Reply } from '../http/http-core.ts';
import type { Caller, NamedCall } from '../http/resource-call.ts';
import { randomUUID } from 'node:crypto';
import type { UploadSource } from '../http/multipart.ts';

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
  let part: PartFile;
  try {
    part = await openPart(input.target, largestSpeechBytes);
  } catch {
    return err(makeFailure('disk-space-short', { code: 'target_not_writable' }));
  }
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
        ...(requestId === null ? {} : { requestId }),
      }),
    );
  }
  try {
    const start = startWithTrueSizes(part.head(), sizeBytes);
    if (start !== null) await part.rewriteStart(start);
    await part.finish();
  } catch {
    return err(makeFailure('disk-space-short', { code: 'target_not_writable', outcome: 'accepted' }));
  }
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

export type { CloneCapabilities, Enrollment };

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
          fields: { language, remove_noise: String(removeNoise) },
          files: [{ field: 'audio', source }],
          boundary: `ovoz-${randomUUID()}`,
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
            boundary: `ovoz-${randomUUID()}`,
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
