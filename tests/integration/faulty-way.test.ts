import { afterEach, expect, it } from 'vitest';
import { startFaultProxy, type FaultProxy } from '../support/fault-proxy/fault-proxy.ts';
import { cutAnswer, cutRequest, halfOpen } from '../support/fault-proxy/faults.ts';
import { openQueueRig, takesAll, TestClock, type QueueRig, type QueueRigOptions } from '../support/queue-rig.ts';
import { sendJson, type Script } from '../support/scripted-server.ts';

const speed = 100;
let rig: QueueRig;
let proxy: FaultProxy;
/** How often each key was accepted. */
let accepted = new Map<string, number>();
afterEach(async () => {
  await rig.close();
  await proxy.close();
});

const textOfKey = (key: string): string => `Salom, ${key}. `.repeat(8);
/** Accepts each key once and gives the same answer to a repeat. */
const accepts: Script = (request, response) => {
  if (request.method !== 'POST') return sendJson(response, 200, { data: [], next_cursor: null });
  const key = String(request.headers['idempotency-key']);
  accepted.set(key, (accepted.get(key) ?? 0) + 1);
  return sendJson(response, 200, { data: { id: `tr_${key}`, status: 'completed', text: textOfKey(key) } });
};

/** A queue that reaches the service through the fault proxy. */
async function open(script: Script, options: QueueRigOptions = {}): Promise<void> {
  let place = '';
  accepted = new Map();
  rig = await openQueueRig(script, { clock: new TestClock(speed), ...options, baseUrl: () => place });
  proxy = await startFaultProxy({ upstreamPort: Number(new URL(rig.server.url).port), seed: 1 });
  place = proxy.url;
  rig.connection = { ...rig.connection, baseUrl: place };
}
const addFiles = (count: number, seconds = 0.1) =>
  rig.add(...Array.from({ length: count }, (_, at) => rig.record(`${at}.wav`, 200 + at * 7, seconds)));
const all = (count: number, tag: string) => Array.from({ length: count }, () => tag);
const allDone = (count: number) => rig.until(all(count, 'done'), 25_000);
const textAt = async (at: number): Promise<string> => {
  const state = rig.states()[at];
  if (state?.tag !== 'done') throw new Error(String(state?.tag));
  const opened = await rig.library.transcripts.open(state.transcriptId ?? '');
  return opened.ok ? opened.value.transcript.segments.map(({ text }) => text).join(' ') : opened.error.kind;
};
/** Each file under one key and accepted under it, with its own text. */
async function expectEachOnce(count: number): Promise<void> {
  expect(accepted.size).toBe(count);
  const bodies = Map.groupBy(rig.posts(), ({ headers }) => String(headers['idempotency-key']));
  for (const sent of bodies.values()) expect(new Set(sent.map(({ body }) => body.toString('latin1'))).size).toBe(1);
  const said = await Promise.all(rig.states().map((_, at) => textAt(at)));
  expect(said.toSorted()).toEqual([...accepted.keys()].map((key) => textOfKey(key).trim()).toSorted());
}

it('F-07: the answer to every first try is lost after acceptance, and each file is accepted once', async () => {
  const keys = new Set<string>();
  // The first attempt of each key fails; a repeat passes.
  await open((request, response, at) => {
    const key = String(request.headers['idempotency-key']);
    const isFirst = request.method === 'POST' && !keys.has(key);
    keys.add(key);
    if (!isFirst) return accepts(request, response, at);
    accepted.set(key, 1);
    return void at.socket.resetAndDestroy();
  });
  await addFiles(8);
  await allDone(8);
  await expectEachOnce(8);
  expect(rig.posts().length).toBe(16);
});

// A client pauses after many lost answers (service-troubled), so a queue meets only a few.
it('F-09: answers to uploads that are cut after any byte are never half understood, and all ends well', async () => {
  const cuts = [0, 1, 9, 40, 120, 155, 200, 333, 400];
  await open(accepts);
  proxy.rules = cuts.map((at, index) => ({
    method: 'POST',
    path: '/v1/stt',
    first: 1,
    fault: cutAnswer(at, index % 2 === 0 ? 'end' : 'reset'),
  }));
  await addFiles(cuts.length);
  await allDone(cuts.length);
  await expectEachOnce(cuts.length);
  const met = proxy.exchanges.filter(({ fault }) => fault !== null);
  expect(met.map(({ answerBytes }) => answerBytes)).toEqual(cuts);
  expect(met.every(({ serviceStatus }) => serviceStatus === 200)).toBe(true);
});

