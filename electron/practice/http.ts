import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Fault } from './faults.ts';
import type { ApiKey } from './keys.ts';
import type { Need, PermissionId } from './permissions.ts';
import type { Services } from './services.ts';
import type { ShapeVariant } from './transcription-shapes.ts';

export const newId = (kind: string): string => `${kind}_${randomUUID().replaceAll('-', '')}`;

type Headers = Readonly<Record<string, string>>;
export type Fields = Readonly<Record<string, unknown>>;

/** A JSON object, to which the server adds `request_id`, bytes, or a stream that is opened when it is sent. */
export interface Answer {
  readonly status: number;
  readonly headers?: Headers;
  readonly body?: Fields | Buffer | (() => Readable);
}

export const json = (status: number, body: Fields, headers: Headers = {}): Answer => ({ status, headers, body });
export const noContent: Answer = { status: 204 };

/** The standard error envelope (contract 7). `fields` maps a field's name to its problem. */
export const problem = (status: number, code: string, message: string, fields?: Headers, headers?: Headers): Answer =>
  json(status, { message, error: fields === undefined ? { code } : { code, fields } }, headers);

export const isJson = (body: Answer['body']): body is Fields => typeof body === 'object' && !Buffer.isBuffer(body);

/** Ends the handling of a request with this answer; null: the client is gone. */
export class Refusal extends Error {
  readonly answer: Answer | null;

  constructor(answer: Answer | null) {
    super('refused');
    this.answer = answer;
  }
}

export function refuse(...args: Parameters<typeof problem>): never {
  throw new Refusal(problem(...args));
}

/** The code with which a request was refused; null: it was not, or without one. */
export function codeOf(refusal: unknown): string | null {
  const body = refusal instanceof Refusal ? refusal.answer?.body : undefined;
  const error = isJson(body) ? (body['error'] as { readonly code?: string } | undefined) : undefined;
  return error?.code ?? null;
}

/** The value, or the end of the request when there is none. */
export function found<T>(value: T | null | undefined, otherwise: Answer): T {
  if (value === null || value === undefined) throw new Refusal(otherwise);
  return value;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer | (() => Readable);
}

export function serialise({ status, headers, body = Buffer.alloc(0) }: Answer, requestId: string): WireAnswer {
  const common = { 'x-request-id': requestId, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  if (typeof body === 'function') return { status, headers: { ...common, ...headers }, body };
  const type: Headers = isJson(body) ? { 'content-type': 'application/json; charset=utf-8' } : {};
  const bytes = isJson(body) ? Buffer.from(JSON.stringify({ ...body, request_id: requestId })) : body;
  const length: Headers = status === 204 ? {} : { 'content-length': String(bytes.length) };
  return { status, headers: { ...common, ...type, ...headers, ...length }, body: bytes };
}

/** A header sent twice must not slip through as a joined or first value. */
export function singleHeader(request: IncomingMessage, name: string): string | null {
  const values = request.headersDistinct[name];
  return values?.length === 1 ? (values[0] ?? null) : null;
}

/** A token bucket per caller (contract 8). It holds one second of requests unless configured otherwise. */
export class RateLimit {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #buckets = new Map<string, { left: number; atMs: number }>();

  constructor(perSecond: number, burst = perSecond) {
    this.#perSecond = perSecond;
    this.#burst = burst;
  }

  /** Seconds to wait; null: go on. */
  take(caller: string, nowMs: number): number | null {
    const bucket = this.#buckets.get(caller) ?? { left: this.#burst, atMs: nowMs };
    const left = Math.min(this.#burst, bucket.left + ((nowMs - bucket.atMs) / 1000) * this.#perSecond);
    const isAllowed = left >= 1;
    this.#buckets.set(caller, { left: isAllowed ? left - 1 : left, atMs: nowMs });
    return isAllowed ? null : Math.ceil((1 - left) / this.#perSecond);
  }
}

/** The key of a creation: 8 to 128 plain characters, for example a UUID. */
export function readIdempotencyKey(request: IncomingMessage, pattern = /^[\w-]{8,128}$/): string {
  const key = singleHeader(request, 'idempotency-key') ?? '';
  if (!pattern.test(key)) refuse(400, 'invalid_idempotency_key', 'Send a UUID in the header Idempotency-Key.');
  return key.toLowerCase();
}

const turns = new Map<string, Promise<unknown>>();

/** Of two requests with the same key at once, the second waits for the first and gets its answer. */
export async function inTurn<T>(key: string, work: () => Promise<T> | T): Promise<T> {
  const turn = (turns.get(key) ?? Promise.resolve()).then(work, work);
  turns.set(key, turn);
  try {
    return await turn;
  } finally {
    if (turns.get(key) === turn) turns.delete(key);
  }
}

/** Opaque to clients: a position in an order that only grows, so that new rows shift no page. */
const toCursor = (seq: number): string => Buffer.from(`before:${seq}`).toString('base64url');

function fromCursor(cursor: string): number | null {
  const seq = /^before:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1];
  return seq !== undefined && toCursor(Number(seq)) === cursor ? Number(seq) : null;
}

/** The page that `limit` and `cursor` ask for, newest first, of records in the order of their creation. */
export function pageOf<T extends { readonly seq: number }>(
  records: readonly T[],
  query: URLSearchParams,
  { usual, most, cursorCode = 'invalid_cursor' }: { usual: number; most: number; cursorCode?: string },
): { readonly items: readonly T[]; readonly nextCursor: string | null } {
  const text = query.get('limit') ?? String(usual);
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > most) {
    const range = `1 to ${most}`;
    refuse(400, 'invalid_pagination', `limit is a number from ${range}.`, { limit: `must be ${range}` });
  }
  const cursor = query.get('cursor');
  const before = cursor === null ? Infinity : fromCursor(cursor);
  if (before === null) return refuse(400, cursorCode, 'This cursor was not given by this service.');
  const rest = records.filter(({ seq }) => seq < before).toReversed();
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rest.length > limit && last !== undefined ? toCursor(last.seq) : null };
}

