import { err, ok, type Result } from '../../result/result.ts';

/** Why an address from outside is not used. Never contains the address. */
export type UnsafeAddress =
  | 'not-an-address'
  | 'too-long'
  | 'other-scheme'
  | 'has-user'
  | 'other-port'
  | 'ip-literal'
  | 'local-name'
  | 'has-fragment'
  | 'other-host';

const longestAddress = 8192;
const longestWebhookAddress = 2048;

/**
 * An address to download from: https, no user, the default port, a host name and no IP address. In practice mode the
 * practice service is allowed too, and nothing else on this computer.
 */
export function judgeDownloadAddress(text: string, practicePort: number | null): Result<URL, UnsafeAddress> {
  return judge(text, 'https:', practicePort, longestAddress);
}

/**
 * An address of a live stream: like a download over wss, and only at the service's own host or a pinned one. `hosts`
 * include the port where it is not the default.
 */
export function judgeStreamAddress(
  text: string,
  { hosts, practicePort }: { readonly hosts: readonly string[]; readonly practicePort: number | null },
): Result<URL, UnsafeAddress> {
  const url = judge(text, 'wss:', practicePort, longestAddress, hosts);
  if (!url.ok || url.value.protocol === 'ws:') return url;
  return hosts.includes(url.value.host) ? url : err('other-host');
}

/** An address that a user enters for webhooks (contract 4.11); it is never fetched from here. */
export function judgeWebhookAddress(text: string): Result<URL, UnsafeAddress> {
  const url = judge(text.trim(), 'https:', null, longestWebhookAddress);
  if (!url.ok) return url;
  return url.value.hash !== '' || text.includes('#') ? err('has-fragment') : url;
}

/** A path or address of the legacy API, joined to the service's own; it must stay within that origin. */
export function joinLegacyPath(baseUrl: string, path: string): Result<URL, UnsafeAddress> {
  const base = URL.parse(baseUrl);
  if (base === null || path.length > longestAddress) return err(base === null ? 'not-an-address' : 'too-long');
  const url = URL.parse(path, base.href);
  if (url === null) return err('not-an-address');
  if (url.username !== '' || url.password !== '') return err('has-user');
  return url.origin === base.origin ? ok(url) : err('other-host');
}

function judge(
  text: string,
  scheme: 'https:' | 'wss:',
  practicePort: number | null,
  longest: number,
  hosts: readonly string[] = [],
): Result<URL, UnsafeAddress> {
  if (text.length > longest) return err('too-long');
  const url = URL.parse(text);
  if (url === null) return err('not-an-address');
  if (url.username !== '' || url.password !== '') return err('has-user');
  const plain = scheme === 'https:' ? 'http:' : 'ws:';
  const isPractice = practicePort !== null && url.hostname === '127.0.0.1' && url.port === String(practicePort);
  if (url.protocol === plain && isPractice) return ok(url);
  if (url.protocol !== scheme) return err('other-scheme');
  // The parser normalises every notation of an IPv4 address to four parts, and removes the default port.
  if (url.port !== '' && !hosts.includes(url.host)) return err('other-port');
  if (/^\[|^\d+(?:\.\d+){3}$/u.test(url.hostname)) return err('ip-literal');
  return isLocalName(url.hostname) ? err('local-name') : ok(url);
}

const isLocalName = (hostname: string): boolean => {
  const name = hostname.replace(/\.$/u, '');
  return !name.includes('.') || /\.(?:localhost|local|internal|intranet|lan|home|corp|arpa|onion)$/iu.test(name);
};
