import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as immediately, setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../electron/secret/secret.ts';
import { openServiceClient } from '../../electron/api/service-client.ts';
import { startScriptedServer, startTcpServer } from '../support/scripted-server.ts';
import { openClient, recordingFolder, submission } from './client-rig.ts';

const tls = new URL('../fixtures/tls/', import.meta.url);
let files: Awaited<ReturnType<typeof recordingFolder>>;

beforeAll(async () => {
  files = await recordingFolder();
});
afterAll(() => files.dispose());

const http = (body: string, more = ''): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${more}\r\n${body}`;

describe('before an answer', () => {
  test('E-003: the port is closed', async () => {
    const server = await startTcpServer(() => undefined);
    await server.close();
    const { api } = openClient(server.url);
    const source = await files.recording('x');
    expect(await api.submit(submission(source))).toMatchObject({
      ok: false,
      error: { row: 'E-003', outcome: 'not_sent', scope: 'queue' },
    });
  });

  test('E-002: the name does not exist', async () => {
    const { api } = openClient('https://ovoz-no-such-host.invalid');
    const result = await api.submit(submission(await files.recording('x')));
    expect(result).toMatchObject({ ok: false, error: { row: 'E-002', outcome: 'not_sent' } });
  });

  test('E-007: the handshake is cut', async () => {
    const server = await startTcpServer((socket) => socket.once('data', () => socket.destroy()));
    const { api } = openClient(server.url.replace('http:', 'https:'));
    const result = await api.submit(submission(await files.recording('x')));
    expect(result).toMatchObject({ ok: false, error: { row: 'E-007', outcome: 'not_sent', layer: 'tls' } });
    await server.close();
  });

  test('E-006: a certificate that is not trusted is never accepted, whatever the environment says', async () => {
    const [key, cert] = ['key', 'cert'].map((kind) => readFileSync(new URL(`self-signed.${kind}.pem`, tls)));
    let requests = 0;
    const server = createServer({ key, cert }, (_request, response) => {
      requests += 1;
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const { api } = openClient(`https://localhost:${(server.address() as AddressInfo).port}`);
      const result = await api.submit(submission(await files.recording('x')));
      expect(result).toMatchObject({ ok: false, error: { row: 'E-006', outcome: 'not_sent', scope: 'queue' } });
      expect(requests).toBe(0);
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
      await new Promise((resolve) => server.close(resolve));
    }
  });

  test('E-018: a service in trouble is left alone for a while, and another address is not affected', async () => {
    const broken = await startScriptedServer((_request, response) => void response.writeHead(500).end());
    const fine = await startScriptedServer((_request, response) => void response.end('{"id":"a","text":"x"}'));
    let baseUrl = broken.url;
    const { stt: api, close } = openServiceClient({
      connection: () => ({ kind: 'practice', baseUrl, key: new Secret('practice_0123456789') }),
      log: { write: () => undefined },
      allowsLoopbackHttp: true,
    });
    const source = await files.recording('x');
    let held = await api.submit(submission(source));
    while (!held.ok && held.error.row === 'E-056') held = await api.submit(submission(source));
    expect(held).toMatchObject({ ok: false, error: { row: 'E-018', outcome: 'not_sent', scope: 'queue' } });
    expect(held.ok ? 0 : held.error.retryAfterMs).toBeGreaterThan(10_000);
    // The limiter gains a token each second, so a slow machine may get one more.
    expect(Math.abs(broken.seen.length - 21)).toBeLessThanOrEqual(1);
    baseUrl = fine.url;
    expect(await api.submit(submission(source))).toMatchObject({ ok: true });
    await Promise.all([close(), broken.close(), fine.close()]);
  });

  test('plain http to another computer is refused before a socket is opened', async () => {
    const { api } = openClient('http://192.0.2.1:9');
    const result = await api.list({ limit: 1 });
    expect(result).toMatchObject({ ok: false, error: { row: 'E-234', code: 'base_not_secure', outcome: 'not_sent' } });
  });
});

