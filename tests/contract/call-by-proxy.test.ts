import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { Secret } from '../../electron/secret/secret.ts';
import { openServiceClient } from '../../electron/api/service-client.ts';
import { legacyCall } from '../../electron/practice/legacy/call-server.ts';
import type { decodeRequest, SynthesizeResponse } from '../../shared/wire/legacy/call-codec.ts';
import { TestAuthority } from '../support/test-certificates.ts';
import { toneWav } from '../support/wav-files.ts';

const key = 'old_CANARY_0123456789abcdef';
const authority = new TestAuthority();
authority.trust();

type Asked = ReturnType<typeof decodeRequest>;
type Call = ServerDuplexStream<Asked, Partial<SynthesizeResponse>>;
const keysSeen: unknown[] = [];
/** A service that answers each turn with short audio. */
async function openService(host: string): Promise<{ readonly port: number; close(): void }> {
  const { key: privateKey, cert } = authority.issue({ host });
  const server = new Server({ 'grpc.enable_channelz': 0 });
  server.addService(legacyCall, {
    Synthesize(call: Call) {
      keysSeen.push(call.metadata.get('x-api-key')[0]);
      call.on('data', (asked: Asked) => {
        if (!asked.ok || asked.value.end) return void call.end();
        call.write({ requestId: asked.value.requestId, audioWav: toneWav(300, 0.1), sampleRate: 16_000 });
      });
    },
  });
  const pair = { private_key: Buffer.from(privateKey), cert_chain: Buffer.from(cert) };
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createSsl(null, [pair]), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  return { port, close: () => server.forceShutdown() };
}

const opened = 'HTTP/1.1 200 Connection established\r\n\r\n';
let reply = opened;
let target = 0;
const asked: string[] = [];
const proxy = createServer();
proxy.on('connect', (request, socket: Socket) => {
  asked.push(`${request.url} ${JSON.stringify(request.rawHeaders)}`);
  socket.on('error', () => undefined);
  if (reply !== opened) return void socket.end(reply);
  const onward = connect(target, '127.0.0.1', () => {
    socket.write(opened);
    socket.pipe(onward).pipe(socket);
  });
  onward.on('error', () => undefined);
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
const right = await openService('speech.test');
const wrong = await openService('other.test');
afterAll(() => {
  right.close();
  wrong.close();
  proxy.close();
  proxy.closeAllConnections();
  authority.dispose();
});
beforeEach(() => {
  reply = opened;
  target = right.port;
  asked.length = 0;
  keysSeen.length = 0;
});

const lines: string[] = [];
const clientBy = (proxyOf: () => Promise<string | null>) =>
  openServiceClient({
    connection: () => ({
      kind: 'service',
      baseUrl: 'https://speech.test',
      key: new Secret('sk_live_CANARY_0123456789'),
      legacyKey: new Secret(key),
      grpcHost: 'speech.test',
    }),
    log: { write: (entry) => void lines.push(JSON.stringify(entry)) },
    allowsLoopbackHttp: false,
    liveLimits: { upgradeMs: 3000 },
    proxyOf,
  });
const turn = { text: 'Salom', speaker: 'neutral', language: 'uz' } as const;

test('the legacy call uses the proxy of the settings, which learns the name of the service and nothing of the key', async () => {
  const client = clientBy(async () => proxyUrl);
  const voice = await client.live.legacyCall();
  if (!voice.ok) throw new Error(voice.error.code);
  const spoken = await voice.value.speak(turn);
  expect(spoken).toMatchObject({ ok: true, value: { sampleRate: 16_000 } });
  await voice.value.end();
  expect(keysSeen).toEqual([key]);
  expect(asked.length).toBeGreaterThan(0);
  for (const line of asked) {
    expect(line).toMatch(/^speech\.test:443 /u);
    expect(line).not.toContain('CANARY');
  }
  await client.close();
});

test('the certificate must be that of the service, whatever proxy is between', async () => {
  target = wrong.port;
  const client = clientBy(async () => proxyUrl);
  const voice = await client.live.legacyCall();
  if (!voice.ok) throw new Error(voice.error.code);
  expect(await voice.value.speak(turn)).toMatchObject({ ok: false, error: { outcome: 'not_sent' } });
  expect(keysSeen).toEqual([]);
  await client.close();
});

test.each([
  ['HTTP/1.1 407 Proxy Authentication Required\r\n\r\n', 'proxy_sign_in'],
  ['HTTP/1.1 502 Bad Gateway\r\n\r\n', 'proxy_unreachable'],
])('a proxy that answers %j is E-008, and is not bypassed', async (text, code) => {
  reply = text;
  const client = clientBy(async () => proxyUrl);
  expect(await client.live.legacyCall()).toMatchObject({
    ok: false,
    error: { row: 'E-008', code, outcome: 'not_sent' },
  });
  expect(keysSeen).toEqual([]);
  expect(lines.join('\n')).not.toContain('127.0.0.1');
  await client.close();
});

test('a missing proxy is E-008', async () => {
  const client = clientBy(async () => 'http://127.0.0.1:9');
  expect(await client.live.legacyCall()).toMatchObject({
    ok: false,
    error: { row: 'E-008', code: 'proxy_unreachable' },
  });
  await client.close();
});
