import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { randomBytes } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { filesHolding } from '../security/scan-for-secret.ts';
import { commandLines, memoryHolds, processTree } from '../support/process-scan.ts';
import { ask } from './support/ask.ts';
import { dragFiles } from './support/drag-files.ts';
import { startPracticeServer } from './support/practice-server.ts';
import { newDataDir, removeDataDir, startStudio } from './support/studio.ts';

test.skip(process.platform !== 'linux', 'reads /proc');

const sample = (name: string) => fileURLToPath(new URL(`../../assets/samples/${name}`, import.meta.url));

test('after a whole journey the key is in no file, no output, no argument, no child and no page', async () => {
  test.setTimeout(120_000);
  const dataDir = newDataDir();
  const service = await startPracticeServer();
  const control = `control-${randomBytes(20).toString('hex')}`;
  const studio = await startStudio({ dataDir });
  const printed: Buffer[] = [];
  studio.app.process().stdout?.on('data', (chunk: Buffer) => printed.push(chunk));
  studio.app.process().stderr?.on('data', (chunk: Buffer) => printed.push(chunk));
  try {
    const { app, page } = studio;
    await page.getByRole('button', { name: 'Enter a key', exact: true }).click();
    const field = page.getByRole('textbox', { name: 'Service address' });
    await field.fill(service.url);
    await field.blur();
    const [keyWindow] = await Promise.all([
      app.waitForEvent('window'),
      page.getByRole('button', { name: 'Enter key…' }).click(),
    ]);
    await keyWindow.locator('#key').fill(service.key);
    await Promise.all([keyWindow.waitForEvent('close'), keyWindow.keyboard.press('Enter').catch(() => undefined)]);
    await expect(page.getByText('Works', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Open the studio' }).click();
    await expect(page.getByRole('heading', { name: 'Transcribe' })).toBeVisible();
    await dragFiles(page, [sample('podcast-en.flac')]);
    const row = page.getByRole('row').filter({ hasText: 'podcast-en' });
    await expect(row.getByText('Done')).toBeVisible();
    await row.getByRole('button', { name: 'Open' }).click();
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeEnabled();

    // The control goes everywhere the key must not: through main, over IPC, into the page and onto the disk.
    const jobs = await ask(page, 'jobs.list', {});
    const state = jobs.ok ? jobs.value.jobs[0]?.state : undefined;
    if (state?.tag !== 'done') throw new Error('the recording is not done');
    const renamed = await ask(page, 'transcripts.rename', { transcriptId: state.transcriptId ?? '', title: control });
    expect(renamed.ok).toBe(true);
    await page.evaluate((text) => void Object.assign(window, { planted: { text } }), control);

    const main = app.process().pid ?? 0;
    const tree = processTree(main);
    const pages = commandLines().filter(({ pid, args }) => tree.includes(pid) && args.includes('--type=renderer'));
    expect(pages.filter(({ pid }) => memoryHolds(pid, control)).length).toBeGreaterThan(0);
    expect(pages.filter(({ pid }) => memoryHolds(pid, service.key))).toEqual([]);
    expect(memoryHolds(main, service.key)).toBe(true);

    const environmentOf = (pid: number): string => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1');
      } catch {
        // It exited meanwhile: the browser starts and stops its helpers.
        return '';
      }
    };
    expect(tree.some((pid) => environmentOf(pid).includes(dataDir))).toBe(true);
    expect(tree.filter((pid) => environmentOf(pid).includes(service.key))).toEqual([]);
    expect(commandLines().some(({ args }) => args.includes('--type=renderer'))).toBe(true);
    expect(commandLines().filter(({ args }) => args.includes(service.key))).toEqual([]);
  } finally {
    await studio.quit();
    await service.stop();
  }
  expect(filesHolding(dataDir, control).length).toBeGreaterThan(0);
  expect(filesHolding(dataDir, service.key)).toEqual([]);
  expect(Buffer.concat(printed).includes(service.key)).toBe(false);
  removeDataDir(dataDir);
});
