import { describe, expect, it } from 'vitest';
import { cutAnswer, halfOpen } from '../support/fault-proxy/faults.ts';
import { sendJson } from '../support/scripted-server.ts';
import {
  server,
  proxy,
  library,
  elapsed,
  clock,
  accepted,
  accepts,
  posts,
  tags,
  rowsOfFailures,
  open,
  addFiles,
  allDone,
  expectEachOnce,
  eachOverAFaultyWay,
  beginElsewhere,
} from './faulty-way-rig.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;

eachOverAFaultyWay();

describe('with the fault proxy between the queue and the service', () => {
  it('F-07: the answer to every first try is lost after acceptance, and each file is accepted once', async () => {
    const keys = new Set<string>();
    proxy.rules = [];
    await open();
    // The first attempt of each key fails; a repeat passes.
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
  // A client pauses after many lost answers (E-018), so each queue meets only a few.
  const someCuts = Array.from({ length: cuts.length / 10 }, (_, at) => cuts.slice(at * 10, at * 10 + 10));

  it.each(someCuts.map((some) => [some.join(' '), some] as const))(
    'F-09: answers cut after %s bytes are never half understood, and all ends well',
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

  it('F-12: half-open connections are each aborted after the first-byte time, and the others continue', async () => {
    proxy.rules = [{ method: 'POST', path: '/v1/stt', first: 2, fault: halfOpen() }];
    await open({ firstByteMs: 250 });
    await addFiles(5);
    await allDone(5);
    await expectEachOnce(5);
    expect(proxy.exchanges.filter(({ fault }) => fault === 'half-open')).toHaveLength(2);
  });

  it('F-12: if nothing answers any more the queue says so once (E-018), and resumes when the service is back', async () => {
    await open({ firstByteMs: 60 });
    proxy.freeze();
    await addFiles(4);
    await expect.poll(() => rowsOfFailures().includes('E-018'), { timeout: 25_000 }).toBe(true);
    const asked = proxy.exchanges.length;
    // A hundred tokens at ten for each silence: a few more while the budget refills.
    expect(asked).toBeLessThanOrEqual(16);
    expect(accepted.size).toBe(0);
    expect(tags().every((tag) => tag === 'retrying' || tag === 'waiting' || tag === 'uploading')).toBe(true);
    proxy.up();
  });

  it('a service that is down does not harm the files: they are sent when it is up', async () => {
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

  it('half of all uploads have to wait: none is sent before the time, and the whole takes little longer', async () => {
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
    beginElsewhere();
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
    // The requested waits, one after another where they did not overlap; our own work runs in real time, and each
    // upload is sent twice.
    const asked = pauses.reduce(
      (sum, pause) => ({
        end: Math.max(sum.end, pause.to),
        total: sum.total + Math.max(0, pause.to - Math.max(sum.end, pause.from)),
      }),
      { end: 0, total: 0 },
    ).total;
    expect(tookMs).toBeLessThan(1.3 * asked + 3 * ownWorkMs);
  });

  it('a wait of zero, or one in the past, does not permit sending again and again', async () => {
    const asks = ['0', '-5', '0.001', new Date(Date.now() - 60_000).toUTCString()];
    let uploads = 0;
    server.script = (request, response, at) => {
      if (request.method !== 'POST') return accepts(request, response, at);
      const ask = asks[uploads % asks.length] ?? '0';
      uploads += 1;
      return sendJson(response, 429, { error: { code: 'rate_limited' } }, { 'retry-after': ask });
    };
    await open();
    await addFiles(1);
    const from = elapsed();
    await expect.poll(() => uploads, { timeout: 20_000 }).toBeGreaterThanOrEqual(6);
    // At least 1, 2, 4, 8 and 16 seconds lie between six uploads.
    expect(elapsed() - from).toBeGreaterThanOrEqual(31_000);
    expect(accepted.size).toBe(0);
  });

  it('a wait of many years becomes a day, and is shown as such', async () => {
    server.script = (request, response, at) =>
      request.method === 'POST'
        ? sendJson(response, 429, { error: { code: 'rate_limited' } }, { 'retry-after': '1000000000' })
        : accepts(request, response, at);
    await open();
    await addFiles(1);
    await expect.poll(tags).toEqual(['retrying']);
    const [job] = library.jobs.list().jobs;
    const untilMs = job?.state.tag === 'retrying' ? job.state.untilMs - clock.now() : 0;
    expect(untilMs).toBeGreaterThan(86_300_000);
    expect(untilMs).toBeLessThanOrEqual(86_405_000);
  });
});
