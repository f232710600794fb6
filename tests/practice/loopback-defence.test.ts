import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPracticeServer, type PracticeServer } from '../../electron/practice/server.ts';
import { readLedger } from '../../electron/practice/state/ledger.ts';
import { call } from './practice-client.ts';

let server: PracticeServer;
let port = 0;
beforeAll(async () => {
  server = await startPracticeServer();
  port = Number(new URL(server.url).port);
});
afterAll(() => server.close());

/** Sends bytes as they are and reads until the server closes. */
function raw(text: string, host = '127.0.0.1'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (answer += chunk));
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

interface Attempt {
  readonly method?: string;
  readonly host?: string;
  readonly authorization?: string | null;
  readonly extra?: readonly string[];
}

const attempt = ({
  method = 'GET',
  host = `127.0.0.1:${port}`,
  authorization = `Bearer ${server.token}`,
  extra = [],
}: Attempt): Promise<string> =>
  raw(
    [
      `${method} /v1/stt/transcriptions HTTP/1.1`,
      `Host: ${host}`,
      ...(authorization === null ? [] : [`Authorization: ${authorization}`]),
      'Connection: close',
      ...extra,
      '',
      '',
    ].join('\r\n'),
  );

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);

describe('the practice service on loopback', () => {
  it('has its state in files of this user alone', () => {
    const files = readdirSync(server.stateDir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(files.map(({ name }) => name)).toContain('practice.sqlite');
    const open = files.filter(({ parentPath, name }) => (statSync(join(parentPath, name)).mode & 0o077) !== 0);
    expect(open.map(({ name }) => name)).toEqual([]);
  });

  it('answers its own client', async () => {
    expect(statusOf(await attempt({}))).toBe(200);
  });

  it.each<readonly [string, () => Attempt]>([
    ['another name for the host', () => ({ host: `localhost:${port}` })],
    ['a rebinding host', () => ({ host: 'evil.example' })],
    ['the host without port', () => ({ host: '127.0.0.1' })],
    ['all interfaces as host', () => ({ host: `0.0.0.0:${port}` })],
    ['IPv6 loopback as host', () => ({ host: `[::1]:${port}` })],
    ['a second host header', () => ({ extra: [`Host: 127.0.0.1:${port}`] })],
    ['the origin of a page', () => ({ extra: ['Origin: https://evil.example'] })],
    ['the null origin', () => ({ extra: ['Origin: null'] })],
    ['its own address as origin', () => ({ extra: [`Origin: http://127.0.0.1:${port}`] })],
    ['a cross-site request', () => ({ extra: ['Sec-Fetch-Site: cross-site'] })],
    ['a same-site request', () => ({ extra: ['Sec-Fetch-Site: same-site'] })],
    [
      'a preflight',
      () => ({
        method: 'OPTIONS',
        authorization: null,
        extra: [
          'Origin: https://evil.example',
          'Access-Control-Request-Method: POST',
          'Access-Control-Request-Private-Network: true',
        ],
      }),
    ],
  ])('refuses %s, even with the right key, and gives no CORS header', async (_name, make) => {
    const answer = await attempt(make());
    expect([400, 403]).toContain(statusOf(answer));
    expect(answer.toLowerCase()).not.toContain('access-control-');
  });

  it('opens no WebSocket without a ticket', async () => {
    const answer = await attempt({
      extra: ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='].map(
        (line) => line,
      ),
    });
    const upgraded = await raw(
      `GET /v1/stt HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    expect(statusOf(upgraded)).toBe(404);
    const stream = (...lines: string[]): Promise<string> =>
      raw(
        [
          'GET /v1/stt/stream?ticket=guess HTTP/1.1',
          `Host: 127.0.0.1:${port}`,
          'Connection: Upgrade',
          'Upgrade: websocket',
          'Sec-WebSocket-Version: 13',
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
          ...lines,
          '',
          '',
        ].join('\r\n'),
      );
    expect(await stream()).toMatch(/^HTTP\/1\.1 401 [^]*"invalid_realtime_ticket"/);
    expect(await stream('Origin: https://evil.example')).toMatch(/^HTTP\/1\.1 403 [^]*"origin_forbidden"/);
    expect(await stream(`Authorization: Bearer ${server.token}`)).toMatch(/^HTTP\/1\.1 401 /);
    expect(statusOf(answer)).not.toBe(101);
  });

  it.each<readonly [string, () => string | null]>([
    ['no key', () => null],
    ['a key of the real service', () => 'Bearer sk_live_51H8x2jK9mN3pQ7rS0tU4vW6y'],
    ['an empty key', () => 'Bearer '],
    ['half of the key', () => `Bearer ${server.token.slice(0, -1)}`],
    ['more than the key', () => `Bearer ${server.token}x`],
    ['another scheme', () => `Basic ${server.token}`],
  ])('refuses %s in clear words that repeat nothing of it', async (_name, make) => {
    const authorization = make();
    const answer = await attempt({ authorization });
    expect(statusOf(answer)).toBe(401);
    expect(answer).toContain('"code":"invalid_api_key"');
    expect(answer).toMatch(/practice/);
    if (authorization !== null && authorization.length > 12) expect(answer).not.toContain(authorization.slice(7));
  });

  it('has a key of 256 bits that is new at each start', async () => {
    const other = await startPracticeServer();
    await other.close();
    expect(Buffer.from(server.token.replace('practice_', ''), 'base64url')).toHaveLength(32);
    expect(other.token).not.toBe(server.token);
  });

  it('does nothing for a form that a page posts', async () => {
    const body = '--b\r\nContent-Disposition: form-data; name="language"\r\n\r\nen\r\n--b--\r\n';
    const answer = await raw(
      `POST /v1/stt HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: https://evil.example\r\nIdempotency-Key: ${randomUUID()}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    expect(statusOf(answer)).toBe(403);
    expect(readLedger(server.stateDir)).toEqual([]);
  });

  it('listens on 127.0.0.1 and nowhere else', async () => {
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => address);
    for (const address of outside) await expect(raw('GET / HTTP/1.1\r\n\r\n', address)).rejects.toThrow('ECONNREFUSED');
    expect(new URL(server.url).hostname).toBe('127.0.0.1');
  });

  it('has at most 64 connections', async () => {
    const sockets = Array.from({ length: 70 }, () => connect(port, '127.0.0.1'));
    const closed = new Set<unknown>();
    for (const socket of sockets) socket.on('close', () => closed.add(socket)).on('error', () => undefined);
    await expect.poll(() => closed.size, { timeout: 5000 }).toBeGreaterThanOrEqual(6);
    expect(closed.size).toBeLessThanOrEqual(8);
    for (const socket of sockets) socket.destroy();
    await expect
      .poll(async () => (await call(server, 'GET', '/v1/stt/transcriptions').catch(() => null))?.status, {
        timeout: 5000,
      })
      .toBe(200);
  });

  it('protects its folder from other users', async () => {
    const { stat } = await import('node:fs/promises');
    for (const path of [server.stateDir, `${server.stateDir}/uploads`])
      expect((await stat(path)).mode & 0o777).toBe(0o700);
  });
});
