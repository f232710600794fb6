import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type LookupFunction } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openQueueRig, takesAll, TestClock, type QueueRig } from '../support/queue-rig.ts';
import { startScriptedServer, type Script } from '../support/scripted-server.ts';

let rig: QueueRig;
afterEach(() => rig.close());

const many = (count: number) => Array.from({ length: count }, (_, at) => rig.record(`${at}.wav`, 200 + at * 7));
const all = (count: number, tag: string) => Array.from({ length: count }, () => tag);
const byName = (url: string) => url.replace('127.0.0.1', 'localhost');

/** A resolver whose answers a test changes. */
class Resolver {
  asked = 0;
  answer: 'right' | 'never' | { readonly address: string } | { readonly code: string } = 'right';

  readonly lookup: LookupFunction = (_name, options, callback) => {
    this.asked += 1;
    const { answer } = this;
    if (answer === 'never') return;
    if (typeof answer === 'object' && 'code' in answer) {
      return setImmediate(callback, Object.assign(new Error('not found'), { code: answer.code }), '', 4);
    }
    const address = answer === 'right' ? '127.0.0.1' : answer.address;
    return options.all === true
      ? setImmediate(callback, null, [{ address, family: 4 }])
      : setImmediate(callback, null, address, 4);
  };
}

/** From here on time is real, to measure "within five seconds". Milliseconds until everything is done. */
async function doneAfterFix(clock: TestClock, count: number, fix: () => void): Promise<number> {
  clock.setSpeed(1);
  fix();
  const fixedAtMs = performance.now();
  await rig.until(all(count, 'done'));
  return performance.now() - fixedAtMs;
}

describe('F-14: the name of the service', () => {
  it.each(['ENOTFOUND', 'EAI_AGAIN'])(
    'that is not found for an hour (%s) is E-002: nothing is sent, nothing abandoned, and done within 5 s of the fix',
    async (code) => {
      const resolver = new Resolver();
      resolver.answer = { code };
      const clock = new TestClock(3000);
      rig = await openQueueRig(takesAll, { clock, lookup: resolver.lookup, baseUrl: byName });
      const startedAtMs = clock.monotonic();
      await rig.add(...many(4));
      await expect.poll(() => clock.monotonic() - startedAtMs).toBeGreaterThan(3_600_000);
      expect(rig.rowsMet()).toEqual(new Set(['E-002']));
      expect(rig.server.seen).toEqual([]);
      expect(await doneAfterFix(clock, 4, () => (resolver.answer = 'right'))).toBeLessThan(5000);
      expect([rig.posts().length, rig.keys().size]).toEqual([4, 4]);
      // The name caused the trouble, so there is no pause for the service.
      expect(rig.rowsMet()).toEqual(new Set(['E-002']));
    },
  );

  it('that no server answers for is E-002 after the connection timeout, and done within 5 s of the fix', async () => {
    const resolver = new Resolver();
    resolver.answer = 'never';
    const clock = new TestClock(50);
    const limits = { connectMs: 100 };
    rig = await openQueueRig(takesAll, { clock, limits, lookup: resolver.lookup, baseUrl: byName });
    await rig.add(...many(3));
    await expect.poll(() => rig.log.filter((line) => line.includes('"E-002"')).length).toBeGreaterThan(4);
    expect(rig.rowsMet()).toEqual(new Set(['E-002']));
    expect(rig.server.seen).toEqual([]);
    expect(await doneAfterFix(clock, 3, () => (resolver.answer = 'right'))).toBeLessThan(5000);
    expect(rig.posts()).toHaveLength(3);
  });

  it('that leads to the wrong address: E-003, nothing is sent, and the right address is used when it is known', async () => {
    const resolver = new Resolver();
    resolver.answer = { address: '127.0.0.9' };
    rig = await openQueueRig(takesAll, { lookup: resolver.lookup, baseUrl: byName });
    await rig.add(...many(3));
    await expect.poll(() => rig.rowsMet().has('E-003')).toBe(true);
    expect(rig.server.seen).toEqual([]);
    resolver.answer = 'right';
    await rig.until(all(3, 'done'));
    expect([rig.posts().length, rig.keys().size]).toEqual([3, 3]);
  });
});

