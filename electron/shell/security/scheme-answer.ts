import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { answerMedia } from './media-answer.ts';
import type { BuiltFile, BuiltFiles } from './manifest.ts';
import { isWorkerScript, pagePolicy, workerPolicy } from './csp.ts';

export interface SchemeSources {
  readonly builtFiles: BuiltFiles;
  /** Path of the recording behind a token, or null. */
  readonly mediaPath: (token: string) => string | null;
  /** Packed peaks of the recording behind a token, see `Waveforms`; null when there are none. */
  readonly openPeaks: (token: string) => Promise<ReadableStream<Uint8Array<ArrayBuffer>> | null>;
}

const mediaRoute = /^\/media\/([A-Za-z0-9_-]{16,64})(\/peaks)?$/;
/** Where a library that adds its own style element finds the nonce; vite puts this placeholder into built pages. */
const noncePlaceholder = '__CSP_NONCE__';
const nonceMeta = `<meta property="csp-nonce" nonce="${noncePlaceholder}">`;

async function answerPage(file: string, nonce: string, headers: Record<string, string>): Promise<Response> {
  const built = await readFile(file, 'utf8');
  const page = built.includes('property="csp-nonce"') ? built : built.replace('<head>', `<head>${nonceMeta}`);
  return new Response(page.replaceAll(noncePlaceholder, nonce), {
    headers: { ...headers, 'cache-control': 'no-store' },
  });
}

async function answerBuilt(built: BuiltFile, nonce: string, headers: Record<string, string>): Promise<Response> {
  const typed = { ...headers, 'content-type': built.mediaType };
  if (built.mediaType.startsWith('text/html')) return answerPage(built.file, nonce, typed);
  // The names of these files change with their content, so the browser may cache them, including compiled code.
  const kept = { 'cache-control': 'public, max-age=31536000, immutable' };
  return new Response(await readFile(built.file), { headers: { ...typed, ...kept } });
}

/** Answers one request of `app://studio/`. Only exact names of the manifest, valid tokens and the icon exist. */
export async function answerScheme(request: Request, sources: SchemeSources): Promise<Response> {
  const url = new URL(request.url);
  const nonce = randomBytes(16).toString('base64');
  const headers = { ...securityHeaders(url.pathname, nonce) };
  const none = (status: number) => new Response(null, { status, headers });
  if (url.protocol !== 'app:' || url.host !== 'studio') return none(404);
  if (request.method !== 'GET' && request.method !== 'HEAD') return none(405);
  if (url.pathname === '/favicon.ico') return none(204);

  const media = mediaRoute.exec(url.pathname);
  if (media?.[1] !== undefined) {
    if (media[2] !== undefined) {
      const peaks = await sources.openPeaks(media[1]);
      if (peaks === null) return none(404);
      const type = { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' };
      return new Response(peaks, { headers: { ...headers, ...type } });
    }
    const path = sources.mediaPath(media[1]);
    return path === null ? none(404) : answerMedia(path, request, headers);
  }
  const built = sources.builtFiles.get(url.pathname === '/' ? '/index.html' : url.pathname);
  return built === undefined ? none(404) : answerBuilt(built, nonce, headers);
}

/** Sent with every answer of the app's scheme, whatever its status (S-20). */
const securityHeaders = (path: string, nonce: string): Readonly<Record<string, string>> => ({
  'content-security-policy': isWorkerScript(path) ? workerPolicy : pagePolicy(nonce),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'microphone=(self), camera=(), geolocation=(), usb=(), hid=(), serial=(), display-capture=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
});
