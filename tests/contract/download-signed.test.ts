import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDownloader, downloadHeaders, type Downloader } from '../../electron/api/http/download-signed.ts';
import type { LogEntry } from '../../shared/domain/diagnostics/log-entry.ts';
import { ok } from '../../shared/result/result.ts';
import { SignedUrl } from '../../shared/wire/signed-url.ts';
import { startScriptedServer, type ScriptedServer } from '../support/scripted-server.ts';
import { toneWav } from '../support/wav-files.ts';

let storage: ScriptedServer;
let other: ScriptedServer;
let folder: string;
let downloader: Downloader;
const lines: LogEntry[] = [];
const wav = toneWav(440, 8);
const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

beforeAll(async () => {
  storage = await startScriptedServer((_request, response) => void response.writeHead(500).end());
  other = await startScriptedServer(
    (_request, response) => void response.writeHead(200, { 'content-type': 'audio/wav' }).end(wav),
  );
  folder = await mkdtemp(join(tmpdir(), 'ovoz-signed-'));
  downloader = createDownloader({
    log: { write: (entry) => void lines.push(entry) },
    practicePort: () => Number(new URL(storage.url).port),
    random: () => 0,
    limits: { receiveStallMs: 300 },
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  });
});
afterAll(async () => {
  await downloader.close();
  await Promise.all([storage.close(), other.close(), rm(folder, { recursive: true, force: true })]);
});

let asked = 0;
const fetchTo = async (name: string, address = `${storage.url}/a.wav?sig=CANARY`) => {
  asked = 0;
  const target = join(folder, name);
  const result = await downloader.download({
    target,
    freshUrl: async () => {
      asked += 1;
      return ok(new SignedUrl(`${address}${address.startsWith(storage.url) ? `&n=${asked}` : ''}`));
    },
  });
  return { result, target };
};
const tidy = async (): Promise<void> => {
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  expect(JSON.stringify(lines)).not.toMatch(/CANARY|127\.0\.0\.1|a\.wav/u);
};
const whole = { 'content-type': 'audio/wav', etag: '"v1"', 'accept-ranges': 'bytes' };

test('a file arrives whole at its target, requested with the allowed headers alone', async () => {
  storage.script = (_request, response) => void response.writeHead(200, whole).end(wav);
  const { result, target } = await fetchTo('whole.wav');
  expect(result).toEqual({ ok: true, value: { sizeBytes: wav.length } });
  expect(sha(await readFile(target))).toBe(sha(wav));
  expect(Object.keys(storage.seen.at(-1)?.headers ?? {}).toSorted()).toEqual([
    'accept',
    'connection',
    'host',
    'user-agent',
  ]);
  const resumed = downloadHeaders({ etag: '"v1"', part: { sizeBytes: () => 7 } });
  expect(Object.keys(resumed).toSorted()).toEqual(['accept', 'if-range', 'range', 'user-agent']);
  expect(resumed).toMatchObject({ range: 'bytes=7-', 'if-range': '"v1"' });
  await tidy();
});

test('F-23: a cut download continues by Range from the byte it reached, and the file is the same', async () => {
  const before = storage.seen.length;
  storage.script = ({ headers }, response, { socket }) => {
    const from = Number(/bytes=(\d+)-/u.exec(headers.range ?? '')?.[1] ?? 0);
    const length = wav.length - from;
    if (from === 0) response.writeHead(200, { ...whole, 'content-length': String(length) });
    else
      response.writeHead(206, {
        ...whole,
        'content-length': String(length),
        'content-range': `bytes ${from}-${wav.length - 1}/${wav.length}`,
      });
    const step = wav.subarray(from, from + 100_000);
    if (from + step.length === wav.length) response.end(step);
    else response.write(step, () => setTimeout(() => socket.resetAndDestroy(), 20));
  };
  const { result, target } = await fetchTo('resumed.wav');
  expect(result).toMatchObject({ ok: true });
  expect(sha(await readFile(target))).toBe(sha(wav));
  expect(asked).toBe(1);
  const requests = storage.seen.slice(before);
  expect(requests.length).toBeGreaterThanOrEqual(3);
  expect(requests[1]?.headers).toMatchObject({ 'if-range': '"v1"' });
  await tidy();
});