interface Invalid {
  readonly invalidStatus?: number;
  readonly invalidCode?: string;
}

export function validate<T>(
  schema: z.ZodType<T>,
  value: unknown,
  { invalidStatus = 400, invalidCode = 'validation_error' }: Invalid = {},
): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path, message }) => [path.join('.') || 'body', message]);
  return refuse(invalidStatus, invalidCode, 'Some fields are not right.', Object.fromEntries(fields));
}

/** Fits a complete edited transcript of a long recording, and not much more. */
const maxJsonBytes = 32 * 1024 * 1024;

export async function readJson<T>(
  request: IncomingMessage,
  schema: z.ZodType<T>,
  { maxBytes = maxJsonBytes, ...invalid }: Invalid & { readonly maxBytes?: number } = {},
): Promise<T> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') refuse(415, 'unsupported_media_type', 'Send the body as application/json.');
  const chunks: Buffer[] = [];
  let size = 0;
  // The client still has to read our answer, so the request is not destroyed.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) refuse(413, 'body_too_large', 'The JSON body is too large.');
    chunks.push(chunk);
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    refuse(400, 'invalid_json', 'The body is not JSON.');
  }
  return validate(schema, value, invalid);
}

/** One request during its handling. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly requestId: string;
  /** The body to read: the request itself, or a slowed copy when a fault asks for that. */
  readonly body: Readable;
  readonly query: URLSearchParams;
  /** The first identifier in the path, or an empty text. */
  readonly id: string;
  readonly params: Readonly<Record<string, string>>;
  readonly shape: ShapeVariant;
  /** Faults that only the handler can have. */
  readonly faults: readonly Fault[];
  readonly caller: ApiKey;
}

type Handler = (exchange: Exchange, services: Services) => Promise<Answer> | Answer;

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** A segment that begins with a colon is a parameter. */
  readonly path: string;
  /** `signature`: the address itself is the credential. */
  readonly credential: 'api-key' | 'access-token' | 'legacy-key' | 'signature';
  /** Of a developer key; one of them is enough to enter. */
  readonly permissions: readonly `${PermissionId}:${Need['level']}`[];
  readonly handle: Handler;
}

export const keyed = (
  method: Route['method'],
  path: string,
  permission: Route['permissions'][number],
  handle: Handler,
): Route => ({ method, path, credential: 'api-key', permissions: [permission], handle });

export const unkeyed = (
  credential: Exclude<Route['credential'], 'api-key'>,
  method: Route['method'],
  path: string,
  handle: Handler,
): Route => ({ method, path, credential, permissions: [], handle });

export const needsOf = ({ permissions }: Route): readonly Need[] =>
  permissions.map((text) => {
    const [permission, level] = text.split(':') as [PermissionId, Need['level']];
    return { permission, level };
  });

function matchPath(pattern: string, path: string): Record<string, string> | null {
  const expected = pattern.split('/');
  const given = path.split('/');
  if (expected.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of expected.entries()) {
    const value = given[at] ?? '';
    if (!part.startsWith(':')) {
      if (part !== value) return null;
      continue;
    }
    // Identifiers are opaque, but ours are plain; one that needs decoding is not ours.
    if (!/^[\w-]{1,128}$/.test(value)) return null;
    params[part.slice(1)] = value;
  }
  return params;
}

/** The routes of a path; the table is small, so a linear search is enough. */
export const matchRoutes = (routes: readonly Route[], path: string) =>
  routes.flatMap((route) => {
    const params = matchPath(route.path, path);
    return params === null ? [] : [{ route, params }];
  });

/** `/v1/things/:thingId` as the service's document writes it: `/v1/things/{thing_id}`. */
export const documentedPath = (path: string): string =>
  path.replaceAll(
    /:(\w+)/g,
    (_whole, name: string) => `{${name.replaceAll(/[A-Z]/g, (one) => `_${one.toLowerCase()}`)}}`,
  );
