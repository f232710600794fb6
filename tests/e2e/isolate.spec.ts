import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { axeViolations } from '../support/find-barriers.ts';
import { makeVideo, picturePackets, soundPackets } from '../support/make-video.ts';
import { toneWav } from '../support/wav-files.ts';
import { dragFiles } from './support/drag-files.ts';
import { enterService, openFromDialog, saveByDialog, test } from './support/journey.ts';

const noisy = fileURLToPath(new URL('../../assets/noisy/street-uz.mp3', import.meta.url));

const listening = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });

test('a noisy recording is compared with its voice, saved, transcribed and restored; of five more two fail, and one is retried', async ({
  journey,
}) => {
  test.setTimeout(240_000);
  const [takes, saved] = [journey.newFolder(), journey.newFolder()];
  const plan = join(saved, 'faults.json');
  // The first recording is the noisy one, the second a video.
  const fault = { route: 'isolation-queue', nth: [4, 6], fault: 'fail-processing', code: 'model_unavailable' };
  writeFileSync(plan, JSON.stringify({ rules: [fault] }));
  const service = await journey.startService('--fault-plan', plan);
  const env = { OVOZ_API_KEY: service.key };
  let studio = await journey.start({ env });
  let { page } = studio;
  await enterService(page, service);
  await page.keyboard.press('Control+Digit5');
  await expect(page.getByRole('heading', { name: 'Isolate', exact: true })).toBeVisible();
  await dragFiles(page, [noisy]);
  // It opens by itself, and both are measured: the cleaned audio is quieter between the words.
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await expect(save).toBeEnabled({ timeout: 60_000 });
  const more = page.getByRole('button', { name: 'More', exact: true });
  await more.click();
  await expect(page.getByText(/noise −2\d.* → no noise left · .*(?:aligned|same moment)/u)).toBeVisible();
  await page.keyboard.press('Escape');
  const lanes = page.getByRole('slider', { name: 'Position' });
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Control+Space');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  const timeNow = async () => Number(await lanes.getAttribute('aria-valuenow'));
  await expect.poll(timeNow, { timeout: 20_000 }).toBeGreaterThan(0);
  await page.keyboard.press('x');
  await expect(listening(page, 'Original')).toBeChecked();
  const at = await timeNow();
  await page.keyboard.press('x');
  await expect(listening(page, 'Cleaned')).toBeChecked();
  expect(await timeNow()).toBeGreaterThanOrEqual(at);
  await page.keyboard.press('4');
  await expect(listening(page, 'Noise only')).toBeChecked();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.keyboard.press('3');
  await page.getByRole('slider', { name: 'Blend' }).fill('35');
  await expect(page.getByText('35% cleaned')).toBeVisible();
  const blend = join(saved, 'blend.wav');
  // What lies beside it is not ours to write to.
  const other = join(saved, 'other.txt');
  writeFileSync(other, 'not ours');
  symlinkSync(other, `${blend}.mix.part`);
  await saveByDialog(studio, blend);
  await save.click();
  // Mixed piece by piece in the page, which takes a slow computer as long as the recording.
  await expect.poll(() => existsSync(blend), { timeout: 60_000 }).toBe(true);
  const mixed = readFileSync(blend);
  expect(readFileSync(other, 'utf8')).toBe('not ours');
  // 16-bit PCM as long as the original: 15.456 s at 48 kHz.
  expect([mixed.toString('latin1', 8, 16), mixed.readUInt32LE(24), mixed.length]).toEqual([
    'WAVEfmt ',
    48_000,
    44 + mixed.readUInt32LE(40),
  ]);
  expect(mixed.readUInt32LE(40) / mixed.readUInt32LE(28)).toBeCloseTo(15.456, 1);

  const others = page.getByRole('button', { name: 'Choose what to save' });
  const voice = join(saved, 'voice.mp3');
  await saveByDialog(studio, voice);
  await others.click();
  await page.getByRole('menuitem', { name: 'Another format' }).click();
  await page.getByRole('menuitem', { name: 'MP3' }).click();
  await expect.poll(() => existsSync(voice) && statSync(voice).size, { timeout: 60_000 }).toBeGreaterThan(10_000);
  await more.click();
  await page.getByRole('button', { name: 'Transcribe this' }).click();
  await page.keyboard.press('Escape');

  // The cleaned audio goes back into a copy of a video, whose pictures stay byte for byte.
  const [video, copy] = [join(saved, 'hovli.mp4'), join(saved, 'copy.mp4')];
  await makeVideo(video, 'mp4', noisy);
  await page.getByRole('button', { name: 'Back to the list' }).click();
  await dragFiles(page, [video]);
  await expect(page.getByRole('heading', { name: /^hovli/ })).toBeVisible({ timeout: 60_000 });
  await expect(save).toBeEnabled({ timeout: 60_000 });
  await saveByDialog(studio, copy);
  await others.click();
  await page.getByRole('menuitem', { name: 'Video with cleaned sound' }).click();
  await expect.poll(() => existsSync(copy), { timeout: 60_000 }).toBe(true);
  expect(await picturePackets(copy)).toEqual(await picturePackets(video));
  expect((await soundPackets(copy)).length).toBeGreaterThan(700);

  await page.keyboard.press('Control+Digit2');
  const text = page.getByRole('row', { name: /street-uz/ }).filter({ hasNotText: 'Noise removal' });
  await expect(text.getByRole('button', { name: 'Open' })).toBeVisible({ timeout: 60_000 });
  await studio.quit();

  studio = await journey.start({ env });
  ({ page } = studio);
  await page.keyboard.press('Control+Digit5');
  await page
    .getByRole('row', { name: /street-uz/ })
    .getByText('street-uz')
    .click();
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeEnabled();

  // Of several at once some fail: the others are saved at once, and a failure shows its reason and is retried.
  for (let number = 1; number <= 5; number += 1)
    writeFileSync(join(takes, `take ${String(number)}.wav`), toneWav(200 + number * 7, 0.6));
  await dragFiles(page, [takes]);
  await expect(page.getByRole('button', { name: 'Finished 5' })).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Needs attention 2' }).click();
  const failed = page.getByRole('row').filter({ hasText: 'Failed, not charged' });
  await expect(failed).toHaveCount(2);
  await expect(failed.getByText(/Credits on hold were released/)).toHaveCount(2);
  const ready = journey.newFolder();
  await openFromDialog(studio, ready);
  await page.getByRole('button', { name: 'Save 5 ready' }).click();
  await page.getByRole('menuitem', { name: 'WAV' }).click();
  await expect(page.getByText('5 files saved')).toBeVisible({ timeout: 60_000 });
  expect(readdirSync(ready)).toHaveLength(5);
  expect(readdirSync(ready)).toContain('street-uz (isolated).wav');
  // As long as their originals: what the service made is aligned with them.
  for (const name of readdirSync(ready).filter((one) => one.startsWith('take'))) {
    const wav = readFileSync(join(ready, name));
    expect(wav.readUInt32LE(40) / (2 * wav.readUInt16LE(22))).toBe(0.6 * 16_000);
  }
  await failed.first().getByRole('button', { name: 'Send again (may be charged)' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send again' }).click();
  // One of several is left to the list, also when it alone is sent again.
  await expect(page.getByRole('button', { name: 'Finished 6' })).toBeVisible({ timeout: 60_000 });
  await failed
    .first()
    .getByRole('button', { name: /^More for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Hide' }).click();
  await expect(failed).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(failed).toHaveCount(1);
});
