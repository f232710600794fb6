import { z } from 'zod';
import { lazySchema, type ContractShape, type RequestShape } from '../../shared/ipc/define.ts';
import type { CallContext, Handlers } from '../../shared/ipc/derive.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { measureBytes } from './measure.ts';
import type { RateLimiter } from './rate-limit.ts';
import { bugFailure, rebuildFailure, refusal } from './refusal.ts';
import type { SenderFacts } from './sender-policy.ts';

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
  /** The thrown value; for a developer's terminal, never for the log. */
  readonly thrown?: unknown;
}

/** Options shared by requests and streams. */
export interface IpcOptions<C extends ContractShape> {
  readonly contract: C;
  readonly isTrusted: (sender: SenderFacts) => boolean;
  readonly rate: RateLimiter;
  /** Also validates the results of handlers; for runs from source, where a wrong result should be loud. */
  readonly checksOutput: boolean;
  readonly now: () => number;
  readonly newBugId: () => string;
  readonly report: (report: CallReport) => void;
}

export interface DispatchOptions<C extends ContractShape> extends IpcOptions<C> {
  readonly handlers: Handlers<C>;
}

export type Dispatch = (sender: SenderFacts, message: unknown) => Promise<Result<unknown, Failure>>;
type AnyHandler = (input: unknown, context: CallContext) => Promise<Result<unknown, Failure>>;

/** Passes a message of a page to its handler. Never throws; every refusal is the same constant. */
export function createDispatcher<const C extends ContractShape>(options: DispatchOptions<C>): Dispatch {
  const { contract, isTrusted, rate, now, report } = options;
  const handlers = options.handlers as Readonly<Record<string, AnyHandler>>;

  const refuse = (method: string): Result<unknown, Failure> => {
    report({ event: 'ipc-refused', method, ms: 0 });
    return refusal;
  };

  const bug = (method: string, startedMs: number, thrown: unknown): Result<unknown, Failure> => {
    const bugId = options.newBugId();
    report({ event: 'ipc-bug', method, ms: now() - startedMs, bugId, thrown });
    return err(bugFailure(bugId));
  };

  const run = async (method: string, shape: RequestShape, input: unknown, context: CallContext) => {
    const startedMs = now();
    try {
      const answer = await handlers[method]!(input, context);
      if (answer.ok && options.checksOutput) {
        const parsed = shape.output().safeParse(answer.value);
        if (!parsed.success) return bug(method, startedMs, parsed.error);
      }
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
    if (!Object.hasOwn(contract.requests, method) || !Object.hasOwn(handlers, method)) return refuse('unknown');
    const shape = contract.requests[method]!;
    const limit = shape.maxInputBytes ?? defaultMaxInputBytes;
    if (measureBytes(input, limit) > limit) return refuse(method);
    const parsed = shape.input().safeParse(input);
    return parsed.success ? run(method, shape, parsed.data, { windowId: sender.windowId, activation }) : refuse(method);
  };
}
