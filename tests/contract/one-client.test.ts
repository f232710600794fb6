import { expect, onTestFinished, test } from 'vitest';
import { openServiceCore, openServiceClient } from '../../electron/service/client.ts';
import { systemClientClock, type ClientClock } from '../../electron/service/transport.ts';
import { checkConnection } from '../../electron/service/connection-check.ts';
import { Secret } from '../../electron/secret/secret.ts';
import { scriptedService, testKey } from './client-rig.ts';

const { server, answer } = await scriptedService();

/** A client whose waits for a turn are skipped; `passedMs` adds them up. Longer times are limits and stay as they are. */
function open() {
  let skippedMs = 0;
  const clock: ClientClock = {
    now: () => Date.now() + skippedMs,
    monotonic: () => skippedMs,
    after: (ms, callback) => {
      if (ms > 1000) return systemClientClock.after(ms, callback);
      return systemClientClock.after(0, () => {
        skippedMs += ms;
        callback();
      });
    },
  };
  const connection = { kind: 'practice', baseUrl: server.url, key: new Secret(testKey) } as const;
  const options = { connection: () => connection, log: { write: () => undefined }, allowsLoopbackHttp: true, clock };
  const core = openServiceCore(options);
  onTestFinished(() => core.close());
  return { core, connection, client: openServiceClient({ ...options, core }), passedMs: () => skippedMs };
}
const times = <T>(count: number, work: () => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, work));
const busy = { 'retry-after': '60' };

test('the queue and isolation together stay under the 70 requests a second of the service', async () => {
  const { client, passedMs } = open();
  answer(200, { data: [] });
  const before = server.seen.length;
  await Promise.all([
    times(70, () => client.stt.list({ limit: 1 })),
    times(70, () => client.isolate.list({ limit: 1 })),
  ]);
  expect(server.seen.length - before).toBe(140);
  // Ten at once and 130 at 60 a second; with a client each, one second would be enough.
  expect(passedMs()).toBeGreaterThan(2100);
});

test('a 429 about the key that the queue or a connection check saw halves the rate of isolation', async () => {
  const { client, core, connection, passedMs } = open();
  answer(429, {}, busy);
  expect((await checkConnection(core, connection)).failure?.status).toBe(429);
  answer(200, { data: [] });
  const before = passedMs();
  await times(40, () => client.isolate.list({ limit: 1 }));
  // Ten at once and thirty at 30 a second; at the full rate half a second would be enough.
  expect(passedMs() - before).toBeGreaterThan(900);
});
