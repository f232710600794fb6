import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../../electron/api/connection.ts';
import type { TransportLimits } from '../../electron/api/core/transport.ts';
import { openLibrary } from '../../electron/entries/compose/open-library.ts';
import type { Clock } from '../../electron/services/jobs/ports.ts';
import type { Library } from '../../electron/services/library/library.ts';
import { startFaultProxy, type FaultProxy } from '../support/fault-proxy/fault-proxy.ts';
import { cutAnswer, dropAnswer, halfOpen } from '../support/fault-proxy/faults.ts';
import { sendJson, startScriptedServer, type Script, type ScriptedServer } from '../support/scripted-server.ts';
import { toneWav } from '../support/tone-wav.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;
const speed = 100;
const root = mkdtempSync(join(tmpdir(), 'ovoz-faults-'));
let number = 0;
let folder = '';
let server: ScriptedServer;
let proxy: FaultProxy;
let library: Library;
let wake: () => void = () => undefined;
/** What somebody does to the clock of the computer, milliseconds; the queue's own time is not moved by it. */
let clockMovedMs = 0;
const begin = performance.now();
const elapsed = (): number => (performance.now() - begin) * speed;
const clock: Clock = {
  now: () => Math.round(1_700_000_000_000 + elapsed() + clockMovedMs),
  monotonic: elapsed,
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.max(0, ms) / speed);
    return () => clearTimeout(timer);
  },
};

const text = (key: string): string => `Salom, ${key}. `.repeat(8);
const accepted = new Map<string, number>();
/** Accepts each key once and says the same again to whoever repeats it. */
const accepts: Script = (request, response) => {
  if (request.method !== 'POST') return sendJson(response, 200, { data: [], next_cursor: null });
  const key = String(request.headers['idempotency-key']);
  accepted.set(key, (accepted.get(key) ?? 0) + 1);
  return sendJson(response, 200, { data: { id: `tr_${key}`, status: 'completed', text: text(key) }, request_id: 'r1' });
};
const posts = () => server.seen.filter(({ method }) => method === 'POST');
const tags = () => library.jobs.list().jobs.map(({ state }) => state.tag);
const rowsOfFailures = () =>
  library.jobs
    .list()
    .jobs.map(({ state }) => ('failure' in state && state.failure !== null ? state.failure.row : null));

