import { z } from 'zod';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { CallContext, Procedure, Procedures, SenderFacts } from './procedure.ts';

const defaultMaxInputBytes = 256 * 1024;
const envelope = lazySchema(() =>
  z.strictObject({
    method: z.string().max(64),
    input: z.unknown(),
    /** Unix ms of the press, key or drop behind the call; added by the preload, never by a page. */
    activation: z.number().int().nonnegative().optional(),
  }),
);

/** One log line per call: names and numbers, never input or output. */
export interface CallReport {
  readonly event: 'ipc-call' | 'ipc-stream' | 'ipc-refused' | 'ipc-bug';
  readonly method: string;
  readonly ms: number;
  readonly row?: Failure['row'];
  readonly bugId?: string;
  readonly thrown?: unknown;
}

export interface IpcOptions {
  readonly isTrusted: (sender: SenderFacts) => boolean;
  readonly rate: RateLimiter;
  readonly now: () => number;
  readonly newBugId: () => string;
  readonly report: (report: CallReport) => void;
}

export interface DispatchOptions extends IpcOptions {
  readonly procedures: Procedures;
}

export type Dispatch = (sender: SenderFacts, message: unknown) => Promise<Result<unknown>>;
/** Passes a message of a page to its handler. Never throws; every refusal is the same constant. */
export function createDispatcher(options: DispatchOptions): Dispatch {
  const { procedures, isTrusted, rate, now, report } = options;

  const refuse = (method: string): Result<unknown> => {
    report({ event: 'ipc-refused', method, ms: 0 });
    return refusal;
  };

  const bug = (method: string, startedMs: number, thrown: unknown): Result<unknown> => {
    const bugId = options.newBugId();
    report({ event: 'ipc-bug', method, ms: now() - startedMs, bugId, thrown });
    return err(bugFailure(bugId));
  };

  const run = async (method: string, procedure: Procedure, input: unknown, context: CallContext) => {
    const startedMs = now();
    try {
      const answer = await procedure.handle(input, context);
      const row = answer.ok ? {} : { row: answer.error.row };
      report({ event: 'ipc-call', method, ms: now() - startedMs, ...row });
      return answer.ok ? ok(answer.value) : err(rebuildFailure(answer.error));
    } catch (thrown) {
      return bug(method, startedMs, thrown);
    }
  };

  return async (sender, message) => {
    if (!isTrusted(sender)) return refuse('untrusted');
    if (!rate.allows(sender.windowId)) return refuse('too-often');
    const opened = envelope().safeParse(message);
    if (!opened.success) return refuse('malformed');
    const { method, input, activation = null } = opened.data;
    const procedure = Object.hasOwn(procedures, method) ? procedures[method] : undefined;
    if (procedure === undefined) return refuse('unknown');
    const limit = procedure.maxInputBytes ?? defaultMaxInputBytes;
    if (measureBytes(input, limit) > limit) return refuse(method);
    const parsed = procedure.input.safeParse(input);
    return parsed.success
      ? run(method, procedure, parsed.data, { windowId: sender.windowId, activation })
      : refuse(method);
  };
}

const maxDepth = 24;
const isPlain = (value: object) => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** Infinity for anything that a request never contains: cycles, maps, dates, very deep nesting. */
export function measureBytes(value: unknown, limit: number): number {
  let bytes = 0;
  const open = new Set<object>();
  const walk = (item: unknown, depth: number): void => {
    if (bytes > limit) return;
    if (depth > maxDepth) bytes = Infinity;
    else if (typeof item === 'string') bytes += item.length > limit ? item.length : Buffer.byteLength(item) + 2;
    else if (item === null || item === undefined || typeof item === 'boolean' || typeof item === 'number') bytes += 8;
    else if (ArrayBuffer.isView(item)) bytes += item.byteLength;
    else if (typeof item !== 'object' || open.has(item)) bytes = Infinity;
    else if (Array.isArray(item) || isPlain(item)) {
      open.add(item);
      for (const key in item) {
        if (!Array.isArray(item)) walk(key, depth);
        walk((item as Record<string, unknown>)[key], depth + 1);
        if (bytes > limit) return;
      }
      open.delete(item);
    } else bytes = Infinity;
  };
  walk(value, 0);
  return bytes;
}

export interface RateLimit {
  readonly burst: number;
  readonly perSecond: number;
}

/** Token bucket per caller. `now` in milliseconds, monotonic. */
export function createRateLimiter(limit: RateLimit, now: () => number) {
  const buckets = new Map<number, { tokens: number; atMs: number }>();
  return {
    allows(caller: number): boolean {
      const atMs = now();
      const bucket = buckets.get(caller) ?? { tokens: limit.burst, atMs };
      const refilled = Math.min(limit.burst, bucket.tokens + ((atMs - bucket.atMs) / 1000) * limit.perSecond);
      const isAllowed = refilled >= 1;
      buckets.set(caller, { tokens: isAllowed ? refilled - 1 : refilled, atMs });
      return isAllowed;
    },
    forget(caller: number): void {
      buckets.delete(caller);
    },
  };
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

const local = { outcome: 'not_sent', layer: 'local', retry: 'never', envelope: 'none' } as const;

/**
 * The single answer to every illegitimate call: wrong sender, unknown method, wrong shape, too large, too often.
 * Because it is always the same, a hostile page learns nothing from it (S-16).
 */
export const refusal = err<Failure>(
  Object.freeze({ ...local, kind: 'ipc-refused', row: 'E-231', code: 'refused_call', scope: 'app' }),
);

/** A bug of ours: the log has `bugId` next to the details. */
export const bugFailure = (bugId: string): Failure => ({
  ...local,
  outcome: 'unknown',
  kind: 'internal-error',
  row: 'E-230',
  code: 'bug',
  scope: 'item',
  params: { bugId },
});

/**
 * Copies only the known fields of a failure, so that a careless spread can't carry a path, a URL or a stack to the page
 * (S-10).
 */
export function rebuildFailure(failure: Failure): Failure {
  const { kind, row, code, outcome, layer, retry, scope, envelope } = failure;
  return {
    kind,
    row,
    code,
    outcome,
    layer,
    retry,
    scope,
    envelope,
    ...(failure.status === undefined ? {} : { status: failure.status }),
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
    ...(failure.requestId === undefined ? {} : { requestId: failure.requestId }),
    ...(failure.llmRequestId === undefined ? {} : { llmRequestId: failure.llmRequestId }),
    ...(failure.fields === undefined ? {} : { fields: { ...failure.fields } }),
    ...(failure.params === undefined ? {} : { params: { ...failure.params } }),
    ...(failure.details === undefined ? {} : { details: failure.details }),
  };
}
