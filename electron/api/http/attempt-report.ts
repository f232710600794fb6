import type { LogEntry } from '../../../shared/domain/diagnostics/log-entry.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Endpoint } from '../../../shared/wire/endpoint.ts';
import type { AttemptHealth } from './retry-budget.ts';
import type { WireOutcome } from './transport.ts';

export interface AttemptFacts {
  readonly endpoint: Endpoint;
  readonly attempt: number;
  readonly ms: number;
  readonly seen: WireOutcome;
  readonly failure: Failure | null;
  readonly requestId: string | null;
}

/** The log line of an attempt: the route template and numbers, never an address, a body or a key. */
export function attemptLog({ endpoint, attempt, ms, seen, failure, requestId }: AttemptFacts): LogEntry {
  const id = failure?.requestId ?? requestId ?? undefined;
  return {
    event: 'service-attempt',
    level: failure === null ? 'info' : 'warn',
    route: endpoint.path,
    method: endpoint.method,
    attempt,
    ms: Math.round(ms),
    bytes: seen.sentBytes,
    ...(seen.kind === 'answer' ? { status: seen.status } : {}),
    ...(failure === null ? {} : { code: failure.code, row: failure.row }),
    ...(id === undefined ? {} : { requestId: id }),
  };
}

/**
 * What an attempt shows about the health of the service. A refusal is an answer too; local failures and cancellations
 * show nothing.
 */
export function healthOf(seen: WireOutcome, failure: Failure | null): AttemptHealth {
  if (seen.kind === 'body' || seen.kind === 'taker' || failure?.code === 'cancelled') return 'neutral';
  if (seen.kind === 'network') {
    if (seen.phase !== 'connecting') return /time|stall/iu.test(seen.code) ? 'timeout' : 'trouble';
    // A broken network, DNS, certificate or proxy on this side shows nothing about the service.
    return failure?.row === 'E-003' || failure?.row === 'E-004' ? 'unreachable' : 'neutral';
  }
  if (seen.status >= 500 || seen.isTruncated) return 'trouble';
  return failure?.status === 429 ? 'neutral' : 'success';
}
