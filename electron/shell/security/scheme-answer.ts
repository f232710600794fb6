import { randomBytes } from 'node:crypto';
import { readFile, open, type FileHandle } from 'node:fs/promises';
import { openFlags } from '../../platform/node/hash-file.ts';
import type { Decoder } from '../../platform/node/audio/decoder-threads.ts';
import { mediaTypeOf } from '../../services/media/media-type.ts';
import { isWorkerScript, pagePolicy, workerPolicy } from './csp.ts';
import type { BuiltFile, BuiltFiles } from './manifest.ts';

const none = (status: number, headers: Headers) => new Response(null, { status, headers });
const pieceBytes = 512 * 1024;

/** Half the processor time of a Node stream turned into one of the web. */
const streamOf = (handle: FileHandle, start: number, end: number): ReadableStream<Uint8Array> => {
  let at = start;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const piece = Buffer.allocUnsafeSlow(Math.min(pieceBytes, end + 1 - at));
          const { bytesRead } = await handle.read(piece, 0, piece.length, at);
          at += bytesRead;
          if (bytesRead > 0) controller.enqueue(piece.subarray(0, bytesRead));
          if (bytesRead > 0 && at <= end) return;
          await handle.close();
          controller.close();
        } catch (cause) {
          await handle.close().catch(() => undefined);
          controller.error(cause);
        }
      },
      cancel: () => handle.close(),
    },
    { highWaterMark: 1 },
  );
};

export interface SchemeSources {
  readonly builtFiles: BuiltFiles;
  /** Path of the recording behind a token, or null. */
  readonly mediaPath: (token: string) => string | null;
  /** Packed peaks of the recording behind a token, see `Waveforms`; null when there are none. */
  readonly openPeaks: (token: string) => Promise<ReadableStream<Uint8Array<ArrayBuffer>> | null>;
  readonly openSamples: Decoder['openSamples'];
}

const mediaRoute = /^\/media\/([A-Za-z0-9_-]{16,64})(\/peaks|\/samples)?$/;
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
    if (media[2] === '/samples') return answerSamples(sources, media[1], url.searchParams, headers);
    if (media[2] === '/peaks') {
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

type Headers = Readonly<Record<string, string>>;

const numberIn = (text: string | null, most: number): number | null => {
  const value = Number(text ?? Number.NaN);
  return value >= 0 && value <= most ? value : null;
};

const week = 7 * 24 * 3600;
const mostRate = 768_000;

/** Samples from the second `from` on, at `rate` if it is given, as floats of all channels by turns. */
async function answerSamples(
  { mediaPath, openSamples }: SchemeSources,
  token: string,
  asked: URLSearchParams,
  headers: Headers,
): Promise<Response> {
  const path = mediaPath(token);
  const fromSecond = numberIn(asked.get('from'), week);
  if (path === null || fromSecond === null) return none(404, headers);
  const left = new AbortController();
  const opened = await openSamples(
    path,
    { fromSecond, rate: numberIn(asked.get('rate'), mostRate) },
    left.signal,
  ).catch(() => 'undecodable' as const);
  if (opened === 'undecodable') return none(415, headers);
  if (opened === null) return none(204, headers);
  const { facts, pieces } = opened;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = await pieces.next();
        if (value === undefined) controller.close();
        else controller.enqueue(new Uint8Array(value.buffer));
      },
      async cancel() {
        left.abort();
        await pieces.return();
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(stream, {
    headers: {
      ...headers,
      'content-type': 'application/octet-stream',
      'cache-control': 'no-store',
      'sample-rate': String(facts.sampleRate),
      'channel-count': String(facts.channelCount),
      'duration-ms': String(Math.round(facts.seconds * 1000)),
    },
  });
}

/** Streams a recording, whole or in part, from a handle that is opened once and closed when the reader leaves. */
export async function answerMedia(path: string, request: Request, headers: Headers): Promise<Response> {
  const handle = await open(path, openFlags).catch(() => null);
  if (handle === null) return none(404, headers);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) {
      await handle.close();
      return none(404, headers);
    }
    const head = new Uint8Array(16);
    await handle.read(head, 0, head.length, 0);
    const range = parseByteRange(request.headers.get('range'), stats.size);
    const common = {
      ...headers,
      'accept-ranges': 'bytes',
      'content-type': mediaTypeOf(path, head),
      'cache-control': 'no-store',
    };
    if (range.kind === 'unsatisfiable' || request.method === 'HEAD' || stats.size === 0) {
      await handle.close();
      return range.kind === 'unsatisfiable'
        ? none(416, { ...common, 'content-range': `bytes */${stats.size}` })
        : none(200, { ...common, 'content-length': String(stats.size) });
    }
    const start = range.kind === 'part' ? range.start : 0;
    const end = range.kind === 'part' ? range.end : stats.size - 1;
    return new Response(streamOf(handle, start, end), {
      status: range.kind === 'part' ? 206 : 200,
      headers: {
        ...common,
        'content-length': String(end - start + 1),
        ...(range.kind === 'part' ? { 'content-range': `bytes ${start}-${end}/${stats.size}` } : {}),
      },
    });
  } catch {
    await handle.close().catch(() => undefined);
    return none(404, headers);
  }
}

export type ByteRange =
  | { readonly kind: 'whole' }
  /** Both ends included, as in the header. */
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' };

/**
 * Parses a Range header for a file of `sizeBytes`. Other units, several ranges and malformed text count as no header
 * (RFC 9110 14.2); a range that begins beyond the end is unsatisfiable.
 */
export function parseByteRange(header: string | null, sizeBytes: number): ByteRange {
  const match = /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? '');
  if (match === null) return { kind: 'whole' };
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return { kind: 'whole' };
  if (from === '') {
    const length = Number(to);
    if (length === 0 || sizeBytes === 0) return { kind: 'unsatisfiable' };
    return { kind: 'part', start: Math.max(0, sizeBytes - length), end: sizeBytes - 1 };
  }
  const start = Number(from);
  if (to !== '' && Number(to) < start) return { kind: 'whole' };
  if (start >= sizeBytes) return { kind: 'unsatisfiable' };
  return { kind: 'part', start, end: to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1) };
}
