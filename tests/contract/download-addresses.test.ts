import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { createDownloader } from '../../electron/api/http/download-signed.ts';
import { ok } from '../../shared/result/result.ts';
import { SignedUrl } from '../../shared/wire/signed-url.ts';

test('F-21: one private address among public ones refuses the name', async () => {
  const careful = createDownloader({
    log: { write: () => undefined },
    practicePort: () => null,
    resolve: async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '::ffff:169.254.169.254', family: 6 },
    ],
  });
  const result = await careful.download({
    target: join(tmpdir(), `refused-${process.pid}.wav`),
    freshUrl: async () => ok(new SignedUrl('https://files.example/a')),
  });
  expect(result).toMatchObject({ ok: false, error: { row: 'E-174', code: 'unsafe_address' } });
  await careful.close();
});
