import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { unzipSync } from 'fflate';
import { dragFiles } from './support/drag-files.ts';
import { startPracticeServer } from './support/practice-server.ts';
import { newDataDir, removeDataDir, startStudio, type Studio } from './support/studio.ts';

const sampleOf = (name: string) => fileURLToPath(new URL(`../../assets/samples/${name}`, import.meta.url));
const sample = sampleOf('podcast-en.flac');

/** Answers the system dialog: the file gets the suggested name. */
const saveInto = ({ app }: Studio, folder: string) =>
  app.evaluate(({ dialog }, into) => {
    dialog.showSaveDialog = ((_: unknown, options: { defaultPath: string }) =>
      Promise.resolve({
        canceled: false,
        filePath: `${into}/${options.defaultPath.split('/').at(-1) ?? ''}`,
      })) as unknown as typeof dialog.showSaveDialog;
  }, folder);

/** Connects to the service and has these recordings transcribed. */
async function transcribe(
  { page }: Studio,
  service: { readonly url: string },
  recordings: readonly string[],
): Promise<void> {
  const address = page.getByRole('textbox', { name: 'Service address' });
  await address.fill(service.url);
  await address.blur();
  await expect(page.getByText('Works', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Open the studio' }).click();
  await expect(page.getByRole('heading', { name: 'Transcribe' })).toBeVisible();
  // One after another: file names in several languages at once would trigger a question.
  for (const recording of recordings) {
    await dragFiles(page, [recording]);
    await expect(page.getByRole('row', { name: basename(recording).split('.')[0] ?? '' })).toBeVisible();
  }
  await expect(page.getByRole('row').getByText('Done')).toHaveCount(recordings.length, { timeout: 60_000 });
}

test('a transcript is saved as subtitles, Word and PDF, exported again by one key, and imported from a file', async () => {
  test.setTimeout(120_000);
  const dataDir = newDataDir();
  const out = newDataDir();
  const service = await startPracticeServer('--state-dir', join(out, '.service'));
  const studio = await startStudio({ dataDir, env: { OVOZ_API_KEY: service.key } });
  try {
    const { page } = studio;
    await transcribe(studio, service, [sample]);
    await page.getByRole('row').getByRole('button', { name: 'Open' }).click();
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeEnabled();
    await saveInto(studio, out);
    await page.keyboard.press('Control+KeyE');
    const dialog = page.getByRole('dialog', { name: 'Export' });
    for (const [format, save] of [
      [/^Word/u, 'docx'],
      [/^PDF/u, 'pdf'],
      [/^SubRip/u, 'srt'],
    ] as const) {
      await dialog.getByRole('radio', { name: format }).check({ force: true });
      await dialog.getByRole('button', { name: new RegExp(`^Export [.]${save}…?$`) }).click();
      await expect(dialog.getByText(`Saved as podcast-en.${save}`)).toBeVisible({ timeout: 30_000 });
    }
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(readFileSync(join(out, 'podcast-en.docx')).subarray(0, 2).toString()).toBe('PK');
    expect(readFileSync(join(out, 'podcast-en.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    const srt = readFileSync(join(out, 'podcast-en.srt'), 'utf8');
    expect(srt).toContain(' --> ');
    // The app's own files are private, those of the user have the permissions of all others.
    const mask = process.umask();
    expect(statSync(join(out, 'podcast-en.srt')).mode & 0o777).toBe(0o666 & ~mask);
    await page.keyboard.press('Control+Shift+KeyE');
    await expect(page.getByText('Saved as podcast-en (2).srt')).toBeVisible();
    expect(readdirSync(out)).toContain('podcast-en (2).srt');
    expect(readFileSync(join(out, 'podcast-en (2).srt'), 'utf8')).toBe(srt);
    await page.keyboard.press('Control+KeyE');
    await dialog.getByRole('button', { name: 'Recent exports' }).click();
    await page.getByRole('menuitem', { name: /^Word to / }).click();
    await expect(page.getByText('Saved as podcast-en (2).docx')).toBeVisible();
    expect(readdirSync(out)).toContain('podcast-en (2).docx');
    // Enter in the list of formats presses the button, and the service's file is shown beside ours.
    await dialog.getByRole('radio', { name: /^Plain text/u }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('Saved as podcast-en.txt')).toBeVisible();
    // The next one may take the place of the earlier one, unless somebody else has written there.
    const replace = dialog.getByRole('button', { name: 'Replace the earlier file' });
    const text = join(out, 'podcast-en.txt');
    const exported = readFileSync(text, 'utf8');
    await page.keyboard.press('Enter');
    await replace.click();
    await expect(dialog.getByText('Saved as podcast-en.txt')).toBeVisible();
    await expect(replace).toHaveCount(0);
    expect(readdirSync(out)).not.toContain('podcast-en (2).txt');
    expect(readFileSync(text, 'utf8')).toBe(exported);
    await dialog.getByRole('button', { name: 'Export .txt' }).click();
    await expect(replace).toBeVisible();
    writeFileSync(text, 'mine');
    await replace.click();
    await expect(dialog.getByRole('alert')).toContainText('Nothing was overwritten');
    await dialog.getByRole('button', { name: 'Export .txt' }).click();
    await expect(dialog.getByText('Saved as podcast-en (3).txt')).toBeVisible();
    await expect(replace).toHaveCount(0);
    expect(readFileSync(text, 'utf8')).toBe('mine');
    expect(readFileSync(join(out, 'podcast-en (2).txt'), 'utf8')).toBe(exported);
    await dialog.getByRole('radio', { name: 'As recognised' }).check({ force: true });
    await expect(dialog.getByRole('region', { name: 'As recognised' })).toContainText('Welcome to Clay and Fire');
    await expect(dialog.getByRole('region', { name: 'With my edits' })).toContainText('Welcome to Clay and Fire');
    await dialog.getByRole('button', { name: 'Close' }).click();

    // That a folder is gone is said, and the same file may be put elsewhere.
    const gone = join(out, 'gone');
    mkdirSync(gone);
    await studio.app.evaluate(({ dialog }, path) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
    }, gone);
    await page.keyboard.press('Control+KeyE');
    await dialog.getByRole('button', { name: 'Change the folder' }).click();
    await expect(dialog.getByText('gone /')).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    rmSync(gone, { recursive: true });
    await page.keyboard.press('Control+Shift+KeyE');
    await expect(page.getByText('The folder “gone” is no longer there.')).toBeVisible();
    await page.getByRole('button', { name: 'Choose another place…' }).click();
    await expect(page.getByText('Saved as podcast-en.txt')).toBeVisible();
    expect(readFileSync(text, 'utf8')).toBe(exported);

    const other = join(out, 'boshqa.srt');
    writeFileSync(
      other,
      '1\r\n00:00:01,000 --> 00:00:02,500\r\nSalom, dunyo! Avval pilladan ip tortiladi, keyin naqsh chiziladi va boʻyaladi.\r\n',
    );
    await studio.app.evaluate(({ dialog }, path) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
    }, other);
    await page.keyboard.press('Control+KeyK');
    await page.getByRole('combobox').fill('Import transcripts');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Salom, dunyo!').first()).toBeVisible();

    // It has no recording: its audio can't be exported, but a recording can be attached.
    await page.keyboard.press('Control+KeyE');
    await dialog.getByRole('radio', { name: /^MP3/u }).press('Space');
    await expect(dialog.getByRole('button', { name: 'Attach the recording' })).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Export .mp3' })).toBeDisabled();
    await dialog.getByRole('button', { name: 'Close' }).click();

    // Files dropped on the library are sorted: recordings go to the queue, which opens, and texts are imported.
    const third = join(out, 'uchinchi.srt');
    writeFileSync(third, '1\n00:00:01,000 --> 00:00:02,500\nBugun bogʻda olmalar pishdi, bolalar ularni terib oldi.\n');
    await page.keyboard.press('Control+Digit1');
    await expect(page.getByRole('row', { name: 'boshqa' })).toBeVisible();
    await dragFiles(page, [third, sampleOf('lecture-ru.ogg')]);
    await expect(page.getByRole('row', { name: 'lecture-ru' }).getByText('Done')).toBeVisible({ timeout: 60_000 });
    await page.keyboard.press('Control+Digit1');
    await expect(page.getByRole('row', { name: 'uchinchi' })).toBeVisible();
  } finally {
    await studio.quit();
    await service.stop();
    removeDataDir(dataDir);
    removeDataDir(out);
  }
});

test(
  'many transcripts in many formats: names, collisions, a folder that fails and is retried, a stop, one ZIP',
  { tag: '@long' },
  async () => {
    test.setTimeout(180_000);
    const dataDir = newDataDir();
    const out = newDataDir();
    const serviceDir = newDataDir();
    const service = await startPracticeServer('--state-dir', serviceDir);
    const studio = await startStudio({ dataDir, env: { OVOZ_API_KEY: service.key } });
    try {
      const { page } = studio;
      await transcribe(studio, service, [sample, sampleOf('interview-uz.mp3')]);
      await studio.app.evaluate(({ dialog }, path) => {
        dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
      }, out);
      await page.keyboard.press('Control+Digit1');
      await page.getByRole('row').nth(1).focus();
      await page.keyboard.press('Control+KeyA');
      await page.getByRole('toolbar').getByRole('button', { name: 'Export…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Export 2 transcripts' });
      const formats = async (...wanted: readonly string[]) => {
        for (const button of await dialog.getByRole('group', { name: 'Formats' }).getByRole('button').all()) {
          const isOn = (await button.getAttribute('aria-pressed')) === 'true';
          if (isOn !== wanted.includes((await button.textContent()) ?? '')) await button.click();
        }
      };
      const pick = (name: string) =>
        dialog
          .locator('label')
          .filter({ hasText: new RegExp(`^${name}$`, 'u') })
          .click();
      const begin = (count: number) => dialog.getByRole('button', { name: `Export ${String(count)} files` }).click();

      // A custom name, and the folder is asked for; the second time the existing files are left alone.
      await formats('SubRip', 'Word', 'Table');
      await dialog.getByRole('textbox', { name: 'Names' }).fill('{name} {language}');
      await pick('All in one folder');
      await begin(6);
      await expect(dialog.getByText('6 files saved.')).toBeVisible({ timeout: 30_000 });
      const names = ['interview-uz', 'podcast-en'].flatMap((title) =>
        ['csv', 'docx', 'srt'].map((extension) => `${title} uz.${extension}`),
      );
      expect(readdirSync(out).toSorted()).toEqual(names);
      await pick('Skip');
      await begin(6);
      await expect(dialog.getByText('6 were there already.')).toBeVisible();
      expect(readdirSync(out).toSorted()).toEqual(names);

      // A file is in the way of one transcript's folder; the others are written nevertheless.
      writeFileSync(join(out, 'podcast-en'), 'mine');
      await formats('SubRip', 'Plain text');
      await pick('One folder each');
      await begin(4);
      await expect(dialog.getByText('2 of 4 files saved.')).toBeVisible();
      await expect(dialog.getByRole('listitem').filter({ hasText: 'podcast-en' })).toHaveCount(2);
      expect(readFileSync(join(out, 'podcast-en'), 'utf8')).toBe('mine');
      rmSync(join(out, 'podcast-en'));
      await dialog.getByRole('button', { name: 'Try 2 again' }).click();
      await expect(dialog.getByText('2 files saved.')).toBeVisible();
      expect(statSync(join(out, 'interview-uz')).mode & 0o777).toBe(0o777 & ~process.umask());
      for (const title of ['interview-uz', 'podcast-en'])
        expect(readdirSync(join(out, title)).toSorted()).toEqual([`${title} uz.srt`, `${title} uz.txt`]);

      // PDF takes some time; stopping leaves no partial file.
      await formats('PDF', 'M4A', 'MP3', 'FLAC');
      await begin(8);
      await expect(dialog.getByRole('progressbar')).toBeVisible();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(dialog.getByText('Stopped. Finished files are kept.')).toBeVisible();
      const left = readdirSync(out, { recursive: true, encoding: 'utf8' });
      expect(left.filter((name) => name.includes('.part'))).toEqual([]);

      // One archive with a folder for each transcript.
      mkdirSync(join(out, 'zip'));
      await studio.app.evaluate(
        ({ dialog: system }, path) => {
          system.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
        },
        join(out, 'zip'),
      );
      await dialog.getByRole('button', { name: 'Change' }).click();
      await formats('SubRip', 'JSON', 'MP3');
      await pick('One ZIP');
      await begin(6);
      await expect(dialog.getByText('1 file saved.')).toBeVisible({ timeout: 60_000 });
      const [archive = '', ...others] = readdirSync(join(out, 'zip'));
      expect(others).toEqual([]);
      const entries = unzipSync(readFileSync(join(out, 'zip', archive)));
      expect(Object.keys(entries).toSorted()).toEqual(
        ['interview-uz', 'podcast-en'].flatMap((title) =>
          ['json', 'mp3', 'srt'].map((extension) => `${title}/${title} uz.${extension}`),
        ),
      );
      expect(new TextDecoder().decode(entries['podcast-en/podcast-en uz.srt'])).toContain(' --> ');
    } finally {
      await studio.quit();
      await service.stop();
      removeDataDir(dataDir);
      removeDataDir(out);
      removeDataDir(serviceDir);
    }
  },
);
