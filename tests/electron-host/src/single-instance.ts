import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, rmdirSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface SecondInstance {
  readonly argv: string[];
  readonly workingDirectory: string;
  readonly additionalData: unknown;
}

const longestSocketPath = 100;
const staleLockAfter = 5000;
/** A busy computer is slow to start the notifying process; giving up early would replace a living owner. */
const longestTelling = 20_000;

/** One name for one user-data folder: a socket in it, a named pipe on Windows. */
export function instanceAddress(userData: string): string {
  const short = createHash('sha256').update(userData).digest('hex').slice(0, 24);
  if (process.platform === 'win32') return `\\\\.\\pipe\\electron-host-${short}`;
  const inside = join(userData, 'electron-host.sock');
  return inside.length <= longestSocketPath ? inside : join(tmpdir(), `electron-host-${short}.sock`);
}

/**
 * Takes the lock, or sends its owner this process's arguments. Both are done when this returns, because
 * `requestSingleInstanceLock` is synchronous: a local socket is bound within the call to `listen`.
 */
export function takeInstanceLock(
  userData: string,
  mine: SecondInstance,
  onSecond: (second: SecondInstance) => void,
): Server | null {
  const address = instanceAddress(userData);
  if (process.platform !== 'win32') mkdirSync(dirname(address), { recursive: true });
  const server = listen(address, onSecond);
  if (server.listening) return server;
  if (tellOwner(address, mine)) return null;
  return withTakeoverLock(`${address}.lock`, () => {
    // Another process may have taken it over meanwhile.
    if (tellOwner(address, mine)) return null;
    rmSync(address, { force: true });
    const again = listen(address, onSecond);
    return again.listening ? again : null;
  });
}

function listen(address: string, onSecond: (second: SecondInstance) => void): Server {
  const server = createServer((socket) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('error', () => {});
    socket.on('data', (part: string) => {
      text += part;
      const end = text.indexOf('\n');
      if (end < 0) return;
      socket.end('ok\n');
      try {
        onSecond(JSON.parse(text.slice(0, end)) as SecondInstance);
      } catch {
        // Not from one of our processes: nothing to report to the app.
      }
    });
  });
  server.on('error', () => {});
  server.listen({ path: address, readableAll: false, writableAll: false });
  server.unref();
  return server;
}

/** Whether a living owner of the address accepted the message. */
function tellOwner(address: string, mine: SecondInstance): boolean {
  const client = fileURLToPath(new URL('./tell-first-instance.ts', import.meta.url));
  const told = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', client, address], {
    input: `${JSON.stringify(mine)}\n`,
    stdio: ['pipe', 'ignore', 'ignore'],
    timeout: longestTelling,
  });
  return told.status === 0;
}

function withTakeoverLock<T>(lock: string, work: () => T): T | null {
  try {
    if (Date.now() - statSync(lock).mtimeMs > staleLockAfter) rmdirSync(lock);
  } catch {
    // No lock there: the usual case.
  }
  try {
    mkdirSync(lock);
  } catch {
    return null;
  }
  try {
    return work();
  } finally {
    rmdirSync(lock);
  }
}
