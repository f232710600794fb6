import { readdirSync, readFileSync } from 'node:fs';
import { type LookupFunction } from 'node:net';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { openQueueRig, refuse, takesAll, TestClock, finished, type QueueRig } from '../support/queue-rig.ts';
import { startScriptedServer, sendJson, type Script } from '../support/scripted-server.ts';

let rig: QueueRig;
afterEach(() => rig.close());

const html = { 'content-type': 'text/html' };
const many = (count: number) => Array.from({ length: count }, (_, at) => rig.record(`${at}.wav`, 200 + at * 7));
const all = (count: number, tag: string) => Array.from({ length: count }, () => tag);

const byName = (url: string) => url.replace('127.0.0.1', 'localhost');

/** A resolver whose answers a test changes. */
class Resolver {
  answer: 'right' | { readonly code: string } = 'right';

  readonly lookup: LookupFunction = (_name, options, callback) => {
    if (this.answer !== 'right')
      return setImmediate(callback, Object.assign(new Error('not found'), { code: this.answer.code }), '', 4);
    return options.all === true
      ? setImmediate(callback, null, [{ address: '127.0.0.1', family: 4 }])
      : setImmediate(callback, null, '127.0.0.1', 4);
  };
}

it('F-14: a name that is not found for an hour is address-not-found: nothing is sent, nothing abandoned, and done within 5 s of the fix', async () => {
  const resolver = new Resolver();
  resolver.answer = { code: 'ENOTFOUND' };
  const clock = new TestClock(3000);
  rig = await openQueueRig(takesAll, { clock, lookup: resolver.lookup, baseUrl: byName });
  const startedAtMs = clock.monotonic();
  await rig.add(...many(4));
  await expect.poll(() => clock.monotonic() - startedAtMs).toBeGreaterThan(3_600_000);
  await expect.poll(() => rig.kindsMet()).toEqual(new Set(['address-not-found']));
  expect(rig.server.seen).toEqual([]);
  // From here on time is real.
  clock.setSpeed(1);
  resolver.answer = 'right';
  const fixedAtMs = clock.monotonic();
  await rig.until(all(4, 'done'));
  expect(clock.monotonic() - fixedAtMs).toBeLessThan(5000);
  expect([rig.posts().length, rig.keys().size]).toEqual([4, 4]);
  // The name caused the trouble, so there is no pause for the service.
  expect(rig.kindsMet()).toEqual(new Set(['address-not-found']));
});

const page = '<!doctype html><html><body>PORTAL-CANARY Welcome to the hotel</body></html>';

const portals: readonly (readonly [string, string, (elsewhere: string) => Script])[] = [
  [
    '302 to another host',
    'web-page-answered',
    (elsewhere) => (_request, response) => void response.writeHead(302, { location: `${elsewhere}/login` }).end(),
  ],
  ['200 with a page', 'web-page-answered', () => (_request, response) => void response.writeHead(200, html).end(page)],
  ['511', 'network-sign-in', () => (_request, response) => void response.writeHead(511, html).end(page)],
];

