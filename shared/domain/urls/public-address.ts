/**
 * Whether an IP address belongs to the public internet. Refused: this computer, private and shared networks, link-local
 * (with the metadata services of clouds), multicast, reserved and documentation ranges, and IPv6 forms that embed one
 * of those (mapped, NAT64, 6to4). Invalid input is refused.
 */
export function isPublicAddress(address: string): boolean {
  const four = readIpv4(address);
  if (four !== null) return isPublicIpv4(four);
  const six = readIpv6(address.replace(/%.*$/u, ''));
  return six !== null && isPublicIpv6(six);
}

/** Networks outside the public internet: first address and length of the prefix. */
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

/** Whether a text is an IPv4 or IPv6 address, or a range in CIDR notation, as keys can be restricted to. */
export function isAddressOrRange(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  if (rest.length > 0) return false;
  const bits = readIpv4(address) !== null ? 32 : readIpv6(address) !== null ? 128 : 0;
  if (bits === 0) return false;
  return length === undefined || (/^(?:0|[1-9]\d{0,2})$/u.test(length) && Number(length) <= bits);
}
