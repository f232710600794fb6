import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { WebSocketServer, type WebSocket } from 'ws';
import { allowConnection } from './csp.ts';
import { NetError } from './net-error.ts';
import { originOf, schemeOfHost, toAppUrl, toBrowserUrl } from './scheme-urls.ts';

export type SchemeHandler = (request: Request) => Response | Promise<Response>;

export interface ServerOptions {
  /** The handler of a scheme in the session that a cookie belongs to; undefined when there is none. */
  readonly handlerOf: (token: string, scheme: string) => SchemeHandler | undefined;
  /** Takes the socket of a document; false refuses it. */
  readonly takeSocket: (nonce: string, socket: WebSocket, origin: string) => boolean;
  /** Answers `ipcRenderer.sendSync`; null refuses it. */
  readonly answerSync: (nonce: string, body: Buffer) => Uint8Array | null;
}

export const tokenCookie = '__electron_host';
/** An empty page on the app's own origin, where a window waits until its preload is installed. */
export const blankPath = '/__electron-host/blank';
/** Tells the page's guard why a load fails; the page never gets such an answer. */
export const failureHeader = 'electron-host-failure';
const ipcPath = '/__electron-host/ipc';
const syncPath = '/__electron-host/sync';
const ownHeaders = new Set(['host', 'cookie', 'connection', 'upgrade-insecure-requests']);

export interface Server {
  readonly port: number;
  readonly ipcUrl: (nonce: string) => string;
  readonly syncUrl: (nonce: string) => string;
  readonly close: () => void;
}

/** Serves the app's schemes (each request guarded by its session's cookie) and the sockets of its pages (guarded by a nonce). */
export async function startServer(options: ServerOptions): Promise<Server> {
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (!(error instanceof NetError)) process.stderr.write(`electron-host: ${String(error)}\n`);
      else if (request.headers['sec-fetch-mode'] === 'navigate') {
        response.writeHead(500, { [failureHeader]: error.code }).end();
        return;
      }
      response.destroy();
    });
  });
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 2 ** 31 - 1 });
  let port = 0;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (address.pathname === syncPath && request.method === 'POST') return answerSync(address, request, response);
    const target = schemeOfHost(request.headers.host ?? '');
    if (address.pathname === blankPath) {
      response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' });
      response.end('<!doctype html><title></title>');
      return;
    }
    const token = cookieOf(request);
    const handler = target && token ? options.handlerOf(token, target.scheme) : undefined;
    if (!target || !handler) {
      response.destroy();
      return;
    }
    const answer = await handler(toRequest(request, response, `${target.scheme}://${target.host}${request.url}`));
    send(answer, response);
  }

  async function answerSync(address: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const answer = options.answerSync(address.searchParams.get('nonce') ?? '', Buffer.concat(parts));
    if (answer === null) {
      response.writeHead(403).end();
      return;
    }
    const origin = request.headers.origin ?? '*';
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'access-control-allow-origin': origin });
    response.end(answer);
  }

  function send(answer: Response, response: ServerResponse): void {
    const headers: Record<string, string | string[]> = {};
    answer.headers.forEach((value, name) => {
      if (name === 'content-security-policy') headers[name] = allowConnection(value, ownSources());
      else if (name === 'location') headers[name] = toBrowserUrl(value);
      else headers[name] = value;
    });
    const cookies = answer.headers.getSetCookie();
    if (cookies.length > 0) headers['set-cookie'] = cookies;
    // Electron keeps answers of custom schemes out of the HTTP cache.
    headers['cache-control'] ??= 'no-store';
    response.writeHead(answer.status, headers);
    if (answer.body === null) {
      response.end();
      return;
    }
    // A page that leaves in the middle is no error.
    pipeline(answer.body, response).catch(() => undefined);
  }

  const ownSources = () => `ws://127.0.0.1:${port} http://127.0.0.1:${port}${syncPath}`;

  server.on('upgrade', (request, socket, head) => {
    const address = new URL(request.url ?? '/', 'http://127.0.0.1');
    socket.on('error', () => socket.destroy());
    if (address.pathname !== ipcPath) {
      socket.destroy();
      return;
    }
    sockets.handleUpgrade(request, socket, head, (ws) => {
      const taken = options.takeSocket(
        address.searchParams.get('nonce') ?? '',
        ws,
        originOf(request.headers.origin ?? ''),
      );
      if (!taken) ws.close(1008);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  ({ port } = server.address() as AddressInfo);
  return {
    port,
    ipcUrl: (nonce) => `ws://127.0.0.1:${port}${ipcPath}?nonce=${nonce}`,
    syncUrl: (nonce) => `http://127.0.0.1:${port}${syncPath}?nonce=${nonce}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function cookieOf(request: IncomingMessage): string | null {
  const pairs = (request.headers.cookie ?? '').split(/;\s*/);
  const pair = pairs.find((text) => text.startsWith(`${tokenCookie}=`));
  return pair === undefined ? null : pair.slice(tokenCookie.length + 1);
}

/** The request as Electron would have passed it on: the app's own address, no trace of the loopback server. */
function toRequest(request: IncomingMessage, response: ServerResponse, url: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || ownHeaders.has(name)) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    if (name === 'origin' && text === 'null') continue;
    if (name === 'origin') headers.set(name, originOf(text));
    else if (name === 'referer') headers.set(name, toAppUrl(text));
    else headers.set(name, text);
  }
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const method = request.method ?? 'GET';
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers, signal: gone.signal });
  const body = Readable.toWeb(request) as unknown as ReadableStream<Uint8Array>;
  // Node's fetch insists on half duplex for streamed bodies; the DOM's types do not know the option.
  const init: RequestInit & { duplex: 'half' } = { method, headers, body, duplex: 'half', signal: gone.signal };
  return new Request(url, init);
}
