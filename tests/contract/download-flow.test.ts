import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClientClock } from '../../electron/api/http/clock.ts';
import { createUndiciTransport } from '../../electron/api/http/transport-undici.ts';

const run = promisify(execFile);
const probe = fileURLToPath(new URL('./download-probe.ts', import.meta.url));
const megabyte = 1024 * 1024;
const audio = randomBytes(700_000);
const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

let server: ReturnType<typeof createServer>;
let url = '';
/** How the body of an answer is delimited, its length, and the size of its pieces. */
let plan: { readonly framing: string; readonly bytes: number; readonly step: number };

async function pour(response: ServerResponse, bytes: number, step: number): Promise<void> {
  for (let at = 0; at < bytes && !response.destroyed; at += step) {
    const from = at % audio.length;
    const isTaken = response.write(audio.subarray(from, from + Math.min(step, bytes - at)));
    if (!isTaken) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
    await nextTurn();
  }
  response.end();
}

beforeAll(async () => {
  server = createServer((_request, response) => {
    const { framing, bytes, step } = plan;
    response.shouldKeepAlive = !framing.includes('close');
    response.useChunkedEncodingByDefault = !framing.includes('until');
    response.writeHead(200, {
      'content-type': 'audio/wav',
      ...(framing.includes('length') ? { 'content-length': String(bytes) } : {}),
    });
    void pour(response, bytes, step);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const framings = ['length', 'length close', 'chunked', 'chunked close', 'until close'];
const paces: Readonly<Record<string, () => Promise<unknown>>> = {
  'at once': () => Promise.resolve(),
  'a turn later': () => nextTurn(),
  slowly: () => delay(1),
};

test.each(framings.flatMap((framing) => Object.keys(paces).map((pace) => [framing, pace] as const)))(
  'a body ended by %s and kept %s arrives whole, one piece at a time',
  async (framing, pace) => {
    const transport = createUndiciTransport(systemClientClock);
    for (const [bytes, step] of [
      [0, 1],
      [10, 1],
      [400, 7],
      [65_537, 4096],
      [700_000, 90_000],
    ] as const) {
      plan = { framing, bytes, step };
      const kept: Buffer[] = [];
      let waiting = 0;
      let mostWaiting = 0;
      const outcome = await transport.send({
        url: new URL(url),
        method: 'GET',
        headers: {},
        body: null,
        firstByteMs: 30_000,
        takeBody: () => ({
          maxBytes: 1_000_000,
          async write(chunk) {
            kept.push(Buffer.from(chunk));
            mostWaiting = Math.max(mostWaiting, ++waiting);
            await paces[pace]?.();
            waiting -= 1;
          },
        }),
      });
      expect(outcome).toMatchObject({ kind: 'answer', isTaken: true, isTruncated: false });
      expect(sha(Buffer.concat(kept))).toBe(sha(audio.subarray(0, bytes)));
      // The last pieces of a closed connection arrive together, because the sender is gone by then.
      if (!framing.includes('close')) expect(mostWaiting).toBeLessThanOrEqual(1);
    }
    await transport.close();
  },
);

test('a slow target makes the sender wait instead of filling the memory', async () => {
  const bytes = 200 * megabyte;
  plan = { framing: 'length', bytes, step: audio.length };
  const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', probe, url], {
    timeout: 60_000,
  });
  const told = JSON.parse(stdout) as { readonly kept: number; readonly heldBytes: number };
  expect(told.kept).toBe(bytes);
  // Stalled long enough for an unlimited sender to send everything, which would be 200 MB.
  expect(told.heldBytes / megabyte).toBeLessThan(20);
}, 60_000);
