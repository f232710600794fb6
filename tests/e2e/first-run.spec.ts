import { chmodSync, cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { dragFiles } from './support/drag-files.ts';
import { turn } from '../support/turn.ts';
import { enterPractice, saveByDialog, test, wordsHeard } from './support/journey.ts';

const samples = fileURLToPath(new URL('../../assets/samples', import.meta.url));
const sample = (name: string) => join(samples, name);

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('a newcomer drops recordings in practice mode, plays and reads them, saves subtitles, and finds everything again', async ({
  journey,
}) => {
  const { dataDir } = journey;
  const folder = join(dataDir, 'Hafta yozuvlari, oʻn kun — запись 🎧');
  mkdirSync(join(folder, 'inner'), { recursive: true });
  cpSync(sample('podcast-en.flac'), join(folder, 'inner', 'podcast-en.flac'));
  const others = {
    'notes.txt': 'not a recording',
    'essay.mp3': 'This is a text that somebody renamed. '.repeat(40),
    'nothing.wav': '',
    'page.ogg': '<!doctype html><html><body>Sign in</body></html>',
    'archive.m4a': 'PK\u0003\u0004 rest of a zip file',
    'unreadable.wav': 'RIFF',
  };
  for (const [name, content] of Object.entries(others)) writeFileSync(join(folder, name), content);
  chmodSync(join(folder, 'unreadable.wav'), 0o000);
  symlinkSync('..', join(folder, 'inner', 'loop'));
  symlinkSync(join(folder, 'gone.mp3'), join(folder, 'dangling.mp3'));
  const studio = await journey.start();
  const { page } = studio;

  await enterPractice(page);

  await dragFiles(page, [sample('interview-uz.mp3'), sample('lecture-ru.ogg')]);
  await page.getByRole('button', { name: 'Each in its own language' }).click();
  await expect(row(page, 'interview-uz.mp3')).toBeVisible();
  await dragFiles(page, [folder]);
  // What is no recording is named with a reason, and never sent.
  const skipped = page.getByRole('alert').filter({ hasText: 'skipped' });
  await skipped.getByRole('button', { name: 'Show', exact: true }).click();
  for (const name of Object.keys(others)) await expect(skipped.getByText(name, { exact: true })).toBeVisible();
  await expect(skipped.getByText(/is empty/)).toBeVisible();
  expect(await page.getByRole('main').innerText()).not.toMatch(/Error:|undefined|null|at \w+ \(|ENOENT|EACCES/);
  for (const name of ['interview-uz', 'lecture-ru', 'podcast-en']) {
    await expect(row(page, name).getByText('Done')).toBeVisible({ timeout: 30_000 });
  }
  await expect(page.getByRole('row').getByText('Done')).toHaveCount(3);

  await row(page, 'interview-uz').getByRole('button', { name: 'Open' }).click();
  const text = page.getByRole('region', { name: 'Transcript' });
  await expect(text.getByText('Bugun biz Rishtonda, kulolchilik ustaxonasidamiz.')).toBeVisible();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  expect(await wordsHeard(page, 5)).toEqual(['Assalomu', 'alaykum,', 'usta!', 'Bugun', 'biz']);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();

  await text.getByText('Vaalaykum assalom.').click({ position: { x: 12, y: 12 } });
  await expect(page.locator('[data-time]')).toContainText('00:09');

  const target = join(dataDir, 'saved.srt');
  await saveByDialog(studio, target);
  await page.getByRole('button', { name: 'Export' }).click();
  await turn(page.getByRole('radio', { name: /SubRip/ }));
  await page.getByRole('button', { name: 'Export .srt…' }).click();
  await expect(page.getByText(/Saved as saved\.srt/)).toBeVisible();
  const subtitles = readFileSync(target, 'utf8');
  expect(subtitles).toMatch(/^1\n00:00:00,\d{3} --> 00:00:0\d,\d{3}\n/);
  expect(subtitles).toContain('Assalomu alaykum, usta!');
  await studio.quit();

  const again = (await journey.start()).page;
  // The transcript is open as it was, and its row is behind it.
  await expect(again.getByRole('button', { name: 'Play', exact: true })).toBeEnabled();
  await again.getByRole('link', { name: 'Transcribe' }).click();
  for (const name of ['interview-uz', 'lecture-ru', 'podcast-en']) {
    await expect(row(again, name).getByText('Done')).toBeVisible();
  }
  await row(again, 'podcast-en').getByRole('button', { name: 'Open' }).click();
  await expect(again.getByRole('button', { name: 'Play', exact: true })).toBeEnabled();
  // A word is found in the library in another alphabet too; what is deleted is in the trash, and is restored.
  await again.keyboard.press('Control+Shift+KeyF');
  const field = again.getByRole('searchbox', { name: 'Search words, titles and speakers' });
  const found = again.getByRole('row').filter({ has: again.locator('mark') });
  for (const form of ['kulolchilik', 'кулолчилик']) {
    await field.fill(form);
    await expect(found.first()).toContainText('kulolchilik ustaxonasidamiz');
  }
  await found.first().focus();
  await again.keyboard.press('Delete');
  await expect(found).toHaveCount(0);
  await field.fill('');
  await again.getByRole('button', { name: /^Trash/ }).click();
  await again.getByRole('row', { name: 'interview-uz', exact: true }).focus();
  await again.keyboard.press('Control+KeyA');
  await again.getByRole('toolbar').getByRole('button', { name: 'Restore' }).click();
  await again.getByRole('button', { name: /^Everything/ }).click();
  await field.fill('kulolchilik');
  await expect(found.first()).toBeVisible();
  expect(readdirSync(dataDir)).toContain('practice');
});
