import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { writeSilentWav } from '../support/wav-files.ts';
import { newDataDir, removeDataDir, startStudio } from './support/studio.ts';

const hours = 4;
const segments = 2_000;
const wordsEach = 20;
const eachMs = (hours * 3_600_000) / segments;
const wordMs = 300;
/** Every word contains its position, so that the marked one can be identified. */
const wordAt = (segment: number, word: number) =>
  word === 0 && segment % 4 === 0 ? 'royan' : `soʻz${String(segment)}x${String(word)}`;

function writeText(path: string): void {
  const made = Array.from({ length: segments }, (_, segment) => {
    const startMs = Math.round(segment * eachMs);
    const words = Array.from({ length: wordsEach }, (_word, at) => ({
      text: wordAt(segment, at),
      startMs: startMs + at * wordMs,
      endMs: startMs + at * wordMs + wordMs - 20,
    }));
    const text = words.map((word) => word.text).join(' ');
    return {
      id: `s${String(segment)}`,
      speakerId: `p${String(segment % 2)}`,
      startMs,
      endMs: startMs + 6200,
      text,
      words,
    };
  });
  const speakers = [0, 1].map((n) => ({ id: `p${String(n)}`, name: ['Dilnoza', 'Rahmatillo'][n] }));
  writeFileSync(
    path,
    JSON.stringify({
      format: 'ovoz-studio-transcript',
      version: 1,
      title: 'Toʻrt soat',
      language: 'uz',
      durationMs: hours * 3_600_000,
      speakers,
      segments: made,
    }),
  );
}

const saved = (page: Page) => expect(page.getByText('Saved on this computer')).toBeVisible({ timeout: 15_000 });
/** The words on the page, by segment. */
const shown = (page: Page) => page.locator('[data-text]').allTextContents();

/** The marked word and the position of the playhead during playback. */
const watchMarks = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<{ readonly word: string; readonly time: string }[]>((resolve) => {
        const seen: { readonly word: string; readonly time: string }[] = [];
        const until = performance.now() + 4000;
        const look = () => {
          const [range] = CSS.highlights.get('ovoz-word-now') ?? [];
          const word = (range?.startContainer.textContent ?? '').slice(range?.startOffset, range?.endOffset);
          seen.push({ word, time: document.querySelector('[data-time] span')?.textContent ?? '' });
          if (performance.now() < until) requestAnimationFrame(look);
          else resolve(seen);
        };
        look();
      }),
  );

