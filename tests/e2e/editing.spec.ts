import { fileURLToPath } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { ask } from './support/ask.ts';
import { dragFiles } from './support/drag-files.ts';
import { menuItem } from './support/menu-item.ts';
import { newDataDir, removeDataDir, startStudio } from './support/studio.ts';
import { turn } from '../support/turn.ts';

const sample = fileURLToPath(new URL('../../assets/samples/interview-uz.mp3', import.meta.url));

/** The last paragraph of the sample is there too: those out of sight come after the others. */
const shown = (page: Page) =>
  expect(page.locator('[data-text]').filter({ hasText: 'nafar shogirdim bor' })).toBeVisible();
const openAgain = async (page: Page, address: string) => {
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, address);
  await shown(page);
};
/** The first paragraphs, which are in view: how many of the others are in the page depends on heights that are still measured. */
const textsOf = async (page: Page) => (await page.locator('[data-text]').allTextContents()).slice(0, 7);

/** The app in practice mode with the Uzbek sample opened. */
async function openSample(dataDir: string) {
  const studio = await startStudio({ dataDir });
  const { page } = studio;
  await page.getByRole('button', { name: 'Look around with samples' }).click();
  await expect(page.getByRole('heading', { name: 'Transcribe' })).toBeVisible();
  await turn(page.getByRole('radio', { name: 'Oʻzbekcha' }));
  await dragFiles(page, [sample]);
  const row = page.getByRole('row').filter({ hasText: 'interview-uz' });
  await expect(row.getByText('Done')).toBeVisible({ timeout: 30_000 });
  await row.getByRole('button', { name: 'Open' }).click();
  await shown(page);
  return studio;
}

test('a corrected text survives quitting and kill -9, with its speakers; undone edits do not', async () => {
  // The app is started seven times.
  test.setTimeout(180_000);
  const dataDir = newDataDir();
  let studio = await openSample(dataDir);
  try {
    const { page } = studio;
    const address = await page.evaluate(() => window.location.hash);
    await ask(page, 'settings.update', { jumpMs: 10_000 });
    await expect.poll(() => menuItem(studio, 'playback.back')).toMatchObject({ label: 'Back 10 seconds' });
    const texts = page.locator('[data-text]');
    const before = await textsOf(page);

    await texts.first().click();
    await page.keyboard.press('End');
    await page.keyboard.type(' Xush kelibsiz.');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await texts.nth(1).click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+ArrowRight');
    await page.keyboard.press('Enter');
    await expect(texts.nth(1)).toHaveText((before[1] ?? '').split(' ')[0] ?? '');
    await page.keyboard.press('Control+z');
    await expect(texts.nth(1)).toHaveText(before[1] ?? '');
    await expect(page.getByText('Saved on this computer')).toBeVisible();
    const edited = await textsOf(page);
    expect(edited).toEqual([`${before[0]} Xush kelibsiz.`, ...before.slice(1)]);
    await studio.quit();

    // The transcript is open again, as it was left.
    studio = await startStudio({ dataDir });
    await shown(studio.page);
    expect(await studio.page.evaluate(() => window.location.hash)).toBe(address);
    expect(await textsOf(studio.page)).toEqual(edited);
    await studio.page.locator('[data-text]').nth(2).click();
    await studio.page.keyboard.press('End');
    await studio.page.keyboard.type(' Rahmat.');
    // The state is drawn after the letters, when there is time.
    await expect(studio.page.getByText('Saving', { exact: true })).toBeVisible();
    await expect(studio.page.getByText('Saved on this computer')).toBeVisible({ timeout: 2_000 });
    const last = await textsOf(studio.page);
    const ended = new Promise((resolve) => studio.app.process().once('exit', resolve));
    studio.app.process().kill('SIGKILL');
    await ended;

    studio = await startStudio({ dataDir });
    await openAgain(studio.page, address);
    expect(await textsOf(studio.page)).toEqual(last);
    expect(last[2]).toBe(`${before[2]} Rahmat.`);
    // What was opened is opened by the next start, unless it ends the app soon after a start has opened it.
    const kill = async () => {
      const killed = new Promise((resolve) => studio.app.process().once('exit', resolve));
      studio.app.process().kill('SIGKILL');
      await killed;
      studio = await startStudio({ dataDir });
    };
    await kill();
    await shown(studio.page);
    expect(await studio.page.evaluate(() => window.location.hash)).toBe(address);
    await kill();
    await expect(studio.page.getByRole('heading', { name: 'Transcribe' })).toBeVisible();
    await openAgain(studio.page, address);

    // The app is quit, and its window closed, in the middle of typing.
    for (const ending of ['quit', 'close'] as const) {
      await studio.page.locator('[data-text]').nth(2).click();
      await studio.page.keyboard.press('End');
      await studio.page.keyboard.type(` ${ending}`);
      const typed = await textsOf(studio.page);
      const exited = new Promise((resolve) => studio.app.process().once('exit', resolve));
      await studio.app
        .evaluate(({ app, BrowserWindow }, how) => {
          if (how === 'quit') app.quit();
          else BrowserWindow.getAllWindows()[0]?.close();
        }, ending)
        .catch(() => undefined);
      await exited;
      studio = await startStudio({ dataDir });
      await openAgain(studio.page, address);
      expect(await textsOf(studio.page)).toEqual(typed);
    }
  } finally {
    await studio.quit();
    removeDataDir(dataDir);
  }
});

