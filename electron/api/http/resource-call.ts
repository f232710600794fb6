import { parseGuardedJson } from '../../../shared/domain/failures/guarded-json.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { Endpoint } from '../../../shared/wire/endpoint.ts';
import { findDrift } from '../../../shared/wire/documented-shapes.ts';
import type { EndpointName } from '../../../shared/wire/endpoints.ts';
import { withAliases, type WireTable } from '../../../shared/wire/wire-table.ts';
import type { Call, Reply } from './call.ts';
import type { HttpCore } from './http-core.ts';

/** A call by the name of its route; a plain read is retried automatically unless the caller says otherwise. */
export type NamedCall = Omit<Call, 'endpoint' | 'attempts' | 'target'> & {
  readonly attempts?: Call['attempts'];
  readonly target?: Call['target'];
  /** Set where the required grant depends on the request. */
  readonly permission?: Endpoint['permission'];
};

/** What resource modules build on: routes by name, and answers through tolerant readers. */
export interface Caller {
  readonly wire: WireTable;
  send(name: EndpointName, call?: NamedCall): Promise<Result<Reply, Failure>>;
  /** Reads the answer; one that the reader does not understand is E-024 with everything known about it. */
  read<T>(
    name: EndpointName,
    reader: (body: unknown, requestId: string | null) => T | null,
    call?: NamedCall,
  ): Promise<Result<T, Failure>>;
  /** A change whose answer is not needed. With `isGoneFine`, a thing that no longer exists is a success. */
  change(name: EndpointName, call?: NamedCall, isGoneFine?: boolean): Promise<Result<null, Failure>>;
}

const goneRows = new Set(['E-040', 'E-046', 'E-065', 'E-088']);

/** Whether the service answered that it has no such thing. */
export const isGone = ({ row, code }: Failure): boolean => goneRows.has(row) || code === 'webhook_not_found';

export function createCaller(core: HttpCore, wire: WireTable): Caller {
  const send: Caller['send'] = (name, { permission, ...call } = {}) =>
    core.call({
      target: 'route',
      attempts: 'interactive',
      ...call,
      endpoint: permission === undefined ? wire.endpoints[name] : { ...wire.endpoints[name], permission },
    });

  return {
    wire,
    send,
    async read(name, reader, call) {
      const reply = await send(name, call);
      if (!reply.ok) return reply;
      const body = bodyOf(reply.value, wire);
      core.noteDrift(wire.endpoints[name], findDrift(name, body));
      const found = reader(body, reply.value.requestId);
      return found === null ? err(unreadable(reply.value, wire.endpoints[name].method === 'GET')) : ok(found);
    },
    async change(name, call, isGoneFine = false) {
      const reply = await send(name, call);
      if (reply.ok) return ok(null);
      return isGoneFine && isGone(reply.error) ? ok(null) : reply;
    },
  };
}

/** One call of a free route; the JSON of its answer, `{}` where there is none, E-024 where it is something else. */
export type AnswerApi = (name: EndpointName, call?: NamedCall) => Promise<Result<object, Failure>>;

export const answerOf =
  (caller: Caller): AnswerApi =>
  async (name, call) => {
    const reply = await caller.send(name, call);
    if (!reply.ok) return reply;
    const { text } = reply.value;
    const body = text.trim() === '' ? {} : bodyOf(reply.value, caller.wire);
    const isRead = caller.wire.endpoints[name].method === 'GET';
    return typeof body === 'object' && body !== null ? ok(body) : err(unreadable(reply.value, isRead));
  };

/** The JSON of a reply under the names we know; null when it is none. */
export function bodyOf(reply: Reply, wire: WireTable): unknown {
  const json = parseGuardedJson(reply.text);
  return json.isJson ? withAliases(json.value, wire.aliases) : null;
}

/** A success that we can't read: the request may well have been carried out. */
export const unreadable = (reply: Reply, isRead: boolean): Failure =>
  makeFailure('E-024', {
    code: 'unreadable_answer',
    outcome: isRead ? 'unknown' : 'accepted',
    status: reply.status,
    ...(reply.requestId === null ? {} : { requestId: reply.requestId }),
    ...(reply.llmRequestId === null ? {} : { llmRequestId: reply.llmRequestId }),
  });

/** Limits the page size to what the service accepts. */
export const pageQuery = (
  page: { readonly limit?: number; readonly cursor?: string },
  range: { readonly min: number; readonly max: number; readonly default: number },
): Readonly<Record<string, string | number | undefined>> => ({
  limit: Math.min(range.max, Math.max(range.min, Math.trunc(page.limit ?? range.default))),
  cursor: page.cursor,
});
