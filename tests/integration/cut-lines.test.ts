import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { startFaultProxy, type FaultProxy } from '../support/fault-proxy/fault-proxy.ts';
import { cutAnswer, cutRequest, slice } from '../support/fault-proxy/faults.ts';
import { openQueueRig, takesAll, TestClock, type QueueRig, type QueueRigOptions } from '../support/queue-rig.ts';
import { sendJson, type Script } from '../support/scripted-server.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;
let rig: QueueRig;
let proxy: FaultProxy;
afterEach(async () => {
  await rig.close();
  await proxy.close();
});

/** A queue that reaches the service through the fault proxy. */
async function openBehindProxy(script: Script, options: QueueRigOptions = {}): Promise<void> {
  let place = '';
  rig = await openQueueRig(script, { clock: new TestClock(1000), ...options, baseUrl: () => place });
  proxy = await startFaultProxy({ upstreamPort: Number(new URL(rig.server.url).port), seed: 1 });
  place = proxy.url;
  rig.connection = { ...rig.connection, baseUrl: place };
}
const many = (count: number) => Array.from({ length: count }, (_, at) => rig.record(`${at}.wav`, 200 + at * 7));
const all = (count: number, tag: string) => Array.from({ length: count }, () => tag);
const textOf = async (at: number): Promise<string> => {
  const state = rig.states()[at];
  if (state?.tag !== 'done') throw new Error(String(state?.tag));
  const opened = await rig.library.transcripts.open(state.transcriptId ?? '');
  return opened.ok ? opened.value.transcript.segments.map(({ text }) => text).join(' ') : opened.error.row;
};
const long = 'Oʻzbekiston — ўзбекча 🎙 gap. '.repeat(10).trim();
/** Accepted with a receipt, finished at the first poll. */
const takesAndFinishes: Script = (request, response, { number }) => {
  if (request.method === 'POST') return sendJson(response, 202, { data: { id: `tr_${number}`, status: 'queued' } });
  const id = request.url.split('/').at(-1) ?? '';
  return sendJson(response, 200, { data: { id, status: 'completed', text: long } });
};

describe('F-09: the answer to a poll', () => {
  const cuts = isLong ? Array.from({ length: 640 }, (_, at) => at) : [0, 1, 17, 150, 200, 260, 400, 555];
  const groups = Array.from({ length: Math.ceil(cuts.length / 8) }, (_, at) => cuts.slice(at * 8, at * 8 + 8));
  it.each(groups.map((some) => [some.join(' '), some] as const))(
    'that is cut after %s bytes is read again, never half understood, and nothing is sent twice',
    async (_name, some) => {
      await openBehindProxy(takesAndFinishes);
      proxy.rules = some.map((at, index) => ({
        method: 'GET',
        path: '/v1/stt/transcriptions/',
        first: 1,
        fault: cutAnswer(at, index % 2 === 0 ? 'end' : 'reset'),
      }));
      await rig.add(...many(some.length));
      await rig.until(all(some.length, 'done'));
      for (const at of some.keys()) expect(await textOf(at)).toBe(long);
      expect(rig.posts()).toHaveLength(some.length);
      expect(proxy.exchanges.filter(({ fault }) => fault !== null).map(({ answerBytes }) => answerBytes)).toEqual(some);
    },
  );
});

describe('F-10: segments of one byte both ways', () => {
  it('upload, receipt and transcript arrive whole, multi-byte letters too', async () => {
    await openBehindProxy(takesAndFinishes);
    proxy.rules = [{ fault: slice(1) }];
    await rig.add(rig.record('ўзбекча ёзув.wav'), rig.record('b.wav', 555));
    await rig.until(all(2, 'done'));
    expect([await textOf(0), await textOf(1)]).toEqual([long, long]);
    expect(rig.posts()).toHaveLength(2);
    expect(rig.posts().some(({ body }) => body.includes(Buffer.from('ўзбекча ёзув.wav')))).toBe(true);
    const sent = proxy.exchanges.filter(({ method }) => method === 'POST');
    expect(Math.min(...sent.map(({ requestBytes }) => requestBytes))).toBeGreaterThan(6000);
  });
});

