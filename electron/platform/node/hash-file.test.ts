import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { hashFile } from './hash-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'ovoz-hash-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Called before each block, so that a test can act between two of them. */
const asked = (onAsked: () => void) =>
  ({
    get aborted() {
      onAsked();
      return false;
    },
  }) as AbortSignal;

it('E-011: a file that was written while it was read is reported, even if its size stays the same', async () => {
  const path = join(folder, 'a.wav');
  writeFileSync(path, Buffer.alloc(600 * 1024));
  const touch = () => utimesSync(path, new Date(1_000_000), new Date(1_000_000));
  expect(await hashFile(path, asked(touch))).toMatchObject({ ok: false, error: { row: 'E-011' } });
  expect(
    await hashFile(
      path,
      asked(() => undefined),
    ),
  ).toMatchObject({ ok: true, value: { sizeBytes: 600 * 1024 } });
});
