import type { RequestKind } from '../../../shared/domain/failures/code-rows.ts';
import { wasRefusedUnseen } from '../../../shared/domain/failures/decide-retry.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Endpoint } from '../../../shared/wire/endpoint.ts';
import type { Call } from './call.ts';
import type { RequestUrgency } from './rate-limiter.ts';
import type { FailureArea } from '../../../shared/domain/failures/area-rows.ts';

/** The priority of a request that waits for its turn. */
export const urgencyOf = ({ urgency, endpoint, target, idempotencyKey }: Call): RequestUrgency =>
  urgency ??
  (idempotencyKey !== undefined ? 'create' : endpoint.method === 'GET' && target === 'job' ? 'poll' : 'user');

/**
 * Whether the same call may be repeated after this failure. Always when it was refused unprocessed; otherwise only a
 * plain read, a change to a stated end, or a creation whose repeat the service recognises.
 */
export const mayRepeat = ({ endpoint, idempotencyKey, attempts }: Call, failure: Failure): boolean =>
  wasRefusedUnseen(failure) ||
  (attempts === 'interactive' &&
    (endpoint.retry === 'safe' || (endpoint.retry === 'with-idempotency-key' && idempotencyKey !== undefined)));

/** The kind of request, as far as it decides what a lost answer means. */
export const kindOf = (endpoint: Endpoint, idempotencyKey: string | undefined): RequestKind => {
  if (endpoint.method === 'GET') return 'read';
  if (endpoint.method === 'POST' && endpoint.retry !== 'safe')
    return idempotencyKey === undefined ? 'create' : 'create-with-key';
  return 'change';
};

/** The part of the service a route belongs to, where failures have a meaning of their own there. */
export function areaOf({ credential, product, section, method, path }: Endpoint): FailureArea | undefined {
  if (credential === 'legacy-key') return 'legacy';
  if (section === '4.4') return 'attachments';
  if (section === '4.10') return 'dictation';
  if (section === '4.12') {
    if (method === 'DELETE') return 'clone-remove';
    return path.endsWith('/verify') ? 'clone-verify' : 'clone';
  }
  if (path.endsWith('/voice-isolations/batch')) return 'isolation-batch';
  return product === 'account' || product === 'usage' || product === 'ask' || product === 'webhooks'
    ? product
    : undefined;
}
