import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forAll, forAllIn } from '../../../tests/support/for-all.ts';
import { joinLegacyPath, judgeDownloadAddress, judgeStreamAddress, isPublicAddress } from './judge-address.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;
const verdict = (text: string, practicePort: number | null = null): string => {
  const judged = judgeDownloadAddress(text, practicePort);
  return judged.ok ? judged.value.href : judged.error;
};

test.each([
  ['https://files.example/a.wav?sig=x', 'https://files.example/a.wav?sig=x'],
  ['https://files.example:443/a', 'https://files.example/a'],
  ['http://files.example/a', 'other-scheme'],
  ['ftp://files.example/a', 'other-scheme'],
  ['file:///etc/passwd', 'other-scheme'],
  ['javascript:alert(1)', 'other-scheme'],
  ['https://files.example:8443/a', 'other-port'],
  ['https://u:p@files.example/a', 'has-user'],
  ['https://files.example@evil.example/', 'has-user'],
  ['//files.example/a', 'not-an-address'],
  ['', 'not-an-address'],
  [`https://files.example/${'a'.repeat(9000)}`, 'too-long'],
])('an address %s is judged as %s', (text, expected) => {
  expect(verdict(text)).toBe(expected);
});

const numbers = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '0x7f000001',
  '127.0.0.1.',
  '１２７.0.0.1',
  '0',
  '169.254.169.254',
  '8.8.8.8',
  '192.168.1.1',
  '167772161',
  '%31%32%37.0.0.1',
  '127。0。0。1',
  '①②⑦.0.0.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[fe80::1]',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::7f00:1]',
  '[fd00::1]',
];
test.each(numbers)('F-21: %s is a number, in whatever spelling, and is refused', (host) => {
  expect(verdict(`https://${host}/`)).toBe('ip-literal');
});

test.each(['localhost', 'LOCALHOST.', 'a.localhost', 'printer.local', 'metadata.google.internal', 'intranet'])(
  'F-21: %s is a name of this network and is refused',
  (host) => {
    expect(verdict(`https://${host}/`)).toBe('local-name');
  },
);

test('the practice service is allowed by plain http only at its own port, and only in practice mode', () => {
  expect(verdict('http://127.0.0.1:4100/a', 4100)).toBe('http://127.0.0.1:4100/a');
  expect(verdict('http://127.0.0.1:4101/a', 4100)).toBe('other-scheme');
  expect(verdict('http://localhost:4100/a', 4100)).toBe('other-scheme');
  expect(verdict('https://127.0.0.1:4100/a', 4100)).toBe('other-port');
  expect(verdict('http://127.0.0.1:4100/a')).toBe('other-scheme');
});

test('a stream is opened by wss at the service or at a pinned host only', () => {
  const rules = { hosts: ['api.example', 'live.example'], practicePort: 4100 };
  expect(judgeStreamAddress('wss://live.example/v1/stt/stream', rules).ok).toBe(true);
  expect(judgeStreamAddress('ws://127.0.0.1:4100/v1/stt/stream', rules).ok).toBe(true);
  const pinned = { ...rules, hosts: ['api.example', 'live.example:8443'] };
  expect(judgeStreamAddress('wss://live.example:8443/v1/stt/stream', pinned).ok).toBe(true);
  expect(judgeStreamAddress('wss://live.example/v1/stt/stream', pinned)).toEqual({ ok: false, error: 'other-host' });
  expect(judgeStreamAddress('wss://api.example:8443/x', pinned)).toEqual({ ok: false, error: 'other-port' });
  expect(judgeStreamAddress('wss://api.example.evil/x', rules)).toEqual({ ok: false, error: 'other-host' });
  expect(judgeStreamAddress('https://api.example/x', rules)).toEqual({ ok: false, error: 'other-scheme' });
  expect(judgeStreamAddress('ws://api.example/x', rules)).toEqual({ ok: false, error: 'other-scheme' });
});

test('a path of the legacy API stays at the service', () => {
  const join = (path: string): string => {
    const joined = joinLegacyPath('https://api.example/prefix', path);
    return joined.ok ? joined.value.href : joined.error;
  };
  expect(join('/media/a.wav')).toBe('https://api.example/media/a.wav');
  expect(join('https://api.example/b.wav')).toBe('https://api.example/b.wav');
  expect([join('//evil.example/a'), join('https://evil.example/a'), join('\\\\evil.example\\a')]).toEqual(
    Array(3).fill('other-host'),
  );
  expect(join('//u:p@api.example/a')).toBe('has-user');
});

const ofTheInternet = ['100.63.255.255', '100.128.0.1', '172.15.0.1', '8.8.8.8', '2606:4700:4700::1111'];
const ofClosedNetworks = [
  '100.64.0.1',
  '100.127.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '169.254.169.254',
  '224.0.0.1',
  '::',
  '::1',
  '::ffff:a00:1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1%eth0',
  'ff02::1',
  'not an address',
  '1.2.3',
  '1:2:3:4:5:6:7:8:9',
];
test.each([
  ...[...ofTheInternet, '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'].map((address) => [address, true] as const),
  ...ofClosedNetworks.map((address) => [address, false] as const),
])('the address %s is on the open internet: %s', (address, isOpen) => {
  expect(isPublicAddress(address)).toBe(isOpen);
});

test('P-19: no text makes an address that is not https, or names a number, a user or another port', () => {
  const odd = fc.constantFrom('localhost', '127.1', '0x7f.1', '①②⑦.0.0.1');
  const parts = fc.tuple(
    fc.constantFrom('https://', 'http://', 'HTTPS:\\\\', 'https:/', 'wss://', ' https://\t'),
    fc.constantFrom('', 'u@', 'u:p@', '@'),
    fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6(), odd, fc.string()),
    fc.constantFrom('', ':443', ':80', ':65536', ':0x1bb'),
    fc.webPath(),
  );
  const url = fc.webUrl({ withQueryParameters: true, withFragments: true });
  const text = fc.oneof(
    fc.string(),
    url,
    parts.map((some) => some.join('')),
  );
  forAllIn(isLong ? 100_000 : 3000, text, (candidate) => {
    const judged = judgeDownloadAddress(candidate, null);
    if (!judged.ok) return;
    const { protocol, username, password, port, hostname } = judged.value;
    expect([protocol, username, password, port]).toEqual(['https:', '', '', '']);
    expect(hostname).toMatch(/\./u);
    expect(hostname).not.toMatch(/^\[|^[\d.]+$/u);
  });
});

test('P-19: every address of a closed network is refused, and so is each IPv6 form of it', () => {
  const closed = fc.oneof(
    fc.tuple(fc.constantFrom(0, 10, 127, 224, 240, 255), fc.nat(255), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
  );
  forAll(closed, (parts) => {
    const four = parts.join('.');
    for (const form of [four, `::ffff:${four}`, `64:ff9b::${four}`, `::${four}`]) {
      expect([form, isPublicAddress(form)]).toEqual([form, false]);
    }
  });
});