describe('F-11: a slow connection, and one that stalls', () => {
  // The limits are those of the client; in this suite its clock runs a hundred times as fast as that of the proxy.
  const speed = isLong ? 1 : 100;
  it(
    'a slow upload is allowed, however long it takes; one that stalls is aborted after 60 s and repeated under the same key',
    { timeout: 400_000 },
    async () => {
      await openBehindProxy(takesAll, { clientClock: new TestClock(speed) });
      const pieceMs = 1000 / speed;
      // 5 KB a second of the client's time; all of it takes about 70 s of that time.
      proxy.rules = [
        { method: 'POST', first: 1, fault: { name: 'slow', request: { pieceBytes: 5000, pieceMs } } },
        { method: 'POST', first: 1, fault: { name: 'stall', request: { cutAt: 2000, stop: 'stall' } } },
      ];
      const slow = rig.record('slow.wav', 300, 11);
      await rig.add(slow);
      await rig.until(['done'], 100_000);
      const [first] = proxy.exchanges;
      expect(first).toMatchObject({ fault: 'slow' });
      expect(first?.requestBytes).toBeGreaterThan(340_000);
      expect(rig.rowsMet()).toEqual(new Set());
      // More than the system buffers, so that the client notices the stall.
      const startedAtMs = performance.now();
      await rig.add(rig.record('stalls.wav', 400, 300));
      await rig.until(['done', 'done'], 200_000);
      const [line = ''] = rig.log.filter(
        (entry) => entry.includes('send_stalled') && entry.includes('service-attempt'),
      );
      const { ms = 0, row } = JSON.parse(line) as { readonly ms?: number; readonly row?: string };
      expect(row).toBe('E-012');
      expect(ms).toBeGreaterThanOrEqual(59_000);
      expect(ms).toBeLessThan(isLong ? 63_000 : 120_000);
      expect((performance.now() - startedAtMs) * speed).toBeGreaterThan(59_000);
      const keys = proxy.exchanges.map(({ idempotencyKey }) => idempotencyKey);
      expect([keys.length, keys[1] === keys[2], keys[0] === keys[1]]).toEqual([3, true, false]);
    },
  );
});

describe('F-13: the service is gone for ten minutes', () => {
  const count = isLong ? 1000 : 80;
  it(
    `of ${count} files one probe is sent in 15 s at most; afterwards no more than 60 requests a second, and all are done once`,
    { timeout: 300_000 },
    async () => {
      // Queue and client share a clock: fast while nothing answers, real when something does.
      const clock = new TestClock(200);
      const answeredAtMs: number[] = [];
      const script: Script = (request, response, at) => {
        answeredAtMs.push(clock.monotonic());
        return takesAll(request, response, at);
      };
      await openBehindProxy(script, { clock, clientClock: clock, concurrency: 8 });
      const tries: number[] = [];
      const onTry = (line: string): void => {
        if (line.includes('"service-attempt"')) tries.push(clock.monotonic());
      };
      rig.onLog(onTry);
      await rig.library.jobs.hold(true);
      await rig.add(...many(count));
      await rig.until(all(count, 'waiting'), 100_000);
      await proxy.goAway();
      const goneAtMs = clock.monotonic();
      await rig.library.jobs.hold(false);
      await expect.poll(() => clock.monotonic() - goneAtMs, { timeout: 60_000 }).toBeGreaterThan(600_000);
      expect([...rig.rowsMet()].toSorted()).toEqual(['E-003', 'E-018']);
      // The first attempts, until the service is known to be down; from then on one at a time.
      const probes = tries.slice(6 + 8);
      expect(tries.length).toBeGreaterThan(8);
      for (const [index, atMs] of probes.entries()) {
        if (index > 0) expect(atMs - (probes[index - 1] ?? 0)).toBeGreaterThanOrEqual(14_900);
      }
      expect(tries.filter((atMs) => atMs > goneAtMs + 60_000).length).toBeLessThanOrEqual(36);
      expect(rig.server.seen).toEqual([]);
      const tried = tries.length;
      await proxy.comeBack();
      // The next probe finds it; that may take five minutes, which are not waited for in real time.
      await expect.poll(() => rig.server.seen.length, { timeout: 30_000, interval: 1 }).toBeGreaterThan(0);
      clock.setSpeed(1);
      const backAtMs = performance.now();
      await rig.until(all(count, 'done'), 200_000);
      const tookMs = performance.now() - backAtMs;
      console.log(
        `${tried} tries in ten minutes; ${answeredAtMs.length} requests in ${Math.round(tookMs)} ms afterwards`,
      );
      const steady = answeredAtMs;
      for (const [index, atMs] of steady.entries()) {
        const withinASecond = steady.slice(index).findIndex((later) => later - atMs > 1000);
        // Answers arrive some milliseconds early or late: at this rate that is one or two.
        expect(withinASecond < 0 ? 0 : withinASecond).toBeLessThanOrEqual(60 + 10 + 3);
      }
      expect([rig.posts().length, rig.keys().size]).toEqual([count, count]);
    },
  );
});

