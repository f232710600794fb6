import { lstatSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { ok } from '../../shared/result/result.ts';
import { filePort } from '../platform/node/export-disk.ts';
import { Outputs } from './run-transcribe.ts';
import { folderOfTest } from '../../tests/support/test-folders.ts';

let folder = '';
beforeEach(() => (folder = folderOfTest()));

const exportsOf = (text: string) =>
  ({ render: async () => ok({ bytes: Buffer.from(text) }) }) as unknown as ConstructorParameters<typeof Outputs>[0];
const outputs = (text: string) => new Outputs(exportsOf(text), ['txt'], folder, filePort);

it('the same text from an earlier run is ours, and two recordings of the same name get a file each', async () => {
  writeFileSync(join(folder, 'suhbat.txt'), '12345678');
  const run = outputs('12345678');
  expect(await run.write('/r/suhbat.wav', 't1')).toEqual({ ok: true, value: [join(folder, 'suhbat.txt')] });
  expect(await run.write('/other/suhbat.wav', 't2')).toEqual({ ok: true, value: [join(folder, 'suhbat (2).txt')] });
});

it('a dangling link belongs to the user too', async () => {
  const link = join(folder, 'suhbat.txt');
  symlinkSync(join(folder, 'gone'), link);
  const written = await outputs('12345678').write('/r/suhbat.wav', 't1');
  expect(written).toEqual({ ok: true, value: [join(folder, 'suhbat (2).txt')] });
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readdirSync(folder).toSorted()).toEqual(['suhbat (2).txt', 'suhbat.txt']);
});
