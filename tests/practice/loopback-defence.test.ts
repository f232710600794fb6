import { readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startPracticeServer } from '../../electron/practice/server.ts';
import { readLedger } from '../../electron/practice/state.ts';
import { call } from './practice-client.ts';

const server = await startPracticeServer();
const port = Number(new URL(server.url).port);
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
  readonly line?: string;
  readonly host?: string;
  readonly authorization?: string | null;
  readonly extra?: readonly string[];
  readonly body?: string;
}
const attempt = ({
  line = 'GET /v1/stt/transcriptions',
  host = `127.0.0.1:${port}`,
  authorization = `Bearer ${server.token}`,
  extra = ['Connection: close'],
  body = '',
}: Attempt): Promise<string> => {
  const credential = authorization === null ? [] : [`Authorization: ${authorization}`];
  return raw([`${line} HTTP/1.1`, `Host: ${host}`, ...credential, ...extra, '', body].join('\r\n'));
};
const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);

describe('the practice service on loopback', () => {
  it('answers its own client, and has its state in files and folders of this user alone', async () => {
    expect(statusOf(await attempt({}))).toBe(200);
    const entries = readdirSync(server.stateDir, { recursive: true, withFileTypes: true });
    expect(entries.map(({ name }) => name)).toEqual(expect.arrayContaining(['state.json', 'uploads']));
    const paths = [server.stateDir, ...entries.map(({ parentPath, name }) => join(parentPath, name))];
    expect(paths.filter((path) => (statSync(path).mode & 0o077) !== 0)).toEqual([]);
  });

  const preflight = ['Access-Control-Request-Method: POST', 'Access-Control-Request-Private-Network: true'];
  it.each<readonly [string, Attempt]>([
    ['another name for the host', { host: `localhost:${port}` }],
    ['a rebinding host', { host: 'evil.example' }],
    ['the host without port', { host: '127.0.0.1' }],
    ['all interfaces as host', { host: `0.0.0.0:${port}` }],
    ['IPv6 loopback as host', { host: `[::1]:${port}` }],
    ['a second host header', { extra: ['Connection: close', `Host: 127.0.0.1:${port}`] }],
    ['the origin of a page', { extra: ['Connection: close', 'Origin: https://evil.example'] }],
    ['the null origin', { extra: ['Connection: close', 'Origin: null'] }],
    ['its own address as origin', { extra: ['Connection: close', `Origin: http://127.0.0.1:${port}`] }],
    ['a cross-site request', { extra: ['Connection: close', 'Sec-Fetch-Site: cross-site'] }],
    ['a same-site request', { extra: ['Connection: close', 'Sec-Fetch-Site: same-site'] }],
    [
      'a preflight',
      {
        line: 'OPTIONS /v1/stt',
        authorization: null,
        extra: ['Connection: close', 'Origin: https://evil.example', ...preflight],
      },
    ],
    [
      'a form that a page posts',
      {
        line: 'POST /v1/stt',
        extra: [
          'Connection: close',
          'Origin: https://evil.example',
          'Content-Type: multipart/form-data; boundary=b',
          'Content-Length: 5',
        ],
        body: '--b--',
      },
    ],
  ])('refuses %s, even with the right key, and gives no CORS header', async (_name, made) => {
    const answer = await attempt(made);
    expect([400, 403]).toContain(statusOf(answer));
    expect(answer.toLowerCase()).not.toContain('access-control-');
    expect(readLedger(server.stateDir)).toEqual([]);
  });

  it('opens no WebSocket without a ticket', async () => {
    const upgrade = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ];
    const stream = (path: string, ...more: readonly string[]) =>
      attempt({ line: `GET ${path}`, authorization: null, extra: [...upgrade, ...more] });
    const guess = '/v1/stt/stream?ticket=guess';
    expect(statusOf(await stream('/v1/stt'))).toBe(404);
    expect(await stream(guess)).toMatch(/^HTTP\/1\.1 401 [^]*"invalid_realtime_ticket"/);
    expect(await stream(guess, 'Origin: https://evil.example')).toMatch(/^HTTP\/1\.1 403 [^]*"origin_forbidden"/);
    expect(await stream(guess, `Authorization: Bearer ${server.token}`)).toMatch(/^HTTP\/1\.1 401 /);
  });

  it.each<readonly [string, string | null]>([
    ['no key', null],
    ['a key of the real service', 'Bearer sk_live_51H8x2jK9mN3pQ7rS0tU4vW6y'],
    ['an empty key', 'Bearer '],
    ['half of the key', `Bearer ${server.token.slice(0, -1)}`],
    ['more than the key', `Bearer ${server.token}x`],
    ['another scheme', `Basic ${server.token}`],
  ])('refuses %s in clear words that repeat nothing of it', async (_name, authorization) => {
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
    await expect.poll(() => closed.size).toBeGreaterThanOrEqual(6);
    expect(closed.size).toBeLessThanOrEqual(8);
    for (const socket of sockets) socket.destroy();
    const status = async () => (await call(server, 'GET', '/v1/stt/transcriptions').catch(() => null))?.status;
    await expect.poll(status).toBe(200);
  });
});
