import { parseGuardedJson } from '../../../shared/domain/failures/guarded-json.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { endpoints, type Endpoint, type EndpointName } from '../../../shared/wire/endpoints.ts';
import type { Call, Reply, HttpCore } from './http-core.ts';

export type NamedCall = Omit<Call, 'endpoint' | 'attempts' | 'target'> & {
  readonly attempts?: Call['attempts'];
  readonly target?: Call['target'];
  readonly permission?: Endpoint['permission'];
};

const goneKinds = new Set(['deleted-at-service', 'gone-at-service', 'key-not-found', 'voice-not-found']);

export const isGone = ({ kind, code }: Failure): boolean => goneKinds.has(kind) || code === 'webhook_not_found';

/** What resource modules build on: routes by name, and answers through tolerant readers. */
export function createCaller(core: HttpCore) {
  const send = (name: EndpointName, { permission, ...call }: NamedCall = {}) =>
    core.call({
      target: 'route',
      attempts: 'interactive',
      ...call,
      endpoint: permission === undefined ? endpoints[name] : { ...endpoints[name], permission },
    });

  return {
    send,
    /** An answer that the reader does not understand is answer-unreadable. */
    async read<T>(
      name: EndpointName,
      reader: (body: unknown, requestId: string | null) => T | null,
      call?: NamedCall,
    ): Promise<Result<T>> {
      const reply = await send(name, call);
      if (!reply.ok) return reply;
      const found = reader(bodyOf(reply.value), reply.value.requestId);
      return found === null ? err(unreadable(reply.value, endpoints[name].method === 'GET')) : ok(found);
    },
    async change(name: EndpointName, call?: NamedCall, isGoneFine = false): Promise<Result<null>> {
      const reply = await send(name, call);
      if (reply.ok) return ok(null);
      return isGoneFine && isGone(reply.error) ? ok(null) : reply;
    },
  };
}

export type Caller = ReturnType<typeof createCaller>;

type AnswerApi = (name: EndpointName, call?: NamedCall) => Promise<Result<object>>;

export const answerOf =
  (caller: Caller): AnswerApi =>
  async (name, call) => {
    const reply = await caller.send(name, call);
    if (!reply.ok) return reply;
    const { text } = reply.value;
    const body = text.trim() === '' ? {} : bodyOf(reply.value);
    const isRead = endpoints[name].method === 'GET';
    return typeof body === 'object' && body !== null ? ok(body) : err(unreadable(reply.value, isRead));
  };

export function bodyOf(reply: Reply): unknown {
  const json = parseGuardedJson(reply.text);
  return json.isJson ? json.value : null;
}

/** A success that we can't read: the request may well have been carried out. */
export const unreadable = (reply: Reply, isRead: boolean): Failure =>
  makeFailure('answer-unreadable', {
    code: 'unreadable_answer',
    outcome: isRead ? 'unknown' : 'accepted',
    status: reply.status,
    ...(reply.requestId === null ? {} : { requestId: reply.requestId }),
    ...(reply.llmRequestId === null ? {} : { llmRequestId: reply.llmRequestId }),
  });

export const pageQuery = (
  page: { readonly limit?: number; readonly cursor?: string },
  range: { readonly min: number; readonly max: number; readonly default: number },
): Readonly<Record<string, string | number | undefined>> => ({
  limit: Math.min(range.max, Math.max(range.min, Math.trunc(page.limit ?? range.default))),
  cursor: page.cursor,
});
