import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { refuse, route, type Answer, type Exchange, type Route } from './http.ts';
import type { Services } from './services.ts';

const objectTypes = {
  wav: 'audio/wav',
  flac: 'audio/flac',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  bin: 'application/octet-stream',
} as const;
type Extension = keyof typeof objectTypes;

/** The file of what was made for a user. */
export const objectPath = ({ folder }: Pick<Services, 'folder'>, id: string, extension: Extension): string =>
  join(folder, 'objects', `${id}.${extension}`);

export const writeObject = (
  services: Pick<Services, 'folder'>,
  id: string,
  extension: Extension,
  bytes: Buffer,
): Promise<void> => writeFile(objectPath(services, id, extension), bytes, { mode: 0o600, flush: true });

/** Addresses that are valid for a while without any other credential, like those of object stores. */
export function openLinks(lifeMs: number, baseUrl: () => string, now: () => number) {
  const secret = randomBytes(32);
  const sign = (object: string, expires: string): Buffer =>
    createHmac('sha256', secret).update(`${object}\n${expires}`).digest();
  return {
    linkTo(id: string, extension: Extension): string {
      const object = `${id}-${extension}`;
      const expires = String(now() + lifeMs);
      const signature = sign(object, expires).toString('base64url');
      return `${baseUrl()}/storage/${object}?expires=${expires}&signature=${signature}`;
    },
    isGood(object: string, query: URLSearchParams): boolean {
      const expires = query.get('expires') ?? '';
      const given = Buffer.from(query.get('signature') ?? '', 'base64url');
      const expected = sign(object, expires);
      return given.length === expected.length && timingSafeEqual(given, expected) && Number(expires) > now();
    },
  };
}

/** One byte range, its end included; null: the whole file. */
function readRange({ request }: Exchange, sizeBytes: number, etag: string) {
  const header = request.headers.range;
  const condition = request.headers['if-range'];
  if (header === undefined || (condition !== undefined && condition !== etag)) return null;
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return null;
  const start = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from);
  const end = from === '' || to === '' ? sizeBytes - 1 : Math.min(sizeBytes - 1, Number(to));
  if (start <= end && start < sizeBytes) return { start, end };
  const headers = { 'content-range': `bytes */${sizeBytes}` };
  return refuse(416, 'invalid_range', 'The range lies outside of the file.', undefined, headers);
}

/** Credentials of the service don't belong at a signed address. */
async function readObject(exchange: Exchange, services: Services): Promise<Answer> {
  const { request, id: name, query } = exchange;
  if (request.headers.authorization !== undefined || request.headers['x-api-key'] !== undefined)
    refuse(400, 'invalid_argument', 'Only one way of signing in is allowed.');
  if (!services.links.isGood(name, query)) refuse(403, 'access_denied', 'This address was not signed, or has expired.');
  // Only names that were signed here get this far.
  const [id, extension] = name.split('-') as [string, Extension];
  const path = objectPath(services, id, extension);
  const file = await stat(path).catch(() => null);
  if (file === null) return refuse(404, 'not_found', 'There is nothing at this address.');
  const sizeBytes = file.size;
  const etag = `"${sizeBytes.toString(16)}-${Math.round(file.mtimeMs).toString(16)}"`;
  const range = readRange(exchange, sizeBytes, etag);
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
  return {
    status: range === null ? 200 : 206,
    headers: {
      'content-type': objectTypes[extension],
      'accept-ranges': 'bytes',
      'content-length': String(sizeBytes === 0 ? 0 : end - start + 1),
      etag,
      ...(range === null ? {} : { 'content-range': `bytes ${start}-${end}/${sizeBytes}` }),
    },
    body: () => createReadStream(path, { start, end: Math.max(start, end) }),
  };
}

export const storageRoutes: readonly Route[] = [route('GET', '/storage/:objectName', readObject)];
