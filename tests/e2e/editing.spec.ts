import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { ask } from './support/ask.ts';
import { dragFiles } from './support/drag-files.ts';
import { menuItem } from './support/menu-item.ts';
import { turn } from '../support/turn.ts';
import { enterPractice, killStudio, test } from './support/journey.ts';

const talk = fileURLToPath(new URL('../fixtures/video/talk.webm', import.meta.url));
const sample = fileURLToPath(new URL('../../assets/samples/interview-uz.mp3', import.meta.url));

/** The last paragraph of the sample is there too: those out of sight come after the others. */
const shown = (page: Page) =>
  expect(page.locator('[data-text]').filter({ hasText: /nafar shogirdim bor|нафар шогирдим бор/u })).toBeVisible();
/** What is saved needs no words. */
const saved = (page: Page) => page.locator('[data-saving="saved"]');
const openAgain = async (page: Page, address: string) => {
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, address);
  await shown(page);
};
/** The first paragraphs, which are in view: how many of the others are in the page depends on heights that are still measured. */
const textsOf = async (page: Page) => (await page.locator('[data-text]').allTextContents()).slice(0, 7);

test('a corrected and converted text survives quitting, closing and kill -9; undone edits do not; versions restore, and a part is heard again', async ({
  journey,
}) => {
  // The app is started seven times.
  test.setTimeout(300_000);
  let studio = await journey.start();
  let { page } = studio;
  await enterPractice(page);
  await turn(page.getByRole('radio', { name: 'Oʻzbekcha' }));
  await dragFiles(page, [sample]);
  const row = page.getByRole('row').filter({ hasText: 'interview-uz' });
  await expect(row.getByText('Done')).toBeVisible({ timeout: 30_000 });
  await row.getByRole('button', { name: 'Open' }).click();
  await shown(page);
  const address = await page.evaluate(() => window.location.hash);
  await ask(page, 'settings.update', { jumpMs: 10_000 });
  await expect.poll(() => menuItem(studio, 'playback.back')).toMatchObject({ label: 'Back 10 seconds' });
  const textAt = (at: number) => page.locator('[data-text]').nth(at);
  const typeAtEnd = async (at: number, text: string) => {
    await textAt(at).click();
    await page.keyboard.press('End');
    await page.keyboard.type(text);
  };
  const restart = async () => {
    studio = await journey.start();
    ({ page } = studio);
  };
  const before = await textsOf(page);

  await typeAtEnd(0, ' Xush kelibsiz.');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await textAt(1).click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+ArrowRight');
  await page.keyboard.press('Enter');
  await expect(textAt(1)).toHaveText((before[1] ?? '').split(' ')[0] ?? '');
  await page.keyboard.press('Control+z');
  await expect(textAt(1)).toHaveText(before[1] ?? '');
  await expect(saved(page)).toBeAttached();
  const edited = await textsOf(page);
  expect(edited).toEqual([`${before[0]} Xush kelibsiz.`, ...before.slice(1)]);
  await studio.quit();

  // The transcript is open again, as it was left.
  await restart();
  await shown(page);
  expect(await page.evaluate(() => window.location.hash)).toBe(address);
  expect(await textsOf(page)).toEqual(edited);
  await typeAtEnd(2, ' Rahmat.');
  // The state is drawn after the letters, when there is time.
  await expect(page.locator('[data-saving="saving"]')).toBeAttached();
  await expect(saved(page)).toBeAttached({ timeout: 2_000 });
  const last = await textsOf(page);
  await killStudio(studio);

  await restart();
  await openAgain(page, address);
  expect(await textsOf(page)).toEqual(last);
  expect(last[2]).toBe(`${before[2]} Rahmat.`);
  // Undoing goes on from there, as many saved edits as the letters took.
  await textAt(2).click();
  for (const [key, text] of [
    ['Control+z', before[2]],
    ['Control+y', last[2]],
  ] as const)
    await expect(async () => {
      if ((await textAt(2).textContent()) !== text) await page.keyboard.press(key);
      await expect(textAt(2)).toHaveText(text ?? '', { timeout: 500 });
    }).toPass({ timeout: 20_000 });
  // What was opened by hand is opened by the next start; what a start opened only if it did not end the app soon after.
  await page.evaluate(() => {
    window.location.hash = '#/transcribe';
  });
  await expect(page.getByRole('heading', { name: 'Transcribe' })).toBeVisible();
  await openAgain(page, address);
  await killStudio(studio);
  await restart();
  await expect(textAt(0)).toBeVisible();
  expect(await page.evaluate(() => window.location.hash)).toBe(address);
  await killStudio(studio);
  await restart();
  await expect(page.getByRole('heading', { name: 'Transcribe' })).toBeVisible();
  await openAgain(page, address);
  expect(await textsOf(page)).toEqual(last);

  // The app is quit, and its window closed, in the middle of typing; meanwhile the text is converted.
  const endBy = async (ending: 'quit' | 'close') => {
    await typeAtEnd(2, ` ${ending}`);
    const typed = await textsOf(page);
    const exited = new Promise((resolve) => studio.app.process().once('exit', resolve));
    await studio.app
      .evaluate(({ app, BrowserWindow }, how) => {
        if (how === 'quit') app.quit();
        else BrowserWindow.getAllWindows()[0]?.close();
      }, ending)
      .catch(() => undefined);
    await exited;
    await restart();
    await openAgain(page, address);
    expect(await textsOf(page)).toEqual(typed);
    return typed;
  };
  const latin = await endBy('quit');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Convert to Cyrillic' }).click();
  await expect(textAt(0)).toHaveText(/^[А-Я]/u);
  await expect(saved(page)).toBeAttached();
  await endBy('close');
  await expect.poll(() => menuItem(studio, 'transcript.convertScript')).toMatchObject({ label: 'Convert to Latin' });

  const restore = async (version: RegExp) => {
    await page.getByRole('button', { name: version }).click();
    await page.getByRole('button', { name: 'Restore all' }).click();
    await expect(page.getByText('No differences')).toBeVisible();
    await page.getByRole('button', { name: 'Back to the text' }).click();
  };
  await page.keyboard.press('Control+Shift+KeyH');
  await restore(/Before “Change the alphabet”/u);
  expect(await textsOf(page)).toEqual(latin);

  // A segment is listened to again and paid once; the first result stays beside the text and is restored.
  await page.keyboard.press('Control+Shift+KeyH');
  await restore(/From the service/u);
  expect(await textsOf(page)).toEqual(before);
  await textAt(0).click();
  await page.keyboard.press('Home');
  await page.keyboard.type('Xato ');
  await expect(saved(page)).toBeAttached();
  await page.keyboard.press('Control+Shift+KeyL');
  const panel = page.getByRole('complementary', { name: 'Transcribe this part again' });
  // A press authorizes for some seconds; on a busy machine reading the audio may take longer, and it asks for another.
  await expect(async () => {
    await panel.getByRole('button', { name: 'Transcribe again' }).click({ timeout: 1000 });
    await expect(panel.locator('ins').first()).toBeVisible({ timeout: 15_000 });
  }).toPass({ timeout: 50_000 });
  await panel.getByRole('button', { name: 'Accept all' }).click();
  await expect(textAt(0)).toHaveText(before[0] ?? '');
  await panel.getByRole('button', { name: 'Close' }).first().click();
  await textAt(0).click();
  await page.keyboard.press('Control+Shift+KeyL');
  await expect(panel.getByText('0 credits: kept from before')).toBeVisible();
});

