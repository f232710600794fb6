import { parseGuardedJson } from '../../../shared/domain/failures/guarded-json.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { ReceivedTranscript } from '../../../shared/domain/transcript/received.ts';
import { err, ok } from '../../../shared/result/result.ts';
import { asId } from '../../../shared/wire/loose.ts';
import { readTranscription, readTranscriptionPage } from '../../../shared/wire/read-transcription.ts';
import { defaultWireTable, withAliases, type WireTable } from '../../../shared/wire/wire-table.ts';
import { openHttpCore, type ClientOptions } from '../core/client-options.ts';
import type { Reply } from '../core/http-core.ts';
import { bodyOf, createCaller, type Caller } from '../core/resource-call.ts';
import { systemClientClock, type ClientClock } from '../core/clock.ts';
import type { RemoteTranscription, ServiceWay, SttApi, SubmitInput } from '../stt-api.ts';

/** Saved speech-to-text over HTTP (service-api 4.6). `close` drops idle connections at the end of the program. */
export function createSttApi(options: ClientOptions): SttApi & { readonly close: () => Promise<void> } {
  const { core, dropConnections, dropStaleConnections, isNamed, close } = openHttpCore(options);
  const caller = createCaller(core, options.wire ?? defaultWireTable);
  return {
    ...sttApiOver(caller, options.clock ?? systemClientClock),
    dropConnections,
    dropStaleConnections,
    isNamed,
    allowProbe: () => core.allowProbe(),
    close,
  };
}

type OverHttp = Omit<SttApi, Exclude<keyof ServiceWay, 'reach'>>;

function sttApiOver(caller: Caller, clock: ClientClock): OverHttp {
  const { wire } = caller;
  return {
    async submit(input) {
      const reply = await caller.send('stt.submit', {
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
      return reply.ok ? ok(toRemote(reply.value, wire)) : reply;
    },

    async read(remoteId, signal) {
      const reply = await caller.send('stt.read', {
        target: 'job',
        values: { transcription_id: remoteId },
        attempts: 'interactive',
        signal,
      });
      return reply.ok ? ok(toRemote(reply.value, wire)) : reply;
    },

    async list({ limit, cursor }, signal) {
      const reply = await caller.send('stt.list', {
        target: 'route',
        query: { limit: Math.min(100, Math.max(1, Math.trunc(limit))), cursor },
        attempts: 'interactive',
        // Asked by the queue, which looks for what it has sent.
        urgency: 'poll',
        signal,
      });
      if (!reply.ok) return reply;
      const page = readTranscriptionPage(bodyOf(reply.value, wire));
      return page === null ? err(unreadable(reply.value)) : ok(page);
    },

    async reach(signal) {
      const reply = await caller.send('stt.list', { query: { limit: 1 }, attempts: 'once', signal });
      return reply.ok ? ok(null) : reply;
    },

    async rename(remoteId, title, signal) {
      const reply = await caller.send('stt.rename', {
        target: 'resource',
        values: { transcription_id: remoteId },
        json: { title },
        attempts: 'interactive',
        signal,
      });
      return reply.ok ? ok(null) : reply;
    },

    async remove(remoteId, signal) {
      const reply = await caller.send('stt.remove', {
        target: 'resource',
        values: { transcription_id: remoteId },
        attempts: 'interactive',
        signal,
      });
      // Gone is what was wanted, also when an earlier answer was lost (reliability 3.3).
      return reply.ok || reply.error.row === 'E-040' || reply.error.row === 'E-046' ? ok(null) : reply;
    },

    async export(remoteId, format, signal) {
      const reply = await caller.send('stt.export', {
        target: 'resource',
        values: { transcription_id: remoteId },
        query: { format },
        attempts: 'interactive',
        urgency: 'download',
        signal,
      });
      return reply.ok ? ok(reply.value.text) : reply;
    },
  };
}

/** The words in a JSON export of the service, in any usual shape; null when there are none. */
export function readExportedTranscript(body: string, wire: WireTable = defaultWireTable): ReceivedTranscript | null {
  const json = parseGuardedJson(body);
  if (!json.isJson) return null;
  const value = withAliases(json.value, wire.aliases);
  return readTranscription(Array.isArray(value) ? { segments: value } : value).transcript;
}

/** A 2xx as far as it can be read; `raw` keeps all of it. */
function toRemote(reply: Reply, wire: WireTable): RemoteTranscription {
  const body = readTranscription(bodyOf(reply, wire));
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
