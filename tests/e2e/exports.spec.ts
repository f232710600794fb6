import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { unzipSync } from 'fflate';
import { dragFiles } from './support/drag-files.ts';
import { enterService, openFromDialog, test } from './support/journey.ts';
import type { Studio } from './support/studio.ts';

const sampleOf = (name: string) => fileURLToPath(new URL(`../../assets/samples/${name}`, import.meta.url));

/** Answers the system dialog: the file gets the suggested name. */
const saveInto = ({ app }: Studio, folder: string) =>
  app.evaluate(({ dialog }, into) => {
    dialog.showSaveDialog = ((_: unknown, options: { defaultPath: string }) =>
      Promise.resolve({
        canceled: false,
        filePath: `${into}/${options.defaultPath.split('/').at(-1) ?? ''}`,
      })) as unknown as typeof dialog.showSaveDialog;
  }, folder);

test('transcripts are exported together and one by one, exported again by one key, and imported from files', async ({
  journey,
}) => {
  test.setTimeout(240_000);
  const [out, many] = [journey.newFolder(), journey.newFolder()];
  const service = await journey.startService('--state-dir', join(many, '.service'));
  const studio = await journey.start({ env: { OVOZ_API_KEY: service.key } });
  const { page } = studio;
  await enterService(page, service);
  // One after another: file names in several languages at once would trigger a question.
  for (const name of ['podcast-en.flac', 'interview-uz.mp3']) {
    await dragFiles(page, [sampleOf(name)]);
    await expect(page.getByRole('row', { name: name.split('.')[0] ?? '' })).toBeVisible();
  }
  await expect(page.getByRole('row').getByText('Done')).toHaveCount(2, { timeout: 60_000 });

  await test.step('many in many formats: collisions, a folder that fails and is retried, a stop, one ZIP', async () => {
    const titles = ['interview-uz', 'podcast-en'];
    const listed = (folder = many) =>
      readdirSync(folder)
        .filter((name) => !name.startsWith('.'))
        .toSorted();
    await openFromDialog(studio, many);
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

    // The folder is asked for; the second time the existing files are left alone.
    await dialog.getByRole('button', { name: 'More formats' }).click();
    await formats('SubRip', 'Word', 'Table');
    await pick('All in one folder');
    await begin(6);
    await expect(dialog.getByText('6 files saved.')).toBeVisible({ timeout: 30_000 });
    const names = titles.flatMap((title) => ['csv', 'docx', 'srt'].map((extension) => `${title}.${extension}`));
    expect(listed()).toEqual(names);
    await pick('Skip');
    await begin(6);
    await expect(dialog.getByText('6 were there already.')).toBeVisible();
    expect(listed()).toEqual(names);

    // A file is in the way of one transcript's folder; the others are written nevertheless.
    writeFileSync(join(many, 'podcast-en'), 'mine');
    await formats('SubRip', 'Plain text');
    await pick('One folder each');
    await begin(4);
    await expect(dialog.getByText('2 of 4 files saved.')).toBeVisible();
    await expect(dialog.getByRole('listitem').filter({ hasText: 'podcast-en' })).toHaveCount(2);
    expect(readFileSync(join(many, 'podcast-en'), 'utf8')).toBe('mine');
    rmSync(join(many, 'podcast-en'));
    await dialog.getByRole('button', { name: 'Try 2 again' }).click();
    await expect(dialog.getByText('2 files saved.')).toBeVisible();
    expect(statSync(join(many, 'interview-uz')).mode & 0o777).toBe(0o777 & ~process.umask());
    for (const title of titles) expect(listed(join(many, title))).toEqual([`${title}.srt`, `${title}.txt`]);

    // PDF takes some time; stopping leaves no partial file.
    await formats('PDF', 'M4A', 'MP3', 'FLAC');
    await begin(8);
    await expect(dialog.getByRole('progressbar')).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog.getByText('Stopped. Finished files are kept.')).toBeVisible();
    const left = readdirSync(many, { recursive: true, encoding: 'utf8' });
    expect(left.filter((name) => name.includes('.part'))).toEqual([]);

    // One archive with a folder for each transcript.
    await openFromDialog(studio, out);
    await dialog.getByRole('button', { name: 'Change' }).click();
    await formats('SubRip', 'JSON', 'MP3');
    await pick('One ZIP');
    await begin(6);
    await expect(dialog.getByText('1 file saved.')).toBeVisible({ timeout: 60_000 });
    const [archive = '', ...others] = readdirSync(out);
    expect(others).toEqual([]);
    const entries = unzipSync(readFileSync(join(out, archive)));
    expect(Object.keys(entries).toSorted()).toEqual(
      titles.flatMap((title) => ['json', 'mp3', 'srt'].map((extension) => `${title}/${title}.${extension}`)),
    );
    expect(new TextDecoder().decode(entries['podcast-en/podcast-en.srt'])).toContain(' --> ');
    await dialog.getByRole('button', { name: 'Close' }).first().click();
  });

  const dialog = page.getByRole('dialog', { name: 'Export' });
  const saved = (name: string) => readFileSync(join(out, name), 'utf8');
  await test.step('one: as subtitles, Word and PDF, again by one key, in the place of the earlier file', async () => {
    await page.keyboard.press('Control+Digit2');
    await page.getByRole('row').filter({ hasText: 'podcast-en' }).getByRole('button', { name: 'Open' }).click();
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeEnabled();
    await saveInto(studio, out);
    await page.keyboard.press('Control+KeyE');
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
    expect(saved('podcast-en.docx').slice(0, 2)).toBe('PK');
    expect(saved('podcast-en.pdf').slice(0, 5)).toBe('%PDF-');
    const srt = saved('podcast-en.srt');
    expect(srt).toContain(' --> ');
    // The app's own files are private, those of the user have the permissions of all others.
    expect(statSync(join(out, 'podcast-en.srt')).mode & 0o777).toBe(0o666 & ~process.umask());
    await page.keyboard.press('Control+Shift+KeyE');
    await expect(page.getByText('Saved as podcast-en (2).srt')).toBeVisible();
    expect(saved('podcast-en (2).srt')).toBe(srt);
    await page.keyboard.press('Control+KeyE');
    // Enter in the list of formats presses the button, and the service's file is shown beside ours.
    await dialog.getByRole('radio', { name: /^Plain text/u }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('Saved as podcast-en.txt')).toBeVisible();
    // The next one may take the place of the earlier one, unless somebody else has written there.
    const replace = dialog.getByRole('button', { name: 'Replace the earlier file' });
    const exported = saved('podcast-en.txt');
    await page.keyboard.press('Enter');
    await replace.click();
    await expect(dialog.getByText('Saved as podcast-en.txt')).toBeVisible();
    await expect(replace).toHaveCount(0);
    expect(readdirSync(out)).not.toContain('podcast-en (2).txt');
    expect(saved('podcast-en.txt')).toBe(exported);
    await dialog.getByRole('button', { name: 'Export .txt' }).click();
    await expect(replace).toBeVisible();
    writeFileSync(join(out, 'podcast-en.txt'), 'mine');
    await replace.click();
    await expect(dialog.getByRole('alert')).toContainText('Nothing was overwritten');
    await dialog.getByRole('button', { name: 'Export .txt' }).click();
    await expect(dialog.getByText('Saved as podcast-en (3).txt')).toBeVisible();
    await expect(replace).toHaveCount(0);
    expect(saved('podcast-en.txt')).toBe('mine');
    expect(saved('podcast-en (2).txt')).toBe(exported);
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('imports, with a recording to attach; what is dropped on the library is sorted', async () => {
    const other = join(many, 'boshqa.srt');
    writeFileSync(
      other,
      '1\r\n00:00:01,000 --> 00:00:02,500\r\nSalom, dunyo! Avval pilladan ip tortiladi, keyin naqsh chiziladi va boʻyaladi.\r\n',
    );
    await openFromDialog(studio, other);
    await page.keyboard.press('Control+KeyK');
    await page.getByRole('combobox').fill('Import transcripts');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Salom, dunyo!').first()).toBeVisible();
    // Recordings go to the queue, which opens, and texts are imported.
    const third = join(many, 'uchinchi.srt');
    writeFileSync(third, '1\n00:00:01,000 --> 00:00:02,500\nBugun bogʻda olmalar pishdi, bolalar ularni terib oldi.\n');
    await page.keyboard.press('Control+Digit1');
    await expect(page.getByRole('row', { name: 'boshqa' })).toBeVisible();
    await dragFiles(page, [third, sampleOf('lecture-ru.ogg')]);
    await expect(page.getByRole('row', { name: 'lecture-ru' }).getByText('Done')).toBeVisible({ timeout: 60_000 });
    await page.keyboard.press('Control+Digit1');
    await expect(page.getByRole('row', { name: 'uchinchi' })).toBeVisible();
  });
});
