import { err, ok, type Result } from '../../../shared/result/result.ts';
import { endpoints, type Endpoint, type EndpointName, type Read } from '../../../shared/wire/endpoints.ts';
import { bodyOf, isGone, unreadable, type Call, type HttpCore, type Reply } from './http-core.ts';

export type NamedCall = Omit<Call, 'endpoint' | 'attempts' | 'target'> & {
  readonly attempts?: Call['attempts'];
  readonly target?: Call['target'];
  readonly permission?: Endpoint['permission'];
};

/** What resource modules build on: routes by name, and answers through tolerant readers. */
export function createCaller(core: HttpCore) {
  const send = (name: EndpointName, { permission, ...call }: NamedCall = {}) =>
    core.call({
      target: endpoints[name].target,
      attempts: 'interactive',
      ...call,
      endpoint: permission === undefined ? endpoints[name] : { ...endpoints[name], permission },
    });

  return {
    send,
    readReply,
    async read<N extends EndpointName>(name: N, call?: NamedCall): Promise<Result<Read<N>>> {
      const reply = await send(name, call);
      return reply.ok ? readReply(name, reply.value) : reply;
    },
    async change(name: EndpointName, call?: NamedCall, isGoneFine = false): Promise<Result<null>> {
      const reply = await send(name, call);
      if (reply.ok) return ok(null);
      return isGoneFine && isGone(reply.error) ? ok(null) : reply;
    },
  };
}

export type Caller = ReturnType<typeof createCaller>;

/** A success that the reader of the route does not understand is answer-unreadable. */
function readReply<N extends EndpointName>(name: N, reply: Reply): Result<Read<N>> {
  const { read, method }: Endpoint = endpoints[name];
  const found = read?.(bodyOf(reply), reply.requestId) ?? null;
  return found === null ? err(unreadable(reply, method === 'GET')) : ok(found as Read<N>);
}

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

export const uploadRoute = endpoints['clone.upload'].path;
