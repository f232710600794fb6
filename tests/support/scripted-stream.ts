import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';

/** The test's handling of an upgrade: `accept` makes it a WebSocket, `socket` allows everything else. */
export interface Upgrading {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** Counts from 1. */
  readonly number: number;
  readonly accept: () => Promise<WebSocket>;
}

export interface ScriptedStream {
  readonly url: string;
  /** Addresses of all upgrades, in order. */
  readonly asked: readonly string[];
  readonly headers: readonly IncomingMessage['headers'][];
  readonly tickets: () => number;
  /** Additional fields of tickets from here on. */
  ticket: Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

/** A server on loopback that issues tickets like the service, and whose streams the test writes. */
export async function startScriptedStream(
  script: (upgrading: Upgrading) => void | Promise<void>,
): Promise<ScriptedStream> {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const open = new Set<Duplex>();
  const asked: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const state = { ticket: {} as Readonly<Record<string, unknown>>, given: 0 };
  const server = createServer((request, response) => {
    request.resume();
    state.given += 1;
    response.writeHead(201, { 'content-type': 'application/json' });
    const ticket = `ticket_CANARY_${String(state.given).padStart(8, '0')}`;
    response.end(JSON.stringify({ ticket, transport: 'websocket', ...state.ticket, request_id: 'req_1' }));
  });
  server.on('upgrade', (request, socket, head) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => undefined);
    headers.push(request.headers);
    const number = asked.push(request.url ?? '');
    const accept = (): Promise<WebSocket> =>
      new Promise((resolve) => {
        sockets.handleUpgrade(request, socket, head, (accepted) => {
          accepted.on('error', () => undefined);
          resolve(accepted);
        });
      });
    void script({ request, socket, number, accept });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    headers,
    tickets: () => state.given,
    get ticket() {
      return state.ticket;
    },
    set ticket(next) {
      state.ticket = next;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The audio of each utterance that is committed on a connection; `isLost` is asked at each message. */
export function onUtterance(socket: WebSocket, hear: (audio: Buffer) => void, isLost = (): boolean => false): void {
  let audio: Buffer[] | null = null;
  socket.on('message', (data: Buffer, isBinary) => {
    if (isLost()) return socket.terminate();
    if (isBinary) return void audio?.push(data);
    const message = JSON.parse(data.toString()) as Record<string, unknown>;
    if (message['type'] === 'start') audio = [];
    if (message['action'] === 'interrupt') audio = null;
    if (message['type'] !== 'commit' || audio === null) return;
    const whole = Buffer.concat(audio);
    audio = null;
    hear(whole);
  });
}

export const readyMessage = JSON.stringify({
  event: 'ready',
  audio_format: 'pcm_s16le',
  sample_rate: 16_000,
  channels: 1,
});

/** Refuses an upgrade with a plain HTTP answer. */
export function refuse(
  socket: Duplex,
  status: number,
  body: string,
  more: Readonly<Record<string, string>> = {},
): void {
  const headers = { 'content-length': String(Buffer.byteLength(body)), connection: 'close', ...more };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} X\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}
