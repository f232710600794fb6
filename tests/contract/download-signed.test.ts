import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { createDownloader, downloadHeaders, SignedUrl } from '../../electron/service/download.ts';
import type { LogEntry } from '../../shared/domain/diagnostics/log-entry.ts';
import { ok } from '../../shared/result/result.ts';
import { startScriptedServer } from '../support/scripted-server.ts';
import { toneWav } from '../support/wav-files.ts';

const lines: LogEntry[] = [];
const wav = toneWav(440, 8);
const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const storage = await startScriptedServer((_request, response) => void response.writeHead(500).end());
const other = await startScriptedServer(
  (_request, response) => void response.writeHead(200, { 'content-type': 'audio/wav' }).end(wav),
);
const folder = await mkdtemp(join(tmpdir(), 'ovoz-signed-'));
const downloader = createDownloader({
  log: { write: (entry) => void lines.push(entry) },
  practicePort: () => Number(new URL(storage.url).port),
  random: () => 0,
  limits: { receiveStallMs: 300 },
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
});
afterAll(async () => {
  await downloader.close();
  await Promise.all([storage.close(), other.close(), rm(folder, { recursive: true, force: true })]);
});
afterEach(async () => {
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  expect(JSON.stringify(lines)).not.toMatch(/CANARY|127\.0\.0\.1|a\.wav/u);
});

let asked = 0;
const fetchTo = async (name: string, address = `${storage.url}/a.wav?sig=CANARY`) => {
  asked = 0;
  const target = join(folder, name);
  const before = storage.seen.length;
  const result = await downloader.download({
    target,
    freshUrl: async () => {
      asked += 1;
      return ok(new SignedUrl(`${address}${address.startsWith(storage.url) ? `&n=${asked}` : ''}`));
    },
  });
  return { result, target, requests: storage.seen.slice(before) };
};
const whole = { 'content-type': 'audio/wav', etag: '"v1"', 'accept-ranges': 'bytes' };

