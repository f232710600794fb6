import { assertNever } from '../../result/result.ts';
import type { RequestKind } from './code-rows.ts';
import type { FailureKind } from '../../result/failure-kinds.ts';

/** A request without a complete answer. `code` is the system's code (`ECONNREFUSED`) or one of ours in snake case. */
export interface NetworkFault {
  readonly kind: 'network';
  readonly code: string;
  /**
   * How far the request got. `connecting`: no byte of it reached a ready connection (TLS included); `sending` and
   * `waiting`: bytes left, no answer; `receiving`: an answer began.
   */
  readonly phase: 'connecting' | 'sending' | 'waiting' | 'receiving';
  readonly isSecure: boolean;
}

/** Our own code: the computer slept, so the connection is dead. */
export const sleptCode = 'computer_slept';

/** Our own code: nothing answered at the service's address within the connection timeout. */
export const slowNameCode = 'name_timeout';

/** The HTTP client's own codes in our words. */
const clientCodes: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  UND_ERR_SOCKET: 'connection_lost',
};

/** The code of a fault as failures carry it. */
export const faultCode = (code: string): string => clientCodes[code] ?? code;

const offline = new Set(['ENETUNREACH', 'ENETDOWN', 'ERR_INTERNET_DISCONNECTED', 'ERR_NETWORK_CHANGED']);
const nameNotFound = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EAI_NONAME',
  'ENODATA',
  slowNameCode,
]);
const connectTimeouts = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ESOCKETTIMEDOUT']);
const wrongDates = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'CRL_HAS_EXPIRED', 'CRL_NOT_YET_VALID']);
const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
]);

/** The kind of a fault. Total: an unknown code means a connection that could not be made, or one that broke. */
export function networkRow(fault: NetworkFault, request: RequestKind): FailureKind {
  const { code, phase, isSecure } = fault;
  switch (phase) {
    case 'connecting':
      if (code.startsWith('proxy_')) return 'proxy-sign-in';
      if (offline.has(code)) return 'offline';
      if (nameNotFound.has(code)) return 'address-not-found';
      if (connectTimeouts.has(code)) return 'service-timeout';
      if (wrongDates.has(code)) return 'certificate-dates';
      if (untrusted.has(code) || code.startsWith('CERT_')) return 'certificate-untrusted';
      if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') || code === 'EPROTO') return 'tls-failed';
      if (isSecure && (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET' || code === 'EPIPE')) return 'tls-failed';
      return 'service-unreachable';
    case 'sending':
    case 'waiting':
      return code === sleptCode && request !== 'create' ? 'computer-slept' : lostAnswerRow(request);
    case 'receiving':
      return code === 'response_too_large' ? 'answer-too-large' : 'answer-truncated';
    default:
      return assertNever(phase);
  }
}

const unreachedKinds: ReadonlySet<string> = new Set([
  'offline',
  'address-not-found',
  'service-unreachable',
  'service-timeout',
] satisfies readonly FailureKind[]);

/** Whether the service could not be reached: nothing was sent, and what is asked for can only be sent later. */
export const isUnreached = ({ kind }: { readonly kind: string }): boolean => unreachedKinds.has(kind);

/** Nor was anything sent to a service in trouble that is left alone: it goes on when the service answers. */
export const isUnsentForNow = (failure: { readonly kind: string }): boolean =>
  isUnreached(failure) || failure.kind === 'service-troubled';

/** What a lost answer means, by the kind of request. A change of state may be repeated like a read. */
function lostAnswerRow(request: RequestKind): FailureKind {
  switch (request) {
    case 'create-with-key':
      return 'connection-dropped';
    case 'create':
      return 'answer-lost';
    case 'read':
    case 'change':
      return 'connection-slow';
    default:
      return assertNever(request);
  }
}
