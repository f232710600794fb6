import { expect, it } from 'vitest';
import { isThisComputer, manualProxy, proxyFromEnvironment, proxyFromSystem, readProxyHost } from './proxy.ts';

it.each([
  ['proxy.example', { host: 'proxy.example', port: null }],
  [' HTTP://Proxy.Example:3128/ ', { host: 'proxy.example', port: 3128 }],
  ['sk_live_0123456789abcdef', null],
  ['', null],
  ['me:secret@proxy.example', null],
])('%j is read as %j', (text, expected) => {
  expect(readProxyHost(text)).toEqual(expected);
});

it.each([
  ['PROXY proxy.example:3128; DIRECT', 'http://proxy.example:3128'],
  ['SOCKS5 sock.example:1080; HTTPS safe.example; DIRECT', 'https://safe.example:443'],
  ['', null],
  ['PROXY me:x@proxy.example:1', null],
])('the system’s %j leads to %j', (answer, expected) => {
  expect(proxyFromSystem(answer)).toBe(expected);
});

it.each([
  [{}, 'DIRECT'],
  [{ HTTPS_PROXY: 'http://p.example:3128' }, 'PROXY p.example:3128'],
  [{ HTTPS_PROXY: 'http://p.example', NO_PROXY: 'speech' }, 'PROXY p.example:80'],
  [{ HTTPS_PROXY: 'http://p.example', NO_PROXY: '*' }, 'DIRECT'],
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
