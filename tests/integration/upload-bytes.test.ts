import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Secret } from '../../electron/secret/secret.ts';
import { openServiceClient } from '../../electron/api/service-client.ts';

const root = mkdtempSync(join(tmpdir(), 'ovoz-bytes-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('an upload to a server that reads irregularly', () => {
  it('arrives byte for byte, although the client reuses its buffers', async () => {
    const content = randomBytes(12 * 1024 * 1024 + 12_345);
    const path = join(root, 'random.wav');
    writeFileSync(path, content);
    const chunks: Buffer[] = [];
    const server = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (chunks.length % 7 !== 0) return;
        request.pause();
        setTimeout(() => request.resume(), chunks.length % 3);
      });
      request.on('end', () => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"id":"tr_1","status":"completed","text":"Salom."}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { stt: api, close } = openServiceClient({
      connection: () => ({ kind: 'service', baseUrl, key: new Secret('sk-test-0000000001') }),
      log: { write: () => undefined },
      allowsLoopbackHttp: true,
    });
    const { size, mtimeMs } = statSync(path);
    const answer = await api.submit({
      source: { path, name: 'random.wav', sizeBytes: size, mtimeMs },
      language: 'uz',
      includeSpeakers: false,
      idempotencyKey: 'b4a1c0de-0000-4000-8000-000000000001',
    });
    await close();
    server.close();
    expect(answer.ok).toBe(true);
    const body = Buffer.concat(chunks);
    const start = body.indexOf(content.subarray(0, 64));
    const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(sha(body.subarray(start, start + content.length))).toBe(sha(content));
  });
});
