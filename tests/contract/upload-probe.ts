import { stat } from 'node:fs/promises';
import { Secret } from '../../electron/secret/secret.ts';
import { openServiceClient } from '../../electron/service/client.ts';

// Sends one file in a process of its own and prints its peak memory in bytes.
const [, , baseUrl = '', path = ''] = process.argv;
const { size, mtimeMs } = await stat(path);
const { stt: api, close } = openServiceClient({
  connection: () => ({ kind: 'practice', baseUrl, key: new Secret('practice_0123456789') }),
  log: { write: () => undefined },
  allowsLoopbackHttp: true,
});
const result = await api.submit({
  source: { path, name: 'long.wav', sizeBytes: size, mtimeMs },
  language: 'uz',
  includeSpeakers: false,
  idempotencyKey: '00000000-0000-4000-8000-000000000000',
});
await close();
console.log(JSON.stringify({ ok: result.ok, maxBytes: process.resourceUsage().maxRSS * 1024 }));
