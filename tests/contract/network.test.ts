import { createServer } from 'node:https';
import { readFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openServiceClient } from '../../electron/service/client.ts';
import type { TransportLimits } from '../../electron/service/transport.ts';
import { Secret } from '../../electron/secret/secret.ts';
import { startScriptedServer, startTcpServer } from '../support/scripted-server.ts';
import { openService, scriptedService, submission } from './client-rig.ts';

const tls = new URL('../fixtures/tls/', import.meta.url);
const { files } = await scriptedService();

/** A client of this address, closed after the test. */
function open(url: string, limits: Partial<TransportLimits> = {}) {
  const client = openService(url, { limits });
  onTestFinished(() => client.close());
  return client;
}
/** A server of bare connections, closed after the test. */
async function listen(onConnection: (socket: Socket) => void) {
  const server = await startTcpServer(onConnection);
  onTestFinished(() => server.close());
  return server;
}
const send = async (url: string, content: string | Buffer = 'x', limits: Partial<TransportLimits> = {}) =>
  open(url, limits).stt.submit(submission(await files.recording(content)));
const http = (body: string, head = 'HTTP/1.1 200 OK'): string =>
  `${head}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const whole = Buffer.from('--\r\n');

describe('before an answer', () => {
  test('service-unreachable: a service that refuses connections is said to be unreachable, also while it is left alone', async () => {
    const server = await startTcpServer(() => undefined);
    await server.close();
    const { stt } = open(server.url);
    const source = await files.recording('x');
    const error = { kind: 'service-unreachable', outcome: 'not_sent', scope: 'queue' };
    let code = '';
    for (let tries = 0; tries < 20 && code !== 'service_trouble'; tries += 1) {
      const refused = await stt.submit(submission(source));
      expect(refused).toMatchObject({ ok: false, error });
      if (!refused.ok) ({ code } = refused.error);
    }
    expect(code).toBe('service_trouble');
  });

  test('address-not-found: the name does not exist', async () => {
    expect(await send('https://ovoz-no-such-host.invalid')).toMatchObject({
      ok: false,
      error: { kind: 'address-not-found', outcome: 'not_sent' },
    });
  });

  test('tls-failed: the handshake is cut', async () => {
    const server = await listen((socket) => socket.once('data', () => socket.destroy()));
    expect(await send(server.url.replace('http:', 'https:'))).toMatchObject({
      ok: false,
      error: { kind: 'tls-failed', outcome: 'not_sent', layer: 'tls' },
    });
  });

  test('certificate-untrusted: a certificate that is not trusted is never accepted, whatever the environment says', async () => {
    const [key, cert] = ['key', 'cert'].map((kind) => readFileSync(new URL(`self-signed.${kind}.pem`, tls)));
    let requests = 0;
    const server = createServer({ key, cert }, (_request, response) => {
      requests += 1;
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    onTestFinished(() => {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
      server.close();
    });
    expect(await send(`https://localhost:${(server.address() as AddressInfo).port}`)).toMatchObject({
      ok: false,
      error: { kind: 'certificate-untrusted', outcome: 'not_sent', scope: 'queue' },
    });
    expect(requests).toBe(0);
  });

  test('service-troubled: a service in trouble is left alone for a while, and another address is not affected', async () => {
    const broken = await startScriptedServer((_request, response) => void response.writeHead(500).end());
    const fine = await startScriptedServer((_request, response) => void response.end('{"id":"a","text":"x"}'));
    let baseUrl = broken.url;
    const { stt, close } = openServiceClient({
      connection: () => ({ kind: 'practice', baseUrl, key: new Secret('practice_0123456789') }),
      log: { write: () => undefined },
      allowsLoopbackHttp: true,
    });
    onTestFinished(async () => void (await Promise.all([close(), broken.close(), fine.close()])));
    const source = await files.recording('x');
    let held = await stt.submit(submission(source));
    while (!held.ok && held.error.kind === 'server-error') held = await stt.submit(submission(source));
    expect(held).toMatchObject({ ok: false, error: { kind: 'service-troubled', outcome: 'not_sent', scope: 'queue' } });
    expect(held.ok ? 0 : held.error.retryAfterMs).toBeGreaterThan(10_000);
    // The limiter gains a token each second, so a slow machine may get one more.
    expect(Math.abs(broken.seen.length - 21)).toBeLessThanOrEqual(1);
    baseUrl = fine.url;
    expect(await stt.submit(submission(source))).toMatchObject({ ok: true });
  });

  test('plain http to another computer is refused before a socket is opened', async () => {
    expect(await open('http://192.0.2.1:9').stt.list({ limit: 1 })).toMatchObject({
      ok: false,
      error: { kind: 'address-invalid', code: 'base_not_secure', outcome: 'not_sent' },
    });
  });
});

