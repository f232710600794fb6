import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { openQueueRig, takesAll, TestClock, type QueueRig } from '../support/queue-rig.ts';
import type { Script } from '../support/scripted-server.ts';

let rig: QueueRig;
afterEach(() => rig.close());

type Page = (response: Parameters<Script>[1]) => void;
const html = { 'content-type': 'text/html' };
const words = '<!doctype html><html><body>BLOCKED BY POLICY</body></html>';
const pages: readonly (readonly [string, Page])[] = [
  ['200 with a page', (response) => void response.writeHead(200, html).end(words)],
  [
    '302 to a page of the proxy',
    (response) => void response.writeHead(302, { location: 'http://proxy.invalid/' }).end(),
  ],
  ['403 with a page', (response) => void response.writeHead(403, html).end(words)],
  ['511 with a page', (response) => void response.writeHead(511, html).end(words)],
];

/** A filter in the network blocks one recording and passes everything else. */
const refuses =
  (path: string, page: Page): Script =>
  (request, response, at) => {
    const isRefused = request.method === 'POST' && request.body.includes(readFileSync(path));
    return isRefused ? page(response) : takesAll(request, response, at);
  };

const many = (count: number) => Array.from({ length: count }, (_, at) => rig.record(`${at}.wav`, 200 + at * 7));
const postsOf = (path: string) => rig.posts().filter(({ body }) => body.includes(readFileSync(path)));
const stateAt = (at: number) => rig.states()[at];
const others = (count: number) => Array.from({ length: count }, () => 'done');

describe.each(pages)('E-240: a recording that alone gets %s', (_how, page) => {
  it.each([1, 4])(
    'blocks no other (%i at once), is retried ever more rarely and then left to the user',
    async (concurrency) => {
      const clock = new TestClock(4000);
      rig = await openQueueRig(takesAll, { clock, concurrency });
      const paths = many(12);
      const [bad = ''] = paths;
      rig.server.script = refuses(bad, page);
      await rig.add(...paths);
      const beganAtMs = clock.monotonic();
      await rig.until(['needs-user', ...others(11)]);
      // 15 s, 1 min and twice 5 min, a fifth less at most.
      expect(clock.monotonic() - beganAtMs).toBeGreaterThan(500_000);
      expect(postsOf(bad).length).toBeLessThanOrEqual(8);
      expect(stateAt(0)).toMatchObject({ tag: 'needs-user', failure: { row: 'E-240', params: { name: '0.wav' } } });
      // No more automatic attempts, and nothing else was sent twice except what was under way.
      const before = rig.posts().length;
      expect(new Set(postsOf(bad).map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
      expect(rig.keys().size).toBe(12);
      // Once the filter lets it through, a click finishes it under the key it had.
      rig.server.script = takesAll;
      const [row] = rig.library.jobs.list().jobs;
      await rig.library.jobs.retry(row?.id ?? '', false);
      await rig.until(others(12));
      expect(rig.posts()).toHaveLength(before + 1);
      expect(rig.keys().size).toBe(12);
    },
  );
});

const [, blockPage = () => undefined] = pages[0] ?? [];

it('a recording that is the only one, while only reads get through, is left to the user too', async () => {
  const clock = new TestClock(4000);
  rig = await openQueueRig(takesAll, { clock });
  const [bad = ''] = many(1);
  rig.server.script = refuses(bad, blockPage);
  await rig.add(bad);
  await rig.until(['needs-user']);
  expect(stateAt(0)).toMatchObject({ failure: { row: 'E-240' } });
  expect(postsOf(bad)).toHaveLength(6);
});

/** The first of four recordings waits alone, the others are done. */
async function refuseOne() {
  const clock = new TestClock(4000);
  rig = await openQueueRig(takesAll, { clock, concurrency: 1 });
  const paths = many(4);
  const [bad = ''] = paths;
  rig.server.script = refuses(bad, blockPage);
  await rig.add(...paths);
  await rig.until(['retrying', ...others(3)]);
  return { clock, bad };
}

it('its count survives restarts: it does not start anew', async () => {
  const { bad } = await refuseOne();
  await expect.poll(() => postsOf(bad).length).toBeGreaterThanOrEqual(4);
  const before = postsOf(bad).length;
  await rig.reopen();
  await rig.until(['needs-user', ...others(3)]);
  expect(postsOf(bad).length - before).toBeLessThanOrEqual(4);
  expect(new Set(postsOf(bad).map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
});

it.each([413, 415, 451])(
  'an HTML answer with %i to accepted work: another attempt is sent under the same key, and is paid once',
  async (status) => {
    const takenKeys = new Set<unknown>();
    rig = await openQueueRig((request, response, at) => {
      if (request.method !== 'POST') return takesAll(request, response, at);
      const isFirst = takenKeys.size === 0;
      takenKeys.add(request.headers['idempotency-key']);
      return isFirst ? void response.writeHead(status, html).end(words) : takesAll(request, response, at);
    });
    await rig.add(...many(1));
    await rig.until(['failed']);
    const [row] = rig.library.jobs.list().jobs;
    await rig.library.jobs.retry(row?.id ?? '', false);
    await rig.until(['done']);
    expect([rig.posts().length, takenKeys.size]).toEqual([2, 1]);
  },
);

it('in another network it is sent at once', async () => {
  const { clock } = await refuseOne();
  clock.setSpeed(0.001);
  rig.server.script = takesAll;
  rig.library.jobs.noteNetworkChange(new Set(['192.0.2.7']));
  await rig.until(others(4));
});

it('HTML answers to all recordings are about the network: all wait, and none is left to the user', async () => {
  const clock = new TestClock(20_000);
  const portal: Script = (request, response, at) =>
    request.method === 'POST' ? blockPage(response) : takesAll(request, response, at);
  rig = await openQueueRig(portal, { clock });
  await rig.add(...many(5));
  // Files are read in real time, which this clock does not measure.
  const notWaiting = () => rig.tags().filter((tag) => tag !== 'blocked' && tag !== 'uploading');
  await expect.poll(notWaiting, { timeout: 10_000 }).toEqual([]);
  const beganAtMs = clock.monotonic();
  await expect.poll(() => clock.monotonic() - beganAtMs, { timeout: 10_000 }).toBeGreaterThan(10_000_000);
  await expect.poll(notWaiting).toEqual([]);
  expect(rig.rowsMet()).toEqual(new Set(['E-009']));
  rig.server.script = takesAll;
  await rig.until(others(5));
  expect(rig.keys().size).toBe(5);
});