test(
  'a segment is listened to again and paid once; the first result stays beside the text and is restored',
  { tag: '@long' },
  async () => {
    const dataDir = newDataDir();
    const studio = await openSample(dataDir);
    try {
      const { page } = studio;
      const texts = page.locator('[data-text]');
      const before = await textsOf(page);
      await texts.first().click();
      await page.keyboard.press('Home');
      await page.keyboard.type('Xato ');
      await expect(page.getByText('Saved on this computer')).toBeVisible();

      await page.keyboard.press('Control+Shift+KeyL');
      const panel = page.getByRole('complementary', { name: 'Transcribe this part again' });
      // A press authorizes for some seconds; on a busy machine reading the audio may take longer, and it asks for
      // another.
      await expect(async () => {
        await panel.getByRole('button', { name: 'Transcribe again' }).click({ timeout: 1000 });
        await expect(panel.locator('ins').first()).toBeVisible({ timeout: 15_000 });
      }).toPass({ timeout: 50_000 });
      await panel.getByRole('button', { name: 'Accept all' }).click();
      await expect(texts.first()).toHaveText(before[0] ?? '');
      await panel.getByRole('button', { name: 'Close' }).first().click();
      await texts.first().click();
      await page.keyboard.press('Control+Shift+KeyL');
      await expect(panel.getByText('0 credits: kept from before')).toBeVisible();
      await panel.getByRole('button', { name: 'Close' }).first().click();

      await texts.nth(1).click();
      await page.keyboard.press('End');
      await page.keyboard.type(' va yana');
      await page.keyboard.press('Control+Shift+KeyH');
      const list = page.getByRole('complementary', { name: 'Versions' });
      await list.getByRole('button', { name: 'Save version' }).click();
      await page.getByRole('textbox', { name: 'Name of the version' }).fill('Tekshirildi');
      await page.keyboard.press('Enter');
      await expect(list.getByText('Tekshirildi')).toBeVisible();
      await list.getByRole('button', { name: /From the service/u }).click();
      await expect(page.locator('ins').filter({ hasText: 'va yana' })).toBeVisible();
      await page.getByRole('button', { name: 'Restore all' }).click();
      await expect(page.getByText('No differences')).toBeVisible();
      await page.getByRole('button', { name: 'Back to the text' }).click();
      expect(await textsOf(page)).toEqual(before);
    } finally {
      await studio.quit();
      removeDataDir(dataDir);
    }
  },
);
