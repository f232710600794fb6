import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { dragFiles } from './support/drag-files.ts';
import { newDataDir, removeDataDir, startStudio } from './support/studio.ts';

test('what is not a recording is named, left out with a reason, and never sent', async () => {
  const dataDir = newDataDir();
  const folder = join(dataDir, 'mixed');
  mkdirSync(join(folder, 'deep', 'deeper'), { recursive: true });
  const put = (name: string, content: string) => writeFileSync(join(folder, name), content);
  put('essay.mp3', 'This is a text that somebody renamed. '.repeat(40));
  put('nothing.wav', '');
  put('page.ogg', '<!doctype html><html><body>Sign in</body></html>');
  put('archive.m4a', 'PK\u0003\u0004 rest of a zip file');
  symlinkSync('..', join(folder, 'deep', 'deeper', 'loop'));
  symlinkSync(join(folder, 'gone.mp3'), join(folder, 'dangling.mp3'));
  const studio = await startStudio({ dataDir });
  try {
    const { page } = studio;
    await page.getByRole('button', { name: 'Look around with samples' }).click();
    await expect(page.getByRole('heading', { name: 'Transcribe' })).toBeVisible();
    await dragFiles(page, [folder]);
    const list = page.getByRole('alert', { name: /skipped/ });
    await list.getByRole('button', { name: 'Show', exact: true }).click();
    for (const name of ['essay.mp3', 'nothing.wav', 'page.ogg', 'archive.m4a']) {
      await expect(list.getByText(name, { exact: true })).toBeVisible();
    }
    await expect(list.getByText(/is empty/)).toBeVisible();
    await expect(page.getByRole('row')).toHaveCount(0);
    expect(await page.getByRole('main').innerText()).not.toMatch(/Error:|undefined|null|at \w+ \(|ENOENT|EACCES/);
  } finally {
    await studio.quit();
    removeDataDir(dataDir);
  }
});

test('a file that is cut off or absent is left out with its reason', { tag: '@long' }, async () => {
  const dataDir = newDataDir();
  const studio = await startStudio({ dataDir });
  try {
    const { page } = studio;
    await page.getByRole('button', { name: 'Look around with samples' }).click();
    await expect(page.getByRole('heading', { name: 'Transcribe' })).toBeVisible();
    const unreadable = join(dataDir, 'unreadable.wav');
    writeFileSync(unreadable, 'RIFF');
    chmodSync(unreadable, 0o000);
    await dragFiles(page, [unreadable, join(dataDir, 'absent.mp3')]);
    await expect(page.getByRole('alert', { name: /skipped/ })).toBeVisible();
    await expect(page.getByRole('row')).toHaveCount(0);
  } finally {
    await studio.quit();
    removeDataDir(dataDir);
  }
});