describe('F-18: the network fails in the middle of an upload', () => {
  it('and returns: everything resumes within 5 s, under the same keys', async () => {
    const network = { isOnline: true };
    const clock = new TestClock(50);
    await openBehindProxy(takesAll, { clock, isOnline: () => network.isOnline });
    // Packets vanish: the connection stalls without an error.
    proxy.rules = [{ method: 'POST', first: 2, fault: cutRequest(3000, 'stall') }];
    await rig.add(...Array.from({ length: 4 }, (_, at) => rig.record(`${at}.wav`, 200 + at, 5)));
    await expect.poll(() => proxy.exchanges.filter(({ requestBytes }) => requestBytes === 3000).length).toBe(2);
    const under = proxy.exchanges.map(({ idempotencyKey }) => idempotencyKey);
    expect(rig.tags().filter((tag) => tag === 'uploading')).toHaveLength(2);
    network.isOnline = false;
    rig.library.jobs.noteNetworkChange(new Set());
    // Their address is gone, so they fail before the minute of a stall.
    await expect.poll(() => rig.tags().filter((tag) => tag === 'uploading').length).toBe(0);
    await proxy.goAway();
    const tried = proxy.exchanges.length;
    const goneAtMs = clock.monotonic();
    await expect.poll(() => clock.monotonic() - goneAtMs).toBeGreaterThan(60_000);
    expect(proxy.exchanges.length).toBe(tried);
    clock.setSpeed(1);
    await proxy.comeBack();
    network.isOnline = true;
    rig.library.jobs.noteNetworkChange(new Set(['127.0.0.1']));
    const backAtMs = performance.now();
    await rig.until(all(4, 'done'));
    expect(performance.now() - backAtMs).toBeLessThan(5000);
    expect(rig.keys().size).toBe(4);
    for (const key of under) expect(rig.keys()).toContain(key);
  });

  // Takes twelve real seconds, and needs a system that permits network namespaces.
  const lendsNetworks = isLong && spawnSync('unshare', ['-Urn', 'ip', 'link']).status === 0;
  it.skipIf(!lendsNetworks)(
    'a real network interface that goes down and up: the same',
    { timeout: 60_000 },
    async () => {
      await openBehindProxy(takesAll);
      const script = fileURLToPath(new URL('../support/interface-process.ts', import.meta.url));
      const node = [process.execPath, '--disable-warning=ExperimentalWarning', script];
      const { stdout, stderr } = await promisify(execFile)('unshare', ['-Urn', ...node]);
      expect(stderr).toBe('');
      const seen = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
      console.log(stdout.trim());
      expect(seen).toMatchObject({ triedWhileDown: 0, isSameKeys: true });
      expect(seen['tookMs']).toBeLessThan(5000);
    },
  );
});