test('a video is corrected with its picture beside the text, in step with the sound; hidden, one line brings it back', async ({
  journey,
}) => {
  const { page } = await journey.start();
  await enterPractice(page);
  await dragFiles(page, [talk]);
  const row = page.getByRole('row').filter({ hasText: 'talk' });
  await expect(row.getByText('Done')).toBeVisible({ timeout: 30_000 });
  await row.getByRole('button', { name: 'Open' }).click();
  const picture = page.getByLabel('Picture of the video');
  const secondOf = () => picture.evaluate((video: HTMLVideoElement) => video.currentTime);
  await expect.poll(() => picture.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBe(160);
  // The sound is the extracted one, and the picture that of the file itself.
  await page.keyboard.press('F2');
  await expect.poll(secondOf).toBeCloseTo(5, 1);
  const text = page.locator('[data-text]').first();
  await text.click();
  await page.keyboard.press('End');
  await page.keyboard.type(' Koʻrindi.');
  await expect(saved(page)).toBeAttached();
  await expect(text).toHaveText(/Koʻrindi\.$/u);
  await page.keyboard.press('Alt+KeyV');
  await expect(page.getByText('Picture hidden')).toBeVisible();
  // The press into the text took the sound to its word. It goes on while the picture is not there.
  for (const key of ['F1', 'F1', 'F2']) await page.keyboard.press(key);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect.poll(secondOf).toBeCloseTo(5, 1);
});
