import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it, vi } from 'vitest';
import { linesOf } from '../support/cli-lines.ts';
import { runCli, type CliResult } from '../support/cli-run.ts';

vi.setConfig({ testTimeout: 120_000 });
const root = mkdtempSync(join(tmpdir(), 'ovoz-check-models-'));
const tiny = fileURLToPath(new URL('../fixtures/recogniser/', import.meta.url));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const shapes = /features float32 \[.*\], feature_lengths int64 \[.*\] → log_probs float32 \[.*71\]/u;

it('check prints names, checksums, shapes, how fast a model is and what it hears in each language', async () => {
  const { code, out } = await runCli(['local', 'check', tiny], { dataDir: join(root, 'data'), language: 'en' });
  expect(code).toBe(0);
  for (const name of ['tiny.onnx', 'vocab.txt']) {
    const bytes = readFileSync(join(tiny, name));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(out).toMatch(new RegExp(`^${name} +${bytes.length} +${sha256}$`, 'mu'));
  }
  expect(out).toMatch(shapes);
  for (const heard of ['oʻrgana', 'сегодня на лекции', 'i am recording this']) expect(out).toContain(heard);
  expect(out.match(/\d+\.\d times as fast/gu)).toHaveLength(3);
});

it('doctor checks the model in use as well, and says why one can’t be used', async () => {
  const asking = (folder: string) =>
    runCli(['doctor', '--json'], {
      dataDir: join(root, 'data'),
      language: 'en',
      hooks: { modules: [], env: { OVOZ_LOCAL_MODEL: folder } },
    });
  const modelIn = (result: CliResult) => linesOf(result)[0]?.checks?.find(({ check }) => check === 'models');
  const usable = modelIn(await asking(tiny));
  expect(usable?.state).toBe('ok');
  expect(usable?.advice).toMatch(shapes);
  expect(usable?.advice).toContain('oʻrgana');

  const cut = join(root, 'cut');
  mkdirSync(cut);
  writeFileSync(join(cut, 'cut.onnx'), 'half of a network');
  copyFileSync(join(tiny, 'vocab.txt'), join(cut, 'vocab.txt'));
  const damaged = modelIn(await asking(cut));
  expect(damaged?.state).toBe('bad');
  expect(damaged?.advice).toContain('model_damaged');
});