test('four hours with 40,000 words are read, edited, searched and split like a short text, and are the same when opened again', async () => {
  test.setTimeout(240_000);
  const dataDir = newDataDir();
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-long-'));
  writeSilentWav(join(folder, 'long.wav'), hours * 3600);
  writeText(join(folder, 'long.json'));
  const studio = await startStudio({ dataDir });
  try {
    const { page } = studio;
    await page.getByRole('button', { name: 'Look around with samples' }).click();
    await expect(page.getByRole('heading', { name: 'Transcribe' })).toBeVisible();
    await studio.app.evaluate(
      ({ dialog }, path) => {
        dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
      },
      join(folder, 'long.json'),
    );
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('Import transcripts');
    await page.getByRole('option', { name: 'Import transcripts…' }).click();
    await expect(page.getByText(/1 transcript imported/u)).toBeVisible({ timeout: 30_000 });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('Toʻrt soat');
    await page
      .getByRole('option', { name: /Toʻrt soat/u })
      .first()
      .click();
    await expect(page.locator('[data-text]').first()).toContainText('royan soʻz0x1');
    await page.locator('[data-pane="lane"][data-peaks="ready"]').waitFor({ timeout: 60_000 });
    const address = await page.evaluate(() => window.location.hash);

    // Type at the end of the text.
    await page.locator('[data-pane="text"] section').evaluate((scroller) => {
      scroller.scrollTop = scroller.scrollHeight;
    });
    const lastText = wordAt(segments - 1, wordsEach - 1);
    const last = page.locator('[data-text]').last();
    await expect(last).toContainText(lastText);
    await last.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' tugadi');
    await expect(last).toHaveText(new RegExp(`${lastText} tugadi$`, 'u'));
    await saved(page);

    // At double speed the audible word is marked.
    await page.getByRole('button', { name: 'Speed 1×' }).click();
    await page.getByRole('menuitemradio', { name: '2×', exact: true }).click();
    await page
      .locator('[data-text]')
      .nth(-4)
      .click({ position: { x: 20, y: 12 } });
    await page.keyboard.press('Control+Space');
    const seen = await watchMarks(page);
    await page.keyboard.press('Control+Space');
    const marked = [...new Set(seen.map(({ word }) => word))].filter((word) => /^soʻz\d+x\d+$/u.test(word));
    expect(marked.length).toBeGreaterThan(8);
    for (const { word, time } of seen) {
      const [, segment, at] = /^soʻz(\d+)x(\d+)$/u.exec(word) ?? [];
      const parts = time.split(':').map(Number);
      if (segment === undefined || parts.length !== 3 || time.includes('.')) continue;
      const heardMs = (((parts[0] ?? 0) * 60 + (parts[1] ?? 0)) * 60 + (parts[2] ?? 0)) * 1000;
      const dueMs = Number(segment) * eachMs + Number(at) * wordMs;
      // The clock shows whole seconds.
      expect(Math.abs(dueMs - heardMs - 500)).toBeLessThan(1300);
    }

    // Replaces five hundred places at once, and undoes it.
    await page.keyboard.press('Control+f');
    await page.getByRole('searchbox', { name: 'Find' }).fill('роян');
    await expect(page.getByText(/of 500$/u)).toBeVisible({ timeout: 15_000 });
    await page.keyboard.press('Control+h');
    await page.getByRole('textbox', { name: 'Replace with' }).fill('roʻyan');
    await page.getByRole('button', { name: 'Replace all 500' }).click();
    await expect(page.getByText('500 matches replaced')).toBeVisible({ timeout: 15_000 });
    await saved(page);
    await page.getByRole('searchbox', { name: 'Find' }).fill('roʻyan');
    await expect(page.getByText(/of 500$/u)).toBeVisible({ timeout: 15_000 });
    await page.locator('[data-text]').last().click();
    await page.keyboard.press('Control+z');
    await expect(page.getByText('Nothing found.')).toBeVisible({ timeout: 15_000 });
    await page.keyboard.press('Control+z');
    await page.locator('[data-pane="text"] section').evaluate((scroller) => {
      scroller.scrollTop = scroller.scrollHeight;
    });
    await expect(page.locator('[data-text]').last()).toHaveText(new RegExp(`${lastText}$`, 'u'));

    // Split, merged, and a speaker renamed.
    await page.locator('[data-pane="text"] section').evaluate((scroller) => {
      scroller.scrollTop = 0;
    });
    const first = page.locator('[data-text]').first();
    await expect(first).toContainText('royan soʻz0x1');
    const whole = await first.textContent();
    await first.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Control+ArrowRight');
    await page.keyboard.press('Enter');
    await expect(first).toHaveText('royan');
    await page.keyboard.press('Backspace');
    await expect(first).toHaveText(whole ?? '');
    await page.keyboard.press('Control+z');
    await expect(first).toHaveText('royan');
    await page.getByRole('button', { name: 'Dilnoza', exact: true }).first().click();
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Dilnoza Karimova');
    await page.keyboard.press('Enter');
    await saved(page);
    const before = await shown(page);

    await page.evaluate(() => {
      window.location.hash = '#/transcribe';
    });
    await expect(page.locator('[data-text]')).toHaveCount(0);
    await page.evaluate((hash) => {
      window.location.hash = hash;
    }, address);
    await expect(page.locator('[data-text]').first()).toBeVisible();
    await page.locator('[data-pane="text"] section').evaluate((scroller) => {
      scroller.scrollTop = 0;
    });
    await expect(first).toHaveText('royan');
    const again = await shown(page);
    const count = Math.min(before.length, again.length);
    expect(again.slice(0, count)).toEqual(before.slice(0, count));
    await expect(page.getByRole('button', { name: 'Dilnoza Karimova', exact: true }).first()).toBeVisible();
  } finally {
    await studio.quit();
    removeDataDir(dataDir);
    rmSync(folder, { recursive: true, force: true });
  }
});
