import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { beforeAll, expect, it } from 'vitest';
import { folderOfFile } from '../support/test-folders.ts';

const configFile = fileURLToPath(new URL('../../vite.config.ts', import.meta.url));
const outDir = folderOfFile();

beforeAll(async () => {
  for (const mode of ['preload', 'preload-key', 'preload-overlay']) {
    await build({ configFile, mode, logLevel: 'error', build: { outDir } });
  }
});

it('each bridge is built to one CommonJS file, as a sandboxed preload needs', () => {
  expect(readdirSync(outDir).toSorted()).toEqual(['index.cjs', 'key.cjs', 'overlay.cjs']);
});

it.each(['index.cjs', 'key.cjs', 'overlay.cjs'])('%s requires electron and nothing else, and stays small', (name) => {
  const text = readFileSync(join(outDir, name), 'utf8');
  expect(text).not.toMatch(/^\s*(import|export)\b/m);
  expect([...text.matchAll(/require\(["']([^"']+)["']\)/g)].map((match) => match[1])).toEqual(['electron']);
  expect(text.length).toBeLessThan(4000);
});

it('the studio’s bridge uses its channels only, and the key window and the overlay one each', () => {
  const channelsOf = (name: string) =>
    [...readFileSync(join(outDir, name), 'utf8').matchAll(/["'](studio:[\w-]+)["']/g)].map((match) => match[1] ?? '');
  expect(channelsOf('index.cjs').toSorted()).toEqual([
    'studio:event',
    'studio:file-token',
    'studio:request',
    'studio:stream',
    'studio:stream-port',
  ]);
  expect(channelsOf('key.cjs')).toEqual(['studio:key']);
  expect(channelsOf('overlay.cjs')).toEqual(['studio:overlay']);
});
