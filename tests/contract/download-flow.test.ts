import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const run = promisify(execFile);
const probe = fileURLToPath(new URL('./download-probe.ts', import.meta.url));
const megabyte = 1024 * 1024;
const audio = randomBytes(700_000);

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

const server = createServer((_request, response) => {
  const { framing, bytes, step } = plan;
  response.shouldKeepAlive = !framing.includes('close');
  response.useChunkedEncodingByDefault = !framing.includes('until');
  const length = framing.includes('length') ? { 'content-length': String(bytes) } : {};
  response.writeHead(200, { 'content-type': 'audio/wav', ...length });
  void pour(response, bytes, step);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

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
});
