import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type Electron from 'electron';
import { NetError } from '../net-error.ts';
import { normalUrl } from '../scheme-urls.ts';
import type { SchemeHandler } from '../server.ts';
import { sayGaps } from '../unsupported.ts';
import { defaultSession } from './session.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.wav': 'audio/wav',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.flac': 'audio/flac',
  '.ogg': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.webm': 'video/webm',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain',
  '.pdf': 'application/pdf',
};

async function fetchFile(url: string): Promise<Response> {
  const path = fileURLToPath(url);
  const { size } = await stat(path).catch(() => {
    throw new NetError('ERR_FILE_NOT_FOUND');
  });
  const headers = {
    'content-type': types[extname(path).toLowerCase()] ?? 'application/octet-stream',
    'content-length': String(size),
  };
  return new Response(Readable.toWeb(createReadStream(path)) as unknown as ReadableStream<Uint8Array>, { headers });
}

const webSchemes = new Set(['http', 'https', 'data', 'blob']);

/** A scheme's answer. A request that is given up rejects, and its answer's body ends with an error. */
async function fetchHandled(handler: SchemeHandler, request: Request): Promise<Response> {
  const { signal } = request;
  signal.throwIfAborted();
  const given = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
      given.abort(new DOMException('The operation was aborted.', 'AbortError'));
    });
  });
  const answered = (async () => {
    const answer = await handler(request);
    const body = answer.body?.pipeThrough(new TransformStream(), { signal: given.signal });
    // It would come from another process, so a body may be read before its head is here.
    await nextTurn();
    return body === undefined ? answer : new Response(body, answer);
  })();
  answered.catch(() => {});
  return Promise.race([answered, aborted]);
}

/** As in Electron: a network that is up, not a service that answers. */
const hasNetwork = (): boolean =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal));

export const net = sayGaps(
  {
    isOnline: hasNetwork,
    get online(): boolean {
      return hasNetwork();
    },
    async fetch(
      input: string | URL | Request,
      init?: RequestInit & { bypassCustomProtocolHandlers?: boolean },
    ): Promise<Response> {
      const url = normalUrl(input instanceof Request ? input.url : String(input));
      const scheme = url.slice(0, Math.max(0, url.indexOf(':')));
      const handler = init?.bypassCustomProtocolHandlers ? undefined : defaultSession.protocol.handlers.get(scheme);
      if (handler !== undefined)
        return fetchHandled(handler, new Request(input instanceof Request ? input : url, init));
      if (scheme === 'file') return fetchFile(url);
      if (!webSchemes.has(scheme)) throw new NetError('ERR_UNKNOWN_URL_SCHEME');
      return fetch(input, init);
    },
  },
  'net',
);
net satisfies Pick<Electron.Net, 'isOnline' | 'online'>;