describe('after bytes were sent', () => {
  const size = 600_000;
  test.each([0, 1, 1024, size / 2, size - 1])(
    'F-08: a reset after %i bytes of the request is unknown, with the same key',
    async (after) => {
      const server = await startTcpServer((socket) => {
        let received = 0;
        socket.on('data', (chunk) => {
          received += chunk.length;
          if (received > after) socket.resetAndDestroy();
        });
      });
      const { api } = openClient(server.url);
      const result = await api.submit(submission(await files.recording(Buffer.alloc(size, 7))));
      expect(result).toMatchObject({ ok: false, error: { row: 'E-012', outcome: 'unknown', retry: 'same_key' } });
      expect(server.connections()).toBe(1);
      await server.close();
      await api.close();
    },
  );

  test('F-09: an answer cut after any byte is unknown, and never half understood', { tags: ['long'] }, async () => {
    const body = JSON.stringify({ id: 'tr_1', status: 'completed', text: 'ў'.repeat(240), request_id: 'r' });
    const whole = Buffer.from(http(body));
    let cutAt = 0;
    const server = await startTcpServer((socket) => {
      let request = Buffer.alloc(0);
      socket.on('data', (chunk) => {
        request = Buffer.concat([request, chunk]);
        if (request.includes('\r\n--ovoz-') && request.subarray(-4).equals(Buffer.from('--\r\n'))) {
          socket.end(whole.subarray(0, cutAt));
        }
      });
    });
    const source = await files.recording('x');
    for (cutAt = 0; cutAt < whole.length;) {
      // A client pauses after many lost answers (E-018), so each asks only a few times.
      const { api } = openClient(server.url);
      for (const last = cutAt + 12; cutAt < Math.min(last, whole.length); cutAt += 1) {
        const result = await api.submit(submission(source));
        if (result.ok) throw new Error(`understood after ${cutAt} of ${whole.length} bytes`);
        expect(['E-012', 'E-015']).toContain(result.error.row);
        expect(result.error).toMatchObject({ outcome: 'unknown', retry: 'same_key' });
      }
      await api.close();
    }
    await server.close();
  });

  test('F-10: an answer in pieces of one byte is read whole', async () => {
    const text = 'Oʻzbekcha ўзбекча 🎙';
    const server = await startTcpServer((socket) => {
      socket.setNoDelay(true);
      socket.once('data', () => void sendSlowly(socket, Buffer.from(http(JSON.stringify({ id: 'a', text })))));
    });
    const { api } = openClient(server.url);
    expect(await api.read('a')).toMatchObject({ ok: true, value: { transcript: { text } } });
    await server.close();
    await api.close();
  });

  test('F-12: a server that never answers is aborted after the first-byte time', async () => {
    const server = await startTcpServer((socket) => socket.resume());
    const { api } = openClient(server.url, { firstByteMs: 80 });
    const result = await api.submit(submission(await files.recording('x')));
    expect(result).toMatchObject({
      ok: false,
      error: { row: 'E-012', code: 'first_byte_timeout', outcome: 'unknown' },
    });
    await server.close();
    await api.close();
  });

  test('F-11: a server that stops reading is aborted, a slow one is not', async () => {
    const size = 24 * 1024 * 1024;
    const stalled = await startTcpServer((socket) => socket.pause());
    const first = openClient(stalled.url, { sendStallMs: 150 });
    const source = await files.recording(Buffer.alloc(size));
    expect(await first.api.submit(submission(source))).toMatchObject({
      ok: false,
      error: { row: 'E-012', code: 'send_stalled', outcome: 'unknown' },
    });
    await stalled.close();
    await first.api.close();

    const slow = await startTcpServer((socket) => {
      let received = 0;
      socket.on('data', (chunk) => {
        received += chunk.length;
        if (received > size) {
          socket.end(http('{"id":"a","status":"queued"}'));
          return;
        }
        socket.pause();
        setTimeout(() => socket.resume(), 5);
      });
    });
    const second = openClient(slow.url, { sendStallMs: 1500 });
    const result = await second.api.submit(submission(source));
    expect(result).toMatchObject({ ok: true, value: { remoteId: 'a' } });
    // In total it took longer than the longest silence allowed.
    expect(second.lines[0]?.ms).toBeGreaterThan(1500);
    await slow.close();
    await second.api.close();
  });

  test('an answer that stops in the middle is aborted and unknown', async () => {
    const server = await startTcpServer((socket) =>
      socket.once('data', () => socket.write(http('x'.repeat(100)).slice(0, 120))),
    );
    const { api } = openClient(server.url, { receiveStallMs: 60 });
    const result = await api.submit(submission(await files.recording('x')));
    expect(result).toMatchObject({ ok: false, error: { row: 'E-015', outcome: 'unknown', envelope: 'truncated' } });
    await server.close();
    await api.close();
  });

  test('a refusal that arrives before the last byte was sent is read', async () => {
    const body = JSON.stringify({ message: 'big', error: { code: 'file_too_large' } });
    const server = await startTcpServer((socket) => {
      socket.once('data', () =>
        socket.write(
          http(body).replace('200 OK', '413 Content Too Large').replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'),
        ),
      );
      socket.resume();
    });
    const { api } = openClient(server.url);
    const result = await api.submit(submission(await files.recording(Buffer.alloc(8 * 1024 * 1024))));
    expect(result).toMatchObject({ ok: false, error: { row: 'E-048', outcome: 'refused', status: 413 } });
    await server.close();
    await api.close();
  });

  test('cancelling reports whether anything was sent', async () => {
    const server = await startScriptedServer(() => undefined);
    const { api } = openClient(server.url);
    const source = await files.recording('x');
    const early = await api.submit(submission(source, { signal: AbortSignal.abort() }));
    expect(early).toMatchObject({ ok: false, error: { code: 'cancelled', outcome: 'not_sent' } });
    const controller = new AbortController();
    const running = api.submit(submission(source, { signal: controller.signal }));
    while (server.seen.length === 0) await delay(2);
    controller.abort();
    expect(await running).toMatchObject({ ok: false, error: { code: 'cancelled', outcome: 'unknown' } });
    await server.close();
    await api.close();
  });
});

async function sendSlowly(socket: Socket, bytes: Buffer): Promise<void> {
  for (const byte of bytes) {
    socket.write(Buffer.of(byte));
    await immediately();
  }
}