it('F-09: an answer to a poll that is cut is read again, never half understood, and nothing is sent twice', async () => {
  const long = 'Oʻzbekiston — ўзбекча 🎙 gap. '.repeat(10).trim();
  const cuts = [0, 1, 17, 150, 200, 260, 400, 555];
  await open((request, response, { number }) => {
    if (request.method === 'POST') return sendJson(response, 202, { data: { id: `tr_${number}`, status: 'queued' } });
    const id = request.url.split('/').at(-1) ?? '';
    return sendJson(response, 200, { data: { id, status: 'completed', text: long } });
  });
  proxy.rules = cuts.map((at, index) => ({
    method: 'GET',
    path: '/v1/stt/transcriptions/',
    first: 1,
    fault: cutAnswer(at, index % 2 === 0 ? 'end' : 'reset'),
  }));
  await addFiles(cuts.length);
  await allDone(cuts.length);
  for (const at of cuts.keys()) expect(await textAt(at)).toBe(long);
  expect(rig.posts()).toHaveLength(cuts.length);
  expect(proxy.exchanges.filter(({ fault }) => fault !== null).map(({ answerBytes }) => answerBytes)).toEqual(cuts);
});

it('F-13: of a service that is gone for ten minutes one probe is sent in 15 s at most, and then all are done once', async () => {
  const count = 40;
  // Queue and client share a clock: fast while nothing answers, real when something does.
  const clock = new TestClock(100);
  const answeredAtMs: number[] = [];
  const script: Script = (request, response, at) => {
    answeredAtMs.push(clock.monotonic());
    return takesAll(request, response, at);
  };
  await open(script, { clock, clientClock: clock, concurrency: 8 });
  const tries: number[] = [];
  rig.onLog((line) => void (line.includes('"service-attempt"') && tries.push(clock.monotonic())));
  await rig.library.jobs.hold(true);
  await addFiles(count);
  await rig.until(all(count, 'waiting'), 100_000);
  await proxy.goAway();
  const goneAtMs = clock.monotonic();
  await rig.library.jobs.hold(false);
  await expect.poll(() => clock.monotonic() - goneAtMs, { timeout: 60_000 }).toBeGreaterThan(600_000);
  expect([...rig.kindsMet()].toSorted()).toEqual(['service-unreachable']);
  // 13 first attempts at most, until the service is known to be gone; from then on one in 15 s. A busy machine notes
  // any of them late, never early, so the count is held against the time that has passed, with one to spare.
  const [first = 0, ...later] = tries.slice(13);
  expect(later.length).toBeGreaterThan(4);
  for (const [at, atMs] of later.entries()) expect(atMs - first).toBeGreaterThanOrEqual(15_000 * at);
  expect(rig.server.seen).toEqual([]);
  await proxy.comeBack();
  // The next probe finds it; that may take five minutes, which are not waited for in real time.
  await expect.poll(() => rig.server.seen.length, { timeout: 30_000, interval: 1 }).toBeGreaterThan(0);
  clock.setSpeed(1);
  await rig.until(all(count, 'done'), 200_000);
  for (const [index, atMs] of answeredAtMs.entries()) {
    const withinASecond = answeredAtMs.slice(index).findIndex((later) => later - atMs > 1000);
    // Answers arrive some milliseconds early or late: at this rate that is one or two.
    expect(withinASecond < 0 ? 0 : withinASecond).toBeLessThanOrEqual(60 + 10 + 3);
  }
  expect([rig.posts().length, rig.keys().size]).toEqual([count, count]);
}, 300_000);

it('F-18: when the network returns in the middle of an upload everything resumes within 5 s, under the same keys', async () => {
  const network = { isOnline: true };
  const clock = new TestClock(50);
  await open(takesAll, { clock, isOnline: () => network.isOnline });
  // Packets vanish: the connection stalls without an error.
  proxy.rules = [{ method: 'POST', first: 2, fault: cutRequest(3000, 'stall') }];
  await addFiles(4, 5);
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
  const backAtMs = clock.monotonic();
  await rig.until(all(4, 'done'));
  expect(clock.monotonic() - backAtMs).toBeLessThan(5000);
  expect(rig.keys().size).toBe(4);
  for (const key of under) expect(rig.keys()).toContain(key);
});

