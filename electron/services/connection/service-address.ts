import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { holdsKey } from '../../../shared/domain/text/looks-like-key.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';

const loopback = /^(127(\.\d{1,3}){3}|localhost|\[::1\])$/;
const refused = (code: string) => err(makeFailure('E-234', { code }));

/**
 * Reads a service address as a person writes it into origin and path without a trailing slash. https only; plain
 * http on this computer is for runs from source (`allowsLoopback`).
 */
export function readServiceAddress(text: string, allowsLoopback: boolean): Result<string> {
  const typed = text.trim();
  if (typed === '') return refused('address_missing');
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  if (/\s/.test(full) || !URL.canParse(full)) return refused('address_malformed');
  const url = new URL(full);
  // A key that was put into the wrong field must not be kept as an address: no host of the internet looks like one.
  const isHost = loopback.test(url.hostname) || url.hostname.includes('.') || url.hostname.startsWith('[');
  if (holdsKey(typed)) return refused('address_malformed');
  if (url.hostname.includes('_') || (full !== typed && !isHost)) return refused('address_malformed');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return refused('address_malformed');
  const isLoopback = allowsLoopback && url.protocol === 'http:' && loopback.test(url.hostname);
  if (url.protocol !== 'https:' && !isLoopback) return refused('address_not_https');
  return ok(`${url.origin}${url.pathname.replace(/\/+$/, '')}`);
}

/**
 * Reads where live streams and the legacy call are. What can't be an address of that kind is left out, so that tickets and
 * keys never go to half of one; `wss` only, plain `ws` on this computer for runs from source.
 */
export function readStreamPlaces(
  { streamUrl, grpcHost }: { readonly streamUrl: string | null; readonly grpcHost: string | null },
  allowsLoopback: boolean,
): { readonly streamUrl?: string; readonly grpcHost?: string } {
  const stream = /^wss?:\/\//i.test(streamUrl ?? '')
    ? readServiceAddress((streamUrl ?? '').replace(/^ws/i, 'http'), allowsLoopback)
    : null;
  const host = (grpcHost ?? '').replace(/:\d{1,5}$/, '');
  const isHost = /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/.test(host) || (allowsLoopback && host === 'localhost');
  return {
    ...(stream?.ok === true ? { streamUrl: stream.value.replace(/^http/, 'ws') } : {}),
    ...(grpcHost !== null && isHost ? { grpcHost } : {}),
  };
}
