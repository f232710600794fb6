import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openServiceCore } from '../../electron/api/http/service-core.ts';
import { checkConnection } from '../../electron/api/resources/connection-check.ts';
import { openServiceClient } from '../../electron/api/service-client.ts';
import { Secret } from '../../electron/secret/secret.ts';
import { sendJson, startScriptedServer, type ScriptedServer } from '../support/scripted-server.ts';
import { testKey } from './client-rig.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer(() => undefined);
});
afterAll(() => server.close());

function open() {
  const connection = { kind: 'practice', baseUrl: server.url, key: new Secret(testKey) } as const;
  const options = { connection: () => connection, log: { write: () => undefined }, allowsLoopbackHttp: true };
  const core = openServiceCore(options);
  onTestFinished(() => core.close());
  server.script = (_request, response) => sendJson(response, 200, { data: [] });
  return { core, connection, client: openServiceClient({ ...options, core }) };
}

const times = <T>(count: number, work: () => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, work));

test('the queue and isolation together stay under the 70 requests a second of the service', async () => {
  const { client } = open();
  const startedAtMs = performance.now();
  await Promise.all([
    times(70, () => client.stt.list({ limit: 1 })),
    times(70, () => client.isolate.list({ limit: 1 })),
  ]);
  expect(server.seen).toHaveLength(140);
  // Ten at once and 130 at 60 a second; with a client each, one second would be enough.
  expect(performance.now() - startedAtMs).toBeGreaterThan(2100);
});

test('a 429 about the key that the queue or a connection check saw halves the rate of isolation', async () => {
  const { client, core, connection } = open();
  const answer = server.script;
  server.script = (_request, response) => sendJson(response, 429, {}, { 'retry-after': '60' });
  const report = await checkConnection(core, connection);
  expect(report.failure?.status).toBe(429);
  server.script = answer;
  const startedAtMs = performance.now();
  await times(40, () => client.isolate.list({ limit: 1 }));
  // Ten at once and thirty at 30 a second; at the full rate half a second would be enough.
  expect(performance.now() - startedAtMs).toBeGreaterThan(900);
});

test('another key at the same address starts with a rate of its own', async () => {
  const { client, core, connection } = open();
  const answer = server.script;
  server.script = (_request, response) => sendJson(response, 429, {}, { 'retry-after': '60' });
  await checkConnection(core, { ...connection, key: new Secret('sk_test_other_0123456789') });
  server.script = answer;
  const startedAtMs = performance.now();
  await times(30, () => client.stt.list({ limit: 1 }));
  expect(performance.now() - startedAtMs).toBeLessThan(800);
});
