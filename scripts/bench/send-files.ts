import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Secret } from '../../electron/secret/secret.ts';
import { openServiceClient } from '../../electron/api/service-client.ts';

// Sends every file of a folder as the app does, this many at a time, and prints the time and the resources it took.
const [, , baseUrl = '', folder = '', atOnce = '1'] = process.argv;
const { stt: api, close } = openServiceClient({
  connection: () => ({ kind: 'practice', baseUrl, key: new Secret('practice_0123456789') }),
  log: { write: () => undefined },
  allowsLoopbackHttp: true,
});
const names = await readdir(folder);
const waiting = names.map((name) => join(folder, name));
const startedAtMs = performance.now();
let failed = 0;

async function sendNext(): Promise<void> {
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const { size, mtimeMs } = await stat(path);
    const sent = await api.submit({
      source: { path, name: basename(path), sizeBytes: size, mtimeMs },
      language: 'uz',
      includeSpeakers: false,
      idempotencyKey: randomUUID(),
    });
    if (!sent.ok) failed += 1;
  }
}
await Promise.all(Array.from({ length: Number(atOnce) }, () => sendNext()));
const tookMs = performance.now() - startedAtMs;
await close();
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
process.stdout.write(
  JSON.stringify({ tookMs, failed, rssMiB: maxRSS / 1024, cpuMs: (userCPUTime + systemCPUTime) / 1000 }),
);
