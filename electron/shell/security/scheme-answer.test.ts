import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import { createDecoder } from '../../platform/node/audio/decoder-threads.ts';
import { workerPolicy } from './csp.ts';
import { readBuiltFiles, type BuiltFiles } from './manifest.ts';
import { answerMedia, answerScheme, parseByteRange, type ByteRange, type SchemeSources } from './scheme-answer.ts';
import { folderOfFile } from '../../../tests/support/test-folders.ts';

const token = 'T'.repeat(24);
const goneToken = 'G'.repeat(24);
const soundToken = 'S'.repeat(24);
const sound = 'tests/fixtures/audio/two-sentences.flac';
const recording = new Uint8Array(100_000).map((_, index) => index % 251);
recording.set(new TextEncoder().encode('RIFF\0\0\0\0WAVE'));
let folder = '';
let builtFiles: BuiltFiles = new Map();
let sources: SchemeSources;

beforeAll(async () => {
  folder = folderOfFile();
  const page = '<!doctype html><html><head><title>t</title></head><body></body></html>';
  mkdirSync(join(folder, 'built/assets'), { recursive: true });
  writeFileSync(join(folder, 'built/index.html'), page);
  writeFileSync(join(folder, 'built/assets/app-1a.js'), 'export {}');
  writeFileSync(join(folder, 'built/assets/app-1a.js.map'), '{}');
  writeFileSync(join(folder, 'built/assets/peaks-worker-2b.js'), 'self');
  writeFileSync(join(folder, 'built/assets/decoder.wasm'), '\0asm');
  writeFileSync(join(folder, 'secret.txt'), 'SECRET outside the manifest');
  writeFileSync(join(folder, 'song.mp3'), recording);
  builtFiles = await readBuiltFiles(join(folder, 'built'));
  sources = {
    builtFiles,
    mediaPath: (given) =>
      given === token
        ? join(folder, 'song.mp3')
        : ({ [goneToken]: join(folder, 'gone'), [soundToken]: sound }[given] ?? null),
    openPeaks: async (given) => (given === token ? new Blob([new Uint8Array([1, 2, 3])]).stream() : null),
    openSamples: createDecoder(new URL('../../entries/decoder-worker.ts', import.meta.url)).openSamples,
  };
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  answerScheme(new Request(`app://studio${path}`, { headers, method }), sources);

describe('the page', () => {
  it('comes with the policy of the rules, word for word, and a nonce of its own each time', async () => {
    const [first, second] = await Promise.all([get('/'), get('/index.html')]);
    const policy = first.headers.get('content-security-policy') ?? '';
    const nonce = /'nonce-([A-Za-z0-9+/=]{24})'/.exec(policy)?.[1] ?? '';
    expect(policy).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; ` +
        `font-src 'self'; media-src 'self' blob: app-media:; connect-src 'self'; worker-src 'self'; ` +
        `object-src 'none'; frame-src 'none'; child-src 'none'; manifest-src 'none'; base-uri 'none'; ` +
        `form-action 'none'; frame-ancestors 'none'`,
    );
    expect(second.headers.get('content-security-policy')).not.toBe(policy);
    expect(await first.text()).toContain(`<head><meta property="csp-nonce" nonce="${nonce}">`);
    expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it('as everything else carries every header of S-20', async () => {
    for (const path of ['/', '/assets/app-1a.js', '/nothing', '/favicon.ico', `/media/${token}`]) {
      const { headers } = await get(path);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('permissions-policy')).toBe(
        'microphone=(self), camera=(), geolocation=(), usb=(), hid=(), serial=(), display-capture=()',
      );
    }
  });

  it('lets WebAssembly run in workers only, which connect to the app and load nothing from elsewhere', async () => {
    const policyOf = async (path: string) => (await get(path)).headers.get('content-security-policy');
    expect(await policyOf('/assets/peaks-worker-2b.js')).toBe(workerPolicy);
    expect(workerPolicy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    for (const path of ['/', '/assets/app-1a.js', '/assets/decoder.wasm'])
      expect(await policyOf(path)).not.toContain('wasm');
  });

  it('has an empty icon, accepts only reads, and never shows source maps', async () => {
    expect((await get('/favicon.ico')).status).toBe(204);
    for (const method of ['POST', 'DELETE']) expect((await get('/', {}, method)).status).toBe(405);
    expect((await get('/assets/app-1a.js.map')).status).toBe(404);
  });
});

describe('a recording', () => {
  /** How many times this process has the recording open. */
  const handles = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === join(folder, 'song.mp3');
      } catch {
        return false;
      }
    }).length;
  const read = async (range?: string, method?: string) => {
    const answer = await get(`/media/${token}`, range === undefined ? {} : { range }, method);
    const { headers } = answer;
    const body = new Uint8Array(await answer.arrayBuffer());
    return {
      status: answer.status,
      length: headers.get('content-length'),
      range: headers.get('content-range'),
      body,
      headers,
    };
  };

  it('is served whole with its real type and not that of its name, and in parts', async () => {
    const { status, length, body, headers } = await read();
    expect([status, length, headers.get('accept-ranges'), headers.get('content-type')]).toEqual([
      200,
      '100000',
      'bytes',
      'audio/wav',
    ]);
    expect(body).toEqual(recording);
    const part = await read('bytes=1000-1999');
    expect([part.status, part.length, part.range]).toEqual([206, '1000', 'bytes 1000-1999/100000']);
    expect(part.body).toEqual(recording.slice(1000, 2000));
  });

  it('from behind its end is 416 with its size, and leaves no handle open, as the answer to HEAD does', async () => {
    const { status, range, body } = await read('bytes=100000-');
    expect([status, range, body.length]).toEqual([416, 'bytes */100000', 0]);
    expect((await read(undefined, 'HEAD')).status).toBe(200);
    if (process.platform === 'linux') await expect.poll(handles).toBe(0);
  });

  it('is not found when the token is unknown, the file is gone or is no regular file, a pipe too', async () => {
    const pipe = join(folder, 'pipe.wav');
    if (process.platform === 'linux') execFileSync('mkfifo', [pipe]);
    for (const address of [`/media/${'x'.repeat(24)}`, `/media/${'G'.repeat(24)}`])
      expect((await get(address)).status).toBe(404);
    for (const place of [folder, '/dev/zero', pipe])
      expect((await answerMedia(place, new Request('https://x.invalid/'), {})).status).toBe(404);
  });

  it('closes its handle when the reader leaves early', async () => {
    for (let round = 0; round < 20; round += 1) {
      const answer = await get(`/media/${token}`);
      const reader = answer.body!.getReader();
      await reader.read();
      await reader.cancel();
    }
    if (process.platform === 'linux') await expect.poll(handles, { timeout: 5000 }).toBe(0);
  });

  it('has peaks if they are known', async () => {
    const known = await get(`/media/${token}/peaks`);
    expect([known.status, [...new Uint8Array(await known.arrayBuffer())]]).toEqual([200, [1, 2, 3]]);
    expect((await get(`/media/${'x'.repeat(24)}/peaks`)).status).toBe(404);
  });

  it('has samples from any second on at any rate, but none after its end, without sound, or of no known file', async () => {
    const samples = await get(`/media/${soundToken}/samples?from=5.5&rate=8000`);
    const facts = ['sample-rate', 'channel-count', 'duration-ms'].map((name) => samples.headers.get(name));
    expect([samples.status, ...facts]).toEqual([200, '16000', '1', '8000']);
    expect((await samples.arrayBuffer()).byteLength).toBe(2.5 * 8000 * Float32Array.BYTES_PER_ELEMENT);
    const left = await get(`/media/${soundToken}/samples?from=0`);
    await left.body?.cancel();
    const asked = [`${soundToken}/samples?from=9`, `${token}/samples?from=0`, `${soundToken}/samples`];
    const statuses = [...asked, `${'x'.repeat(24)}/samples?from=0`].map(
      async (path) => (await get(`/media/${path}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([204, 415, 404, 404]);
  });
});

it('P-20: no address reads anything outside the manifest', async () => {
  const words = '.. . %2e%2e %2E%2E%2F %00 secret.txt built assets index.html %5c \\ // media ? # etc passwd';
  const piece = fc.constantFrom(...words.split(' '), token);
  const path = fc.oneof(
    fc.array(fc.oneof(piece, fc.string({ maxLength: 8 })), { maxLength: 8 }).map((parts) => `/${parts.join('/')}`),
    fc.webPath(),
  );
  const studio = 'app://studio';
  const start = fc.constantFrom(studio, studio, studio, 'app://evil', 'app://studio:80', 'app-media://x', 'file://');
  await fc.assert(
    fc.asyncProperty(start, path, async (origin, asked) => {
      if (!URL.canParse(`${origin}${asked}`)) return;
      const url = new URL(`${origin}${asked}`);
      const request = { url: url.href, method: 'GET', headers: new Headers() } as Request;
      const answer = await answerScheme(request, sources);
      const body = await answer.text();
      expect(body).not.toContain('SECRET');
      const isKnown =
        url.host === 'studio' &&
        (url.pathname === '/' || builtFiles.has(url.pathname) || url.pathname.startsWith(`/media/${token}`));
      if (!isKnown) expect([404, 204]).toContain(answer.status);
    }),
    { numRuns: process.env['OVOZ_LONG'] === undefined ? 5000 : 20_000 },
  );
});

const whole: ByteRange = { kind: 'whole' };
const none: ByteRange = { kind: 'unsatisfiable' };
const part = (start: number, end: number): ByteRange => ({ kind: 'part', start, end });

it.each<[string | null, ByteRange]>([
  [null, whole],
  ['bytes=0-', part(0, 99)],
  ['bytes=-1000', part(0, 99)],
  ['bytes=100-', none],
  ['bytes=20-10', whole],
  ['bytes=0-1,5-6', whole],
])('of a file of 100 bytes, %s', (header, expected) => {
  expect(parseByteRange(header, 100)).toEqual(expected);
});

it('any header and size give a range that lies inside the file', () => {
  const header = fc.oneof(fc.string(), fc.stringMatching(/^bytes=\d{0,6}-\d{0,6}$/));
  forAllIn(2000, header, fc.nat(1_000_000), (text, size) => {
    const range = parseByteRange(text, size);
    if (range.kind !== 'part') return;
    expect(range.start).toBeGreaterThanOrEqual(0);
    expect(range.end).toBeGreaterThanOrEqual(range.start);
    expect(range.end).toBeLessThan(size);
  });
});
