import type { Readable } from 'node:stream';
import type { UndecodableCode } from '../../../shared/domain/audio/pcm-block.ts';

type Headers = Readonly<Record<string, string>>;

/**
 * The answer that a handler decided on. The writer adds `request_id` to every JSON body and breaks it when a fault asks
 * for that.
 */
export type Answer =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly body: Readonly<Record<string, unknown>>;
      readonly headers?: Headers;
    }
  | { readonly kind: 'file'; readonly contentType: string; readonly fileName: string; readonly text: string }
  | {
      readonly kind: 'bytes';
      readonly status: number;
      readonly contentType: string;
      readonly body: Buffer;
      readonly headers?: Headers;
    }
  | {
      readonly kind: 'stream';
      readonly status: number;
      readonly contentType: string;
      /**
       * Opened only when the answer is written. `length` is null when the end of the stream marks the end of the body.
       */
      readonly open: () => Readable;
      readonly length: number | null;
      readonly headers?: Headers;
    }
  | { readonly kind: 'empty'; readonly status: 204 };

export const json = (status: number, body: Readonly<Record<string, unknown>>, headers?: Headers): Answer =>
  headers === undefined ? { kind: 'json', status, body } : { kind: 'json', status, body, headers };

/** The standard error envelope (contract 7). `fields` maps a field's name to its problem. */
export const problem = (
  status: number,
  code: string,
  message: string,
  fields?: Readonly<Record<string, string>>,
  headers?: Headers,
): Answer => json(status, { message, error: fields === undefined ? { code } : { code, fields } }, headers);

export const noContent: Answer = { kind: 'empty', status: 204 };

export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer | (() => Readable);
}

/** RFC 6266 with an ASCII fallback: names may contain Uzbek or Russian letters. */
const attachment = (fileName: string): string =>
  `attachment; filename="${fileName.replaceAll(/[^\w. -]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(fileName)}`;

/** The bytes of an answer, with the length where it is known in advance. */
export function serialise(answer: Answer, requestId: string): WireAnswer {
  const common = { 'x-request-id': requestId, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  const whole = (status: number, body: Buffer, headers: Headers): WireAnswer => ({
    status,
    headers: { ...common, ...headers, 'content-length': String(body.length) },
    body,
  });
  switch (answer.kind) {
    case 'json':
      return whole(answer.status, Buffer.from(JSON.stringify({ ...answer.body, request_id: requestId })), {
        'content-type': 'application/json; charset=utf-8',
        ...answer.headers,
      });
    case 'file':
      return whole(200, Buffer.from(answer.text), {
        'content-type': answer.contentType,
        'content-disposition': attachment(answer.fileName),
      });
    case 'bytes':
      return whole(answer.status, answer.body, { 'content-type': answer.contentType, ...answer.headers });
    case 'stream': {
      const length: Headers = answer.length === null ? {} : { 'content-length': String(answer.length) };
      const headers = { ...common, 'content-type': answer.contentType, ...answer.headers, ...length };
      return { status: answer.status, headers, body: answer.open };
    }
    case 'empty':
      return { status: answer.status, headers: common, body: Buffer.alloc(0) };
  }
}

const refusals: Readonly<Record<UndecodableCode, { readonly status: number; readonly message: string }>> = {
  unsupported_media_type: { status: 415, message: 'The file is not MP3, WAV, M4A, OGG, WebM or FLAC.' },
  unsupported_codec: { status: 422, message: 'The sound in this file is written in a way that is not supported.' },
  invalid_audio: { status: 422, message: 'The sound in this file cannot be decoded.' },
  audio_too_large: { status: 413, message: 'The recording is longer than six hours.' },
  no_audio: { status: 422, message: 'There is no sound in this file.' },
};

/** The answer to a file that contains no audio. */
export function refuseUndecodable(code: UndecodableCode, detail: string, field = 'audio'): Answer {
  const { status, message } = refusals[code];
  return problem(status, code, message, { [field]: detail });
}

/** The envelope of the handlers for language models (contract 7). */
export const llmProblem = (
  status: number,
  code: string,
  message: string,
  headers?: Readonly<Record<string, string>>,
): Answer => json(status, { error: { message, type: 'request_error', code } }, headers);

/** An answer in the standard envelope, written as these handlers write it. */
export function asLlmProblem(
  answer: Answer,
  statusOf: (status: number, code: string) => number = (status) => status,
): Answer {
  if (answer.kind !== 'json') return answer;
  const { message, error } = answer.body as { message?: string; error?: { code?: string } };
  const code = error?.code ?? 'validation_error';
  return llmProblem(statusOf(answer.status, code), code, message ?? 'The request is not right.', answer.headers);
}
