import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '../../electron/secret/secret.ts';
import type { TransportLimits } from '../../electron/api/http/transport.ts';
import { openServiceClient } from '../../electron/api/service-client.ts';
import type { SubmitInput, UploadSource } from '../../electron/api/stt-api.ts';
import type { LogEntry } from '../../shared/domain/diagnostics/log-entry.ts';

export const testKey = 'sk_test_CANARY_0123456789abcdef';

/** A client for `baseUrl` as the app creates it, with its log. Retries are immediate. */
export function openClient(baseUrl: string, limits: Partial<TransportLimits> = {}) {
  const lines: LogEntry[] = [];
  const { stt, close } = openServiceClient({
    connection: () => ({ kind: 'practice', baseUrl, key: new Secret(testKey) }),
    log: { write: (entry) => void lines.push(entry) },
    allowsLoopbackHttp: true,
    random: () => 0,
    limits,
  });
  return { api: { ...stt, close }, lines };
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

export const submission = (source: UploadSource, more: Partial<SubmitInput> = {}): SubmitInput => ({
  source,
  language: 'uz',
  includeSpeakers: true,
  idempotencyKey: randomUUID(),
  ...more,
});
