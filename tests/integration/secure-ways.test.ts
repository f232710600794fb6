import { readdirSync, readFileSync } from 'node:fs';
import { createServer as createProxyServer, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type Server } from 'node:https';
import { connect, createServer, type AddressInfo, type LookupFunction, type Socket } from 'node:net';
import { join } from 'node:path';
import type { SecureContextOptions } from 'node:tls';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProxySource } from '../../electron/services/connection/proxy-source.ts';
import { proxyFromEnvironment, type ProxyChoice } from '../../shared/domain/network/proxy.ts';
import { finished, openQueueRig, TestClock, type QueueRig, type QueueRigOptions } from '../support/queue-rig.ts';
import { TestAuthority } from '../support/test-certificates.ts';

const host = 'speech.test';
const authority = new TestAuthority();
authority.trust();
const good = authority.issue({ host });
/** The waits of the queue are long; half an hour passes in a second. */
const fast = (): Pick<QueueRigOptions, 'clock'> => ({ clock: new TestClock(2000) });
const everywhere: LookupFunction = (_name, options, callback) =>
  options.all === true
    ? setImmediate(callback, null, [{ address: '127.0.0.1', family: 4 }])
    : setImmediate(callback, null, '127.0.0.1', 4);

const sockets = new Set<Socket>();
const track = (socket: Socket): void => {
  sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
};
const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;
const listen = (server: { listen(port: number, host: string, done: () => void): unknown }): Promise<void> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve()));

/** The service as it should be, except for its certificate; its requests, in order. */
let service: Server;
let asked: { readonly method: string; readonly key: unknown }[] = [];
/** A proxy before the service that may cut connections. */
let isCut = false;
const front = createServer((socket) => {
  track(socket);
  if (isCut) return void socket.once('data', () => socket.resetAndDestroy());
  const onward = connect(portOf(service), '127.0.0.1');
  track(onward);
  socket.pipe(onward).pipe(socket);
});
let rig: QueueRig;

async function openService(options: SecureContextOptions): Promise<void> {
  service = createSecureServer({ ...options, ciphers: 'DEFAULT@SECLEVEL=0' }, (request, response) => {
    asked.push({ method: request.method ?? '', key: request.headers['idempotency-key'] });
    request.resume().on('end', () => answer(request.method ?? '', response));
  });
  service.on('connection', track).on('tlsClientError', () => undefined);
  await listen(service);
}
function answer(method: string, response: ServerResponse): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(method === 'POST' ? finished(`tr_${asked.length}`) : { data: [], next_cursor: null }));
}

const posts = () => asked.filter(({ method }) => method === 'POST');
const many = (count: number) => Array.from({ length: count }, (_, at) => rig.record(`${at}.wav`, 200 + at * 7));
const all = (count: number, tag: string) => Array.from({ length: count }, () => tag);

await listen(front);
beforeEach(() => {
  asked = [];
  isCut = false;
});
afterEach(async () => {
  await rig.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => service.close(resolve));
});
afterAll(() => {
  front.close();
  authority.dispose();
});

