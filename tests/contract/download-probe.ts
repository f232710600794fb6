import { setTimeout as delay } from 'node:timers/promises';
import { systemClientClock } from '../../electron/service/transport.ts';
import { createUndiciTransport } from '../../electron/service/transport-undici.ts';

// Receives a body through a sink that stalls for a while, and prints how much memory that took, in bytes.
const [, , url = ''] = process.argv;
const transport = createUndiciTransport(systemClientClock);
let kept = 0;
let heldBytes = 0;
const outcome = await transport.send({
  url: new URL(url),
  method: 'GET',
  headers: {},
  body: null,
  firstByteMs: 30_000,
  sinkBody: () => ({
    maxBytes: 1024 ** 3,
    async write(chunk) {
      kept += chunk.length;
      if (kept > chunk.length) return;
      const before = process.memoryUsage.rss();
      await delay(1000);
      heldBytes = process.memoryUsage.rss() - before;
    },
  }),
});
await transport.close();
const isWhole = outcome.kind === 'answer' && !outcome.isTruncated;
console.log(JSON.stringify({ kept: isWhole ? kept : -1, heldBytes }));
