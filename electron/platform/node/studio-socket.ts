import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

/** Longest message, in characters; a longer one ends the connection. */
const longestMessage = 1024 * 1024;
/** The longest path of a Unix socket that every system accepts, in bytes. */
const longestPath = 100;

/** A socket in the data folder, which no other user may enter, or a named pipe. Null: its path is too long. */
function placeOf(dataRoot: string): string | null {
  if (process.platform === 'win32')
    return `\\\\.\\pipe\\ovoz-studio-${createHash('sha256').update(dataRoot).digest('hex').slice(0, 32)}`;
  const path = join(dataRoot, 'studio.sock');
  return Buffer.byteLength(path) <= longestPath ? path : null;
}

/** Calls `take` with each line parsed as JSON; any other line ends the connection. */
function readLines(socket: Socket, take: (message: unknown) => void): void {
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    rest += text;
    if (rest.length > longestMessage) {
      socket.destroy();
      return;
    }
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      try {
        take(JSON.parse(line));
      } catch {
        socket.destroy();
        return;
      }
    }
  });
}

type Numbered = { readonly number?: unknown; readonly request?: unknown; readonly answer?: unknown };

/** The socket of an app that died is replaced. Returns a function that stops serving. */
export function serveStudioSocket(
  dataRoot: string,
  open: () => { answer(request: unknown): Promise<unknown>; close(): void },
): () => void {
  const place = placeOf(dataRoot);
  if (place === null) return () => undefined;
  if (process.platform !== 'win32') rmSync(place, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const session = open();
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      session.close();
    });
    readLines(socket, (message) => {
      const { number, request } = message as Numbered;
      void session.answer(request).then((answer) => {
        if (!socket.destroyed) socket.write(`${JSON.stringify({ number, answer })}\n`);
      });
    });
  });
  server.on('error', () => undefined);
  server.listen(place);
  return () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
}

export interface StudioConnection {
  ask(request: unknown, signal: AbortSignal): Promise<unknown>;
  close(): void;
}

/** Connects to the app that uses this data folder; null when it does not run. */
export function connectStudio(dataRoot: string): Promise<StudioConnection | null> {
  const place = placeOf(dataRoot);
  if (place === null) return Promise.resolve(null);
  return new Promise((resolve) => {
    const socket = createConnection(place);
    const waiting = new Map<number, (answer: unknown) => void>();
    let count = 0;
    const end = () => {
      for (const settle of waiting.values()) settle(null);
      waiting.clear();
      resolve(null);
    };
    socket.once('error', end);
    socket.on('close', end);
    readLines(socket, (message) => {
      const { number, answer } = message as Numbered;
      const settle = waiting.get(Number(number));
      waiting.delete(Number(number));
      settle?.(answer);
    });
    socket.once('connect', () => {
      // The connection alone must not keep the process alive.
      socket.unref();
      resolve({
        ask: (request, signal) =>
          new Promise((settle) => {
            if (socket.destroyed) {
              settle(null);
              return;
            }
            count += 1;
            const number = count;
            waiting.set(number, settle);
            signal.addEventListener('abort', () => {
              if (waiting.delete(number)) settle(null);
            });
            socket.write(`${JSON.stringify({ number, request })}\n`);
          }),
        close: () => socket.destroy(),
      });
    });
  });
}
