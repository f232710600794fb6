import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { limits } from '../../../shared/wire/limits.ts';
import {
  readGeneration,
  readGenerations,
  readPendingSpeech,
  readSpeechCatalog,
  readVoices,
  type Generation,
  type SpeechCatalog,
  type Voice,
} from '../../../shared/wire/read-speak.ts';
import type { Page } from '../../../shared/wire/values.ts';
import { mayBeAudio, openPart, type PartFile } from '../http/file-sink.ts';
import type { Reply } from '../http/call.ts';
import type { BodySink } from '../http/transport.ts';
import { bodyOf, pageQuery, unreadable, type Caller } from '../http/resource-call.ts';

export interface SpeechInput {
  readonly text: string;
  readonly language: string;
  readonly voiceId: string;
  /** 0.5 to 2. */
  readonly speed: number;
  /** Durable, created by the caller: a repeat with it is charged once. */
  readonly idempotencyKey: string;
  /** Path of the WAV; an existing file is replaced only by a complete one. */
  readonly target: string;
  readonly signal?: AbortSignal;
  /** Called when audio begins to arrive; the returned function gets the bytes of the file after they were written. */
  readonly listen?: () => (chunk: Uint8Array) => void;
}

/** `pending`: accepted but not generated yet; repeating the same request with the same key asks again (E-023). */
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

/** Speech from text, its history, and the voices (contract 4.5, 4.8). */
export interface SpeakApi {
  catalog(signal?: AbortSignal): Promise<Result<SpeechCatalog, Failure>>;
  voices(
    filter: { readonly language?: string; readonly kind?: 'custom' },
    signal?: AbortSignal,
  ): Promise<Result<Page<Voice>, Failure>>;
  /** One attempt: repeating is the caller's decision, because only the caller knows that the key is durable. */
  speak(input: SpeechInput): Promise<Result<Speech, Failure>>;
  list(
    page: { readonly limit?: number; readonly cursor?: string },
    signal?: AbortSignal,
  ): Promise<Result<Page<Generation>, Failure>>;
  read(generationId: string, signal?: AbortSignal): Promise<Result<Generation, Failure>>;
  remove(generationId: string, signal?: AbortSignal): Promise<Result<null, Failure>>;
}

const largestSpeechBytes = 2 * 1024 ** 3;

export function createSpeakApi(caller: Caller): SpeakApi {
  return {
    catalog: (signal) => caller.read('speak.languages', readSpeechCatalog, { signal }),
    voices: (filter, signal) => caller.read('voices.list', readVoices, { query: { ...filter }, signal }),
    speak: (input) => speak(caller, input),
    list: (page, signal) =>
      caller.read('speak.list', readGenerations, { query: pageQuery(page, limits.pages.generations), signal }),
    read: (generation_id, signal) =>
      caller.read('speak.read', readGeneration, { target: 'resource', values: { generation_id }, signal }),
    remove: (generation_id, signal) =>
      caller.change('speak.remove', { target: 'resource', values: { generation_id }, signal }, true),
  };
}

async function speak(caller: Caller, input: SpeechInput): Promise<Result<Speech, Failure>> {
  let part: PartFile;
  try {
    part = await openPart(input.target, largestSpeechBytes);
  } catch {
    return err(makeFailure('E-175', { code: 'target_not_writable' }));
  }
  try {
    const reply = await caller.send('speak.generate', {
      // The order of the fields is fixed, because a repeat must have the same bytes.
      json: { text: input.text, language: input.language, voice_id: input.voiceId, speed: input.speed },
      idempotencyKey: input.idempotencyKey,
      attempts: 'once',
      takeBody: ({ status, contentType }) =>
        status === 200 && mayBeAudio(contentType) ? heardBy(part.taker, input.listen?.()) : null,
      signal: input.signal,
    });
    return reply.ok ? await keep(caller, reply.value, part) : reply;
  } finally {
    await part.discard();
  }
}

const heardBy = (sink: BodySink, hear: ((chunk: Uint8Array) => void) | undefined): BodySink =>
  hear === undefined
    ? sink
    : {
        maxBytes: sink.maxBytes,
        async write(chunk) {
          await sink.write(chunk);
          hear(chunk);
        },
      };

async function keep(caller: Caller, reply: Reply, part: PartFile): Promise<Result<Speech, Failure>> {
  const { requestId } = reply;
  if (!reply.isTaken) {
    return reply.status === 202
      ? ok({ kind: 'pending', ...readPendingSpeech(bodyOf(reply, caller.wire)), requestId })
      : err(unreadable(reply, false));
  }
  const sizeBytes = part.sizeBytes();
  if (!isWholeWav(part.head(), sizeBytes)) {
    return err(
      makeFailure('E-025', { code: 'damaged_wav', status: reply.status, ...(requestId === null ? {} : { requestId }) }),
    );
  }
  try {
    const start = startWithTrueSizes(part.head(), sizeBytes);
    if (start !== null) await part.rewriteStart(start);
    await part.finish();
  } catch {
    return err(makeFailure('E-175', { code: 'target_not_writable', outcome: 'accepted' }));
  }
  return ok({ kind: 'made', sizeBytes, durationMs: wavDurationMs(part.head(), sizeBytes), requestId });
}

/** Whether a file starts with RIFF and WAVE and has its stated size. Placeholder sizes from a stream count as open. */
function isWholeWav(head: Buffer, sizeBytes: number): boolean {
  if (head.length < 44 || head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE')
    return false;
  const stated = head.readUInt32LE(4);
  return isOpen(stated) || stated + 8 <= sizeBytes;
}

/** Written before the length was known. */
const isOpen = (stated: number): boolean => stated === 0 || stated === 0xffff_ffff;

/** The start of a streamed WAV with its real sizes; null when they are there already. */
function startWithTrueSizes(head: Buffer, sizeBytes: number): Buffer | null {
  const dataAt = chunkAt(head, 'data');
  const isDataOpen = dataAt !== null && isOpen(head.readUInt32LE(dataAt + 4)) && sizeBytes > dataAt + 8;
  if (!isOpen(head.readUInt32LE(4)) && !isDataOpen) return null;
  const start = Buffer.from(head.subarray(0, (dataAt ?? 4) + 8));
  start.writeUInt32LE(sizeBytes - 8, 4);
  if (isDataOpen) start.writeUInt32LE(sizeBytes - dataAt - 8, dataAt + 4);
  return start;
}

/** Offset of a chunk of a RIFF file, if its header is in `head`. */
function chunkAt(head: Buffer, name: string): number | null {
  for (let at = 12; at + 8 <= head.length;) {
    if (head.toString('latin1', at, at + 4) === name) return at;
    const size = head.readUInt32LE(at + 4);
    at += 8 + size + (size % 2);
  }
  return null;
}

/** Duration by the plain header that the service writes; null for any other layout. */
function wavDurationMs(head: Buffer, sizeBytes: number): number | null {
  if (head.toString('latin1', 12, 16) !== 'fmt ' || head.toString('latin1', 36, 40) !== 'data') return null;
  const bytesPerSecond = head.readUInt32LE(28);
  const stated = head.readUInt32LE(40);
  const dataBytes = stated === 0 ? sizeBytes - 44 : Math.min(stated, sizeBytes - 44);
  return bytesPerSecond === 0 ? null : Math.round((dataBytes * 1000) / bytesPerSecond);
}
