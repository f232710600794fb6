import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Connection } from '../../electron/service/connection.ts';
import { Secret } from '../../electron/secret/secret.ts';
import { openWorkspace, type Workspace } from '../../electron/workspace/open-workspace.ts';
import type { TransportLimits, ClientClock } from '../../electron/service/transport.ts';
import type { JobViewState } from '../../shared/domain/jobs/job-view.ts';
import { kindOfNumber } from '../../shared/result/failure-kinds.ts';
import { sendJson, startScriptedServer, type Script, type ScriptedServer } from './scripted-server.ts';
import type { ModeId } from '../../shared/domain/modes.ts';
import { toneWav } from './wav-files.ts';

/** The queue's time runs fifty times as fast, because its waits are seconds and minutes. */
const usualSpeed = 50;

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
  real: NodeJS.Timeout | null;
}

/** A clock for queue and client that runs `speed` times as fast; the speed may be changed. */
export class TestClock implements ClientClock {
  #speed: number;
  #atMs = 1_700_000_000_000;
  #realMs = performance.now();
  readonly #timers = new Set<Timer>();

  constructor(speed: number) {
    this.#speed = speed;
  }

  readonly now = (): number => Math.round(this.monotonic());
  readonly monotonic = (): number => this.#atMs + (performance.now() - this.#realMs) * this.#speed;
  readonly after = (ms: number, callback: () => void): (() => void) => {
    const timer: Timer = { dueMs: this.monotonic() + ms, callback, real: null };
    this.#timers.add(timer);
    this.#arm(timer);
    return () => {
      this.#timers.delete(timer);
      clearTimeout(timer.real ?? undefined);
    };
  };

  /** Also for running timers: the rest of them passes at the new speed. */
  setSpeed(speed: number): void {
    this.#atMs = this.monotonic();
    this.#realMs = performance.now();
    this.#speed = speed;
    for (const timer of this.#timers) this.#arm(timer);
  }

  #arm(timer: Timer): void {
    clearTimeout(timer.real ?? undefined);
    timer.real = setTimeout(
      () => {
        this.#timers.delete(timer);
        timer.callback();
      },
      Math.max(0, timer.dueMs - this.monotonic()) / this.#speed,
    );
  }
}

export interface QueueRigOptions {
  /** Parallel uploads; 2 by default. */
  readonly concurrency?: number;
  /** The service by default. */
  readonly mode?: ModeId;
  readonly clock?: ClientClock;
  /** The client's own time; real by default. */
  readonly clientClock?: ClientClock;
  readonly limits?: Partial<TransportLimits>;
  readonly lookup?: LookupFunction;
  readonly isOnline?: () => boolean;
  readonly onErased?: (contents: readonly string[]) => void;
  /** Reads long answers in place of the app's own thread. */
  readonly readingWorker?: URL;
  /** `attached` is how a run from the terminal opens the library. */
  readonly takesUp?: 'everything' | 'attached';
  /** The address for requests, given that of the server; the same by default. */
  readonly baseUrl?: (serverUrl: string) => string;
}

export const finished = (id: string) => ({
  data: { id, status: 'completed', text: 'Salom dunyo.', segments: [{ start: 0, end: 1.5, text: 'Salom dunyo.' }] },
});

/** Accepts every recording at once. */
export const takesAll: Script = (request, response, { number }) =>
  sendJson(response, 200, request.method === 'POST' ? finished(`tr_${number}`) : { data: [], next_cursor: null });

export const refuse =
  (status: number, code: string, headers = {}): Script =>
  (_request, response) =>
    sendJson(response, status, { error: { code }, message: 'no', request_id: 'req_1' }, headers);

/** A real library and a real server whose answers a test writes. */
export interface QueueRig {
  readonly folder: string;
  /** What the app wrote to its log, a line each. */
  readonly log: readonly string[];
  /** Called for each line from now on. */
  onLog(listener: (line: string) => void): void;
  readonly server: ScriptedServer;
  connection: Connection;
  readonly library: Workspace;
  /** A recording of its own content. */
  record(name: string, hertz?: number, seconds?: number): string;
  add(...paths: readonly string[]): ReturnType<Workspace['jobs']['add']>;
  /** The kinds of the failures of all items so far. */
  kindsMet(): ReadonlySet<string>;
  states(): readonly JobViewState[];
  readonly tags: () => readonly string[];
  until(expected: readonly string[], timeoutMs?: number): Promise<void>;
  posts(): ScriptedServer['seen'];
  /** The distinct keys that recordings were sent under. */
  keys(): ReadonlySet<unknown>;
  /** A restart; `meanwhile` runs while the queue is closed. */
  reopen(meanwhile?: () => void): Promise<void>;
  readonly close: () => Promise<void>;
}

export async function openQueueRig(script: Script = takesAll, options: QueueRigOptions = {}): Promise<QueueRig> {
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-queue-rig-'));
  const server = await startScriptedServer(script);
  const state = {
    connection: {
      kind: 'service',
      baseUrl: options.baseUrl?.(server.url) ?? server.url,
      key: new Secret('sk-test-0000000001'),
    } as Connection,
  };
  const log: string[] = [];
  const listeners: ((line: string) => void)[] = [];
  const { clock = new TestClock(usualSpeed), baseUrl: _baseUrl, ...others } = options;
  const open = async (): Promise<Workspace> => {
    const opened = await openWorkspace({
      mode: 'service',
      dataDir: join(folder, 'data'),
      source: () => state.connection,
      audioWorker: new URL('../../electron/entries/audio-worker.ts', import.meta.url),
      readingWorker: new URL('../../electron/entries/library-worker.ts', import.meta.url),
      log: {
        write(entry) {
          log.push(JSON.stringify(entry));
          for (const listener of listeners) listener(log.at(-1) ?? '');
        },
      },
      allowsLoopbackHttp: true,
      clock,
      ...others,
    });
    if (!opened.ok) throw new Error(opened.error.kind);
    await opened.value.jobs.start();
    return opened.value;
  };
  let library = await open();
  const states = () => library.jobs.list().jobs.map((job) => job.state);
  const tags = () => states().map(({ tag }) => tag);
  const posts = () => server.seen.filter(({ method }) => method === 'POST');
  return {
    folder,
    log,
    onLog: (listener) => void listeners.push(listener),
    kindsMet: () =>
      new Set(
        log.flatMap((line) => {
          const [, number] = /^\{"event":"job-.*"row":"(E-\d+)"/u.exec(line) ?? [];
          return number === undefined ? [] : [kindOfNumber(number) ?? number];
        }),
      ),
    server,
    get connection() {
      return state.connection;
    },
    set connection(next) {
      state.connection = next;
    },
    get library() {
      return library;
    },
    record(name, hertz = 300, seconds = 0.2) {
      const path = join(folder, name);
      writeFileSync(path, toneWav(hertz, seconds));
      return path;
    },
    add: (...paths) =>
      library.jobs.add(paths.map((path) => ({ path, kind: 'transcribe', language: 'uz', includeSpeakers: false }))),
    states,
    tags,
    until: (expected, timeout = 15_000) => expect.poll(tags, { timeout, interval: 20 }).toEqual(expected),
    posts,
    keys: () => new Set(posts().map(({ headers }) => headers['idempotency-key'])),
    async reopen(meanwhile) {
      await library.close();
      meanwhile?.();
      library = await open();
    },
    async close() {
      await library.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
