import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { findShell } from '../find-shell.ts';
import { Devtools } from './devtools.ts';
import { readTree } from './process-tree.ts';

export interface App {
  readonly folder: string;
  readonly dataDir: string;
  /** The element that shows that the page is usable. */
  readonly ready: string;
}

/** Milliseconds since the start of the program. */
export interface StartTimes {
  /** The start of the page's own code; runtime and main have done their part by then. */
  readonly pageBeginsMs: number;
  /** The element is there and two more frames were drawn, so the page can respond to a key. */
  readonly readyMs: number;
  /** The processor time of all processes up to then, which other load hardly affects. */
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

async function timesOf(devtools: Devtools, selector: string, startedAt: number, pid: number) {
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
      // The blank page has been replaced by the real one.
      .catch(() => null);
    const times = answer?.result.value;
    if (times !== undefined) {
      const [pageBeginsMs, readyMs] = [times[0] - startedAt, times[1] - startedAt];
      return { sessionId, start: { pageBeginsMs, readyMs, cpuMs: readTree(pid).cpuMs } };
    }
    if (performance.timeOrigin + performance.now() - startedAt > longestStart)
      throw new Error(`${selector} never came`);
  }
}

/** Counts the timers and frames that ran in pages without any input. */
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

/** A running app that is usable: its browser, the session of its page and its main process. */
export interface Running {
  readonly devtools: Devtools;
  readonly sessionId: string;
  readonly pid: number;
  readonly start: StartTimes;
}

/** Starts an app, waits until it is usable, passes it to a function and stops it. */
export async function withApp<T>(app: App, measure: (running: Running) => Promise<T>, extraEnv = {}): Promise<T> {
  const shell = findShell();
  const asRoot = shell.kind === 'electron' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const env: NodeJS.ProcessEnv = { ...process.env, LANG: 'en_US.UTF-8', OVOZ_DATA_DIR: app.dataDir, ...extraEnv };
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
    const { sessionId, start } = await timesOf(devtools, app.ready, startedAt, pid);
    const result = await measure({ devtools, sessionId, pid, start });
    devtools.close();
    return result;
  } finally {
    child.kill('SIGTERM');
    const tooLate = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(tooLate);
  }
}

/** Starts an app, waits until it is usable, measures it and stops it. */
export const startOnce = (app: App, withIdle: boolean): Promise<Measured> =>
  withApp(app, async ({ devtools, pid, start }) => ({ start, idle: withIdle ? await idleOf(devtools, pid) : null }));

/**
 * Starts an app as a regular user finds it: the browser notes a script at its first start, stores the compiled code
 * during the second, some time after the page has loaded, and uses it from the third on.
 */
export async function warmUp(app: App): Promise<void> {
  for (let start = 0; start < 2; start += 1) await withApp(app, () => wait(warmMs));
}
