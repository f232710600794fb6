import { afterEach, describe, expect, it } from 'vitest';
import { openQueueRig, refuse, takesAll, TestClock, type QueueRig } from '../support/queue-rig.ts';
import type { Script } from '../support/scripted-server.ts';

let rig: QueueRig;
afterEach(() => rig.close());

const hour = 3_600_000;
const files = 6;
const all = (tag: string, count = files) => Array.from({ length: count }, () => tag);
const addFiles = () => rig.add(...Array.from({ length: files }, (_, at) => rig.record(`${at}.wav`, 200 + at * 7)));

/** The first `count` uploads are answered by `first`, everything else is accepted. */
const atFirst = (count: number, first: Script): Script => {
  let uploads = 0;
  return (request, response, at) => {
    if (request.method === 'POST') uploads += 1;
    const script = request.method === 'POST' && uploads <= count ? first : takesAll;
    return script(request, response, at);
  };
};
const inTrouble = refuse(503, 'service_unavailable', { 'retry-after': '1800' });

describe('a service that reports trouble (E-057, E-058)', () => {
  it('once: the affected file waits as long as requested, the others do not', async () => {
    const clock = new TestClock(1);
    rig = await openQueueRig(atFirst(1, inTrouble), { clock });
    await addFiles();
    // Two are sent at once, so either of them may be the one.
    await expect
      .poll(() => rig.tags().toSorted(), { timeout: 15_000 })
      .toEqual([...all('done', files - 1), 'retrying']);
    const [waiting] = rig.states().filter(({ tag }) => tag === 'retrying');
    const leftMs = waiting?.tag === 'retrying' ? waiting.untilMs - clock.now() : 0;
    expect(leftMs).toBeGreaterThan(hour / 2 - 20_000);
    clock.setSpeed(100_000);
    await rig.until(all('done'));
    expect(rig.posts()).toHaveLength(files + 1);
  });

  it('twice in a row: everybody waits, and the next file in line says why', async () => {
    const clock = new TestClock(1);
    rig = await openQueueRig(atFirst(2, inTrouble), { clock });
    await addFiles();
    // Two were sent and two would be next; the others wait for their turn only.
    await rig.until([...all('retrying', 4), 'waiting', 'waiting']);
    expect(rig.states().slice(0, 4)).toMatchObject(
      all('', 4).map(() => ({ failure: { row: 'E-058', status: 503 }, untilMs: expect.any(Number) })),
    );
    expect(rig.posts()).toHaveLength(2);
    clock.setSpeed(100_000);
    await rig.until(all('done'));
    expect(rig.posts()).toHaveLength(files + 2);
  });
});

it('E-058: a wait of two hours is not cut short', async () => {
  const clock = new TestClock(1);
  const sentAtMs: number[] = [];
  rig = await openQueueRig(
    (request, response, at) => {
      if (request.method === 'POST') sentAtMs.push(clock.monotonic());
      const script = sentAtMs.length === 1 ? refuse(503, 'service_unavailable', { 'retry-after': '7200' }) : takesAll;
      return script(request, response, at);
    },
    { clock },
  );
  await rig.add(rig.record('0.wav', 200));
  await rig.until(['retrying']);
  clock.setSpeed(100_000);
  await rig.until(['done']);
  expect(sentAtMs).toHaveLength(2);
  expect((sentAtMs[1] ?? 0) - (sentAtMs[0] ?? 0)).toBeGreaterThanOrEqual(2 * hour);
});

it('E-052: the wait of one 429 holds for everybody, and a file that woke early says what it waits for', async () => {
  const clock = new TestClock(1);
  rig = await openQueueRig(
    (request, response, at) => {
      if (request.method !== 'POST') return takesAll(request, response, at);
      return refuse(429, 'rate_limited', { 'retry-after': at.number === 1 ? '1' : '1800' })(request, response, at);
    },
    { clock },
  );
  await addFiles();
  await expect.poll(() => rig.posts().length).toBe(2);
  clock.setSpeed(10);
  // The first was asked to wait one second, the second half an hour: both now wait for the longer time.
  await expect
    .poll(() =>
      rig.states().map((state) => (state.tag === 'retrying' ? state.untilMs - clock.now() > hour / 4 : false)),
    )
    .toEqual([true, true, true, false, false, false]);
  expect(rig.posts()).toHaveLength(2);
  rig.server.script = takesAll;
  clock.setSpeed(100_000);
  await rig.until(all('done'));
});

it('E-009: one HTML answer is checked at once, and nothing else waits for it', async () => {
  const page: Script = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><html></html>');
  // A clock that stands still: whatever happens, happens without waiting.
  rig = await openQueueRig(atFirst(1, page), { clock: new TestClock(0.001) });
  await addFiles();
  await rig.until(all('done'));
  expect(rig.posts()).toHaveLength(files + 1);
  expect(rig.server.seen.filter(({ method }) => method === 'GET').length).toBeLessThanOrEqual(1);
});