async function open(limits: Partial<TransportLimits> = {}): Promise<void> {
  const opened = await openLibrary({
    kind: 'service',
    dataDir: join(folder, 'data'),
    source: () => ({ kind: 'service', baseUrl: proxy.url, key: new Secret('sk-test-0000000001') }),
    soundWorker: new URL('../../electron/entries/sound.ts', import.meta.url),
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
const addFiles = (count: number) => {
  const paths = Array.from({ length: count }, (_, at) => {
    const path = join(folder, `${at}.wav`);
    writeFileSync(path, toneWav(200 + at, 0.1));
    return path;
  });
  return library.jobs.add(paths.map((path) => ({ path, language: 'uz' as const, includeSpeakers: false })));
};
const allDone = async (count: number): Promise<void> => {
  await expect.poll(tags, { timeout: 25_000 }).toEqual(Array.from({ length: count }, () => 'done'));
};
/** Each file under one key and accepted under it, with its own text. */
async function expectEachOnce(count: number): Promise<void> {
  expect(accepted.size).toBe(count);
  const bodies = Map.groupBy(posts(), ({ headers }) => String(headers['idempotency-key']));
  for (const sent of bodies.values()) expect(new Set(sent.map(({ body }) => body.toString('latin1'))).size).toBe(1);
  for (const { state } of library.jobs.list().jobs) {
    if (state.tag !== 'done') throw new Error(state.tag);
    const opened = await library.transcripts.open(state.transcriptId);
    const said = opened.ok ? opened.value.transcript.segments.map((segment) => segment.text).join(' ') : '';
    expect([...accepted.keys()].some((key) => text(key).trim() === said.trim())).toBe(true);
  }
}

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

describe('with the fault proxy between the queue and the service', () => {
  it('F-07: the answer to every first try is lost after acceptance, and each file is accepted once', async () => {
    const keys = new Set<string>();
    proxy.rules = [];
    await open();
    // The first try of each key: what was seen before passes.
    server.script = (request, response, at) => {
      const key = String(request.headers['idempotency-key']);
      const isFirst = request.method === 'POST' && !keys.has(key);
      keys.add(key);
      if (!isFirst) return accepts(request, response, at);
      accepted.set(key, 1);
      return void at.socket.resetAndDestroy();
    };
    await addFiles(8);
    await allDone(8);
    await expectEachOnce(8);
    expect(posts().length).toBe(16);
  });

  const cuts = isLong ? Array.from({ length: 640 }, (_, at) => at) : [0, 1, 9, 40, 120, 155, 200, 333, 400, 470];
  // A client holds back after many lost answers (E-018), so each queue meets only a few.
  const someCuts = Array.from({ length: cuts.length / 10 }, (_, at) => cuts.slice(at * 10, at * 10 + 10));

  it.each(someCuts.map((some) => [some.join(' '), some] as const))(
    'F-09: answers that are cut after %s bytes are never half understood, and all ends well',
    async (_name, some) => {
      proxy.rules = some.map((at, index) => ({
        method: 'POST',
        path: '/v1/stt',
        first: 1,
        fault: cutAnswer(at, index % 2 === 0 ? 'end' : 'reset'),
      }));
      await open();
      await addFiles(some.length);
      await allDone(some.length);
      await expectEachOnce(some.length);
      const met = proxy.exchanges.filter(({ fault }) => fault !== null);
      expect(met.map(({ answerBytes }) => answerBytes)).toEqual(some);
      expect(met.every(({ serviceStatus }) => serviceStatus === 200)).toBe(true);
    },
  );

  it('F-12: of half-open connections each is given up after the first-byte time, and the others go on', async () => {
    proxy.rules = [{ method: 'POST', path: '/v1/stt', first: 2, fault: halfOpen() }];
    await open({ firstByteMs: 250 });
    await addFiles(5);
    await allDone(5);
    await expectEachOnce(5);
    expect(proxy.exchanges.filter(({ fault }) => fault === 'half-open')).toHaveLength(2);
  });

  it('F-12: when nobody answers any more the queue says so once (E-018), and goes on when the service is back', async () => {
    await open({ firstByteMs: 60 });
    proxy.freeze();
    await addFiles(4);
    await expect.poll(() => rowsOfFailures().includes('E-018'), { timeout: 25_000 }).toBe(true);
    const asked = proxy.exchanges.length;
    // A hundred tokens at ten for each silence: a few more while the budget fills up again.
    expect(asked).toBeLessThanOrEqual(16);
    expect(accepted.size).toBe(0);
    expect(tags().every((tag) => tag === 'retrying' || tag === 'waiting' || tag === 'uploading')).toBe(true);
    proxy.up();
  });

  it('a service that is down takes nothing from the files: they are sent when it is up', async () => {
    await open();
    proxy.down();
    await addFiles(3);
    await expect.poll(() => rowsOfFailures().some((row) => row !== null)).toBe(true);
    proxy.up();
    library.jobs.noteConnectionChange();
    await allDone(3);
    await expectEachOnce(3);
  });
});

describe('F-30: a storm of 429', () => {
  const asks: readonly { readonly header: () => Record<string, string>; readonly waitMs: number | null }[] = [
    { header: () => ({ 'retry-after': '0' }), waitMs: 0 },
    { header: () => ({ 'retry-after': '1' }), waitMs: 1000 },
    { header: () => ({ 'retry-after': '7.5' }), waitMs: 7500 },
    { header: () => ({ 'retry-after': '120' }), waitMs: 120_000 },
    {
      // A service whose clock is two hours off still means ten seconds.
      header: () => ({
        'retry-after': new Date(Date.now() - 7_190_000).toUTCString(),
        date: new Date(Date.now() - 7_200_000).toUTCString(),
      }),
      waitMs: 9000,
    },
    { header: () => ({ 'retry-after': new Date(Date.now() - 60_000).toUTCString() }), waitMs: 0 },
    { header: () => ({ 'retry-after': 'soon' }), waitMs: null },
    { header: () => ({}), waitMs: null },
  ];

  it('half of all uploads are told to wait: nobody comes before the time, and the whole takes little longer', async () => {
    const count = 24;
    const notBefore = new Map<string, number>();
    const early: number[] = [];
    const pauses: { readonly from: number; readonly to: number }[] = [];
    let told = 0;
    let uploads = 0;
    server.script = (request, response, at) => {
      if (request.method !== 'POST') return accepts(request, response, at);
      const now = elapsed();
      const key = String(request.headers['idempotency-key']);
      const due = notBefore.get(key) ?? 0;
      if (now < due) early.push(due - now);
      uploads += 1;
      const ask = asks[told % asks.length];
      if (uploads % 2 === 0 || ask === undefined || notBefore.has(key)) return accepts(request, response, at);
      told += 1;
      notBefore.set(key, now + (ask.waitMs ?? 0));
      pauses.push({ from: now, to: now + (ask.waitMs ?? 2000) });
      return sendJson(response, 429, { message: 'slow down', error: { code: 'rate_limited' } }, ask.header());
    };
    const stormy = server.script;
    server.script = accepts;
    await open();
    const calmFrom = elapsed();
    await addFiles(count);
    await allDone(count);
    const ownWorkMs = elapsed() - calmFrom;
    await library.close();
    accepted.clear();
    folder = join(folder, 'again');
    mkdirSync(folder);
    server.script = stormy;
    await open();
    const startedAt = elapsed();
    await addFiles(count);
    await allDone(count);
    const tookMs = elapsed() - startedAt;
    expect(early).toEqual([]);
    expect(accepted.size).toBe(count);
    expect([...accepted.values()].every((times) => times === 1)).toBe(true);
    expect(told).toBeGreaterThanOrEqual(asks.length);
    // What was asked for, one after another where it did not overlap; our own work runs in real time, and each upload is made twice.
    const asked = pauses.reduce(
      (sum, pause) => ({
        end: Math.max(sum.end, pause.to),
        total: sum.total + Math.max(0, pause.to - Math.max(sum.end, pause.from)),
      }),
      { end: 0, total: 0 },
    ).total;
    expect(tookMs).toBeLessThan(1.3 * asked + 3 * ownWorkMs);
  });

  it('a wait of many years is an hour, and is shown as such', async () => {
    server.script = (request, response, at) =>
      request.method === 'POST'
        ? sendJson(response, 429, { error: { code: 'rate_limited' } }, { 'retry-after': '1000000000' })
        : accepts(request, response, at);
    await open();
    await addFiles(1);
    await expect.poll(tags).toEqual(['retrying']);
    const [job] = library.jobs.list().jobs;
    const untilMs = job?.state.tag === 'retrying' ? job.state.untilMs - clock.now() : 0;
    expect(untilMs).toBeGreaterThan(3_500_000);
    expect(untilMs).toBeLessThanOrEqual(3_605_000);
  });
});

describe('time', () => {
  it.each([
    ['a day ahead', 86_400_000],
    ['a day back', -86_400_000],
    ['to 1970', -1_690_000_000_000],
    ['to 2038', 450_000_000_000],
  ])('F-33: a clock that is put %s while the queue waits neither hurries nor stops it', async (_how, movedMs) => {
    let first = 0;
    server.script = (request, response, at) => {
      if (request.method === 'POST' && first === 0) {
        first = elapsed();
        return sendJson(response, 429, { error: { code: 'rate_limited' } }, { 'retry-after': '40' });
      }
      return accepts(request, response, at);
    };
    await open();
    await addFiles(3);
    await expect.poll(tags).toContain('retrying');
    clockMovedMs = movedMs;
    await allDone(3);
    const [, ...later] = proxy.exchanges.filter(({ method, fault }) => method === 'POST' && fault === null);
    const times = later.map(({ startedAtMs }) => (startedAtMs - begin) * speed - first);
    // One other upload may have been on its way when the service asked for time.
    expect(times.filter((ms) => ms < 40_000 - speed).length).toBeLessThanOrEqual(1);
    expect(accepted.size).toBe(3);
  });

  it('F-36: after sleep dead connections are dropped at once, and the same keys go out again', async () => {
    proxy.rules = [{ method: 'POST', path: '/v1/stt', first: 2, fault: halfOpen() }];
    await open();
    await addFiles(2);
    await expect.poll(() => proxy.exchanges.length).toBe(2);
    expect(tags()).toEqual(['uploading', 'uploading']);
    // Five minutes of silence would pass before these are given up.
    clockMovedMs = 8 * 3_600_000;
    wake();
    await expect.poll(() => tags().includes('uploading') && proxy.exchanges.length === 2).toBe(false);
    await allDone(2);
    await expectEachOnce(2);
    const keys = proxy.exchanges.filter(({ method }) => method === 'POST').map(({ idempotencyKey }) => idempotencyKey);
    expect([keys.length, new Set(keys).size]).toEqual([4, 2]);
  });

  it('a lost answer and then sleep: the wait that ended meanwhile ends on waking', async () => {
    proxy.rules = [{ method: 'POST', path: '/v1/stt', first: 1, fault: dropAnswer() }];
    await open();
    await addFiles(1);
    await allDone(1);
    await expectEachOnce(1);
    expect([...accepted.values()]).toEqual([2]);
  });
});
