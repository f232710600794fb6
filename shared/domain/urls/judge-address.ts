import { err, ok, type Result } from '../../result/result.ts';

/** Not this computer, private, link-local (clouds' metadata), reserved, or IPv6 that embeds such an address. */
export function isPublicAddress(address: string): boolean {
  const four = readIpv4(address);
  if (four !== null) return isPublicIpv4(four);
  const six = readIpv6(address.replace(/%.*$/u, ''));
  return six !== null && isPublicIpv6(six);
}

const closedNetworks: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

function isPublicIpv4(address: number): boolean {
  return !closedNetworks.some(([first, length]) => {
    const size = 2 ** (32 - length);
    return Math.floor(address / size) === Math.floor((readIpv4(first) ?? 0) / size);
  });
}

function isPublicIpv6(groups: readonly number[]): boolean {
  const [a = 0, b = 0] = groups;
  const isZero = (from: number, to: number): boolean => groups.slice(from, to).every((group) => group === 0);
  const fourAt = (at: number): number => (groups[at] ?? 0) * 65_536 + (groups[at + 1] ?? 0);
  if (isZero(0, 5) && groups[5] === 0xffff) return isPublicIpv4(fourAt(6));
  if (a === 0x64 && b === 0xff9b && isZero(2, 6)) return isPublicIpv4(fourAt(6));
  if (a === 0x2002) return isPublicIpv4(fourAt(1));
  // Only 2000::/3 is assigned; of it 2001::/23 is for protocols and 2001:db8::/32, 3fff::/20 for documentation.
  if (a < 0x2000 || a > 0x3fff) return false;
  if (a === 0x2001 && (b < 0x200 || b === 0xdb8)) return false;
  return !(a === 0x3fff && b < 0x1000);
}

function readIpv4(text: string): number | null {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/u.exec(text)?.slice(1).map(Number);
  if (parts === undefined || parts.some((part) => part > 255)) return null;
  return parts.reduce((sum, part) => sum * 256 + part, 0);
}

function readIpv6(text: string): readonly number[] | null {
  const withFour = text.replace(/(?<=:)\d{1,3}(?:\.\d{1,3}){3}$/u, (four) => {
    const value = readIpv4(four);
    return value === null ? 'x' : `${Math.floor(value / 65_536).toString(16)}:${(value % 65_536).toString(16)}`;
  });
  const halves = withFour.split('::');
  if (halves.length > 2) return null;
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...tail];
  return groups.every((group) => /^[0-9a-f]{1,4}$/iu.test(group)) ? groups.map((group) => parseInt(group, 16)) : null;
}

export function isAddressOrRange(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  if (rest.length > 0) return false;
  const bits = readIpv4(address) !== null ? 32 : readIpv6(address) !== null ? 128 : 0;
  if (bits === 0) return false;
  return length === undefined || (/^(?:0|[1-9]\d{0,2})$/u.test(length) && Number(length) <= bits);
}

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

/** https, no user, the default port and a host name; in practice mode the practice service too. */
export function judgeDownloadAddress(text: string, practicePort: number | null): Result<URL, UnsafeAddress> {
  return judge(text, 'https:', practicePort, longestAddress);
}

/** Over wss, only at the service's own host or a pinned one. `hosts` include a port that is not the default. */
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
