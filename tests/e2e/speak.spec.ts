import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { startPracticeServer, type PracticeServer } from './support/practice-server.ts';
import { newDataDir, removeDataDir, startStudio, type Studio } from './support/studio.ts';

const first = 'Salom, doʻstlar. Bugun havo juda ochiq. Ertaga yomgʻir yogʻadi.';
const second = 'Koʻrgazma yakshanba kuni ochiladi. Kirish bepul.';

async function openSpeak(studio: Studio, service: PracticeServer): Promise<void> {
  const { page } = studio;
  const field = page.getByRole('textbox', { name: 'Service address' });
  await field.fill(service.url);
  await field.blur();
  await expect(page.getByText('Works', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Open the studio' }).click();
  await page.getByRole('link', { name: 'Speak' }).click();
  await expect(page.getByRole('heading', { name: 'Speak', exact: true })).toBeVisible();
}

/** What the service was paid for so far. */
async function generations(service: PracticeServer): Promise<readonly { readonly text: string }[]> {
  const answer = await fetch(`${service.url}/v1/tts/generations?limit=100`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  return ((await answer.json()) as { data: { text: string }[] }).data;
}

const text = (page: Page) => page.getByRole('textbox', { name: 'Text to speak' });
const stopped = (page: Page) => expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);

/** From now on the page records the time of each key press or click and of the first scheduled audio after it. */
const watchAudio = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const state = window as unknown as { pressedAt: number; heardAfterMs: number | null };
    const press = () => {
      state.pressedAt = performance.now();
      state.heardAfterMs = null;
    };
    window.addEventListener('keydown', press, true);
    window.addEventListener('pointerdown', press, true);
    // oxlint-disable-next-line typescript/unbound-method -- it is called with its own `this` below
    const start = AudioBufferSourceNode.prototype.start;
    AudioBufferSourceNode.prototype.start = function (when = 0, ...rest) {
      const { currentTime } = this.context;
      state.heardAfterMs ??= performance.now() - state.pressedAt + Math.max(0, when - currentTime) * 1000;
      start.call(this, when, ...rest);
    };
  });
/** Milliseconds from the last press to the first audio. */
async function heardAfter(page: Page): Promise<number> {
  const read = () => page.evaluate(() => (window as unknown as { heardAfterMs: number | null }).heardAfterMs ?? -1);
  await expect.poll(read, { timeout: 30_000, intervals: [20] }).toBeGreaterThanOrEqual(0);
  return read();
}

/** Saves the text as one file, answering the system dialog. */
async function saveAs({ app, page }: Studio, path: string, format: 'WAV' | 'MP3'): Promise<Buffer> {
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath });
  }, path);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(format, { exact: true }).click();
  await page.getByRole('button', { name: 'Save…', exact: true }).click();
  await expect.poll(() => existsSync(path)).toBe(true);
  await expect(page.getByRole('button', { name: 'Save…', exact: true })).toHaveCount(0);
  return readFileSync(path);
}

test('two paragraphs are played as they arrive, one changed sentence is one new generation, and a restart plays from history', async () => {
  test.setTimeout(180_000);
  const dataDir = newDataDir();
  const service = await startPracticeServer();
  let studio = await startStudio({ dataDir, env: { OVOZ_API_KEY: service.key } });
  try {
    let { page } = studio;
    await openSpeak(studio, service);
    // A first text is in the language of the interface.
    await expect(page.getByRole('button', { name: 'English', pressed: true })).toBeVisible();
    await page.getByRole('button', { name: 'Oʻzbek' }).click();
    await text(page).click();
    await page.keyboard.insertText(first);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.insertText(second);
    await expect(page.getByText('(5 sentences)', { exact: false })).toBeVisible();
    await watchAudio(page);
    await page.keyboard.press('Control+Shift+Enter');
    // Goals 3 and 4: the first audio of a new text, and a preview that exists already.
    const firstAudioMs = await heardAfter(page);
    expect(firstAudioMs).toBeLessThan(1500);
    // The sentence being played is marked while the service still speaks the others, or right after.
    await expect
      .poll(() => page.evaluate(() => CSS.highlights.get('ovoz-speak-now')?.size ?? 0), { timeout: 30_000 })
      .toBe(1);
    await expect(page.getByText('Everything is ready', { exact: false })).toBeVisible({ timeout: 30_000 });
    expect((await generations(service)).length).toBe(5);
    await page.keyboard.press('Escape');
    await stopped(page);

    await page.getByText('Sentences', { exact: true }).click();
    await expect(page.getByRole('list', { name: 'Sentences' }).getByRole('listitem')).toHaveCount(5);
    await page.getByText('Text', { exact: true }).click();
    await text(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Backspace');
    await page.keyboard.insertText(' hammaga.');
    await expect(page.getByRole('button', { name: 'Speak 1 changed' })).toBeVisible();
    await page.keyboard.press('Control+Shift+Enter');
    await expect(page.getByText('Everything is ready', { exact: false })).toBeVisible({ timeout: 30_000 });
    await expect.poll(async () => (await generations(service)).length).toBe(6);
    await page.keyboard.press('Escape');
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();
    expect((await saveAs(studio, join(dataDir, 'spoken.wav'), 'WAV')).toString('latin1', 0, 4)).toBe('RIFF');
    expect((await saveAs(studio, join(dataDir, 'spoken.mp3'), 'MP3'))[0]).toBe(0xff);
    // Keys work wherever the focus is, even after a voice was played; a change of speed is undone.
    const listen = page.getByRole('button', { name: 'Listen to Lola' });
    const stop = page.getByRole('button', { name: 'Stop Lola' });
    await listen.click();
    await stop.waitFor();
    await listen.waitFor({ timeout: 15_000 });
    const previewsMs: number[] = [];
    for (let times = 0; times < 3; times += 1) {
      await listen.click();
      previewsMs.push(await heardAfter(page));
      await stop.click();
    }
    process.stdout.write(
      `first audio ${firstAudioMs.toFixed(0)} ms, previews ${previewsMs.map((ms) => ms.toFixed(0)).join(', ')} ms\n`,
    );
    expect(Math.min(...previewsMs)).toBeLessThan(300);
    await page.getByRole('slider', { name: 'Speed' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('slider', { name: 'Speed' })).toHaveValue('1.05');
    await expect(page.getByText('Everything is ready', { exact: false })).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(page.getByRole('slider', { name: 'Speed' })).toHaveValue('1');
    await studio.quit();

    studio = await startStudio({ dataDir, env: { OVOZ_API_KEY: service.key } });
    ({ page } = studio);
    await page.getByRole('link', { name: 'Speak' }).click();
    await expect(text(page)).toContainText('Kirish bepul hammaga.');
    await expect(page.getByText('Everything is ready', { exact: false })).toBeVisible();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('searchbox', { name: 'Search in history' }).fill('yomgʻir');
    const sentences = page.getByRole('list', { name: 'Sentences of “Salom, doʻstlar.', exact: false });
    const row = sentences.getByRole('listitem').filter({ hasText: 'Ertaga yomgʻir yogʻadi.' });
    await expect(row).toHaveCount(1);
    await row.getByRole('button', { name: 'Play', exact: false }).click();
    await expect(row.getByRole('button', { name: 'Stop', exact: false })).toBeVisible();
    expect((await generations(service)).length).toBe(7);
  } finally {
    await studio.quit();
    await service.stop();
    removeDataDir(dataDir);
  }
});