const asks: readonly { readonly header: () => Record<string, string>; readonly waitMs: number | null }[] = [
  { header: () => ({ 'retry-after': '0' }), waitMs: 0 },
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

it('half of all uploads have to wait: none is sent before the time, and each is accepted once', async () => {
  const count = 24;
  const clock = new TestClock(speed);
  const notBefore = new Map<string, number>();
  const early: number[] = [];
  let told = 0;
  let uploads = 0;
  const stormy: Script = (request, response, at) => {
    if (request.method !== 'POST') return accepts(request, response, at);
    const now = clock.monotonic();
    const key = String(request.headers['idempotency-key']);
    const due = notBefore.get(key) ?? 0;
    if (now < due) early.push(due - now);
    uploads += 1;
    const ask = asks[told % asks.length];
    if (uploads % 2 === 0 || ask === undefined || notBefore.has(key)) return accepts(request, response, at);
    told += 1;
    notBefore.set(key, now + (ask.waitMs ?? 0));
    return sendJson(response, 429, { message: 'slow down', error: { code: 'rate_limited' } }, ask.header());
  };
  await open(stormy, { clock });
  await addFiles(count);
  await allDone(count);
  expect(early).toEqual([]);
  expect(accepted.size).toBe(count);
  expect([...accepted.values()].every((times) => times === 1)).toBe(true);
  expect(told).toBeGreaterThanOrEqual(asks.length);
});

it('a wait of zero, or one in the past, does not permit sending again and again', async () => {
  const clock = new TestClock(speed);
  const waits = ['0', '-5', '0.001', new Date(Date.now() - 60_000).toUTCString()];
  let uploads = 0;
  await open(
    (request, response, at) => {
      if (request.method !== 'POST') return accepts(request, response, at);
      const ask = waits[uploads % waits.length] ?? '0';
      uploads += 1;
      return sendJson(response, 429, { error: { code: 'rate_limited' } }, { 'retry-after': ask });
    },
    { clock },
  );
  await addFiles(1);
  const from = clock.monotonic();
  await expect.poll(() => uploads, { timeout: 20_000 }).toBeGreaterThanOrEqual(6);
  // At least 1, 2, 4, 8 and 16 seconds lie between six uploads.
  expect(clock.monotonic() - from).toBeGreaterThanOrEqual(31_000);
  expect(accepted.size).toBe(0);
});

/** A clock whose date can be put ahead or back, while the queue's own time goes on. */
function movable() {
  const clock = new TestClock(speed);
  const { now, monotonic } = clock;
  const date = { movedMs: 0 };
  return { date, clock: Object.assign(clock, { now: () => now() + date.movedMs }), monotonic };
}

it.each([
  ['a day ahead', 86_400_000],
  ['to 1970', -1_690_000_000_000],
])('F-33: a clock that is put %s while the queue waits neither hurries nor stops it', async (_how, movedMs) => {
  const { clock, date, monotonic } = movable();
  let first = 0;
  const later: number[] = [];
  await open(
    (request, response, at) => {
      if (request.method !== 'POST') return accepts(request, response, at);
      if (first > 0) later.push(monotonic() - first);
      else {
        first = monotonic();
        return sendJson(response, 429, { error: { code: 'rate_limited' } }, { 'retry-after': '40' });
      }
      return accepts(request, response, at);
    },
    { clock },
  );
  await addFiles(3);
  await expect.poll(rig.tags).toContain('retrying');
  date.movedMs = movedMs;
  await allDone(3);
  // One other upload may have been under way when the service asked for time.
  expect(later.filter((ms) => ms < 40_000 - speed).length).toBeLessThanOrEqual(1);
  expect(accepted.size).toBe(3);
});

it('F-36: after sleep dead connections are dropped at once, and the same keys are sent again', async () => {
  const { clock, date } = movable();
  await open(accepts, { clock });
  proxy.rules = [{ method: 'POST', path: '/v1/stt', first: 2, fault: halfOpen() }];
  await addFiles(2);
  await expect.poll(() => proxy.exchanges.length).toBe(2);
  expect(rig.tags()).toEqual(['uploading', 'uploading']);
  // Five minutes of silence would pass before these are aborted.
  date.movedMs = 8 * 3_600_000;
  rig.library.jobs.onWake();
  await expect.poll(() => rig.tags().includes('uploading') && proxy.exchanges.length === 2).toBe(false);
  await allDone(2);
  await expectEachOnce(2);
  const keys = proxy.exchanges.filter(({ method }) => method === 'POST').map(({ idempotencyKey }) => idempotencyKey);
  expect([keys.length, new Set(keys).size]).toEqual([4, 2]);
});
