import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, type Result } from '../../../shared/result/result.ts';
import { limits } from '../../../shared/wire/limits.ts';
import {
  readBatch,
  readIsolation,
  readIsolationExport,
  readIsolations,
  type IsolationExport,
  type IsolationJob,
} from '../../../shared/wire/read-isolation.ts';
import type { Page } from '../../../shared/wire/values.ts';
import type { MultipartForm } from '../http/multipart.ts';
import { pageQuery, type Caller } from '../http/resource-call.ts';
import type { UploadSource } from '../stt-api.ts';

export type { IsolationJob };
export const isolationLimits = { fileBytes: limits.isolation.toolFileBytes, listed: limits.pages.isolations.max };

export type IsolationFormat = 'mp3' | 'wav' | 'flac' | 'ogg' | 'original';

interface IsolationInput {
  readonly title?: string;
  readonly speechRestoration: boolean;
  readonly restorationModel?: string;
  /** Durable, created by the caller: the same key and content never hold credits twice. */
  readonly idempotencyKey: string;
  /** Bytes of all files handed over so far. */
  readonly onFileBytes?: (sentBytes: number) => void;
  readonly signal?: AbortSignal;
}

/** Noise removal for recordings (contract 4.7). Uploads are one attempt; repeating is the queue's decision. */
export interface IsolateApi {
  /** `sha256`: of the content, for the ledger. */
  submit(
    input: IsolationInput & { readonly source: UploadSource; readonly sha256?: string },
  ): Promise<Result<IsolationJob, Failure>>;
  /** Either all files are accepted or none. The answer has one entry per file, in order. */
  submitBatch(
    input: IsolationInput & { readonly sources: readonly UploadSource[] },
  ): Promise<Result<readonly (IsolationJob | null)[], Failure>>;
  list(
    page: { readonly limit?: number; readonly cursor?: string },
    signal?: AbortSignal,
  ): Promise<Result<Page<IsolationJob>, Failure>>;
  read(id: string, signal?: AbortSignal): Promise<Result<IsolationJob, Failure>>;
  /** Hides the job; nothing is refunded. */
  remove(id: string, signal?: AbortSignal): Promise<Result<null, Failure>>;
  /** After a lost answer `readExport` shows whether it was made. */
  createExport(id: string, format: IsolationFormat, signal?: AbortSignal): Promise<Result<IsolationExport, Failure>>;
  readExport(id: string, format: IsolationFormat, signal?: AbortSignal): Promise<Result<IsolationExport, Failure>>;
}

export function createIsolateApi(caller: Caller): IsolateApi {
  const { fields } = caller.wire;
  const formOf = (input: IsolationInput, sources: readonly UploadSource[]): MultipartForm => ({
    fields: {
      ...(input.title === undefined ? {} : { [fields['isolate.title']]: input.title }),
      [fields['isolate.speech-restoration']]: String(input.speechRestoration),
      ...(input.restorationModel === undefined
        ? {}
        : { [fields['isolate.restoration-model']]: input.restorationModel }),
    },
    files: sources.map((source) => ({ field: fields['isolate.audio'], source })),
    boundary: `ovoz-${input.idempotencyKey.replaceAll(/[^A-Za-z0-9-]/gu, '').slice(0, 60)}`,
    onFileBytes: input.onFileBytes,
  });
  /** Larger files are refused here, before a byte is sent (E-048). */
  const tooLarge = (sources: readonly UploadSource[]): Failure | null => {
    const size = Math.max(0, ...sources.map(({ sizeBytes }) => sizeBytes));
    if (size <= limits.isolation.toolFileBytes) return null;
    return makeFailure('E-048', { code: 'file_too_large', outcome: 'not_sent', layer: 'local', params: { size } });
  };
  const once = (input: IsolationInput, sources: readonly UploadSource[]) =>
    ({
      form: formOf(input, sources),
      idempotencyKey: input.idempotencyKey,
      attempts: 'once',
      signal: input.signal,
    }) as const;

  return {
    async submit(input) {
      const refused = tooLarge([input.source]);
      return refused === null
        ? caller.read('isolate.submit', readIsolation, {
            ...once(input, [input.source]),
            contentSha256: input.sha256,
          })
        : err(refused);
    },
    async submitBatch(input) {
      const refused = tooLarge(input.sources);
      return refused === null ? caller.read('isolate.batch', readBatch, once(input, input.sources)) : err(refused);
    },
    list: (page, signal) =>
      caller.read('isolate.list', readIsolations, { query: pageQuery(page, limits.pages.isolations), signal }),
    read: (id, signal) => caller.read('isolate.read', readIsolation, { target: 'job', values: { id }, signal }),
    remove: (id, signal) => caller.change('isolate.remove', { target: 'resource', values: { id }, signal }, true),
    createExport: (id, format, signal) =>
      caller.read('isolate.exports.create', readIsolationExport, {
        target: 'resource',
        values: { id },
        json: { [fields['isolate.export-format']]: format },
        signal,
      }),
    readExport: (id, format, signal) =>
      caller.read('isolate.exports.read', readIsolationExport, { target: 'resource', values: { id, format }, signal }),
  };
}
