import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { json as jsonOf } from 'node:stream/consumers';
import type { z } from 'zod';
import type { ApiKey, Need } from './keys.ts';
import type { Services } from './services.ts';
import { get, type State } from './state.ts';
import type { ShapeVariant } from './transcription-shapes.ts';

export const digest = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

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

/** A token bucket per caller (contract 8): the seconds to wait; null: go on. */
export type RateLimit = (caller: string, nowMs: number) => number | null;

/** It holds one second of requests unless told otherwise. */
export function openRateLimit(perSecond: number, burst = perSecond): RateLimit {
  const buckets = new Map<string, { left: number; atMs: number }>();
  return (caller, nowMs) => {
    const { left: before, atMs } = buckets.get(caller) ?? { left: burst, atMs: nowMs };
    const left = Math.min(burst, before + ((nowMs - atMs) / 1000) * perSecond);
    buckets.set(caller, { left: left >= 1 ? left - 1 : left, atMs: nowMs });
    return left >= 1 ? null : Math.ceil((1 - left) / perSecond);
  };
}

/** The key of a creation: 8 to 128 plain characters, for example a UUID. */
export function readIdempotencyKey(request: IncomingMessage, pattern = /^[\w-]{8,128}$/): string {
  const key = singleHeader(request, 'idempotency-key') ?? '';
  if (!pattern.test(key)) refuse(400, 'invalid_idempotency_key', 'Send a UUID in the header Idempotency-Key.');
  return key.toLowerCase();
}

const turns = new Map<string, Promise<unknown>>();

/** Of two pieces of work with the same name at once, the second waits for the first. */
export async function inTurn<T>(name: string, work: () => Promise<T> | T): Promise<T> {
  const turn = (turns.get(name) ?? Promise.resolve()).then(work, work);
  turns.set(name, turn);
  try {
    return await turn;
  } finally {
    if (turns.get(name) === turn) turns.delete(name);
  }
}

/** What a creation with an idempotency key has to say in its record. */
export interface Once {
  readonly key: string;
  /** Of everything that makes two requests the same. */
  readonly fingerprint: string;
  /** Remembers the key in the state, which the caller saves: what follows with it gets `replay(subject)`. */
  readonly use: (subject: string) => void;
}

/** Creates once under a key: a repeat is never billed and starts no work, and other content is refused. */
export function createOnce<T>(
  { state }: Services,
  product: string,
  key: string,
  content: unknown,
  create: (once: Once) => Promise<T> | T,
  replay: (subject: string) => Promise<T> | T,
): Promise<T> {
  const name = `${product} ${key}`;
  const fingerprint = digest(JSON.stringify(content));
  return inTurn(name, () => {
    const used = get(state.used, name);
    const use = (subject: string): void => void (state.used[name] = { fingerprint, subject });
    if (used === null) return create({ key, fingerprint, use });
    if (used.fingerprint === fingerprint) return replay(used.subject);
    return refuse(409, 'idempotency_conflict', 'This Idempotency-Key was used for another request.');
  });
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
  const range = `1 to ${most}`;
  if (limit < 1 || limit > most)
    refuse(400, 'invalid_pagination', `limit is a number from ${range}.`, { limit: `must be ${range}` });
  const cursor = query.get('cursor');
  const before = cursor === null ? Infinity : fromCursor(cursor);
  if (before === null) return refuse(400, cursorCode, 'This cursor was not given by this service.');
  const rest = records.filter(({ seq }) => seq < before).toReversed();
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rest.length > limit && last !== undefined ? toCursor(last.seq) : null };
}

interface HistoryRecord {
  readonly seq: number;
  readonly id: string;
  isHidden: boolean;
}

/** What a list does whose records are hidden and not deleted, because links and work may still need them. */
export function historyOf<T extends HistoryRecord>(
  tableOf: (state: State) => Readonly<Record<string, T>>,
  limits: { readonly usual: number; readonly most: number },
  write: (record: T, services: Services) => Fields,
) {
  const unknown = problem(404, 'not_found', 'There is nothing with this identifier.');
  const find = ({ id }: Exchange, { state }: Services): T => {
    const record = get(tableOf(state), id);
    return found(record?.isHidden === false ? record : null, unknown);
  };
  const list: Handler = ({ query }, services) => {
    const shown = Object.values(tableOf(services.state)).filter(({ isHidden }) => !isHidden);
    const { items, nextCursor } = pageOf(shown, query, limits);
    const data = items.map((record) => write(record, services));
    return json(200, { data, has_more: nextCursor !== null, next_cursor: nextCursor });
  };
  const hide: Handler = (exchange, services) => {
    find(exchange, services).isHidden = true;
    services.save();
    return noContent;
  };
  return { find, list, hide };
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
  if (!(Number(request.headers['content-length']) <= maxBytes))
    refuse(413, 'body_too_large', 'The JSON body is too large, or of unknown length.');
  const value = await jsonOf(request).catch(() => refuse(400, 'invalid_json', 'The body is not JSON.'));
  return validate(schema, value, invalid);
}

/** One request during its handling. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly requestId: string;
  readonly query: URLSearchParams;
  /** The first identifier in the path, or an empty text. */
  readonly id: string;
  readonly params: Readonly<Record<string, string>>;
  readonly shape: ShapeVariant;
  readonly caller: ApiKey;
}

type Handler = (exchange: Exchange, services: Services) => Promise<Answer> | Answer;

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** A segment that begins with a colon is a parameter. */
  readonly path: string;
  /** Of a developer key; one of them is enough to enter. */
  readonly permissions: readonly Need[];
  readonly handle: Handler;
}

export const route = (
  method: Route['method'],
  path: string,
  handle: Handler,
  ...permissions: Route['permissions']
): Route => ({ method, path, handle, permissions });