it('"try now" resumes at once what waits because the service was not reached', async () => {
  const port = await freePort();
  const clock = new TestClock(3000);
  rig = await openQueueRig(takesAll, { clock, baseUrl: () => `http://127.0.0.1:${port}` });
  await rig.add(...many(3));
  await expect.poll(() => rig.rowsMet().has('E-018'), { timeout: 20_000 }).toBe(true);
  expect(rig.server.seen).toEqual([]);
  // The next attempt would be a minute away, and the client would delay it further.
  clock.setSpeed(1);
  rig.connection = { ...rig.connection, baseUrl: rig.server.url };
  await rig.library.jobs.resumeQueue();
  const askedAtMs = performance.now();
  await rig.until(all(3, 'done'));
  expect(performance.now() - askedAtMs).toBeLessThan(5000);
});

it('a command that is run again does not wait out the delay of an earlier connection failure', async () => {
  const port = await freePort();
  const clock = new TestClock(3000);
  rig = await openQueueRig(takesAll, { clock, baseUrl: () => `http://127.0.0.1:${port}`, takesUp: 'attached' });
  const path = rig.record('a.wav');
  const attach = () =>
    rig.library.jobs.attach(
      { path, kind: 'transcribe', language: 'uz', includeSpeakers: false },
      new AbortController().signal,
    );
  await attach();
  await expect.poll(() => rig.states()[0], { timeout: 20_000 }).toMatchObject({ failure: { row: 'E-018' } });
  clock.setSpeed(1);
  rig.connection = { ...rig.connection, baseUrl: rig.server.url };
  await rig.reopen();
  const askedAtMs = performance.now();
  await attach();
  await rig.until(['done']);
  expect(performance.now() - askedAtMs).toBeLessThan(5000);
  expect(rig.posts()).toHaveLength(1);
});

const page = '<!doctype html><html><body>PORTAL-CANARY Welcome to the hotel</body></html>';

describe('F-15: a network that answers instead of the service', () => {
  const html = { 'content-type': 'text/html' };
  const portals: readonly (readonly [string, string, (elsewhere: string) => Script])[] = [
    [
      '302 to another host',
      'E-009',
      (elsewhere) => (_request, response) => void response.writeHead(302, { location: `${elsewhere}/login` }).end(),
    ],
    ['200 with a page', 'E-009', () => (_request, response) => void response.writeHead(200, html).end(page)],
    ['511', 'E-059', () => (_request, response) => void response.writeHead(511, html).end(page)],
  ];

  it.each(portals)(
    '%s: %s, once for all; nothing is stored, no redirect followed; it resumes automatically',
    async (_how, row, portal) => {
      const login = await startScriptedServer((_request, response) => void response.end(page));
      const script = portal(login.url.replace('127.0.0.1', 'localhost'));
      rig = await openQueueRig(script, { clock: new TestClock(2000) });
      await rig.add(...many(6));
      await rig.until(all(6, 'blocked'));
      expect(rig.states()).toMatchObject(all(6, '').map(() => ({ by: 'service', failure: { row } })));
      // Two uploads were under way; the others were not tried.
      expect(rig.posts().length).toBeLessThanOrEqual(2);
      const before = rig.keys();
      // Only free reads find out when the sign-in is done.
      await expect.poll(() => rig.server.seen.filter(({ method }) => method === 'GET').length).toBeGreaterThan(1);
      expect(rig.posts().length).toBeLessThanOrEqual(2);
      rig.server.script = takesAll;
      await rig.until(all(6, 'done'));
      expect(rig.keys().size).toBe(6);
      for (const key of before) expect(rig.keys()).toContain(key);
      expect(login.seen).toEqual([]);
      await login.close();
      const data = join(rig.folder, 'data');
      for (const name of readdirSync(data)) {
        if (name.startsWith('library.db')) expect(readFileSync(join(data, name)).includes('PORTAL-CANARY')).toBe(false);
      }
      expect(rig.log.join('\n')).not.toContain('PORTAL-CANARY');
    },
  );
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
