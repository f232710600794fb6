import { classify, type HttpAnswer } from '../../../shared/domain/failures/classify.ts';
import type { FailureArea } from '../../../shared/domain/failures/area-rows.ts';
import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { NetworkFault } from '../../../shared/domain/failures/network-fault.ts';
import type { PaidLedger } from '../../../shared/domain/ledger/paid-action.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { WireTable } from '../../../shared/wire/wire-table.ts';
import type { Agent } from 'node:http';
import type { ConnectionSource } from '../connection.ts';
import type { Secret } from '../../secret/secret.ts';
import type { ClientClock } from '../http/clock.ts';
import { guardedLookup, unsafeAddressCode } from '../http/guarded-lookup.ts';
import type { LiveLimits } from '../http/transport.ts';
import { openLiveSocket, type LiveHandlers, type LiveSocket } from '../http/live-socket.ts';
import { withoutSecrets } from '../http/credentials.ts';
import type { ProxySource } from '../http/tunnel.ts';
import type { StreamTarget } from '../http/stream-address.ts';

/** What every live stream of one client works with. */
export interface LiveContext {
  readonly connection: ConnectionSource;
  readonly log: Logger;
  readonly clock: ClientClock;
  readonly allowsLoopbackHttp: boolean;
  readonly limits: LiveLimits;
  readonly wire: WireTable;
  /** Records what costs; absent for clients that only read. */
  readonly ledger?: PaidLedger;
  /** Nothing is charged, so what got no answer is sent again at once. */
  readonly isFree?: boolean;
  /** Makes the connection indirectly, for example through a proxy; called for each stream. */
  readonly agentFor?: (url: URL) => Agent | undefined;
  /** The proxy for calls that use no WebSocket; direct by default. */
  readonly proxyOf?: ProxySource;
}

/** Opens the socket of a target; refusals and errors are classified and logged under the name of the route. */
export async function openLiveConnection(
  context: LiveContext,
  target: StreamTarget,
  area: FailureArea | undefined,
  handlers: LiveHandlers,
  signal?: AbortSignal,
): Promise<Result<LiveSocket, Failure>> {
  const { clock, limits, log } = context;
  const startedAtMs = clock.monotonic();
  const agent = context.agentFor?.(target.url);
  const isLoopback = target.url.protocol === 'ws:';
  const seen = await openLiveSocket(
    {
      url: target.url,
      limits,
      clock,
      signal,
      // The address was judged by its name; this judges what the name resolves to. Behind a proxy only the proxy can do
      // so.
      ...(isLoopback || agent !== undefined ? {} : { lookup: guardedLookup() }),
      ...(agent === undefined ? {} : { agent }),
      headers: Object.fromEntries(
        Object.entries(target.headers ?? {}).map(([name, secret]) => [name, secret.reveal()]),
      ),
    },
    handlers,
  );
  const ms = Math.round(clock.monotonic() - startedAtMs);
  const line = { event: 'stream-opened', route: target.route, method: 'GET', ms } as const;
  if (seen.kind === 'open') {
    log.write({ ...line, level: 'info', status: 101 });
    return ok(seen.socket);
  }
  const failure =
    seen.kind === 'cancelled'
      ? makeFailure('E-014', { code: 'cancelled', outcome: 'not_sent', layer: 'local' })
      : refusalOf(seen, area, target, clock);
  log.write({
    ...line,
    level: 'warn',
    code: failure.code,
    row: failure.row,
    ...(failure.status === undefined ? {} : { status: failure.status }),
    ...(failure.requestId === undefined ? {} : { requestId: failure.requestId }),
  });
  return err(failure);
}

function refusalOf(
  seen: HttpAnswer | NetworkFault,
  area: FailureArea | undefined,
  { url, secrets }: StreamTarget,
  clock: ClientClock,
): Failure {
  const context = { request: 'change', target: 'route', area, host: url.host, serverNowMs: clock.now() } as const;
  if (seen.kind === 'network') {
    if (seen.code === unsafeAddressCode) return makeFailure('E-174', { code: seen.code, outcome: 'not_sent' });
    if (seen.phase === 'connecting' && seen.code === 'upgrade_timeout')
      return makeFailure('E-004', { code: seen.code, outcome: 'not_sent' });
    // Only the handshake was sent, so nothing was done and nothing was charged.
    return seen.phase === 'connecting'
      ? classify(seen, context)
      : makeFailure('E-124', { code: seen.code.toLowerCase(), outcome: 'not_sent' });
  }
  const clean = (text: string): string => withoutSecrets(text, secrets);
  const answer = {
    ...seen,
    headers: Object.fromEntries(Object.entries(seen.headers).map(([name, value]) => [name, clean(value ?? '')])),
    body: clean(seen.body),
  };
  const failure = classify(answer, context);
  // A plain 2xx answer to an upgrade is no stream, whatever it says; and an HTML page did not come from the service.
  const isPage = failure.envelope === 'html';
  if (answer.status >= 300 && (failure.row === 'E-009' || !isPage)) return failure;
  const { status } = answer;
  return makeFailure('E-124', {
    code: isPage ? 'html_page' : 'not_upgraded',
    envelope: failure.envelope,
    status,
    outcome: 'not_sent',
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
  });
}

/** Removes the secrets from words of the other side. */
export const cleanedBy =
  (secrets: readonly Secret[]) =>
  (text: string | null): string | undefined =>
    text === null ? undefined : withoutSecrets(text, secrets);
