import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTcpServer } from '../support/scripted-server.ts';
import { recordingFolder } from './client-rig.ts';

const run = promisify(execFile);
const probe = fileURLToPath(new URL('./upload-probe.ts', import.meta.url));
const megabyte = 1024 * 1024;
const longBytes = (process.env['OVOZ_LONG'] === undefined ? 300 : 1000) * megabyte;

let files: Awaited<ReturnType<typeof recordingFolder>>;
let server: Awaited<ReturnType<typeof startTcpServer>>;
let received = 0;

beforeAll(async () => {
  files = await recordingFolder();
  server = await startTcpServer((socket) => {
    socket.on('data', (chunk) => {
      received += chunk.length;
      if (!chunk.subarray(-4).equals(Buffer.from('--\r\n'))) return;
      const body = '{"id":"a","status":"queued"}';
      socket.end(`HTTP/1.1 202 Accepted\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    });
  });
});
afterAll(async () => {
  await server.close();
  await files.dispose();
});

async function peakFor(sizeBytes: number): Promise<number> {
  const path = join(files.folder, `${sizeBytes}.wav`);
  const file = await open(path, 'w');
  await file.truncate(sizeBytes);
  await file.close();
  received = 0;
  const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', probe, server.url, path]);
  const told = JSON.parse(stdout) as { readonly ok: boolean; readonly maxBytes: number };
  expect(told.ok).toBe(true);
  expect(received).toBeGreaterThan(sizeBytes);
  return told.maxBytes;
}

test('sending a very long recording takes less than 60 MB more memory than a tiny one', async () => {
  const tiny = await peakFor(1000);
  const long = await peakFor(longBytes);
  expect((long - tiny) / megabyte).toBeLessThan(60);
}, 60_000);
