import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { UploadSource } from '../../electron/service/upload.ts';
import type { TransportLimits } from '../../electron/service/transport.ts';
import { openServiceClient, type ServiceClient } from '../../electron/service/client.ts';
import type { SubmitInput } from '../../electron/service/stt.ts';
import { Secret } from '../../electron/secret/secret.ts';
import type { LogEntry } from '../../shared/domain/diagnostics/log-entry.ts';
import { sendJson, startScriptedServer, type SeenRequest } from '../support/scripted-server.ts';

export const testKey = 'sk_test_CANARY_0123456789abcdef';
export const secrets = {
  key: new Secret(testKey),
  accessToken: new Secret('jwt_CANARY_0123456789abcdef'),
  legacyKey: new Secret('old_CANARY_0123456789abcdef'),
};

/** A complete client as the app creates it, with its log. Retries are immediate. */
export function openService(
  baseUrl: string,
  more: { readonly limits?: Partial<TransportLimits>; readonly streamIdleMs?: number } = {},
): ServiceClient & { readonly lines: LogEntry[] } {
  const lines: LogEntry[] = [];
  const client = openServiceClient({
    connection: () => ({ kind: 'practice', baseUrl, ...secrets }),
    log: { write: (entry) => void lines.push(entry) },
    allowsLoopbackHttp: true,
    random: () => 0,
    ...more,
  });
  return { ...client, lines };
}

/** A folder for recordings of a test, removed by `dispose`. */
export async function recordingFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'ovoz-contract-'));
  return {
    folder,
    /** Writes a file and describes it as the queue would. */
    async recording(content: string | Uint8Array, name = 'suhbat.mp3'): Promise<UploadSource> {
      const path = join(folder, `${randomUUID()}.mp3`);
      await writeFile(path, content);
      const { size, mtimeMs } = await stat(path);
      return { path, name, sizeBytes: size, mtimeMs };
    },
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A server whose answers the tests of a file write, its client, and a folder; closed after the last test. */
export async function scriptedService(more: Parameters<typeof openService>[1] = {}) {
  const server = await startScriptedServer((_request, response) => sendJson(response, 500, {}));
  const files = await recordingFolder();
  const client = openService(server.url, more);
  afterAll(async () => {
    await client.close();
    await Promise.all([server.close(), files.dispose()]);
  });
  const last = (): SeenRequest => server.seen.at(-1) ?? { method: '', url: '', headers: {}, body: Buffer.alloc(0) };
  return {
    server,
    files,
    client,
    /** Everything is answered like this from here on. */
    answer: (status: number, body: unknown = null, headers: Readonly<Record<string, string>> = {}): void => {
      server.script = (_request, response) =>
        body === null ? void response.writeHead(status, headers).end() : sendJson(response, status, body, headers);
    },
    /** Everything is refused with this code from here on. */
    refuse: (status: number, code: string, headers: Readonly<Record<string, string>> = {}): void => {
      server.script = (_request, response) => sendJson(response, status, { message: '', error: { code } }, headers);
    },
    /** The work is taken and every answer is lost from here on. */
    loseAnswers: (): void => {
      server.script = (_request, response) => void response.socket?.resetAndDestroy();
    },
    last,
    lastJson: (): unknown => JSON.parse(last().body.toString()),
    lastForm: (): Promise<FormData> =>
      new Response(new Uint8Array(last().body), {
        headers: { 'content-type': last().headers['content-type'] ?? '' },
      }).formData(),
    /** How many requests a piece of work sends. */
    countOf: async (work: () => Promise<unknown>): Promise<number> => {
      const before = server.seen.length;
      await work();
      return server.seen.length - before;
    },
  };
}

export const submission = (source: UploadSource, more: Partial<SubmitInput> = {}): SubmitInput => ({
  source,
  language: 'uz',
  includeSpeakers: true,
  idempotencyKey: randomUUID(),
  ...more,
});
