import type { IncomingMessage } from 'node:http';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { isGranted } from '../access/permissions.ts';
import type { Session } from '../access/session-token.ts';
import type { ApiKey, ApiKeys } from '../account/api-keys.ts';
import { problem, type Answer } from './answer.ts';
import { singleHeader } from './guard.ts';
import { needsOf, type KeyedRoute } from './route.ts';
import { BlockList, isIP } from 'node:net';

const refuse = (code: string, message: string): Answer =>
  problem(401, code, message, undefined, { 'www-authenticate': 'Bearer' });

const bearerOf = (request: IncomingMessage): string | null => {
  const header = singleHeader(request, 'authorization');
  return header === null ? null : (/^Bearer +(\S+)$/i.exec(header)?.[1] ?? '');
};

/** Why a known key can't be used now; null: it can. */
export function keyTrouble(key: ApiKey, nowMs: number): string | null {
  if (key.revokedAtMs !== null) return 'This key was revoked.';
  if (!key.enabled) return 'This key is disabled.';
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs ? 'This key has expired.' : null;
}

/** A key of the real service is rejected here with a clear message; nothing of it is stored or repeated. */
export function authenticateKey(request: IncomingMessage, keys: ApiKeys, nowMs: number): Result<ApiKey, Answer> {
  const secret = bearerOf(request);
  return secret === null
    ? err(refuse('invalid_api_key', 'Send the practice key as "Authorization: Bearer <key>".'))
    : authenticateSecret(secret, request, keys, nowMs);
}

/** The same for a key that came by another way than the header. */
export function authenticateSecret(
  secret: string,
  request: IncomingMessage,
  keys: ApiKeys,
  nowMs: number,
): Result<ApiKey, Answer> {
  const key = keys.find(secret);
  if (key === null) {
    const words =
      'This is the practice service and it only knows the keys that it made itself. Keys of the real service and tokens of people do not belong here.';
    return err(refuse('invalid_api_key', words));
  }
  const trouble = keyTrouble(key, nowMs);
  if (trouble !== null) return err(refuse('invalid_api_key', `${trouble} This is the practice service.`));
  if (!isAllowedAddress(key.allowedIps, request.socket.remoteAddress ?? '')) {
    return err(problem(403, 'ip_forbidden', 'This key may not be used from this address.'));
  }
  return ok(key);
}

/** Null: the user is signed in. A developer key does not count as a sign-in. */
export function refuseUnknownPerson(request: IncomingMessage, session: Session): Answer | null {
  const token = bearerOf(request);
  const state = token === null ? 'unknown' : session.check(token);
  if (state === 'valid') return null;
  const words =
    state === 'expired' ? 'The sign-in has expired.' : 'Sign in to the practice account: keys are not accepted here.';
  return refuse('session_expired', words);
}

/** Null: the key may use the route. */
export function refuseUngranted(key: ApiKey, route: KeyedRoute): Answer | null {
  if (!key.restrictKey || needsOf(route).some((need) => isGranted(key.permissions, need))) return null;
  return problem(403, 'insufficient_scope', `This key has no permission ${route.permission}.`);
}

/** An IPv4 or IPv6 address, or a range of them in CIDR notation. */
export function isAddressOrRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/** Whether a caller's address is in the list. An empty list allows everybody. */
function isAllowedAddress(allowed: readonly string[], address: string): boolean {
  if (allowed.length === 0) return true;
  const list = new BlockList();
  for (const entry of allowed) {
    const [network = '', prefix] = entry.split('/');
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(prefix), family);
  }
  // A dual-stack socket reports IPv4 callers as IPv6 addresses.
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}
