import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, type Result } from '../../../shared/result/result.ts';
import { limits } from '../../../shared/wire/limits.ts';
import type { IsolationJob } from '../../../shared/wire/read-isolation.ts';
import type { MultipartForm, UploadSource } from '../http/multipart.ts';
import { pageQuery } from '../http/http-core.ts';
import type { Caller } from '../http/resource-call.ts';

export type { IsolationJob };
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
  const formOf = (input: IsolationInput, sources: readonly UploadSource[]): MultipartForm => ({
    fields: {
      ...(input.title === undefined ? {} : { title: input.title }),
      speech_restoration: String(input.speechRestoration),
      ...(input.restorationModel === undefined ? {} : { restoration_model: input.restorationModel }),
    },
    files: sources.map((source) => ({ field: 'audio', source })),
    boundary: `ovoz-${input.idempotencyKey.replaceAll(/[^A-Za-z0-9-]/gu, '').slice(0, 60)}`,
    onFileBytes: input.onFileBytes,
  });
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
      form: formOf(input, sources),
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
