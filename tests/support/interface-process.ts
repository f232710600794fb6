/**
 * Runs in a network of its own (`unshare -Urn`): a queue uploads to a service over an interface that goes down in the
 * middle and comes up again. Prints one line of JSON with the results.
 */
import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { watchAddresses } from '../../electron/platform/node/own-addresses.ts';
import { startFaultProxy } from './fault-proxy/fault-proxy.ts';
import { slice } from './fault-proxy/faults.ts';
import { openQueueRig, takesAll, TestClock } from './queue-rig.ts';

const ip = (...args: readonly string[]): void => {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
};
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await delay(10);
};

ip('link', 'set', 'lo', 'up');
const addresses = watchAddresses();
const hasNetwork = (): boolean => addresses.current().size > 0;
let place = '';
const rig = await openQueueRig(takesAll, { clock: new TestClock(1), isOnline: hasNetwork, baseUrl: () => place });
const proxy = await startFaultProxy({ upstreamPort: Number(new URL(rig.server.url).port), seed: 1 });
place = proxy.url;
rig.connection = { ...rig.connection, baseUrl: place };
proxy.rules = [{ method: 'POST', first: 2, fault: slice(1000, 20) }];
// What the window does every three seconds.
const watch = setInterval(() => {
  if (addresses.haveChanged()) rig.library.jobs.noteNetworkChange(addresses.current());
}, 3000);
await rig.add(...Array.from({ length: 4 }, (_, at) => rig.record(`${at}.wav`, 200 + at, 5)));
await until(() => proxy.exchanges.filter(({ requestBytes }) => requestBytes > 3000).length === 2);
const under = proxy.exchanges.map(({ idempotencyKey }) => idempotencyKey);
ip('link', 'set', 'lo', 'down');
await until(() => rig.tags().every((tag) => tag !== 'uploading'));
const downAtMs = performance.now();
const triedBefore = proxy.exchanges.length;
await until(() => performance.now() - downAtMs > 4000);
const triedWhileDown = proxy.exchanges.length - triedBefore;
proxy.rules = [];
ip('link', 'set', 'lo', 'up');
const upAtMs = performance.now();
await until(() => rig.tags().every((tag) => tag === 'done'));
const tookMs = Math.round(performance.now() - upAtMs);
clearInterval(watch);
const isSameKeys = under.every((key) => rig.keys().has(key)) && rig.keys().size === 4;
console.log(JSON.stringify({ triedWhileDown, tookMs, isSameKeys, rows: [...rig.rowsMet()] }));
await rig.close();
await proxy.close();
