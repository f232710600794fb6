import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok } from '../../../shared/result/result.ts';
import { hasSegments, readRevision, writeEditorBody } from '../../../shared/wire/editor-body.ts';
import { readTranscriptionPage } from '../../../shared/wire/read-transcription.ts';
import type { Reply } from '../http/call.ts';
import { bodyOf, type Caller } from '../http/resource-call.ts';
import type { ClientClock } from '../http/clock.ts';
import type { ServiceCore } from '../http/service-core.ts';
import type { RemoteTranscription, SttApi, SubmitInput } from '../stt-api.ts';
import { idInLocation, readSttAnswer } from './read-stt-answer.ts';

export interface SttOptions {
  readonly caller: Caller;
  readonly core: ServiceCore;
  readonly clock: ClientClock;
  /** Longer answers, in characters, are passed on unread (`RemoteTranscription.unread`). */
  readonly longestRead: number;
}

/** Saved speech-to-text over HTTP (contract 4.6). */
export function createSttApi({ caller, core, clock, longestRead }: SttOptions): SttApi {
  const { wire } = caller;
  const toRemote = ({ status, text, location, requestId }: Reply): RemoteTranscription => {
    const answer = { status, text, location, requestId };
    if (text.length <= longestRead) return { ...readSttAnswer(answer, wire.aliases), raw: text };
    return { ...unreported, remoteId: idInLocation(answer), requestId, model: null, raw: text, unread: answer };
  };
  const readJob = (remoteId: string, signal: AbortSignal | undefined) =>
    caller.send('stt.read', {
      target: 'job',
      values: { transcription_id: remoteId },
      attempts: 'interactive',
      signal,
    });
  return {
    dropConnections: () => core.dropConnections(),
    dropStaleConnections: (addresses) => core.dropStaleConnections(addresses),
    allowProbe: () => core.allowProbe(),
    isNamed: () => core.isNamed(),

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
        contentSha256: input.sha256,
        attempts: 'once',
        signal: input.signal,
      });
      return reply.ok ? ok(toRemote(reply.value)) : reply;
    },

    async read(remoteId, signal) {
      const reply = await readJob(remoteId, signal);
      return reply.ok ? ok(toRemote(reply.value)) : reply;
    },

    async list({ limit, cursor }, signal) {
      const reply = await caller.send('stt.list', {
        target: 'route',
        query: { limit: Math.min(100, Math.max(1, Math.trunc(limit))), cursor },
        attempts: 'interactive',
        // Called by the queue, which polls for what it has sent.
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

    async readText(remoteId, signal) {
      const reply = await readJob(remoteId, signal);
      if (!reply.ok) return reply;
      const { text, status, location, requestId } = reply.value;
      const body = bodyOf(reply.value, wire);
      const { transcript } = readSttAnswer({ status, text, location, requestId }, wire.aliases);
      return ok({ revision: readRevision(body), transcript, isEditable: hasSegments(body) });
    },

    async saveText(remoteId, revision, text, signal) {
      const reply = await caller.send('stt.save-editor', {
        target: 'resource',
        values: { transcription_id: remoteId },
        json: writeEditorBody(revision, text),
        attempts: 'once',
        signal,
      });
      if (reply.ok) return ok({ kind: 'saved', revision: readRevision(bodyOf(reply.value, wire)) });
      return isStale(reply.error) ? ok({ kind: 'stale' }) : reply;
    },

    rename: (remoteId, title, signal) =>
      caller.change('stt.rename', {
        target: 'resource',
        values: { transcription_id: remoteId },
        json: { title },
        signal,
      }),

    remove: (remoteId, signal) =>
      // Gone is the wanted state, also when an earlier answer was lost.
      caller.change('stt.remove', { target: 'resource', values: { transcription_id: remoteId }, signal }, true),

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

/** Somebody else was faster (409), or the revision is outdated (412); a text that is still being made is neither. */
const isStale = ({ status, code }: Failure): boolean =>
  status === 412 || (status === 409 && code !== 'transcription_not_completed');

const unreported = { status: 'unknown', rawStatus: null, transcript: null, errorCode: null } as const;

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