describe('F-16: an insecure connection', () => {
  const ways: readonly (readonly [string, string, () => SecureContextOptions])[] = [
    ['a certificate that has expired', 'E-005', () => authority.issue({ host, fromDays: -9, toDays: -1 })],
    ['a certificate that is not valid yet', 'E-005', () => authority.issue({ host, fromDays: 1, toDays: 9 })],
    ['a certificate that signed itself', 'E-006', () => authority.issue({ host, isSelfSigned: true })],
    ['a certificate of another host', 'E-006', () => authority.issue({ host: 'other.test' })],
    ['TLS 1.0', 'E-007', () => ({ ...good, minVersion: 'TLSv1', maxVersion: 'TLSv1' })],
  ];

  it.each(ways)(
    '%s is %s: nothing is sent, and it resumes automatically once that is fixed',
    async (_how, row, options) => {
      await openService(options());
      rig = await openQueueRig(undefined, {
        ...fast(),
        lookup: everywhere,
        baseUrl: () => `https://${host}:${portOf(front)}`,
      });
      await rig.add(...many(4));
      await rig.until(all(4, 'blocked'));
      expect(rig.rowsMet()).toEqual(new Set([row]));
      expect(rig.states()).toMatchObject(
        all(4, '').map(() => ({ by: 'service', failure: { row, outcome: 'not_sent' } })),
      );
      expect(asked).toEqual([]);
      service.setSecureContext({ ...good, minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3' });
      await rig.until(all(4, 'done'));
      expect(new Set(posts().map(({ key }) => key)).size).toBe(4);
      expect(posts()).toHaveLength(4);
    },
  );

  it('a handshake that is cut is E-007: tried a few times, nothing is sent, and it resumes automatically', async () => {
    await openService(good);
    isCut = true;
    rig = await openQueueRig(undefined, {
      ...fast(),
      lookup: everywhere,
      baseUrl: () => `https://${host}:${portOf(front)}`,
    });
    await rig.add(...many(4));
    await rig.until(all(4, 'blocked'));
    expect(rig.rowsMet()).toEqual(new Set(['E-007']));
    expect(asked).toEqual([]);
    isCut = false;
    await rig.until(all(4, 'done'));
    expect(posts()).toHaveLength(4);
  });
});

describe('F-17: the proxy', () => {
  const canary = 'PROXY-CANARY-0123';
  const opened = 'HTTP/1.1 200 Connection established\r\n\r\n';
  let reply = opened;
  const seen: string[] = [];
  const proxy = createProxyServer();
  proxy.on('connection', track);
  proxy.on('connect', (request, socket: Socket) => {
    seen.push(`${request.url} ${JSON.stringify(request.rawHeaders)}`);
    if (reply !== opened) return void socket.end(reply);
    const onward = connect(portOf(front), '127.0.0.1', () => {
      socket.write(opened);
      socket.pipe(onward).pipe(socket);
    });
    track(onward);
  });
  afterAll(() => void proxy.close());
  beforeEach(async () => {
    seen.length = 0;
    reply = opened;
    if (!proxy.listening) await listen(proxy);
    await openService(good);
  });

  let choice: ProxyChoice = { mode: 'system', server: '', port: 1 };
  let pac = async (_url: URL): Promise<string> => 'DIRECT';
  const openRig = async (): Promise<void> => {
    const proxyOf = createProxySource(
      () => choice,
      (url) => pac(url),
    );
    rig = await openQueueRig(undefined, { ...fast(), proxyOf, baseUrl: () => `https://${host}` });
  };
  const nowhereWritten = (): void => {
    const data = join(rig.folder, 'data');
    const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const texts = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
    for (const text of [...texts, ...rig.log, ...seen]) expect(text).not.toContain(canary);
  };

  it.each([
    [
      'wants a name and password (407)',
      'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="x"\r\n\r\n',
    ],
    ['lets nothing through (502)', 'HTTP/1.1 502 Bad Gateway\r\n\r\n'],
  ])(
    'that %s is E-008 once for all: nothing sent, no credential leaked, and it resumes automatically',
    async (_how, text) => {
      reply = text;
      // A user's variable may contain a password, which we must neither pass on nor log.
      const env = { HTTPS_PROXY: `http://somebody:${canary}@127.0.0.1:${portOf(proxy)}` };
      pac = async (url) => proxyFromEnvironment(env, url);
      await openRig();
      await rig.add(...many(4));
      await rig.until(all(4, 'blocked'));
      expect(rig.states()).toMatchObject(all(4, '').map(() => ({ by: 'service', failure: { row: 'E-008' } })));
      expect(asked).toEqual([]);
      expect(seen.length).toBeGreaterThan(0);
      reply = opened;
      await rig.until(all(4, 'done'));
      expect(posts()).toHaveLength(4);
      expect(seen.join('\n')).not.toContain('sk-test');
      nowhereWritten();
    },
  );

  it('that is missing is E-008; one set in its place is used from then on, without a restart', async () => {
    choice = { mode: 'manual', server: '127.0.0.1', port: 9 };
    await openRig();
    await rig.add(...many(4));
    await rig.until(all(4, 'blocked'));
    expect(rig.rowsMet()).toEqual(new Set(['E-008']));
    expect([asked.length, seen.length]).toEqual([0, 0]);
    choice = { ...choice, port: portOf(proxy) };
    // What a change of the setting reports to the queue.
    rig.library.jobs.noteWake();
    rig.library.jobs.noteConnectionChange();
    await rig.until(all(4, 'done'));
    expect(posts()).toHaveLength(4);
    expect(seen.every((line) => line.startsWith(`${host}:443 `))).toBe(true);
    choice = { mode: 'system', server: '', port: 1 };
  });

  it('from a script changes between two uploads: each uses the one that is right at the time', async () => {
    const gone = createServer();
    await listen(gone);
    const dead = portOf(gone);
    await new Promise((resolve) => gone.close(resolve));
    let answers = 0;
    pac = async () => (++answers <= 2 ? `PROXY 127.0.0.1:${dead}` : `PROXY 127.0.0.1:${portOf(proxy)}; DIRECT`);
    await openRig();
    await rig.add(...many(4));
    await rig.until(all(4, 'done'));
    expect(rig.rowsMet()).toEqual(new Set(['E-008']));
    expect(posts()).toHaveLength(4);
    expect(new Set(posts().map(({ key }) => key)).size).toBe(4);
  });
});
