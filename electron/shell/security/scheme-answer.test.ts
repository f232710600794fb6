import { mkdtempSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workerPolicy } from './csp.ts';
import { readBuiltFiles, type BuiltFiles } from './manifest.ts';
import { answerScheme, type SchemeSources } from './scheme-answer.ts';

const token = 'T'.repeat(24);
const recording = new Uint8Array(100_000).map((_, index) => index % 251);
recording.set(new TextEncoder().encode('RIFF\0\0\0\0WAVE'));
let folder = '';
let builtFiles: BuiltFiles = new Map();
let sources: SchemeSources;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'scheme-'));
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
      given === token ? join(folder, 'song.mp3') : given === 'G'.repeat(24) ? join(folder, 'gone') : null,
    openPeaks: async (given) => (given === token ? new Blob([new Uint8Array([1, 2, 3])]).stream() : null),
  };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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

  it.each(['/', '/assets/app-1a.js', '/nothing', '/favicon.ico', `/media/${token}`])(
    '%s carries every header of S-20',
    async (path) => {
      const { headers } = await get(path);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('permissions-policy')).toBe(
        'microphone=(self), camera=(), geolocation=(), usb=(), hid=(), serial=(), display-capture=()',
      );
    },
  );

  it('lets WebAssembly run in workers only', async () => {
    const policyOf = async (path: string) => (await get(path)).headers.get('content-security-policy');
    expect(await policyOf('/assets/peaks-worker-2b.js')).toBe(workerPolicy);
    expect(workerPolicy).toContain("'wasm-unsafe-eval'");
    for (const path of ['/', '/assets/app-1a.js', '/assets/decoder.wasm'])
      expect(await policyOf(path)).not.toContain('wasm');
  });

  it('has an empty icon, and accepts only reads', async () => {
    expect((await get('/favicon.ico')).status).toBe(204);
    expect((await get('/', {}, 'POST')).status).toBe(405);
    expect((await get('/', {}, 'DELETE')).status).toBe(405);
  });

  it('never shows source maps', async () => {
    expect(builtFiles.has('/assets/app-1a.js.map')).toBe(false);
    expect((await get('/assets/app-1a.js.map')).status).toBe(404);
  });
});

describe('a recording', () => {
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

  it('is served whole, with its real type and not that of its name', async () => {
    const { status, length, body, headers } = await read();
    expect([status, length, headers.get('accept-ranges'), headers.get('content-type')]).toEqual([
      200,
      '100000',
      'bytes',
      'audio/wav',
    ]);
    expect(body).toEqual(recording);
  });

  it('is served in parts', async () => {
    const { status, length, range, body } = await read('bytes=1000-1999');
    expect([status, length, range]).toEqual([206, '1000', 'bytes 1000-1999/100000']);
    expect(body).toEqual(recording.slice(1000, 2000));
  });

  it('from behind its end is 416 with its size', async () => {
    const { status, range, body } = await read('bytes=100000-');
    expect([status, range, body.length]).toEqual([416, 'bytes */100000', 0]);
  });

  it('is not found when the token is unknown or the file is gone', async () => {
    expect((await get(`/media/${'x'.repeat(24)}`)).status).toBe(404);
    expect((await get(`/media/${'G'.repeat(24)}`)).status).toBe(404);
  });

  it('closes its handle when the reader leaves early', async () => {
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    for (let round = 0; round < 20; round += 1) {
      const answer = await get(`/media/${token}`);
      const reader = answer.body!.getReader();
      await reader.read();
      await reader.cancel();
    }
    await expect.poll(open, { timeout: 5000 }).toBeLessThanOrEqual(before + 2);
  });

  it('has peaks if they are known', async () => {
    const known = await get(`/media/${token}/peaks`);
    expect([known.status, [...new Uint8Array(await known.arrayBuffer())]]).toEqual([200, [1, 2, 3]]);
    expect((await get(`/media/${'x'.repeat(24)}/peaks`)).status).toBe(404);
  });
});

it('P-20: no address reads anything outside the manifest', async () => {
  const piece = fc.constantFrom(
    '..',
    '.',
    '%2e%2e',
    '%2E%2E%2F',
    '%00',
    'secret.txt',
    'built',
    'assets',
    'index.html',
    '%5c',
    '\\',
    '//',
    'media',
    '?',
    '#',
    'etc',
    'passwd',
    token,
  );
  const path = fc.oneof(
    fc.array(fc.oneof(piece, fc.string({ maxLength: 8 })), { maxLength: 8 }).map((parts) => `/${parts.join('/')}`),
    fc.webPath(),
  );
  const start = fc.constantFrom(
    'app://studio',
    'app://studio',
    'app://studio',
    'app://evil',
    'app://studio:80',
    'app-media://x',
    'file://',
  );
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
