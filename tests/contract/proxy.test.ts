import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createSecureServer, get } from 'node:https';
import { connect, createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { ProxyFailed, openTunnel, tunnelAgents } from '../../electron/service/proxy.ts';
import { openServiceClient } from '../../electron/service/client.ts';
import { legacyCall } from '../../electron/practice/legacy-call.ts';
import { Secret } from '../../electron/secret/secret.ts';
import type { decodeRequest, SynthesizeResponse } from '../../shared/wire/call-codec.ts';
import { startScriptedServer } from '../support/scripted-server.ts';
import { toneWav } from '../support/wav-files.ts';
import { folderOfFile } from '../support/test-folders.ts';

const legacyKey = 'old_CANARY_0123456789abcdef';
const folder = folderOfFile();

/** A certificate for a host that vouches for itself, and its key. */
function certify(name: string, host: string) {
  const made = ['-keyout', `${name}.key`, '-out', `${name}.cert`];
  const facts = ['-days', '2', '-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${host}`];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', ['req', '-x509', ...key, ...facts, ...made], { cwd: folder, stdio: 'pipe' });
  const read = (ending: string) => readFileSync(join(folder, `${name}.${ending}`), 'utf8');
  return { key: read('key'), cert: read('cert') };
}
const right = certify('right', 'speech.test');
const wrong = certify('wrong', 'other.test');
const untrusted = certify('untrusted', 'speech.test');
// Every secure connection of this process without an authority of its own uses these.
const before = getCACertificates('default');
setDefaultCACertificates([...before, right.cert, wrong.cert]);
afterAll(() => setDefaultCACertificates(before));

type Asked = ReturnType<typeof decodeRequest>;
const keysSeen: unknown[] = [];
/** A gRPC service that answers each turn with short audio. */
async function openCallServer({ key, cert }: typeof right): Promise<{ readonly port: number; close(): void }> {
  const server = new Server({ 'grpc.enable_channelz': 0 });
  server.addService(legacyCall, {
    Synthesize(call: ServerDuplexStream<Asked, Partial<SynthesizeResponse>>) {
      keysSeen.push(call.metadata.get('x-api-key')[0]);
      call.on('data', (asked: Asked) => {
        if (!asked.ok || asked.value.end) return void call.end();
        call.write({ requestId: asked.value.requestId, audioWav: toneWav(300, 0.1), sampleRate: 16_000 });
      });
    },
  });
  const pair = { private_key: Buffer.from(key), cert_chain: Buffer.from(cert) };
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createSsl(null, [pair]), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  return { port, close: () => server.forceShutdown() };
}

/** A proxy that records its requests and leads every name to one address of this computer. */
const opened = 'HTTP/1.1 200 Connection established\r\n\r\n';
const asked: { readonly place: string; readonly headers: Readonly<Record<string, unknown>> }[] = [];
let reply = opened;
let target = 0;
const proxy = createHttpServer();
proxy.on('connect', (request, socket: Socket) => {
  asked.push({ place: request.url ?? '', headers: request.headers });
  socket.on('error', () => undefined);
  if (reply !== opened) return void socket.end(reply);
  const onward = connect(target, '127.0.0.1', () => {
    socket.write(opened);
    socket.pipe(onward).pipe(socket);
  });
  onward.on('error', () => undefined);
});
const secure = createSecureServer(untrusted, (_request, response) => response.end('{}'));
const echo = createServer((socket) => socket.pipe(socket));
const portOf = (server: Pick<NetServer, 'address'>) => (server.address() as AddressInfo).port;
const listen = (server: Pick<NetServer, 'listen'>) =>
  new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
for (const server of [proxy, secure, echo]) await listen(server);
const calls = await openCallServer(right);
const wrongCalls = await openCallServer(wrong);
afterAll(() => {
  for (const server of [proxy, secure, echo, calls, wrongCalls]) server.close();
  proxy.closeAllConnections();
});
beforeEach(() => {
  asked.length = 0;
  keysSeen.length = 0;
  reply = opened;
  target = portOf(secure);
});

const proxyUrl = `http://127.0.0.1:${portOf(proxy)}`;
const lines: string[] = [];
const clientBy = (proxyAddress: string, baseUrl = 'https://speech.test') =>
  openServiceClient({
    connection: () => ({
      kind: 'service',
      baseUrl,
      key: new Secret('sk_live_CANARY_0123456789'),
      legacyKey: new Secret(legacyKey),
      grpcHost: 'speech.test',
    }),
    log: { write: (entry) => void lines.push(JSON.stringify(entry)) },
    allowsLoopbackHttp: true,
    liveLimits: { upgradeMs: 3000 },
    proxyOf: async () => proxyAddress,
  });
const refusals = [
  ['HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="x"\r\n\r\n', 'proxy_sign_in'],
  ['HTTP/1.1 502 Bad Gateway\r\n\r\n', 'proxy_unreachable'],
  ['SSH-2.0-OpenSSH_9.6\r\n', 'proxy_unreachable'],
] as const;

describe('a request', () => {
  test('uses the proxy, which learns the name of the service and nothing of the key; certificates are still checked', async () => {
    const { stt, close } = clientBy(proxyUrl);
    const read = await stt.read('one');
    expect(read).toMatchObject({ ok: false, error: { kind: 'certificate-untrusted', outcome: 'not_sent' } });
    expect(asked[0]?.place).toBe('speech.test:443');
    expect(JSON.stringify(asked)).not.toContain('CANARY');
    await close();
  });

  test.each(refusals)('by a proxy that answers %j is proxy-sign-in, and nothing was sent', async (text, code) => {
    reply = text;
    const { stt, close } = clientBy(proxyUrl);
    expect(await stt.read('one')).toMatchObject({
      ok: false,
      error: { kind: 'proxy-sign-in', code, outcome: 'not_sent', layer: 'proxy' },
    });
    await close();
  });

  test('by a missing proxy is reported as such, never sent around it', async () => {
    const { stt, live, close } = clientBy('http://127.0.0.1:9');
    const error = { kind: 'proxy-sign-in', code: 'proxy_unreachable' };
    expect(await stt.read('one')).toMatchObject({ ok: false, error });
    expect(await live.legacyCall()).toMatchObject({ ok: false, error });
    expect(asked).toEqual([]);
    await close();
  });

  test('to a service on this computer goes directly, whatever the proxy', async () => {
    const server = await startScriptedServer((_request, response) => void response.end('{}'));
    const { stt, close } = clientBy(proxyUrl, server.url);
    await stt.read('one');
    expect([server.seen.length, asked]).toEqual([1, []]);
    await close();
    await server.close();
  });
});

test('a tunnel carries bytes both ways, and its errors contain no proxy and no host', async () => {
  target = portOf(echo);
  const socket = await openTunnel(proxyUrl, { host: '2001:db8::7', port: 8443 }, 5_000);
  expect(asked[0]?.place).toBe('[2001:db8::7]:8443');
  socket.write('salom');
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  expect(chunk.toString()).toBe('salom');
  socket.destroy();
  expect(new ProxyFailed('proxy_unreachable').message).toBe('no way through the proxy');
});

test('live streams use the proxy too, those of this computer directly', async () => {
  const agents = tunnelAgents(async () => proxyUrl);
  expect(agents(new URL('ws://127.0.0.1:4000/'))).toBeUndefined();
  const agent = agents(new URL('wss://speech.test/'));
  if (agent === undefined) throw new Error('no agent');
  const request = get('https://speech.test/v1/stt/stream', { agent });
  const [error] = (await once(request, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toMatch(/SELF_SIGNED|ALTNAME|UNABLE/);
  expect(asked[0]?.place).toBe('speech.test:443');
});

describe('the legacy call', () => {
  const turn = { text: 'Salom', speaker: 'neutral', language: 'uz' } as const;
  const speak = async () => {
    const client = clientBy(proxyUrl);
    const voice = await client.live.legacyCall();
    const told = voice.ok ? await voice.value.speak(turn) : voice;
    await client.close();
    return told;
  };

  test('uses the proxy, which learns the name of the service and nothing of the key', async () => {
    target = calls.port;
    expect(await speak()).toMatchObject({ ok: true, value: { sampleRate: 16_000 } });
    expect(keysSeen).toEqual([legacyKey]);
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked.map(({ place }) => place))).toEqual(new Set(['speech.test:443']));
    expect(JSON.stringify(asked)).not.toContain('CANARY');
  });

  test('needs the certificate of the service, whatever proxy is between', async () => {
    target = wrongCalls.port;
    expect(await speak()).toMatchObject({ ok: false, error: { outcome: 'not_sent' } });
    expect(keysSeen).toEqual([]);
  });

  test.each(refusals.slice(0, 2))('by a proxy that answers %j is proxy-sign-in', async (text, code) => {
    reply = text;
    expect(await speak()).toMatchObject({ ok: false, error: { kind: 'proxy-sign-in', code, outcome: 'not_sent' } });
    expect(keysSeen).toEqual([]);
    expect(lines.join('\n')).not.toContain('127.0.0.1');
  });
});
