import { parseGuardedJson } from '../../../shared/domain/failures/guarded-json.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { ReceivedTranscript } from '../../../shared/domain/transcript/received.ts';
import { err, ok } from '../../../shared/result/result.ts';
import { endpoints } from '../../../shared/wire/endpoints.ts';
import { asId } from '../../../shared/wire/loose.ts';
import { readTranscription, readTranscriptionPage } from '../../../shared/wire/read-transcription.ts';
import { openHttpCore, type ClientOptions } from '../core/client-options.ts';
import type { HttpCore, Reply } from '../core/http-core.ts';
import { systemClientClock, type ClientClock } from '../core/clock.ts';
import type { RemoteTranscription, SttApi, SubmitInput } from '../stt-api.ts';

/** Saved speech-to-text over HTTP (service-api 4.6). `close` drops idle connections at the end of the program. */
export function createSttApi(options: ClientOptions): SttApi & { readonly close: () => Promise<void> } {
  const { core, close } = openHttpCore(options);
  return { ...sttApiOver(core, options.clock ?? systemClientClock), close };
}

function sttApiOver(core: HttpCore, clock: ClientClock): SttApi {
  return {
    async submit(input) {
      const reply = await core.call({
        endpoint: endpoints['stt.submit'],
        target: 'route',
        idempotencyKey: input.idempotencyKey,
        form: {
          fields: { language: input.language, include_speakers: String(input.includeSpeakers) },
          files: [{ field: 'audio', source: input.source }],
          boundary: `ovoz-${input.idempotencyKey.replaceAll(/[^A-Za-z0-9-]/gu, '').slice(0, 60)}`,
          onFileBytes: paced(input, clock),
        },
        attempts: 'once',
        signal: input.signal,
      });
      return reply.ok ? ok(toRemote(reply.value)) : reply;
    },

    async read(remoteId, signal) {
      const reply = await core.call({
        endpoint: endpoints['stt.read'],
        target: 'job',
        values: { transcription_id: remoteId },
        attempts: 'interactive',
        signal,
      });
      return reply.ok ? ok(toRemote(reply.value)) : reply;
    },

    async list({ limit, cursor }, signal) {
      const reply = await core.call({
        endpoint: endpoints['stt.list'],
        target: 'route',
        query: { limit: Math.min(100, Math.max(1, Math.trunc(limit))), cursor },
        attempts: 'interactive',
        signal,
      });
      if (!reply.ok) return reply;
      const json = parseGuardedJson(reply.value.text);
      const page = json.isJson ? readTranscriptionPage(json.value) : null;
      return page === null ? err(unreadable(reply.value)) : ok(page);
    },

    async rename(remoteId, title, signal) {
      const reply = await core.call({
        endpoint: endpoints['stt.rename'],
        target: 'resource',
        values: { transcription_id: remoteId },
        json: { title },
        attempts: 'interactive',
        signal,
      });
      return reply.ok ? ok(null) : reply;
    },

    async remove(remoteId, signal) {
      const reply = await core.call({
        endpoint: endpoints['stt.remove'],
        target: 'resource',
        values: { transcription_id: remoteId },
        attempts: 'interactive',
        signal,
      });
      // Gone is what was wanted, also when an earlier answer was lost (reliability 3.3).
      return reply.ok || reply.error.row === 'E-040' || reply.error.row === 'E-046' ? ok(null) : reply;
    },

    async export(remoteId, format, signal) {
      const reply = await core.call({
        endpoint: endpoints['stt.export'],
        target: 'resource',
        values: { transcription_id: remoteId },
        query: { format },
        attempts: 'interactive',
        signal,
      });
      return reply.ok ? ok(reply.value.text) : reply;
    },
  };
}

/** The words in a JSON export of the service, in any usual shape; null when there are none. */
export function readExportedTranscript(body: string): ReceivedTranscript | null {
  const json = parseGuardedJson(body);
  return json.isJson
    ? readTranscription(Array.isArray(json.value) ? { segments: json.value } : json.value).transcript
    : null;
}

/** A 2xx as far as it can be read; `raw` keeps all of it. */
function toRemote(reply: Reply): RemoteTranscription {
  const json = parseGuardedJson(reply.text);
  const body = readTranscription(json.isJson ? json.value : null);
  const read = { ...body, remoteId: body.remoteId ?? idInLocation(reply) };
  const isOnlyTaken = reply.status === 202 && read.transcript === null;
  return {
    ...read,
    // 202 says that the work waits, whatever word an envelope around it uses.
    status: isOnlyTaken && (read.status === 'completed' || isSilentOn(read)) ? 'queued' : read.status,
    raw: reply.text,
    requestId: read.requestId ?? reply.requestId,
  };
}

/** A job may be named only by where it is (RFC 9110, 10.2.2). The id alone is taken, never the address. */
function idInLocation({ status, location }: Reply): string | null {
  const part = /\/stt\/transcriptions\/([^/?#]+)\/?(?:[?#].*)?$/u.exec(location ?? '')?.[1];
  if (part === undefined || (status !== 201 && status !== 202)) return null;
  try {
    return asId(decodeURIComponent(part)) ?? null;
  } catch {
    return null;
  }
}

const isSilentOn = ({ status, rawStatus, remoteId }: Omit<RemoteTranscription, 'raw'>): boolean =>
  status === 'unknown' && rawStatus === null && remoteId !== null;

const unreadable = (reply: Reply): Failure =>
  makeFailure('E-024', {
    code: 'unreadable_answer',
    status: reply.status,
    ...(reply.requestId === null ? {} : { requestId: reply.requestId }),
  });

const progressEveryMs = 100;

/** Passes progress on at most ten times a second, and always at the end. */
function paced(input: SubmitInput, clock: ClientClock): ((sentBytes: number) => void) | undefined {
  const { onProgress, source } = input;
  if (onProgress === undefined) return undefined;
  let lastMs = -Infinity;
  return (sentBytes) => {
    const now = clock.monotonic();
    if (now - lastMs < progressEveryMs && sentBytes < source.sizeBytes) return;
    lastMs = now;
    onProgress(sentBytes, source.sizeBytes);
  };
}
