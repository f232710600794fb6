import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { toUzbekCyrillic } from '../../shared/domain/text/transliterate-uzbek.ts';
import { toneWav } from '../support/tone-wav.ts';
import { ask } from './support/ask.ts';
import { dragFiles } from './support/drag-files.ts';
import { newDataDir, removeDataDir, startStudio } from './support/studio.ts';

const sample = fileURLToPath(new URL('../../assets/samples/interview-uz.mp3', import.meta.url));
const recordingCount = 40;

const libraryOf = async (page: Page) => {
  const listed = await ask(page, 'library.list', {});
  if (!listed.ok) throw new Error(`the library was not listed: ${listed.error.row}`);
  return listed.value.items;
};

test('forty recordings: a word in the wrong letters is found, opened at its moment, and what is thrown away comes back', async () => {
  test.setTimeout(180_000);
  const dataDir = newDataDir();
  const folder = join(dataDir, 'recordings');
  mkdirSync(folder);
  for (let at = 1; at < recordingCount; at += 1)
    writeFileSync(join(folder, `Yozuv ${String(at)}.wav`), toneWav(200 + at * 5, 0.3));
  let studio = await startStudio({ dataDir });
  try {
    let { page } = studio;
    await page.getByRole('radio', { name: /practice/i }).check({ force: true });
    await page.getByRole('button', { name: 'Open the studio' }).click();
    await page.getByText('No recordings in the queue').waitFor();
    await dragFiles(page, [folder, sample]);
    await expect(page.locator('main')).toContainText(/Finished\s+40/, { timeout: 120_000 });
    expect((await libraryOf(page)).length).toBe(recordingCount);

    // A word that Latin writes with oʻ or gʻ, typed in Cyrillic and with another apostrophe in front.
    const interview = (await libraryOf(page)).find(({ sourceName }) => sourceName === 'interview-uz.mp3');
    const opened = await ask(page, 'transcripts.open', { transcriptId: interview?.id ?? '' });
    if (!opened.ok) throw new Error('the interview was not opened');
    const segment = opened.value.transcript.segments.findLast(({ text }) => /[ogOG]ʻ\p{L}/u.test(text));
    const word = /\p{L}*[ogOG]ʻ\p{L}+/u.exec(segment?.text ?? '')?.[0] ?? '';
    expect(word.length).toBeGreaterThan(3);

    await page.keyboard.press('Control+Shift+KeyF');
    const field = page.getByRole('searchbox', { name: 'Search words, titles and speakers' });
    await expect(field).toBeFocused();
    for (const form of [word.replaceAll('ʻ', '`'), word.replaceAll('ʻ', ''), toUzbekCyrillic(word)]) {
      await field.fill(form);
      await expect(page.locator('mark').first()).toHaveText(new RegExp(`^${word}`, 'iu'));
    }
    await page.getByRole('checkbox', { name: 'Uzbek' }).check();
    const moment = page
      .getByRole('row')
      .filter({ has: page.locator('mark') })
      .last();
    const label = (await moment.getAttribute('aria-label')) ?? '';
    await moment.focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`/transcripts/${interview?.id ?? ''}/\\d+$`));
    const time = label.split(' ')[0] ?? '';
    await expect(page.locator('[data-time]').first()).toContainText(time);

    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await expect(field).toHaveValue(toUzbekCyrillic(word));
    await expect(page.getByRole('checkbox', { name: 'Uzbek' })).toBeChecked();

    await field.fill('');
    const row = page.getByRole('row', { name: interview?.title ?? '' });
    await row.focus();
    await page.keyboard.press('Delete');
    await expect(row).toBeHidden();
    await field.fill(word);
    await expect(page.getByText(`“${word}” is not in these recordings`)).toBeVisible();
    await studio.quit();

    studio = await startStudio({ dataDir });
    ({ page } = studio);
    await page.keyboard.press('Control+Digit1');
    await page.getByRole('button', { name: /^Trash/ }).click();
    await page.getByRole('row', { name: interview?.title ?? '' }).focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Restore' }).click();
    await page.getByRole('button', { name: /^Everything/ }).click();
    await page.getByRole('searchbox').fill(word);
    await expect(page.locator('mark').first()).toBeVisible();
  } finally {
    await studio.quit();
    removeDataDir(dataDir);
  }
});
