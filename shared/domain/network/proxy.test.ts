import { expect, it } from 'vitest';
import { isThisComputer, manualProxy, proxyFromEnvironment, proxyFromSystem, readProxyHost } from './proxy.ts';

it.each([
  ['proxy.example', { host: 'proxy.example', port: null }],
  [' HTTP://Proxy.Example:3128/ ', { host: 'proxy.example', port: 3128 }],
  ['10.0.0.1:8080', { host: '10.0.0.1', port: 8080 }],
  ['[::1]:3128', { host: '[::1]', port: 3128 }],
  ['proxy.example.:3128', { host: 'proxy.example', port: 3128 }],
  ['sk_live_0123456789abcdef', null],
  ['', null],
  ['me:secret@proxy.example', null],
  ['proxy.example:0', null],
  ['proxy.example:65536', null],
  ['proxy.example/path', null],
  ['two words', null],
  ['-bad.example', null],
  ['socks5://proxy.example', null],
])('%j is read as %j', (text, expected) => {
  expect(readProxyHost(text)).toEqual(expected);
});

it.each([
  ['DIRECT', null],
  ['PROXY proxy.example:3128; DIRECT', 'http://proxy.example:3128'],
  ['SOCKS5 sock.example:1080; HTTPS safe.example; DIRECT', 'https://safe.example:443'],
  ['SOCKS sock.example:1080', null],
  ['PROXY web_proxy:8080; DIRECT', 'http://web_proxy:8080'],
  ['', null],
  ['PROXY me:x@proxy.example:1', null],
])('the system’s %j leads to %j', (answer, expected) => {
  expect(proxyFromSystem(answer)).toBe(expected);
});

it.each([
  [{}, 'DIRECT'],
  [{ HTTPS_PROXY: 'http://p.example:3128' }, 'PROXY p.example:3128'],
  [{ https_proxy: 'p.example' }, 'PROXY p.example:80'],
  [{ ALL_PROXY: 'https://p.example' }, 'HTTPS p.example:443'],
  [{ HTTPS_PROXY: 'http://p.example', NO_PROXY: 'other.test, .speech.example' }, 'DIRECT'],
  [{ HTTPS_PROXY: 'http://p.example', NO_PROXY: 'speech' }, 'PROXY p.example:80'],
  [{ HTTPS_PROXY: 'http://p.example', NO_PROXY: '*' }, 'DIRECT'],
  [{ HTTPS_PROXY: 'socks5://p.example:1080' }, 'DIRECT'],
])('variables %j mean %s', (env, expected) => {
  expect(proxyFromEnvironment(env, new URL('https://api.speech.example/'))).toBe(expected);
});

it('the entered proxy is used only while it is selected, and never for this computer', () => {
  const written = { server: 'p.example', port: 3128 };
  expect(manualProxy({ mode: 'manual', ...written })).toBe('http://p.example:3128');
  expect(manualProxy({ mode: 'none', ...written })).toBeNull();
  expect(manualProxy({ mode: 'manual', server: '', port: 1 })).toBeNull();
  expect(['localhost', '127.0.0.1', '::1', 'example.org'].map(isThisComputer)).toEqual([true, true, true, false]);
});