it.each(portals)(
  'F-15: a network that answers instead of the service with %s is %s, once for all; nothing is stored, no redirect followed; it resumes automatically',
  async (_how, row, portal) => {
    const login = await startScriptedServer((_request, response) => void response.end(page));
    const script = portal(login.url.replace('127.0.0.1', 'localhost'));
    rig = await openQueueRig(script, { clock: new TestClock(2000) });
    await rig.add(...many(6));
    await rig.until(all(6, 'blocked'));
    expect(rig.states()).toMatchObject(all(6, '').map(() => ({ by: 'service', failure: { kind: row } })));
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

const words = '<!doctype html><html><body>BLOCKED BY POLICY</body></html>';

it.each([413, 451])(
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

it('F-38: a service that asks for two hours gets them, though the app is started again meanwhile', async () => {
  const clock = new TestClock(1);
  const sentAtMs: number[] = [];
  const asksToWait = refuse(503, 'service_unavailable', { 'retry-after': '7200' });
  rig = await openQueueRig(
    (request, response, at) => {
      if (request.method === 'POST') sentAtMs.push(clock.monotonic());
      return (sentAtMs.length === 1 ? asksToWait : takesAll)(request, response, at);
    },
    { clock },
  );
  await rig.add(rig.record('a.wav'));
  await rig.until(['retrying']);
  await rig.reopen();
  clock.setSpeed(2000);
  await rig.until(['done']);
  const [first = 0, second = 0] = sentAtMs;
  expect(second - first).toBeGreaterThanOrEqual(7_200_000);
});

const fast = () => ({ clock: new TestClock(1000) });
const reads = () => rig.server.seen.filter(({ method }) => method === 'GET');
/** Accepts the upload with this answer and then knows the job under `id`; any other id is not found. */
const takesAs =
  (id: string, receipt: (response: ServerResponse) => void): Script =>
  (request, response) => {
    if (request.method === 'POST') return receipt(response);
    const path = `/v1/stt/transcriptions/${encodeURIComponent(id)}`;
    if (request.url === path) return sendJson(response, 200, finished(id));
    return request.url.startsWith('/v1/stt/transcriptions?')
      ? sendJson(response, 200, { data: [], next_cursor: null })
      : sendJson(response, 404, { error: { code: 'transcription_not_found' } });
  };
const say = (body: unknown, headers?: Record<string, string>) => (response: ServerResponse) =>
  sendJson(response, 202, body, headers);

it('F-38: a receipt without an id: the same key twice more, then a search of the list, then the user is asked (no-receipt)', async () => {
  rig = await openQueueRig(takesAs('', say({ status: 'queued' })), fast());
  await rig.add(rig.record('lost.wav'));
  await rig.until(['needs-user']);
  expect(rig.states()).toMatchObject([{ failure: { kind: 'no-receipt' } }]);
  expect([rig.posts().length, rig.keys().size]).toEqual([3, 1]);
  expect(reads().map(({ url }) => url)).toEqual(['/v1/stt/transcriptions?limit=100']);
});

it('F-38: an empty receipt is no-receipt, and the job that the list has under the file name is adopted', async () => {
  const clock = new TestClock(1000);
  /** By the clock of the service, shortly after it was sent. */
  const created = (): string => new Date(clock.now()).toISOString();
  rig = await openQueueRig(
    (request, response) => {
      if (request.method === 'POST') return void response.writeHead(202).end();
      return request.url.includes('?')
        ? sendJson(response, 200, {
            data: [{ id: 'tr_found', title: 'lost.wav', status: 'queued', created_at: created() }],
          })
        : sendJson(response, 200, finished('tr_found'));
    },
    { clock },
  );
  await rig.add(rig.record('lost.wav'));
  await rig.until(['done']);
  expect([...rig.kindsMet()]).toEqual(['no-receipt']);
  expect([rig.posts().length, rig.keys().size]).toEqual([3, 1]);
  expect(reads().at(-1)?.url).toBe('/v1/stt/transcriptions/tr_found');
});

it.each([
  ['that is two dots', '..'],
  ['with a line break', 'tr_1\r\nhost: evil.test'],
])('F-38: the id %s is invalid: it is never requested, and nothing is sent under a second key', async (_what, id) => {
  rig = await openQueueRig(takesAs(id, say({ data: { id, status: 'queued' } })), fast());
  await rig.add(rig.record('a.wav'));
  await rig.until(['needs-user']);
  expect([rig.posts().length, rig.keys().size]).toEqual([3, 1]);
  expect(reads().map(({ url }) => url)).toEqual(['/v1/stt/transcriptions?limit=100']);
});

it('F-39: finished, but the text is missing: read again five times, then its export, then the user is asked (result-missing); never sent again', async () => {
  const data = { id: 'tr_1', status: 'completed' };
  rig = await openQueueRig((request, response) => {
    if (request.method === 'POST') return sendJson(response, 202, { data: { id: 'tr_1', status: 'queued' } });
    return request.url.includes('export') ? sendJson(response, 200, {}) : sendJson(response, 200, { data });
  }, fast());
  await rig.add(rig.record('a.wav'));
  await rig.until(['needs-user']);
  expect(rig.states()).toMatchObject([{ failure: { kind: 'result-missing' } }]);
  const urls = reads().map(({ url }) => url);
  expect(urls.filter((url) => url === '/v1/stt/transcriptions/tr_1').length).toBe(6);
  expect(urls.filter((url) => url.includes('export'))).toHaveLength(2);
  expect(rig.posts()).toHaveLength(1);
});
