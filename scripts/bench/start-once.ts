import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { findShell } from '../find-shell.ts';
import { readTree } from './process-tree.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

type Listener = (params: unknown, sessionId: string | undefined) => void;

class Devtools {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  readonly #listeners = new Map<string, Listener>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data)) as Message));
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the browser has gone'));
      this.#waiting.clear();
    });
  }

  static connect(address: string): Promise<Devtools> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(address);
      socket.addEventListener('open', () => resolve(new Devtools(socket)));
      socket.addEventListener('error', () => reject(new Error(`no answer from ${address}`)));
    });
  }

  on(event: string, listener: Listener): void {
    this.#listeners.set(event, listener);
  }

  send<T>(method: string, params: object = {}, sessionId?: string): Promise<T> {
    const id = ++this.#lastId;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
      this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
    });
  }

  close(): void {
    this.#socket.close();
  }

  #take(message: Message): void {
    if (message.id === undefined) {
      this.#listeners.get(message.method ?? '')?.(message.params, message.sessionId);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error === undefined) waiting?.resolve(message.result);
    else waiting?.reject(new Error(message.error.message));
  }
}

export interface App {
  readonly folder: string;
  readonly dataDir: string;
  readonly ready: string;
}

/** Milliseconds since the start of the program. */
export interface StartTimes {
  /** The start of the page's own code; runtime and main have done their part by then. */
  readonly pageBeginsMs: number;
  readonly readyMs: number;
  readonly cpuMs: number;
}

export interface IdleState {
  readonly processes: number;
  readonly pssMiB: number;
  readonly cpuMsPerSecond: number;
  readonly mainWakeUpsPerSecond: number;
  readonly pageTimersPerSecond: number;
}

export interface Measured {
  readonly start: StartTimes;
  readonly idle: IdleState | null;
}

/** By then the work that the start defers, such as the first check of the connection, is over. */
const settleMs = 12_000;
const warmMs = 4_000;
const watchMs = 5_000;
const longestStart = 60_000;

async function devtoolsAddress(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stderr as Readable })) {
    const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error('the app ended before its browser was there');
}

/** Waits inside the page, so that the figure does not include our round trips. */
const whenReady = (selector: string) => `new Promise((done) => {
  const look = () => {
    if (document.querySelector(${JSON.stringify(selector)}) === null) requestAnimationFrame(look);
    else requestAnimationFrame(() => requestAnimationFrame(() =>
      done([performance.timeOrigin, performance.timeOrigin + performance.now()])));
  };
  look();
})`;

interface Attached {
  readonly sessionId: string;
  readonly targetInfo: { readonly type: string };
}

async function timesOf(devtools: Devtools, selector: string, startedAt: number, pid: number): Promise<StartTimes> {
  const attached = Promise.withResolvers<string>();
  devtools.on('Target.attachedToTarget', (params) => {
    const { sessionId, targetInfo } = params as Attached;
    if (targetInfo.type === 'page') attached.resolve(sessionId);
  });
  await devtools.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
  const sessionId = await attached.promise;
  for (;;) {
    const answer = await devtools
      .send<{ result: { value?: readonly [number, number] } }>(
        'Runtime.evaluate',
        { expression: whenReady(selector), awaitPromise: true, returnByValue: true },
        sessionId,
      )
      .catch(() => null);
    const times = answer?.result.value;
    if (times !== undefined) {
      const [pageBeginsMs, readyMs] = [times[0] - startedAt, times[1] - startedAt];
      return { pageBeginsMs, readyMs, cpuMs: readTree(pid).cpuMs };
    }
    if (performance.timeOrigin + performance.now() - startedAt > longestStart)
      throw new Error(`${selector} never came`);
  }
}

async function countPageTimers(devtools: Devtools): Promise<number> {
  let count = 0;
  const complete = Promise.withResolvers<void>();
  devtools.on('Tracing.dataCollected', (params) => {
    const { value } = params as { value: readonly { name: string }[] };
    count += value.filter(({ name }) => name === 'TimerFire' || name === 'FireAnimationFrame').length;
  });
  devtools.on('Tracing.tracingComplete', () => complete.resolve());
  await devtools.send('Tracing.start', { categories: '-*,devtools.timeline', transferMode: 'ReportEvents' });
  await wait(watchMs);
  await devtools.send('Tracing.end');
  await complete.promise;
  return count;
}

async function idleOf(devtools: Devtools, pid: number): Promise<IdleState> {
  await wait(settleMs);
  const before = readTree(pid);
  await wait(watchMs);
  const after = readTree(pid);
  const seconds = watchMs / 1000;
  return {
    processes: after.processes,
    pssMiB: after.pssMiB,
    cpuMsPerSecond: (after.cpuMs - before.cpuMs) / seconds,
    mainWakeUpsPerSecond: (after.mainWakeUps - before.mainWakeUps) / seconds,
    pageTimersPerSecond: (await countPageTimers(devtools)) / seconds,
  };
}

export async function startOnce(app: App, withIdle: boolean, stayMs = 0): Promise<Measured> {
  const shell = findShell();
  const asRoot = shell.kind === 'electron' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const env: NodeJS.ProcessEnv = { ...process.env, LANG: 'en_US.UTF-8', OVOZ_DATA_DIR: app.dataDir };
  delete env['OVOZ_API_KEY'];
  delete env['OVOZ_SERVICE_URL'];
  const startedAt = performance.timeOrigin + performance.now();
  const child = spawn(shell.executable, [...asRoot, '--remote-debugging-port=0', app.folder], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  try {
    const devtools = await Devtools.connect(await devtoolsAddress(child));
    child.stderr.resume();
    const pid = child.pid ?? 0;
    const start = await timesOf(devtools, app.ready, startedAt, pid);
    const idle = withIdle ? await idleOf(devtools, pid) : null;
    await wait(stayMs);
    devtools.close();
    return { start, idle };
  } finally {
    child.kill('SIGTERM');
    const tooLate = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(tooLate);
  }
}

/** The third start is the usual one: the browser stores the compiled script during the second. */
export async function warmUp(app: App): Promise<void> {
  for (let start = 0; start < 2; start += 1) await startOnce(app, false, warmMs);
}
