import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Secret, type Connection } from '../../electron/api/connection.ts';
import { openLibrary } from '../../electron/entries/compose/open-library.ts';
import type { Clock } from '../../electron/services/jobs/ports.ts';
import type { Library } from '../../electron/services/library/library.ts';
import type { JobViewState } from '../../shared/domain/jobs/job-view.ts';
import { sendJson, startScriptedServer, type Script, type ScriptedServer } from './scripted-server.ts';
import { toneWav } from './tone-wav.ts';

/** Time of the queue runs fifty times as fast: its waits are seconds and minutes. */
const speed = 50;
const start = Date.now();
const fastClock: Clock = {
  now: () => start + (Date.now() - start) * speed,
  monotonic: () => performance.now() * speed,
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.max(0, ms) / speed);
    return () => clearTimeout(timer);
  },
};

export const finished = (id: string) => ({
  data: { id, status: 'completed', text: 'Salom dunyo.', segments: [{ start: 0, end: 1.5, text: 'Salom dunyo.' }] },
});

/** Takes every recording at once. */
export const takesAll: Script = (request, response, { number }) =>
  sendJson(response, 200, request.method === 'POST' ? finished(`tr_${number}`) : { data: [], next_cursor: null });

export const refuse =
  (status: number, code: string, headers = {}): Script =>
  (_request, response) =>
    sendJson(response, status, { error: { code }, message: 'no', request_id: 'req_1' }, headers);

/** A real library over a real server whose answers a test writes. */
export interface QueueRig {
  readonly folder: string;
  readonly server: ScriptedServer;
  connection: Connection;
  readonly library: Library;
  /** A recording of its own content. */
  record(name: string, hertz?: number): string;
  add(...paths: readonly string[]): Promise<unknown>;
  states(): readonly JobViewState[];
  tags(): readonly string[];
  until(expected: readonly string[]): Promise<void>;
  posts(): ScriptedServer['seen'];
  /** The keys that recordings were sent under, each once. */
  keys(): ReadonlySet<unknown>;
  reopen(): Promise<void>;
  close(): Promise<void>;
}

export async function openQueueRig(script: Script = takesAll): Promise<QueueRig> {
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-queue-rig-'));
  const server = await startScriptedServer(script);
  const state = {
    connection: {
      kind: 'service',
      baseUrl: server.url,
      key: new Secret('sk-test-0000000001'),
    } as Connection,
  };
  const open = async (): Promise<Library> => {
    const opened = await openLibrary({
      kind: 'service',
      dataDir: join(folder, 'data'),
      source: () => state.connection,
      soundWorker: new URL('../../electron/entries/sound.ts', import.meta.url),
      log: { write: () => undefined },
      allowsLoopbackHttp: true,
      clock: fastClock,
    });
    if (!opened.ok) throw new Error(opened.error.row);
    await opened.value.jobs.start();
    return opened.value;
  };
  let library = await open();
  const states = () => library.jobs.list().jobs.map((job) => job.state);
  const tags = () => states().map(({ tag }) => tag);
  const posts = () => server.seen.filter(({ method }) => method === 'POST');
  return {
    folder,
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
    record(name, hertz = 300) {
      const path = join(folder, name);
      writeFileSync(path, toneWav(hertz, 0.2));
      return path;
    },
    add: (...paths) => library.jobs.add(paths.map((path) => ({ path, language: 'uz', includeSpeakers: false }))),
    states,
    tags,
    until: (expected) => expect.poll(tags, { timeout: 15_000, interval: 20 }).toEqual(expected),
    posts,
    keys: () => new Set(posts().map(({ headers }) => headers['idempotency-key'])),
    async reopen() {
      await library.close();
      library = await open();
    },
    async close() {
      await library.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
