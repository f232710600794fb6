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

const bytes = 200 * megabyte;

async function pour(response: ServerResponse): Promise<void> {
  for (let at = 0; at < bytes && !response.destroyed; at += audio.length) {
    const isTaken = response.write(audio.subarray(0, Math.min(audio.length, bytes - at)));
    if (!isTaken) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
    await nextTurn();
  }
  response.end();
}

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': String(bytes) });
  void pour(response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

test('a slow target makes the sender wait instead of filling the memory', async () => {
  const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', probe, url], {
    timeout: 60_000,
  });
  const told = JSON.parse(stdout) as { readonly kept: number; readonly heldBytes: number };
  expect(told.kept).toBe(bytes);
  // Stalled long enough for an unlimited sender to send everything, which would be 200 MB.
  expect(told.heldBytes / megabyte).toBeLessThan(20);
});
