import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type Electron from 'electron';
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
    throw new Error('net::ERR_FILE_NOT_FOUND');
  });
  const headers = {
    'content-type': types[extname(path).toLowerCase()] ?? 'application/octet-stream',
    'content-length': String(size),
  };
  return new Response(Readable.toWeb(createReadStream(path)) as unknown as ReadableStream<Uint8Array>, { headers });
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
    fetch(input: string | Request, init?: RequestInit): Promise<Response> {
      const url = typeof input === 'string' ? input : input.url;
      if (url.startsWith('file:')) return fetchFile(url);
      const handler = defaultSession.protocol.handlers.get(url.slice(0, Math.max(0, url.indexOf(':'))));
      return handler === undefined ? fetch(input, init) : Promise.resolve(handler(new Request(input, init)));
    },
  },
  'net',
);
net satisfies Pick<Electron.Net, 'isOnline' | 'online'>;
