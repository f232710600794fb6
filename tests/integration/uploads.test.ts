import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, ftruncateSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openServiceClient } from '../../electron/service/client.ts';
import { cliEntry } from '../support/cli-run.ts';
import { toneWav } from '../support/wav-files.ts';
import { serviceAt } from './open-library.ts';
import { folderOfFile } from '../support/test-folders.ts';

const root = folderOfFile();

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const done = JSON.stringify({ id: 'tr_1', status: 'completed', text: 'Salom.' });

/** A WAV whose audio is a hole in the file: read as zeros, takes no disk space. */
function sparseWav(path: string, bytes: number): void {
  const head = toneWav(100, 0).subarray(0, 44);
  head.writeUInt32LE(bytes - 8, 4);
  head.writeUInt32LE(bytes - 44, 40);
  const file = openSync(path, 'w');
  writeSync(file, head);
  ftruncateSync(file, bytes);
  closeSync(file);
}

/** Highest resident memory of a whole run of the command, in MiB, as the process itself reports it on exit. */
async function peakOf(path: string, dataDir: string, url: string): Promise<number> {
  const report = join(root, 'report-peak.mjs');
  writeFileSync(report, "process.on('exit', () => process.stderr.write(`PEAK ${process.resourceUsage().maxRSS}\\n`));");
  const node = ['--disable-warning=ExperimentalWarning', '--import', report, cliEntry];
  const child = spawn(process.execPath, [...node, 'transcribe', path, '--language', 'uz', '--json'], {
    env: {
      PATH: process.env['PATH'],
      HOME: dataDir,
      OVOZ_DATA_DIR: dataDir,
      LANG: 'en_US.UTF-8',
      OVOZ_API_KEY: 'sk-memory-test-0001',
      OVOZ_SERVICE_URL: url,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const [code] = await once(child, 'close');
  expect([code, text.replace(/PEAK \d+\n/, '')]).toEqual([0, '']);
  return Number(/PEAK (\d+)/.exec(text)?.[1]) / 1024;
}

it('a recording of 200 MB takes less than 60 MB more memory than a tiny one, hashing and upload included', async () => {
  let received = 0;
  // Discards the audio as it arrives.
  const url = await listen((request, response) => {
    request.on('data', (chunk: Buffer) => (received += chunk.length));
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(done));
  });
  const [tiny, long] = [join(root, 'tiny.wav'), join(root, 'long.wav')];
  writeFileSync(tiny, toneWav(300, 0.1));
  sparseWav(long, 200_000_000);
  const small = await peakOf(tiny, join(root, 'data-tiny'), url);
  received = 0;
  const large = await peakOf(long, join(root, 'data-long'), url);
  expect(received).toBeGreaterThan(200_000_000);
  expect(large - small).toBeLessThan(60);
}, 120_000);

it('an upload to a server that reads irregularly arrives byte for byte, although the client reuses its buffers', async () => {
  const content = randomBytes(12 * 1024 * 1024 + 12_345);
  const path = join(root, 'random.wav');
  writeFileSync(path, content);
  const chunks: Buffer[] = [];
  const url = await listen((request, response) => {
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (chunks.length % 7 !== 0) return;
      request.pause();
      setTimeout(() => request.resume(), chunks.length % 3);
    });
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(done));
  });
  const client = openServiceClient({
    connection: serviceAt(url),
    log: { write: () => undefined },
    allowsLoopbackHttp: true,
  });
  const { size, mtimeMs } = statSync(path);
  const answer = await client.stt.submit({
    source: { path, name: 'random.wav', sizeBytes: size, mtimeMs },
    language: 'uz',
    includeSpeakers: false,
    idempotencyKey: 'b4a1c0de-0000-4000-8000-000000000001',
  });
  await client.close();
  expect(answer.ok).toBe(true);
  const body = Buffer.concat(chunks);
  const start = body.indexOf(content.subarray(0, 64));
  const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  expect(sha(body.subarray(start, start + content.length))).toBe(sha(content));
});
