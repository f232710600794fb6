import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { enterService, saveByDialog, test } from './support/journey.ts';
import type { PracticeServer } from './support/practice-server.ts';
import type { Studio } from './support/studio.ts';

const first = 'Salom, doʻstlar. Bugun havo juda ochiq. Ertaga yomgʻir yogʻadi.';
const second = 'Koʻrgazma yakshanba kuni ochiladi. Kirish bepul.';

/** What the service was paid for so far. */
async function generations(service: PracticeServer): Promise<readonly { readonly text: string }[]> {
  const answer = await fetch(`${service.url}/v1/tts/generations?limit=100`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  return ((await answer.json()) as { data: { text: string }[] }).data;
}

const text = (page: Page) => page.getByRole('textbox', { name: 'Text to speak' });
const more = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name }).click();
};
const stopped = (page: Page) => expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);

/** Saves the text as one file, answering the system dialog. */
async function saveAs(studio: Studio, path: string, format: 'WAV' | 'MP3'): Promise<Buffer> {
  const { page } = studio;
  await saveByDialog(studio, path);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(format, { exact: true }).click();
  await page.getByRole('button', { name: 'Save…', exact: true }).click();
  await expect.poll(() => existsSync(path)).toBe(true);
  await expect(page.getByRole('button', { name: 'Save…', exact: true })).toHaveCount(0);
  return readFileSync(path);
}

test('two paragraphs are played as they arrive, one changed sentence is one new generation, and a restart plays from history', async ({
  journey,
}) => {
  test.setTimeout(180_000);
  const { dataDir } = journey;
  const service = await journey.startService();
  let studio = await journey.start({ env: { OVOZ_API_KEY: service.key } });
  let { page } = studio;
  await enterService(page, service);
  await page.getByRole('link', { name: 'Speak' }).click();
  await expect(page.getByRole('heading', { name: 'Speak', exact: true })).toBeVisible();
  // A voice makes the text one of its language.
  const pill = page.getByRole('button', { name: 'Voice and speed', exact: false });
  await pill.click();
  await page.getByRole('button', { name: 'Lola', exact: false }).first().click();
  await page.keyboard.press('Escape');
  await text(page).click();
  await page.keyboard.insertText(first);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.insertText(second);
  await expect(page.getByRole('button', { name: 'Speak 5 sentences', exact: false })).toBeVisible();
  await page.keyboard.press('Control+Shift+Enter');
  // The sentence being played is marked while the service still speaks the others, or right after.
  await expect
    .poll(() => page.evaluate(() => CSS.highlights.get('ovoz-speak-now')?.size ?? 0), { timeout: 30_000 })
    .toBe(1);
  await expect(page.getByText('Everything is ready', { exact: false })).toBeVisible({ timeout: 30_000 });
  expect((await generations(service)).length).toBe(5);
  await page.keyboard.press('Escape');
  await stopped(page);

  await more(page, 'Show by sentences');
  await expect(page.getByRole('list', { name: 'Sentences' }).getByRole('listitem')).toHaveCount(5);
  await more(page, 'Show as one text');
  await text(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Backspace');
  await page.keyboard.insertText(' hammaga.');
  await expect(page.getByRole('button', { name: 'Speak 1 changed', exact: false })).toBeVisible();
  await page.keyboard.press('Control+Shift+Enter');
  await expect(page.getByText('Everything is ready', { exact: false })).toBeVisible({ timeout: 30_000 });
  await expect.poll(async () => (await generations(service)).length).toBe(6);
  await page.keyboard.press('Escape');
  expect((await saveAs(studio, join(dataDir, 'spoken.wav'), 'WAV')).toString('latin1', 0, 4)).toBe('RIFF');
  expect((await saveAs(studio, join(dataDir, 'spoken.mp3'), 'MP3'))[0]).toBe(0xff);
  // Keys work wherever the focus is, even after a voice was played; a change of speed is undone.
  const listen = page.getByRole('button', { name: 'Listen to Lola' });
  const stop = page.getByRole('button', { name: 'Stop Lola' });
  await pill.click();
  await listen.click();
  await stop.waitFor();
  await listen.waitFor({ timeout: 15_000 });
  await page.getByRole('slider', { name: 'Speed' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('slider', { name: 'Speed' })).toHaveValue('1.05');
  await page.keyboard.press('Escape');
  await expect(page.getByText('Everything is ready', { exact: false })).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(pill).toContainText('1.0×');
  await studio.quit();

  studio = await journey.start({ env: { OVOZ_API_KEY: service.key } });
  ({ page } = studio);
  await page.getByRole('link', { name: 'Speak' }).click();
  await expect(text(page)).toContainText('Kirish bepul hammaga.');
  await expect(page.getByText('Everything is ready', { exact: false })).toBeVisible();
  await more(page, 'History');
  await page.getByRole('searchbox', { name: 'Search in history' }).fill('yomgʻir');
  const sentences = page.getByRole('list', { name: 'Sentences of “Salom, doʻstlar.', exact: false });
  const row = sentences.getByRole('listitem').filter({ hasText: 'Ertaga yomgʻir yogʻadi.' });
  await expect(row).toHaveCount(1);
  await row.getByRole('button', { name: 'Play', exact: false }).click();
  await expect(row.getByRole('button', { name: 'Stop', exact: false })).toBeVisible();
  expect((await generations(service)).length).toBe(7);
});