/** Serves a file by Range: of the rest so many bytes before the connection ends; of none the address has expired. */
const serve = (content: Buffer, give: (address: number, from: number) => number): void => {
  storage.script = ({ url, headers }, response, { socket }) => {
    const from = Number(/bytes=(\d+)-/u.exec(headers.range ?? '')?.[1] ?? 0);
    const rest = content.subarray(from);
    const given = rest.subarray(0, give(Number(/n=(\d+)/u.exec(url)?.[1] ?? 0), from));
    if (given.length === 0) {
      response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error><Code>ExpiredToken</Code></Error>');
      return;
    }
    response.writeHead(from === 0 ? 200 : 206, {
      ...whole,
      'content-length': String(rest.length),
      ...(from === 0 ? {} : { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
    });
    // Everything sent arrives, whereas a reset could discard what the client has not read yet.
    if (given.length === rest.length) response.end(given);
    else response.write(given, () => socket.destroySoon());
  };
};

test('a file arrives whole at its target, requested with the allowed headers alone', async () => {
  serve(wav, () => Infinity);
  const { result, target, requests } = await fetchTo('whole.wav');
  expect(result).toEqual({ ok: true, value: { sizeBytes: wav.length } });
  expect(sha(await readFile(target))).toBe(sha(wav));
  const sent = Object.keys(requests[0]?.headers ?? {});
  expect(sent.toSorted()).toEqual(['accept', 'connection', 'host', 'user-agent']);
  const resumed = downloadHeaders({ etag: '"v1"', part: { sizeBytes: () => 7 } });
  expect(Object.keys(resumed).toSorted()).toEqual(['accept', 'if-range', 'range', 'user-agent']);
  expect(resumed).toMatchObject({ range: 'bytes=7-', 'if-range': '"v1"' });
});

test('F-23: a download that is cut again and again continues by Range as long as it gets on', async () => {
  const long = Buffer.concat([wav.subarray(0, 44), randomBytes(3_000_000)]);
  serve(long, () => 300_000);
  const { result, target, requests } = await fetchTo('resumed.wav');
  expect(result).toMatchObject({ ok: true });
  expect(sha(await readFile(target))).toBe(sha(long));
  expect([asked, requests.length]).toEqual([1, 11]);
  expect(requests[1]?.headers).toMatchObject({ 'if-range': '"v1"', range: 'bytes=300000-' });
  serve(long, (_address, from) => (from === 0 ? 300_000 : 1000));
  expect((await fetchTo('stuck.wav')).result).toMatchObject({
    ok: false,
    error: { kind: 'download-interrupted', code: 'download_cut' },
  });
});

test.each([
  ['a whole file in place of the rest', '"v1"', 'bytes=50000-'],
  ['a version that is said weakly, and so is not asked for in parts,', 'W/"v1"', undefined],
])('F-24, download-restarted: %s starts over, also with a shorter file', async (_how, etag, range) => {
  const newer = toneWav(300, 1);
  let isCut = false;
  storage.script = (_request, response, { socket }) => {
    if (isCut) return void response.writeHead(200, { ...whole, etag: '"v2"' }).end(newer);
    isCut = true;
    response.writeHead(200, { ...whole, etag, 'content-length': String(wav.length) });
    response.write(wav.subarray(0, 50_000), () => socket.destroySoon());
  };
  const { result, target, requests } = await fetchTo('over.wav');
  expect(result).toEqual({ ok: true, value: { sizeBytes: newer.length } });
  expect(sha(await readFile(target))).toBe(sha(newer));
  expect(requests.map(({ headers }) => headers.range)).toEqual([undefined, range]);
});

test.each([
  ['nothing', 0],
  ['one byte', 1],
  ['half', Math.floor(wav.length / 2)],
  ['all but one byte', wav.length - 1],
])(
  'F-23: an address that is good for %s is renewed, nothing is fetched twice, and the file is the same',
  async (_how, bytes) => {
    serve(wav, (address, from) => (address === 1 ? bytes - from : Infinity));
    const { result, target, requests } = await fetchTo(`good-for-${bytes}.wav`);
    expect(result).toEqual({ ok: true, value: { sizeBytes: wav.length } });
    expect(sha(await readFile(target))).toBe(sha(wav));
    expect(asked).toBe(2);
    expect(requests.every(({ method }) => method === 'GET')).toBe(true);
    expect(requests.at(-1)?.headers.range).toBe(bytes === 0 ? undefined : `bytes=${bytes}-`);
  },
);

test('download-expired: five refused addresses end the download', async () => {
  storage.script = (_request, response) => void response.writeHead(410).end();
  const { result } = await fetchTo('stale.wav');
  expect(result).toMatchObject({ ok: false, error: { kind: 'download-expired', status: 410, layer: 'storage' } });
  expect(asked).toBe(6);
  expect(JSON.stringify(result)).not.toMatch(/CANARY|127\.0\.0\.1/u);
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
});

test.each([
  ['a page', { 'content-type': 'text/html' }, Buffer.from('<!doctype html>')],
  ['XML that is called sound', { 'content-type': 'audio/wav' }, Buffer.from('<?xml version="1.0"?><Error/>')],
  ['nothing', { 'content-type': 'audio/wav' }, Buffer.alloc(0)],
])('download-damaged: %s instead of audio is fetched twice more and never stored', async (_name, headers, body) => {
  storage.script = (_request, response) => void response.writeHead(200, headers).end(body);
  const { result } = await fetchTo('damaged.wav');
  expect(result).toMatchObject({ ok: false, error: { kind: 'download-damaged' } });
  expect(asked).toBe(3);
  expect(await readdir(folder)).not.toContain('damaged.wav');
});

test.each([301, 302, 307, 308])('F-20: a %i to another address of this computer is not followed', async (status) => {
  storage.script = (_request, response) => void response.writeHead(status, { location: `${other.url}/x` }).end();
  const { result } = await fetchTo('redirected.wav');
  expect(result).toMatchObject({ ok: false, error: { kind: 'download-unsafe', retry: 'never' } });
  expect(other.seen).toEqual([]);
});

test('three redirects are followed, each checked; a fourth is not, and never another scheme', async () => {
  storage.script = ({ url }, response) => {
    const hop = Number(/hop=(\d)/u.exec(url)?.[1] ?? 0);
    if (hop < 3) response.writeHead(302, { location: `/a.wav?hop=${hop + 1}` }).end();
    else response.writeHead(200, whole).end(wav);
  };
  expect((await fetchTo('hops.wav')).result).toMatchObject({ ok: true });
  const redirectTo = (location: string): void => {
    storage.script = (_request, response) => void response.writeHead(302, { location }).end();
  };
  redirectTo('/again?sig=CANARY');
  expect((await fetchTo('loop.wav')).result).toMatchObject({
    ok: false,
    error: { kind: 'download-unsafe', code: 'too_many_redirects' },
  });
  redirectTo('https://files.example/');
  expect((await fetchTo('scheme.wav')).result).toMatchObject({ ok: false, error: { code: 'other_scheme' } });
});

test.each([
  ['https://127.0.0.1/a', 'ip_literal'],
  ['https://2130706433/a', 'ip_literal'],
  ['https://localhost/a', 'local_name'],
  ['http://files.example/a', 'other_scheme'],
  ['https://files.example:8443/a', 'other_port'],
  ['https://files.example/a?sig=CANARY', 'unsafe_address'],
])('F-21: %s is refused as %s, without a connection', async (address, code) => {
  const before = other.seen.length;
  const { result, requests } = await fetchTo('refused.wav', address);
  expect(result).toMatchObject({ ok: false, error: { kind: 'download-unsafe', code, outcome: 'refused' } });
  expect(JSON.stringify(result)).not.toMatch(/CANARY|example/u);
  expect([requests, other.seen.length]).toEqual([[], before]);
});

test('F-21: one private address among public ones refuses the name', async () => {
  const careful = createDownloader({
    log: { write: () => undefined },
    practicePort: () => null,
    resolve: async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '::ffff:169.254.169.254', family: 6 },
    ],
  });
  const result = await careful.download({
    target: join(folder, 'refused.wav'),
    freshUrl: async () => ok(new SignedUrl('https://files.example/a')),
  });
  expect(result).toMatchObject({ ok: false, error: { kind: 'download-unsafe', code: 'unsafe_address' } });
  await careful.close();
});

test('a file over the limit is aborted; an unwritable target is reported first', async () => {
  serve(wav, () => Infinity);
  const freshUrl = async () => ok(new SignedUrl(`${storage.url}/a`));
  expect(await downloader.download({ target: join(folder, 'big.wav'), freshUrl, maxBytes: 1000 })).toMatchObject({
    ok: false,
    error: { kind: 'download-damaged', code: 'response_too_large' },
  });
  const before = storage.seen.length;
  expect(await downloader.download({ target: join(folder, 'none', 'x.wav'), freshUrl })).toMatchObject({
    ok: false,
    error: { kind: 'disk-space-short' },
  });
  expect(storage.seen.length).toBe(before);
});
