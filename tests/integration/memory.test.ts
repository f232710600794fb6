import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, closeSync, ftruncateSync, rmSync, writeSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toneWav } from '../support/wav-files.ts';

const root = mkdtempSync(join(tmpdir(), 'ovoz-memory-'));
const entry = fileURLToPath(new URL('../../electron/entries/cli.ts', import.meta.url));
const megabytes = process.env['OVOZ_LONG'] ? 500 : 200;
let server: Server;
let received = 0;

beforeAll(async () => {
  // Discards the audio as it arrives.
  server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => (received += chunk.length));
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: `tr_${received}`, status: 'completed', text: 'Salom.' }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(root, { recursive: true, force: true });
});

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

/** Highest resident memory of a whole run, in MiB, as the process itself reports it on exit. */
async function peakOf(path: string, dataDir: string): Promise<number> {
  const report = join(root, 'report-peak.mjs');
  writeFileSync(report, "process.on('exit', () => process.stderr.write(`PEAK ${process.resourceUsage().maxRSS}\\n`));");
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--import',
      report,
      entry,
      'transcribe',
      path,
      '--language',
      'uz',
      '--json',
    ],
    {
      env: {
        PATH: process.env['PATH'],
        HOME: dataDir,
        OVOZ_DATA_DIR: dataDir,
        LANG: 'en_US.UTF-8',
        OVOZ_API_KEY: 'sk-memory-test-0001',
        OVOZ_SERVICE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect([code, text.replace(/PEAK \d+\n/, '')]).toEqual([0, '']);
  return Number(/PEAK (\d+)/.exec(text)?.[1]) / 1024;
}

describe('a long recording', () => {
  it(
    `of ${megabytes} MB takes less than 60 MB more memory than a tiny one, hashing and upload included`,
    { timeout: 120_000 },
    async () => {
      const tiny = join(root, 'tiny.wav');
      const long = join(root, 'long.wav');
      writeFileSync(tiny, toneWav(300, 0.1));
      sparseWav(long, megabytes * 1_000_000);
      const small = await peakOf(tiny, join(root, 'data-tiny'));
      received = 0;
      const large = await peakOf(long, join(root, 'data-long'));
      console.log(
        `peak memory: ${small.toFixed(0)} MiB for a tiny recording, ${large.toFixed(0)} MiB for ${megabytes} MB`,
      );
      expect(received).toBeGreaterThan(megabytes * 1_000_000);
      expect(large - small).toBeLessThan(60);
    },
  );
});
