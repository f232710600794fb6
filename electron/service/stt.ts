import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { ok, type Result } from '../../shared/result/result.ts';
import { limits } from './limits.ts';
import {
  hasSegments,
  readRevision,
  writeEditorBody,
  type ReadTranscription,
  type ReadTranscriptionItem,
  idInLocation,
  readSttAnswer,
  type UnreadAnswer,
} from './read-transcription.ts';
import type { ClientClock } from './transport.ts';
import type { UploadSource } from './upload.ts';
import { bodyOf, pageQuery, type Reply } from './http.ts';
import type { Caller } from './caller.ts';
import type { ServiceCore } from './client.ts';

export interface SubmitInput {
  readonly source: UploadSource;
  readonly language: SpeechLanguage;
  readonly includeSpeakers: boolean;
  readonly idempotencyKey: string;
  readonly sha256?: string;
  readonly onProgress?: (sentBytes: number, totalBytes: number) => void;
  readonly signal?: AbortSignal;
}

export type RemoteTranscriptionItem = ReadTranscriptionItem;

/** One transcription of the service as far as it could be read. `raw` is the whole body, to be stored before use. */
export interface RemoteTranscription extends ReadTranscription {
  readonly raw: string;
  /** Too long for the client to parse: the other fields hold only what the headers said. */
  readonly unread?: UnreadAnswer;
}

/** `stale`: the text at the service has changed meanwhile, and nothing was written. */
type SavedText = { readonly kind: 'saved'; readonly revision: number | null } | { readonly kind: 'stale' };

export const serviceExportFormats = ['txt', 'json', 'srt', 'vtt'] as const;
export type ServiceExportFormat = (typeof serviceExportFormats)[number];

/** Somebody else was faster (409), or the revision is outdated (412); a text that is still being made is neither. */
const isStale = ({ status, code }: Failure): boolean =>
  status === 412 || (status === 409 && code !== 'transcription_not_completed');
const unreported = { status: 'unknown', rawStatus: null, transcript: null, errorCode: null } as const;
const progressEveryMs = 100;

/**
 * Never throws. `submit` makes one attempt: only the queue knows that the key is durable (contract 4.6). Answers longer
 * than `longestRead` characters are passed on unread.
 */
export function createSttApi(caller: Caller, core: ServiceCore, clock: ClientClock, longestRead: number) {
  const toRemote = ({ status, text, location, requestId }: Reply): RemoteTranscription => {
    const answer = { status, text, location, requestId };
    if (text.length <= longestRead) return { ...readSttAnswer(answer), raw: text };
    return { ...unreported, remoteId: idInLocation(answer), requestId, model: null, raw: text, unread: answer };
  };
  const readJob = (remoteId: string, signal?: AbortSignal) =>
    caller.send('stt.read', { values: { transcription_id: remoteId }, signal });
  return {
    dropConnections: () => core.dropConnections(),
    dropStaleConnections: (addresses: ReadonlySet<string>) => core.dropStaleConnections(addresses),
    allowProbe: () => core.allowProbe(),
    isNamed: () => core.isNamed(),

    async submit(input: SubmitInput) {
      const reply = await caller.send('stt.submit', {
        idempotencyKey: input.idempotencyKey,
        form: {
          fields: { language: input.language, include_speakers: input.includeSpeakers },
          files: [{ field: 'audio', source: input.source }],
          onFileBytes: paced(input, clock),
        },
        contentSha256: input.sha256,
        attempts: 'once',
        signal: input.signal,
      });
      return reply.ok ? ok(toRemote(reply.value)) : reply;
    },

    async read(remoteId: string, signal?: AbortSignal) {
      const reply = await readJob(remoteId, signal);
      return reply.ok ? ok(toRemote(reply.value)) : reply;
    },

    list: ({ limit, cursor }: { readonly limit: number; readonly cursor?: string }, signal?: AbortSignal) =>
      // Called by the queue, which polls for what it has sent.
      caller.read('stt.list', {
        query: pageQuery({ limit, cursor }, limits.pages.transcriptions),
        urgency: 'poll',
        signal,
      }),

    /** One free read. A failure names the obstacle, or what the service itself reports. */
    async reach(signal?: AbortSignal) {
      const reply = await caller.send('stt.list', { query: { limit: 1 }, attempts: 'once', signal });
      return reply.ok ? ok(null) : reply;
    },

    async readText(remoteId: string, signal?: AbortSignal) {
      const reply = await readJob(remoteId, signal);
      if (!reply.ok) return reply;
      const { text, status, location, requestId } = reply.value;
      const body = bodyOf(reply.value);
      const { transcript } = readSttAnswer({ status, text, location, requestId });
      return ok({ revision: readRevision(body), transcript, isEditable: hasSegments(body) });
    },

    async saveText(
      remoteId: string,
      revision: number,
      text: Transcript,
      signal?: AbortSignal,
    ): Promise<Result<SavedText>> {
      const reply = await caller.send('stt.save-editor', {
        values: { transcription_id: remoteId },
        json: writeEditorBody(revision, text),
        attempts: 'once',
        signal,
      });
      if (reply.ok) return ok({ kind: 'saved', revision: readRevision(bodyOf(reply.value)) });
      return isStale(reply.error) ? ok({ kind: 'stale' }) : reply;
    },

    rename: (remoteId: string, title: string, signal?: AbortSignal) =>
      caller.change('stt.rename', {
        values: { transcription_id: remoteId },
        json: { title },
        signal,
      }),

    remove: (remoteId: string, signal?: AbortSignal) =>
      // Gone is the wanted state, also when an earlier answer was lost.
      caller.change('stt.remove', { values: { transcription_id: remoteId }, signal }, true),

    async export(remoteId: string, format: ServiceExportFormat, signal?: AbortSignal) {
      const reply = await caller.send('stt.export', {
        values: { transcription_id: remoteId },
        query: { format },
        urgency: 'download',
        signal,
      });
      return reply.ok ? ok(reply.value.text) : reply;
    },
  };
}

export type SttApi = ReturnType<typeof createSttApi>;

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
