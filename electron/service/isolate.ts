import { cleanCode } from '../../shared/domain/failures/clean-text.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, type Result } from '../../shared/result/result.ts';
import { limits } from './limits.ts';
import type { UploadSource } from './upload.ts';
import { pageQuery } from './http.ts';
import type { Caller } from './caller.ts';
import {
  asArray,
  isJsonObject,
  pickFrom,
  unwrap,
  fieldsOf,
  msOfSeconds,
  readNamed,
  readPage,
  readWithId,
  type Page,
} from './values.ts';
import { readSignedUrl } from './download.ts';

export const isolationLimits = { fileBytes: limits.isolation.toolFileBytes, listed: limits.pages.isolations.max };

export type IsolationFormat = 'mp3' | 'wav' | 'flac' | 'ogg' | 'original';

interface IsolationInput {
  readonly title?: string;
  readonly speechRestoration: boolean;
  readonly restorationModel?: string;
  /** Durable, created by the caller: the same key and content never hold credits twice. */
  readonly idempotencyKey: string;
  readonly onFileBytes?: (sentBytes: number) => void;
  readonly signal?: AbortSignal;
}

/** Noise removal for recordings (contract 4.7). Uploads are one attempt; repeating is the queue's decision. */
export function createIsolateApi(caller: Caller) {
  /** Larger files are refused here, before a byte is sent (file-too-large). */
  const tooLarge = (sources: readonly UploadSource[]): Failure | null => {
    const size = Math.max(0, ...sources.map(({ sizeBytes }) => sizeBytes));
    if (size <= limits.isolation.toolFileBytes) return null;
    return makeFailure('file-too-large', {
      code: 'file_too_large',
      outcome: 'not_sent',
      layer: 'local',
      params: { size },
    });
  };
  const once = (input: IsolationInput, sources: readonly UploadSource[]) =>
    ({
      form: {
        fields: {
          title: input.title,
          speech_restoration: input.speechRestoration,
          restoration_model: input.restorationModel,
        },
        files: sources.map((source) => ({ field: 'audio', source })),
        onFileBytes: input.onFileBytes,
      },
      idempotencyKey: input.idempotencyKey,
      attempts: 'once',
      signal: input.signal,
    }) as const;

  return {
    async submit(
      input: IsolationInput & { readonly source: UploadSource; readonly sha256?: string },
    ): Promise<Result<IsolationJob>> {
      const refused = tooLarge([input.source]);
      return refused === null
        ? caller.read('isolate.submit', {
            ...once(input, [input.source]),
            contentSha256: input.sha256,
          })
        : err(refused);
    },
    async submitBatch(
      input: IsolationInput & { readonly sources: readonly UploadSource[] },
    ): Promise<Result<readonly (IsolationJob | null)[]>> {
      const refused = tooLarge(input.sources);
      return refused === null ? caller.read('isolate.batch', once(input, input.sources)) : err(refused);
    },
    list: (page: { readonly limit?: number; readonly cursor?: string }, signal?: AbortSignal) =>
      caller.read('isolate.list', { query: pageQuery(page, limits.pages.isolations), signal }),
    read: (id: string, signal?: AbortSignal) => caller.read('isolate.read', { values: { id }, signal }),
    remove: (id: string, signal?: AbortSignal) => caller.change('isolate.remove', { values: { id }, signal }, true),
    createExport: (id: string, format: IsolationFormat, signal?: AbortSignal) =>
      caller.read('isolate.exports.create', {
        values: { id },
        json: { format },
        signal,
      }),
    readExport: (id: string, format: IsolationFormat, signal?: AbortSignal) =>
      caller.read('isolate.exports.read', { values: { id, format }, signal }),
  };
}

/** Whether the audio can be downloaded; unknown words of the service mean `working`. */
type Progress = 'working' | 'completed' | 'failed';

const idNames = ['id', 'isolation_id', 'isolationId', 'voice_isolation_id', 'job_id'];
const failedWords = /^(?:failed|failure|error|errored|cancelled|canceled|rejected)$/u;
const readyWords = /^(?:completed|complete|ready|done|succeeded|success|available)$/u;

/** One job (assumptions: isolation-job); null without an identifier. */
export const readIsolation = (body: unknown, requestId: string | null = null) =>
  readWithId(
    body,
    ['voice_isolation', 'isolation', 'job', 'item'],
    idNames,
    (id, { text, count, decimal, moment }, source) => {
      const status = text('status', 'state');
      const audioStatus = text('audio_status', 'audioStatus');
      const audio = readSignedUrl(source);
      return {
        id,
        title: text('title', 'name', 'filename'),
        progress: progressOf(
          [status, audioStatus],
          readyWords.test((audioStatus ?? '').toLowerCase()) && audio !== null,
        ),
        status,
        audioStatus,
        audio,
        durationMs: count('duration_ms') ?? msOfSeconds(count('duration', 'duration_seconds')),
        credits: decimal('credits_used', 'credits', 'credits_held'),
        errorCode: cleanCode(text('error_code', 'failure_code')) ?? null,
        createdAt: moment('created_at'),
        requestId,
      };
    },
  );

export type IsolationJob = NonNullable<ReturnType<typeof readIsolation>>;

const progressOf = (words: readonly (string | null)[], isReady: boolean): Progress => {
  if (words.some((word) => failedWords.test((word ?? '').toLowerCase()))) return 'failed';
  return isReady ? 'completed' : 'working';
};

/** A page of jobs; null when there is no list. */
export const readIsolations = (body: unknown): Page<IsolationJob> | null =>
  readPage(body, ['isolations', 'voice_isolations', 'jobs'], (item) => readIsolation(item));

/** The jobs of a batch in the order of its files; null where one can't be read, null for all when there is no list. */
export function readBatch(body: unknown): readonly (IsolationJob | null)[] | null {
  const list = pickFrom(unwrap(body), ['jobs', 'isolations', 'voice_isolations', 'data', 'items', 'results'], asArray);
  return list?.map((item) => readIsolation(item)) ?? null;
}

/** The state of an export (assumptions: isolation-export); null when the body contains neither state nor address. */
export function readIsolationExport(body: unknown) {
  const source = readNamed(body, ['export'], ['status', 'state', 'url', 'download_url', 'audio_url']);
  if (source === null || !isJsonObject(source)) return null;
  const { text } = fieldsOf(source);
  const status = text('status', 'state');
  const audio = readSignedUrl(source);
  const isReady = audio !== null && (status === null || readyWords.test(status.toLowerCase()));
  return { format: text('format'), status, progress: progressOf([status], isReady), audio };
}
