import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { Secret } from '../../electron/secret/secret.ts';
import type { TransportLimits } from '../../electron/api/http/transport.ts';
import { openWorkspace } from '../../electron/workspace/open-workspace.ts';
import type { Clock } from '../../electron/services/jobs/ports.ts';
import type { Workspace } from '../../electron/workspace/workspace.ts';
import { startFaultProxy, type FaultProxy } from '../support/fault-proxy/fault-proxy.ts';
import { sendJson, startScriptedServer, type Script, type ScriptedServer } from '../support/scripted-server.ts';
import { toneWav } from '../support/wav-files.ts';

export const speed = 100;
const root = mkdtempSync(join(tmpdir(), 'ovoz-faults-'));
let number = 0;
let folder = '';
export let server: ScriptedServer;
export let proxy: FaultProxy;
export let library: Workspace;
let wake: () => void = () => undefined;
/** Shifts the computer's clock by milliseconds; the queue's own time is not affected. */
let clockMovedMs = 0;
export const begin = performance.now();
export const elapsed = (): number => (performance.now() - begin) * speed;
export const clock: Clock = {
  now: () => Math.round(1_700_000_000_000 + elapsed() + clockMovedMs),
  monotonic: elapsed,
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.max(0, ms) / speed);
    return () => clearTimeout(timer);
  },
};

const text = (key: string): string => `Salom, ${key}. `.repeat(8);
export const accepted = new Map<string, number>();
/** Accepts each key once and gives the same answer to a repeat. */
export const accepts: Script = (request, response) => {
  if (request.method !== 'POST') return sendJson(response, 200, { data: [], next_cursor: null });
  const key = String(request.headers['idempotency-key']);
  accepted.set(key, (accepted.get(key) ?? 0) + 1);
  return sendJson(response, 200, { data: { id: `tr_${key}`, status: 'completed', text: text(key) }, request_id: 'r1' });
};
export const posts = () => server.seen.filter(({ method }) => method === 'POST');
export const tags = () => library.jobs.list().jobs.map(({ state }) => state.tag);
export const rowsOfFailures = () =>
  library.jobs
    .list()
    .jobs.map(({ state }) => ('failure' in state && state.failure !== null ? state.failure.row : null));

export async function open(limits: Partial<TransportLimits> = {}): Promise<void> {
  const opened = await openWorkspace({
    mode: 'service',
    dataDir: join(folder, 'data'),
    source: () => ({ kind: 'service', baseUrl: proxy.url, key: new Secret('sk-test-0000000001') }),
    audioWorker: new URL('../../electron/entries/audio-worker.ts', import.meta.url),
    readingWorker: new URL('../../electron/entries/library-worker.ts', import.meta.url),
    log: { write: () => undefined },
    allowsLoopbackHttp: true,
    concurrency: 2,
    clock,
    limits,
    wakes: (listener) => {
      wake = listener;
      return () => undefined;
    },
  });
  if (!opened.ok) throw new Error(opened.error.row);
  library = opened.value;
  await library.jobs.start();
}
export const addFiles = (count: number) => {
  const paths = Array.from({ length: count }, (_, at) => {
    const path = join(folder, `${at}.wav`);
    writeFileSync(path, toneWav(200 + at, 0.1));
    return path;
  });
  return library.jobs.add(
    paths.map((path) => ({ path, kind: 'transcribe' as const, language: 'uz' as const, includeSpeakers: false })),
  );
};
export const allDone = async (count: number): Promise<void> => {
  await expect.poll(tags, { timeout: 25_000 }).toEqual(Array.from({ length: count }, () => 'done'));
};
/** Each file under one key and accepted under it, with its own text. */
export async function expectEachOnce(count: number): Promise<void> {
  expect(accepted.size).toBe(count);
  const bodies = Map.groupBy(posts(), ({ headers }) => String(headers['idempotency-key']));
  for (const sent of bodies.values()) expect(new Set(sent.map(({ body }) => body.toString('latin1'))).size).toBe(1);
  for (const { state } of library.jobs.list().jobs) {
    if (state.tag !== 'done') throw new Error(state.tag);
    const opened = await library.transcripts.open(state.transcriptId ?? '');
    const said = opened.ok ? opened.value.transcript.segments.map((segment) => segment.text).join(' ') : '';
    expect([...accepted.keys()].some((key) => text(key).trim() === said.trim())).toBe(true);
  }
}

/** The next library that is opened is a new one. */
export function beginElsewhere(): void {
  folder = join(folder, 'again');
  mkdirSync(folder);
}

/** Sets the computer's clock off by this many milliseconds. */
export const moveClock = (ms: number): void => void (clockMovedMs = ms);
/** The computer wakes up. */
export const wakeUp = (): void => wake();

/** A service behind the fault proxy and a library of its own for every test of a file. */
export function eachOverAFaultyWay(): void {
  beforeEach(async () => {
    number += 1;
    folder = join(root, String(number));
    mkdirSync(folder);
    accepted.clear();
    clockMovedMs = 0;
    server = await startScriptedServer(accepts);
    proxy = await startFaultProxy({ upstreamPort: Number(new URL(server.url).port), seed: 1 });
  });
  afterEach(async () => {
    await library.close();
    await proxy.close();
    await server.close();
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));
}