describe('after bytes were sent', () => {
  const size = 600_000;
  test.each([0, 1, 1024, size / 2, size - 1])(
    'F-08: a reset after %i bytes of the request is unknown, with the same key',
    async (after) => {
      const server = await listen((socket) => {
        let received = 0;
        socket.on('data', (chunk) => {
          received += chunk.length;
          if (received > after) socket.resetAndDestroy();
        });
      });
      expect(await send(server.url, Buffer.alloc(size, 7))).toMatchObject({
        ok: false,
        error: { kind: 'connection-dropped', outcome: 'unknown', retry: 'same_key' },
      });
      expect(server.connections()).toBe(1);
    },
  );

  test('F-09: an answer cut after any byte is unknown, and never half understood', async () => {
    const body = JSON.stringify({ id: 'tr_1', status: 'completed', text: 'ўзбекча', request_id: 'r' });
    const answer = Buffer.from(http(body));
    let cutAt = 0;
    const server = await listen((socket) => {
      let request = Buffer.alloc(0);
      socket.on('data', (chunk) => {
        request = Buffer.concat([request, chunk]);
        if (request.subarray(-4).equals(whole)) socket.end(answer.subarray(0, cutAt));
      });
    });
    const source = await files.recording('x');
    // A client pauses after many lost answers (service-troubled), so each asks only a few times.
    for (const from of Array.from({ length: Math.ceil(answer.length / 12) }, (_, at) => at * 12)) {
      const { stt } = open(server.url);
      for (cutAt = from; cutAt < Math.min(from + 12, answer.length); cutAt += 1) {
        const result = await stt.submit(submission(source));
        if (result.ok) throw new Error(`understood after ${cutAt} of ${answer.length} bytes`);
        expect(['connection-dropped', 'answer-truncated']).toContain(result.error.kind);
        expect(result.error).toMatchObject({ outcome: 'unknown', retry: 'same_key' });
      }
    }
  });

  test('F-12: a server that never answers, or stops in the middle, is aborted after its time', async () => {
    const mute = await listen((socket) => socket.resume());
    expect(await send(mute.url, 'x', { firstByteMs: 80 })).toMatchObject({
      ok: false,
      error: { kind: 'connection-dropped', code: 'first_byte_timeout', outcome: 'unknown' },
    });
    const half = await listen((socket) => socket.once('data', () => socket.write(http('x'.repeat(100)).slice(0, 120))));
    expect(await send(half.url, 'x', { receiveStallMs: 60 })).toMatchObject({
      ok: false,
      error: { kind: 'answer-truncated', outcome: 'unknown', envelope: 'truncated' },
    });
  });

  test('F-11: a server that stops reading is aborted, a slow one is not', async () => {
    const content = Buffer.alloc(24 * 1024 * 1024);
    const stalled = await listen((socket) => socket.pause());
    expect(await send(stalled.url, content, { sendStallMs: 150 })).toMatchObject({
      ok: false,
      error: { kind: 'connection-dropped', code: 'send_stalled', outcome: 'unknown' },
    });
    const slow = await listen((socket) => {
      let received = 0;
      socket.on('data', (chunk) => {
        received += chunk.length;
        if (received > content.length) return void socket.end(http('{"id":"a","status":"queued"}'));
        socket.pause();
        setTimeout(() => socket.resume(), 5);
      });
    });
    const client = open(slow.url, { sendStallMs: 1500 });
    const result = await client.stt.submit(submission(await files.recording(content)));
    expect(result).toMatchObject({ ok: true, value: { remoteId: 'a' } });
    // In total it took longer than the longest silence allowed.
    expect(client.lines[0]?.ms).toBeGreaterThan(1500);
  });

  test('a refusal that arrives before the last byte was sent is read', async () => {
    const body = JSON.stringify({ message: 'big', error: { code: 'file_too_large' } });
    const server = await listen((socket) => {
      socket.once('data', () => socket.write(http(body, 'HTTP/1.1 413 Content Too Large\r\nconnection: close')));
      socket.resume();
    });
    expect(await send(server.url, Buffer.alloc(8 * 1024 * 1024))).toMatchObject({
      ok: false,
      error: { kind: 'file-too-large', outcome: 'refused', status: 413 },
    });
  });

  test('cancelling reports whether anything was sent', async () => {
    const server = await startScriptedServer(() => undefined);
    onTestFinished(() => server.close());
    const { stt } = open(server.url);
    const source = await files.recording('x');
    const early = await stt.submit(submission(source, { signal: AbortSignal.abort() }));
    expect(early).toMatchObject({ ok: false, error: { code: 'cancelled', outcome: 'not_sent' } });
    const controller = new AbortController();
    const running = stt.submit(submission(source, { signal: controller.signal }));
    await expect.poll(() => server.seen.length, { interval: 2 }).toBeGreaterThan(0);
    controller.abort();
    expect(await running).toMatchObject({ ok: false, error: { code: 'cancelled', outcome: 'unknown' } });
  });
});
