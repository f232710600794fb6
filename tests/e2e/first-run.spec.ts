import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { dragFiles } from './support/drag-files.ts';
import { newDataDir, removeDataDir, startStudio } from './support/studio.ts';
import { turn } from '../support/turn.ts';

const samples = fileURLToPath(new URL('../../assets/samples', import.meta.url));
const sample = (name: string) => join(samples, name);

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

/** Records each word that the page marks during playback, frame by frame, until `count` different ones were marked. */
const wordsHeard = (page: Page, count: number): Promise<readonly string[]> =>
  page.evaluate(
    (wanted) =>
      new Promise<string[]>((resolve) => {
        const heard: string[] = [];
        const look = () => {
          const now = [...(CSS.highlights.get('ovoz-word-now') ?? [])]
            .map((range) => (range.startContainer.textContent ?? '').slice(range.startOffset, range.endOffset))
            .join('');
          if (now !== '' && now !== heard.at(-1)) heard.push(now);
          if (heard.length >= wanted) resolve(heard);
          else requestAnimationFrame(look);
        };
        look();
      }),
    count,
  );

test('a newcomer drops recordings in practice mode, plays and reads them, saves subtitles, and finds everything again', async () => {
  const dataDir = newDataDir();
  const folder = join(dataDir, 'Hafta yozuvlari, oʻn kun — запись 🎧');
  mkdirSync(join(folder, 'inner'), { recursive: true });
  cpSync(sample('podcast-en.flac'), join(folder, 'inner', 'podcast-en.flac'));
  writeFileSync(join(folder, 'notes.txt'), 'not a recording');
  const studio = await startStudio({ dataDir });
  try {
    const { app, page } = studio;

    await page.getByRole('button', { name: 'Look around with samples' }).click();
    await expect(page.getByRole('heading', { name: 'Transcribe' })).toBeVisible();

    await dragFiles(page, [sample('interview-uz.mp3'), sample('lecture-ru.ogg')]);
    await page.getByRole('button', { name: 'Each in its own language' }).click();
    await expect(row(page, 'interview-uz.mp3')).toBeVisible();
    await dragFiles(page, [folder]);
    await page
      .getByRole('alert', { name: '1 file skipped' })
      .getByRole('button', { name: 'Show', exact: true })
      .click();
    await expect(page.getByText('notes.txt', { exact: true })).toBeVisible();
    for (const name of ['interview-uz', 'lecture-ru', 'podcast-en']) {
      await expect(row(page, name).getByText('Done')).toBeVisible({ timeout: 30_000 });
    }

    await row(page, 'interview-uz').getByRole('button', { name: 'Open' }).click();
    const text = page.getByRole('region', { name: 'Transcript' });
    await expect(text.getByText('Bugun biz Rishtonda, kulolchilik ustaxonasidamiz.')).toBeVisible();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    expect(await wordsHeard(page, 5)).toEqual(['Assalomu', 'alaykum,', 'usta!', 'Bugun', 'biz']);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();

    await text.getByText('Vaalaykum assalom.').click({ position: { x: 12, y: 12 } });
    await expect(page.locator('[data-time]')).toContainText('00:09');

    const target = join(dataDir, 'saved.srt');
    await app.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
    }, target);
    await page.getByRole('button', { name: 'Export' }).click();
    await turn(page.getByRole('radio', { name: /SubRip/ }));
    await page.getByRole('button', { name: 'Export .srt…' }).click();
    await expect(page.getByText(/Saved as saved\.srt/)).toBeVisible();
    const subtitles = readFileSync(target, 'utf8');
    expect(subtitles).toMatch(/^1\n00:00:00,\d{3} --> 00:00:0\d,\d{3}\n/);
    expect(subtitles).toContain('Assalomu alaykum, usta!');
    await studio.quit();

    const again = await startStudio({ dataDir });
    try {
      // The transcript is open as it was, and its row is behind it.
      await expect(again.page.getByRole('button', { name: 'Play', exact: true })).toBeEnabled();
      await again.page.getByRole('link', { name: 'Transcribe' }).click();
      for (const name of ['interview-uz', 'lecture-ru', 'podcast-en']) {
        await expect(row(again.page, name).getByText('Done')).toBeVisible();
      }
      await row(again.page, 'podcast-en').getByRole('button', { name: 'Open' }).click();
      await expect(again.page.getByRole('button', { name: 'Play', exact: true })).toBeEnabled();
    } finally {
      await again.quit();
    }
    expect(readdirSync(dataDir)).toContain('practice');
  } finally {
    await studio.quit();
    removeDataDir(dataDir);
  }
});
