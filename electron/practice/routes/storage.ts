import { createReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Answer } from '../http/answer.ts';
import type { Exchange } from '../http/route.ts';
import type { Services } from '../services.ts';
import type { StoredObject } from '../storage/object-store.ts';

/** Object stores answer in XML, including refusals. */
const refuse = (status: number, code: string, message: string): Answer => ({
  kind: 'bytes',
  status,
  contentType: 'application/xml',
  body: Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>\n`,
  ),
});

interface Part {
  readonly start: number;
  /** The last byte, included. */
  readonly end: number;
}

/** One byte range; null: the whole file; 'outside': the file has no such bytes. */
function readRange(request: IncomingMessage, { sizeBytes, etag }: StoredObject): Part | null | 'outside' {
  const header = request.headers.range;
  const condition = request.headers['if-range'];
  if (header === undefined || (condition !== undefined && condition !== etag)) return null;
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return null;
  const start = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from);
  const end = from === '' || to === '' ? sizeBytes - 1 : Math.min(sizeBytes - 1, Number(to));
  return start > end || start >= sizeBytes ? 'outside' : { start, end };
}

/** GET /storage/{object}: the target of a signed address. Credentials of the service don't belong here. */
export async function readObject({ request, params, query }: Exchange, { links, objects }: Services): Promise<Answer> {
  const name = params['objectName'] ?? '';
  if (request.headers.authorization !== undefined || request.headers['x-api-key'] !== undefined)
    return refuse(400, 'InvalidArgument', 'Only one way of signing in is allowed.');
  switch (links.check(name, query)) {
    case 'forged':
      return refuse(403, 'SignatureDoesNotMatch', 'The signature does not belong to this address.');
    case 'expired':
      return refuse(403, 'AccessDenied', 'Request has expired.');
    case 'good':
      break;
  }
  const object = await objects.find(name);
  if (object === null) return refuse(404, 'NoSuchKey', 'There is nothing at this address.');
  const { path, sizeBytes, contentType, etag } = object;
  const range = readRange(request, object);
  const headers = { 'accept-ranges': 'bytes', etag };
  if (range === 'outside') {
    const answer = refuse(416, 'InvalidRange', 'The range lies outside of the file.');
    return answer.kind === 'bytes' ? { ...answer, headers: { 'content-range': `bytes */${sizeBytes}` } } : answer;
  }
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
  return {
    kind: 'stream',
    status: range === null ? 200 : 206,
    contentType,
    open: () => createReadStream(path, { start, end: Math.max(start, end) }),
    length: sizeBytes === 0 ? 0 : end - start + 1,
    headers: range === null ? headers : { ...headers, 'content-range': `bytes ${start}-${end}/${sizeBytes}` },
  };
}
