/** What a handler decided to say. The writer adds `request_id` to every JSON body and, when asked to, breaks it. */
export type Answer =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly body: Readonly<Record<string, unknown>>;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'file'; readonly contentType: string; readonly fileName: string; readonly text: string }
  | { readonly kind: 'empty'; readonly status: 204 };

export const json = (
  status: number,
  body: Readonly<Record<string, unknown>>,
  headers?: Readonly<Record<string, string>>,
): Answer => (headers === undefined ? { kind: 'json', status, body } : { kind: 'json', status, body, headers });

/** The standard error envelope (service-api 7). `fields` maps a field's name to what is wrong with it. */
export const problem = (
  status: number,
  code: string,
  message: string,
  fields?: Readonly<Record<string, string>>,
  headers?: Readonly<Record<string, string>>,
): Answer => json(status, { message, error: fields === undefined ? { code } : { code, fields } }, headers);

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** RFC 6266 with a plain fallback: names may hold Uzbek or Russian letters. */
const attachment = (fileName: string): string =>
  `attachment; filename="${fileName.replaceAll(/[^\w. -]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(fileName)}`;

/** The bytes of an answer, with the length already known. */
export function serialise(answer: Answer, requestId: string): WireAnswer {
  const common = { 'x-request-id': requestId, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  switch (answer.kind) {
    case 'json': {
      const body = Buffer.from(JSON.stringify({ ...answer.body, request_id: requestId }));
      return {
        status: answer.status,
        headers: {
          ...common,
          'content-type': 'application/json; charset=utf-8',
          ...answer.headers,
          'content-length': String(body.length),
        },
        body,
      };
    }
    case 'file': {
      const body = Buffer.from(answer.text);
      return {
        status: 200,
        headers: {
          ...common,
          'content-type': answer.contentType,
          'content-disposition': attachment(answer.fileName),
          'content-length': String(body.length),
        },
        body,
      };
    }
    case 'empty':
      return { status: answer.status, headers: common, body: Buffer.alloc(0) };
  }
}