test('F-23: an address that expired in the middle is renewed, and the download continues', async () => {
  storage.script = ({ url, headers }, response, { socket }) => {
    const from = Number(/bytes=(\d+)-/u.exec(headers.range ?? '')?.[1] ?? 0);
    if (url.endsWith('n=1') && from > 0) {
      response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error><Code>AccessDenied</Code></Error>');
    } else if (from === 0) {
      response.writeHead(200, { ...whole, 'content-length': String(wav.length) });
      response.write(wav.subarray(0, 90_000), () => socket.destroySoon());
    } else {
      response.writeHead(206, { ...whole, 'content-range': `bytes ${from}-${wav.length - 1}/${wav.length}` });
      response.end(wav.subarray(from));
    }
  };
  const { result, target } = await fetchTo('renewed.wav');
  expect(result).toMatchObject({ ok: true });
  expect(sha(await readFile(target))).toBe(sha(wav));
  expect(asked).toBe(2);
  await tidy();
});

test('F-24, E-172: a whole file in place of the rest, or another version of it, starts over', async () => {
  const newer = toneWav(300, 8);
  storage.script = ({ headers }, response, { socket }) => {
    if (headers.range === undefined) {
      response.writeHead(200, { ...whole, 'content-length': String(wav.length) });
      response.write(wav.subarray(0, 50_000), () => socket.destroySoon());
    } else response.writeHead(200, { ...whole, etag: '"v2"' }).end(newer);
  };
  const { result, target } = await fetchTo('over.wav');
  expect(result).toMatchObject({ ok: true });
  expect(sha(await readFile(target))).toBe(sha(newer));
});

/** Serves the file by Range; each address is good for a number of bytes, and then for none. */
const servesBytes = (goodFor: (address: number) => number) => {
  const served = new Map<number, number>();
  storage.script = ({ url, headers }, response, { socket }) => {
    const address = Number(/n=(\d+)/u.exec(url)?.[1] ?? 0);
    const left = goodFor(address) - (served.get(address) ?? 0);
    if (left <= 0) {
      response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error><Code>ExpiredToken</Code></Error>');
      return;
    }
    const from = Number(/bytes=(\d+)-/u.exec(headers.range ?? '')?.[1] ?? 0);
    const rest = wav.subarray(from);
    const given = rest.subarray(0, left);
    served.set(address, (served.get(address) ?? 0) + given.length);
    response.writeHead(from === 0 ? 200 : 206, {
      ...whole,
      'content-length': String(rest.length),
      ...(from === 0 ? {} : { 'content-range': `bytes ${from}-${wav.length - 1}/${wav.length}` }),
    });
    if (given.length === rest.length) response.end(given);
    else {
      // Everything sent arrives, whereas a reset could discard what the client has not read yet.
      response.write(given, () => socket.destroySoon());
    }
  };
};

test.each([
  ['nothing', 0],
  ['one byte', 1],
  ['half', Math.floor(wav.length / 2)],
  ['all but one byte', wav.length - 1],
])(
  'F-23: an address that is good for %s is renewed, nothing is fetched twice, and the file is the same',
  async (_how, bytes) => {
    servesBytes((address) => (address === 1 ? bytes : Infinity));
    const before = storage.seen.length;
    const { result, target } = await fetchTo(`good-for-${bytes}.wav`);
    expect(result).toEqual({ ok: true, value: { sizeBytes: wav.length } });
    expect(sha(await readFile(target))).toBe(sha(wav));
    expect(asked).toBe(2);
    const requests = storage.seen.slice(before);
    expect(requests.every(({ method }) => method === 'GET')).toBe(true);
    expect(requests.at(-1)?.headers.range).toBe(bytes === 0 ? undefined : `bytes=${bytes}-`);
    await tidy();
  },
);

test('F-23: five addresses that each expire early are enough for the whole file', async () => {
  servesBytes((address) => (address < 5 ? 60_000 : Infinity));
  const { result, target } = await fetchTo('five.wav');
  expect(result).toMatchObject({ ok: true });
  expect(sha(await readFile(target))).toBe(sha(wav));
  expect(asked).toBe(5);
});

test.each([
  ['a part that begins elsewhere', 206, { 'content-range': `bytes 7-${wav.length - 1}/${wav.length}` }],
  ['a part of another length', 206, { 'content-range': `bytes 50000-99999/100000` }],
  ['a part that does not say where it is from', 206, {}],
  ['416', 416, { 'content-range': `bytes */${wav.length}` }],
] as const)('F-24: after a cut, %s is never spliced in: the file is fetched anew', async (_how, status, headers) => {
  let isCut = false;
  storage.script = (request, response, { socket }) => {
    if (request.headers.range !== undefined) {
      response.writeHead(status, { ...whole, ...headers }).end(status === 206 ? wav.subarray(9) : '');
      return;
    }
    response.writeHead(200, { ...whole, 'content-length': String(wav.length) });
    if (isCut) response.end(wav);
    else response.write(wav.subarray(0, 50_000), () => socket.destroySoon());
    isCut = true;
  };
  const { result, target } = await fetchTo('spliced.wav');
  expect(result).toMatchObject({ ok: true });
  expect(sha(await readFile(target))).toBe(sha(wav));
  await tidy();
});

