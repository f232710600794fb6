import { afterAll, beforeEach, expect, test } from 'vitest';
import { openServiceCore } from '../../electron/service/client.ts';
import type { Call } from '../../electron/service/http.ts';
import { systemClientClock, type ClientClock } from '../../electron/service/transport.ts';
import type { LogEntry } from '../../shared/domain/diagnostics/log-entry.ts';
import { endpoints, type Endpoint } from '../../electron/service/endpoints.ts';
import { startScriptedServer } from '../support/scripted-server.ts';
import { scriptedService, secrets } from './client-rig.ts';

/** The client's clock, `speed` times as fast, so that waits of seconds take milliseconds; timeouts shrink as well. */
function fastClientClock(speed: number): ClientClock {
  const startedAtMs = Date.now();
  const started = performance.now();
  const since = (): number => (performance.now() - started) * speed;
  return {
    now: () => startedAtMs + since(),
    monotonic: since,
    after: (ms, callback) => systemClientClock.after(ms / speed, callback),
  };
}

const { server, answer, countOf } = await scriptedService();
const second = await startScriptedServer((_request, response) => void response.end('{}'));
afterAll(() => second.close());
const lines: LogEntry[] = [];
beforeEach(() => {
  lines.length = 0;
});

/** On a busy computer an answer takes long, and the clock here is fast. */
const patientMs = 3_000_000;
/** The clock is a hundred times as fast, so that neither rate limit nor backoff makes these tests long. */
const open = () =>
  openServiceCore({
    connection: () => ({ kind: 'practice', baseUrl: server.url, ...secrets }),
    log: { write: (entry) => void lines.push(entry) },
    allowsLoopbackHttp: true,
    clock: fastClientClock(100),
    random: () => 0,
    limits: { connectMs: patientMs, firstByteMs: patientMs, sendStallMs: patientMs, receiveStallMs: patientMs },
  });
const callOf = (endpoint: Endpoint): Call => ({
  endpoint: { ...endpoint, firstByteMs: patientMs },
  target: 'route',
  attempts: 'interactive',
  values: Object.fromEntries([...endpoint.path.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => [name, 'a'])),
  ...(endpoint.method === 'GET' || endpoint.method === 'DELETE' ? {} : { json: {} }),
  ...(endpoint.retry === 'with-idempotency-key' ? { idempotencyKey: '6f8a1c1e-8d60-4e0c-9a0e-0123456789ab' } : {}),
});

const httpRoutes = Object.entries<Endpoint>(endpoints).filter(([, { transport }]) => transport === 'http');
test.each(httpRoutes)(
  'F-20: %s follows no redirect, and neither key nor token is sent anywhere else',
  async (_name, endpoint) => {
    const client = open();
    for (const status of [302, 307]) {
      answer(status, null, { location: `${second.url.replace('127.0.0.1', 'localhost')}/take` });
      const sent = await countOf(async () =>
        expect(await client.call(callOf(endpoint))).toMatchObject({
          ok: false,
          error: { code: 'unexpected_redirect', scope: 'queue' },
        }),
      );
      expect(sent).toBe(1);
    }
    expect(second.seen).toEqual([]);
    expect(JSON.stringify(lines)).not.toMatch(/CANARY|localhost|127\.0\.0\.1/u);
    await client.close();
  },
);

test('service-troubled: a probe of a service in trouble is a free read; only when it is answered the work is sent', async () => {
  const client = open();
  const paid = { ...callOf(endpoints['stt.submit']), attempts: 'once' } as const;
  answer(500);
  let held = await client.call(paid);
  for (let tries = 0; tries < 500 && !held.ok && held.error.kind !== 'service-troubled'; tries += 1) {
    held = await client.call(paid);
  }
  expect(held).toMatchObject({ ok: false, error: { kind: 'service-troubled', outcome: 'not_sent' } });
  const sent = server.seen.length;
  // Longer than fifteen seconds of the client's time.
  await expect
    .poll(async () => {
      await client.call(paid);
      return server.seen.length;
    })
    .toBeGreaterThan(sent);
  const probes = server.seen.slice(sent);
  expect(probes.map(({ method, url }) => `${method} ${url}`)).toEqual(probes.map(() => 'GET /v1/tts/languages'));
  server.script = (request, response) =>
    void response.writeHead(request.method === 'GET' ? 403 : 200).end('{"id":"a","text":"x"}');
  await expect.poll(async () => (await client.call(paid)).ok).toBe(true);
  await client.close();
});
