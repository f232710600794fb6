import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import { dragFiles } from '../../tests/e2e/support/drag-files.ts';
import type { Studio } from '../../tests/e2e/support/studio.ts';

const sampleFolder = fileURLToPath(new URL('../../assets/samples', import.meta.url));
const samples = [
  { file: 'lecture-ru.ogg', language: 'Русский' },
  { file: 'podcast-en.flac', language: 'English' },
  { file: 'interview-uz.mp3', language: 'Oʻzbekcha' },
] as const;
const shownSample = 'interview-uz.mp3';
const formats = ['txt', 'srt', 'vtt', 'json'] as const;
const longestWait = 60_000;

const row = (page: Page, file: string) => page.getByRole('row').filter({ hasText: file.replace(/[.][^.]+$/, '') });

/** Clicks the label of an option; the choice counts once main has confirmed it. */
async function choose(option: Locator): Promise<void> {
  await option.click({ force: true });
  await option.and(option.page().locator(':checked')).waitFor({ state: 'attached' });
}

async function dropSamples({ page }: Studio): Promise<void> {
  for (const { file, language } of samples) {
    await choose(page.getByRole('radio', { name: language }));
    await dragFiles(page, [join(sampleFolder, file)]);
    await row(page, file).waitFor();
  }
  for (const { file } of samples) await row(page, file).getByText('Done').waitFor({ timeout: longestWait });
}

async function exportAll({ app, page }: Studio, folder: string): Promise<string[]> {
  const written: string[] = [];
  for (const format of formats) {
    const target = join(folder, shownSample.replace(/[^.]+$/, format));
    // Playwright can't operate the system dialog, so the answer of a user is put in its place.
    await app.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
    }, target);
    await choose(page.locator(`input[type="radio"][value="${format}"]`));
    await page.getByRole('button', { name: new RegExp(`^Export [.]${format}…?$`) }).click();
    await page.getByText(new RegExp(`^Saved as .*[.]${format}`)).waitFor();
    written.push(target);
  }
  return written;
}

export async function walkThrough(studio: Studio, folder: string, take: TakePicture): Promise<string[]> {
  const { page } = studio;
  page.setDefaultTimeout(20_000);
  await page.setViewportSize({ width: 1280, height: 800 });
  await take('welcome');

  await page.getByRole('button', { name: 'Look around with samples' }).click();
  await page.getByRole('heading', { name: 'Transcribe' }).waitFor();
  await take('transcribe-empty');

  await dropSamples(studio);
  await take('transcribe');

  await row(page, shownSample).hover();
  await row(page, shownSample).getByRole('button', { name: 'Open' }).click();
  await page.locator('[data-peaks="ready"]').waitFor({ timeout: longestWait });
  // A picture from the middle of playback shows more than one at its first second.
  await page.getByRole('region', { name: 'Transcript' }).getByText('kulolchilik').first().click();
  await take('editor');

  await page.getByRole('button', { name: 'Export' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Export [.]/ })
    .waitFor();
  await choose(page.locator('input[type="radio"][value="srt"]'));
  await page.getByRole('dialog').getByText('→').first().waitFor();
  await take('export');
  const written = await exportAll(studio, folder);
  await page.keyboard.press('Escape');

  await page.keyboard.press('ControlOrMeta+Comma');
  await page.getByRole('heading', { name: 'Settings' }).first().waitFor();
  for (const link of await page.locator('[data-pane="settings"]').getByRole('link').all()) {
    await link.click();
    await link.and(page.locator('[aria-current="page"]')).waitFor();
    const name = (await link.innerText()).toLowerCase().replaceAll(/\W+/g, '-');
    await take(`settings-${name}`);
  }
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('option').first().waitFor();
  await take('palette');
  await page.keyboard.press('Escape');
  await page.getByRole('combobox').waitFor({ state: 'detached' });
  await page.keyboard.press('ControlOrMeta+Slash');
  await page.getByRole('dialog').waitFor();
  await take('shortcuts');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await takeSections(page, take);
  return written;
}

export async function hearHere({ page, app }: Studio, folder: string, take: TakePicture): Promise<string> {
  page.setDefaultTimeout(20_000);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByText('Ready. Your own model is used.').waitFor();
  await take('welcome-ready');
  await page.getByRole('button', { name: 'Open the studio' }).click();
  await page.getByRole('heading', { name: 'Transcribe' }).waitFor();
  await choose(page.getByRole('radio', { name: 'Русский' }));
  await dragFiles(page, [join(sampleFolder, 'lecture-ru.ogg')]);
  await row(page, 'lecture-ru').getByText('Done').waitFor({ timeout: longestWait });
  await row(page, 'lecture-ru').getByRole('button', { name: 'Open' }).click();
  await page.locator('[data-peaks="ready"]').waitFor({ timeout: longestWait });
  await take('editor-on-this-computer');
  const target = join(folder, 'lecture-ru-on-this-computer.txt');
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, target);
  await page.getByRole('button', { name: 'Export' }).click();
  await choose(page.locator('input[type="radio"][value="txt"]'));
  await page.getByRole('button', { name: /^Export [.]txt…?$/ }).click();
  await page.getByText(/^Saved as .*[.]txt/).waitFor();
  return target;
}

/** The sections that the walk has not come through, each with something in it. A new one has to be added here. */
async function takeSections(page: Page, take: TakePicture): Promise<void> {
  const rail = page.getByRole('navigation', { name: 'Sections' });
  const seen = new Set(['Transcribe', 'Settings', ...samples.map(({ file }) => file.replace(/[.][^.]+$/, ''))]);
  const open = async (name: string, shown: Locator) => {
    seen.add(name);
    await rail.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
    await shown.waitFor({ timeout: longestWait });
  };
  await open('Isolate', page.getByRole('button', { name: 'Try a noisy sample' }));
  // It is cleaned while the others have their picture taken.
  await page.getByRole('button', { name: 'Try a noisy sample' }).click();
  await open('Speak', page.getByRole('button', { name: 'Try a sample text' }));
  await page.getByRole('button', { name: 'Try a sample text' }).click();
  await page.getByRole('button', { name: /^Speak \d/u }).waitFor();
  await take('speak');
  await open('Library', row(page, shownSample));
  await take('library');
  await open('Dictate', page.getByRole('button', { name: 'Start dictating' }));
  await take('dictate');
  await open('Voices', page.getByRole('main').getByText('Anvar'));
  await take('voices');
  await open('Ask', page.getByRole('button', { name: /^(?:Add|Choose recordings)$/u }).last());
  await take('ask');
  await open('Account', page.getByText('Credits per day', { exact: true }));
  await take('account');
  await rail.getByRole('link', { name: 'Isolate', exact: true }).click();
  await page.getByRole('button', { name: 'Save', exact: true, disabled: false }).waitFor({ timeout: longestWait });
  await take('isolate');
  const missed = (await rail.getByRole('link').allInnerTexts()).filter((name) => !seen.has(name.trim()));
  if (missed.length > 0) throw new Error(`no picture of ${missed.join(', ')}`);
}

const themes = ['light', 'dark'] as const;

/** Two frames: React has rendered and the layout is done. A string, because scripts have no DOM types. */
const drawn = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

type TakePicture = (screen: string) => Promise<void>;

export const pictureTaker =
  (page: Page, folder: string, taken: string[]): TakePicture =>
  async (screen) => {
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate('document.fonts.ready.then(() => undefined)');
      await page.evaluate(drawn);
      const path = join(folder, `${screen}-${colorScheme}.png`);
      await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
      taken.push(path);
    }
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  };