test('E-170: five refused addresses end the download', async () => {
  storage.script = (_request, response) => void response.writeHead(410).end();
  const { result } = await fetchTo('stale.wav');
  expect(result).toMatchObject({ ok: false, error: { row: 'E-170', status: 410, layer: 'storage' } });
  expect(asked).toBe(6);
  expect(JSON.stringify(result)).not.toMatch(/CANARY|127\.0\.0\.1/u);
}, 30_000);

test.each([
  ['a page', { 'content-type': 'text/html' }, Buffer.from('<!doctype html>')],
  ['XML that is called sound', { 'content-type': 'audio/wav' }, Buffer.from('<?xml version="1.0"?><Error/>')],
  ['nothing', { 'content-type': 'audio/wav' }, Buffer.alloc(0)],
])('E-173: %s instead of audio is fetched twice more and never stored', async (_name, headers, body) => {
  storage.script = (_request, response) => void response.writeHead(200, headers).end(body);
  const { result } = await fetchTo('damaged.wav');
  expect(result).toMatchObject({ ok: false, error: { row: 'E-173' } });
  expect(asked).toBe(3);
  expect(await readdir(folder)).not.toContain('damaged.wav');
  await tidy();
});

test.each(['video/mp4', 'application/ogg', 'application/x-wav', ''])(
  'audio is recognised by its bytes, whatever type the storage gives it (%s)',
  async (type) => {
    storage.script = (_request, response) =>
      void response.writeHead(200, type === '' ? {} : { 'content-type': type }).end(wav);
    expect((await fetchTo('typed.wav')).result).toMatchObject({ ok: true });
    await tidy();
  },
);

test.each([301, 302, 307, 308])('F-20: a %i to another address of this computer is not followed', async (status) => {
  storage.script = (_request, response) => void response.writeHead(status, { location: `${other.url}/x` }).end();
  const { result } = await fetchTo('redirected.wav');
  expect(result).toMatchObject({ ok: false, error: { row: 'E-174', retry: 'never' } });
  expect(other.seen).toEqual([]);
});

test('three redirects are followed, each checked; a fourth is not, and never another scheme', async () => {
  storage.script = ({ url }, response) => {
    const hop = Number(/hop=(\d)/u.exec(url)?.[1] ?? 0);
    if (hop < 3) response.writeHead(302, { location: `/a.wav?hop=${hop + 1}` }).end();
    else response.writeHead(200, whole).end(wav);
  };
  expect((await fetchTo('hops.wav')).result).toMatchObject({ ok: true });
  storage.script = (_request, response) => void response.writeHead(302, { location: '/again?sig=CANARY' }).end();
  expect((await fetchTo('loop.wav')).result).toMatchObject({
    ok: false,
    error: { row: 'E-174', code: 'too_many_redirects' },
  });
  storage.script = (_request, response) => void response.writeHead(302, { location: 'https://files.example/' }).end();
  expect((await fetchTo('scheme.wav')).result).toMatchObject({ ok: false, error: { code: 'other_scheme' } });
  await tidy();
});

test.each([
  ['https://127.0.0.1/a', 'ip_literal'],
  ['https://2130706433/a', 'ip_literal'],
  ['https://localhost/a', 'local_name'],
  ['http://files.example/a', 'other_scheme'],
  ['https://files.example:8443/a', 'other_port'],
  ['https://files.example/a?sig=CANARY', 'unsafe_address'],
])('F-21: %s is refused as %s, without a connection', async (address, code) => {
  const before = storage.seen.length + other.seen.length;
  const { result } = await fetchTo('refused.wav', address);
  expect(result).toMatchObject({ ok: false, error: { row: 'E-174', code, outcome: 'refused' } });
  expect(JSON.stringify(result)).not.toMatch(/CANARY|example/u);
  expect(storage.seen.length + other.seen.length).toBe(before);
  await tidy();
});

test('a file over the limit is aborted; an unwritable target is reported first', async () => {
  storage.script = (_request, response) => void response.writeHead(200, whole).end(wav);
  const freshUrl = async () => ok(new SignedUrl(`${storage.url}/a`));
  expect(await downloader.download({ target: join(folder, 'big.wav'), freshUrl, maxBytes: 1000 })).toMatchObject({
    ok: false,
    error: { row: 'E-173', code: 'response_too_large' },
  });
  const before = storage.seen.length;
  expect(await downloader.download({ target: join(folder, 'none', 'x.wav'), freshUrl })).toMatchObject({
    ok: false,
    error: { row: 'E-175' },
  });
  expect(storage.seen.length).toBe(before);
  await tidy();
});
