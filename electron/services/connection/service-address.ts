import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { isPort, manualProxy, proxyFromSystem, type ProxyChoice } from '../../../shared/domain/network/proxy.ts';
import { holdsKey } from '../../../shared/domain/text/looks-like-key.ts';
import { assertNever, err, ok, type Result } from '../../../shared/result/result.ts';

const loopback = /^(127(\.\d{1,3}){3}|localhost|\[::1\])$/;
const refused = (code: string) => err(makeFailure('address-invalid', { code }));

/** Origin and path as typed, without a trailing slash; http only on this computer, from source. */
export function readServiceAddress(text: string, allowsLoopback: boolean): Result<string> {
  const typed = text.trim();
  if (typed === '') return refused('address_missing');
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  if (/\s/.test(full) || !URL.canParse(full)) return refused('address_malformed');
  const url = new URL(full);
  // A key entered into the wrong field must not be stored as an address: no host of the internet looks like one.
  const isHost = loopback.test(url.hostname) || url.hostname.includes('.') || url.hostname.startsWith('[');
  if (holdsKey(typed)) return refused('address_malformed');
  if (url.hostname.includes('_') || (full !== typed && !isHost)) return refused('address_malformed');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return refused('address_malformed');
  const isLoopback = allowsLoopback && url.protocol === 'http:' && loopback.test(url.hostname);
  if (url.protocol !== 'https:' && !isLoopback) return refused('address_not_https');
  return ok(`${url.origin}${url.pathname.replace(/\/+$/, '')}`);
}

/** Parses an address of live streams, `wss://` or a bare host; empty stays empty. address-invalid. */
export function readStreamAddress(text: string, allowsLoopback: boolean): Result<string> {
  const typed = text.trim();
  if (typed === '') return ok('');
  if (/^https?:\/\//i.test(typed)) return refused('stream_not_wss');
  const read = readServiceAddress(typed.replace(/^ws/i, 'http'), allowsLoopback);
  if (!read.ok) return read;
  // A ticket contains the whole address of its stream, so a path here would only be in the way.
  return URL.parse(read.value)?.pathname === '/' ? ok(read.value.replace(/^http/, 'ws')) : refused('address_malformed');
}

/** Parses the host of the legacy call, with or without a port; empty stays empty. address-invalid. */
export function readCallHost(text: string, allowsLoopback: boolean): Result<string> {
  const typed = text.trim().toLowerCase();
  if (typed === '') return ok('');
  const [, host = '', port = '443'] = /^([a-z0-9-]+(?:\.[a-z0-9-]+)*)(?::(\d{1,5}))?$/.exec(typed) ?? [];
  const isHere = loopback.test(host);
  const isHost = isHere ? allowsLoopback : host.includes('.');
  return isHost && !holdsKey(typed) && isPort(Number(port)) ? ok(typed) : refused('call_host_malformed');
}

/** Invalid ones are left out, so that tickets and keys never go to half an address. */
export function readStreamPlaces(
  environment: { readonly streamUrl: string | null; readonly grpcHost: string | null },
  settings: { readonly streamAddress: string; readonly callHost: string },
  allowsLoopback: boolean,
): { readonly streamUrl?: string; readonly grpcHost?: string } {
  const stream = readStreamAddress(environment.streamUrl ?? settings.streamAddress, allowsLoopback);
  const host = readCallHost(environment.grpcHost ?? settings.callHost, allowsLoopback);
  return {
    ...(stream.ok && stream.value !== '' ? { streamUrl: stream.value } : {}),
    ...(host.ok && host.value !== '' ? { grpcHost: host.value } : {}),
  };
}

export type SystemProxy = (url: URL) => Promise<string>;

/** Read for each connection; a system without an answer means a direct one. */
export const createProxySource =
  (choice: () => ProxyChoice, system: SystemProxy) =>
  async (url: URL): Promise<string | null> => {
    const chosen = choice();
    switch (chosen.mode) {
      case 'none':
        return null;
      case 'manual':
        return manualProxy(chosen);
      case 'system':
        return proxyFromSystem(await system(url).catch(() => 'DIRECT'));
      default:
        return assertNever(chosen.mode);
    }
  };
