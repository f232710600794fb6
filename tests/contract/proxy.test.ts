import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Secret } from '../../electron/secret/secret.ts';
import { ProxyFailed, openTunnel, tunnelAgents } from '../../electron/api/http/tunnel.ts';
import { openServiceClient } from '../../electron/api/service-client.ts';
import { startScriptedServer } from '../support/scripted-server.ts';

const tls = new URL('../fixtures/tls/', import.meta.url);
const key = 'sk_live_CANARY_0123456789';
const portOf = (server: Pick<Server, 'address'>) => (server.address() as AddressInfo).port;
const listen = (server: Pick<Server, 'listen'>) =>
  new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));

/** A proxy that records its requests and leads every name to one address of this computer. */
const asked: { readonly place: string; readonly headers: Readonly<Record<string, unknown>> }[] = [];
let answer = 'HTTP/1.1 200 Connection established\r\n\r\n';
let target = 0;
const proxy = createHttpServer();
proxy.on('connect', (request, socket: Socket) => {
  asked.push({ place: request.url ?? '', headers: request.headers });
  if (!answer.includes(' 200 ')) {
    socket.end(answer);
    return;
  }
  const onward = connect(target, '127.0.0.1', () => {
    socket.write(answer);
    socket.pipe(onward).pipe(socket);
  });
  for (const end of [socket, onward]) end.on('error', () => undefined);
});
const secure = createSecureServer(
  {
    key: readFileSync(new URL('self-signed.key.pem', tls)),
    cert: readFileSync(new URL('self-signed.cert.pem', tls)),
  },
  (_request, response) => response.end('{}'),
);
const echo = createServer((socket) => socket.pipe(socket));

beforeAll(async () => {
  for (const server of [proxy, secure, echo]) await listen(server);
});
afterAll(() => {
  for (const server of [proxy, secure, echo]) server.close();
  proxy.closeAllConnections();
});
beforeEach(() => {
  asked.length = 0;
  answer = 'HTTP/1.1 200 Connection established\r\n\r\n';
  target = portOf(secure);
});

const proxyUrl = () => `http://127.0.0.1:${String(portOf(proxy))}`;
const apiBy = (baseUrl: string, proxyOf: () => Promise<string | null>) =>
  openServiceClient({
    connection: () => ({ kind: 'service', baseUrl, key: new Secret(key) }),
    log: { write: () => undefined },
    allowsLoopbackHttp: true,
    proxyOf,
  });

test('a request uses the proxy, which learns the name of the service and nothing of the key; certificates are still checked', async () => {
  const { stt: api, close } = apiBy('https://speech.example', async () => proxyUrl());
  const read = await api.read('one');
  expect(read).toMatchObject({ ok: false, error: { row: 'E-006', outcome: 'not_sent' } });
  expect(asked[0]?.place).toBe('speech.example:443');
  expect(JSON.stringify(asked)).not.toContain('CANARY');
  await close();
});

test.each([
  ['HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="x"\r\n\r\n', 'proxy_sign_in'],
  ['HTTP/1.1 502 Bad Gateway\r\n\r\n', 'proxy_unreachable'],
  ['SSH-2.0-OpenSSH_9.6\r\n', 'proxy_unreachable'],
])('a proxy that answers %j is reported as such (E-008), and nothing was sent', async (text, code) => {
  answer = text;
  const { stt: api, close } = apiBy('https://speech.example', async () => proxyUrl());
  expect(await api.read('one')).toMatchObject({
    ok: false,
    error: { row: 'E-008', code, outcome: 'not_sent', layer: 'proxy' },
  });
  await close();
});

test('a missing proxy is reported as such, never bypassed', async () => {
  const { stt: api, close } = apiBy('https://speech.example', async () => 'http://127.0.0.1:9');
  expect(await api.read('one')).toMatchObject({ ok: false, error: { row: 'E-008', code: 'proxy_unreachable' } });
  expect(asked).toEqual([]);
  await close();
});

test('a service on this computer is reached directly, whatever the proxy', async () => {
  const server = await startScriptedServer((_request, response) => void response.end('{}'));
  const { stt: api, close } = apiBy(server.url, async () => proxyUrl());
  await api.read('one');
  expect([server.seen.length, asked]).toEqual([1, []]);
  await close();
  await server.close();
});

test('a tunnel carries bytes both ways', async () => {
  target = portOf(echo);
  const socket = await openTunnel(proxyUrl(), { host: '2001:db8::7', port: 8443 }, 5_000);
  expect(asked[0]?.place).toBe('[2001:db8::7]:8443');
  socket.write('salom');
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  expect(chunk.toString()).toBe('salom');
  socket.destroy();
});

test('live streams use the proxy too, those of this computer directly', async () => {
  const agents = tunnelAgents(async () => proxyUrl());
  expect(agents(new URL('ws://127.0.0.1:4000/'))).toBeUndefined();
  const agent = agents(new URL('wss://speech.example/'));
  if (agent === undefined) throw new Error('no agent');
  const { get } = await import('node:https');
  const request = get('https://speech.example/v1/stt/stream', { agent });
  const [error] = (await once(request, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toMatch(/SELF_SIGNED|ALTNAME|UNABLE/);
  expect(asked[0]?.place).toBe('speech.example:443');
});

test('errors contain no proxy and no host', () => {
  expect(new ProxyFailed('proxy_unreachable').message).toBe('no way through the proxy');
});
