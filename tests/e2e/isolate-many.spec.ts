import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { dragFiles } from './support/drag-files.ts';
import { toneWav } from '../support/wav-files.ts';
import { turn } from '../support/turn.ts';
import { startPracticeServer } from './support/practice-server.ts';
import { newDataDir, removeDataDir, startStudio } from './support/studio.ts';

const interview = fileURLToPath(new URL('../../assets/samples/interview-uz.mp3', import.meta.url));

test('thirty seconds are tried first and their texts compared; the whole follows, becomes the recording of the transcript, and is replaced again', async () => {
  test.setTimeout(180_000);
  const dataDir = newDataDir();
  let studio = await startStudio({ dataDir });
  try {
    let { page } = studio;
    await page.getByRole('button', { name: 'Look around with samples' }).click();
    await expect(page.getByRole('heading', { name: 'Transcribe' })).toBeVisible();
    await turn(page.getByRole('radio', { name: 'Oʻzbekcha' }));
    // Up to a minute an excerpt costs as much as the whole, so one is tried of more than that.
    const twice = join(dataDir, 'interview-uz.flac');
    execFileSync('ffmpeg', ['-v', 'error', '-stream_loop', '1', '-i', interview, twice]);
    await dragFiles(page, [twice]);
    await expect(page.getByRole('button', { name: 'Open', exact: true })).toBeVisible({ timeout: 60_000 });
    await page.keyboard.press('Control+Digit5');
    await turn(page.getByRole('switch', { name: /Try 30 seconds first/ }));
    await dragFiles(page, [twice]);
    const readyRows = () => page.getByRole('row', { name: /interview-uz/ }).filter({ hasText: /Isolated|Excerpt/ });
    const ready = readyRows();
    await expect(ready).toHaveCount(1, { timeout: 60_000 });
    await expect(ready.getByText(/00:1\d to 00:4\d/)).toBeVisible();
    await ready.click();
    await page.getByRole('button', { name: 'Compare the texts' }).click();
    const textsNow = () => page.getByRole('region', { name: 'What recognition hears' });
    const texts = textsNow();
    await expect(texts.getByText(/Yoshlar bu ishga/)).toHaveCount(2, { timeout: 60_000 });
    await expect(texts.getByText(/words, \d+ differ/)).toHaveCount(2);
    await page.getByRole('button', { name: 'Isolate all of it' }).click();
    await expect(ready).toHaveCount(2, { timeout: 60_000 });

    await ready.first().click();
    await page.getByRole('button', { name: 'Use as recording: interview-uz' }).click();
    await expect(page.getByRole('button', { name: 'Use the original: interview-uz' })).toBeVisible();
    await studio.quit();

    studio = await startStudio({ dataDir });
    ({ page } = studio);
    await page.keyboard.press('Control+Digit2');
    // The queue shows the file name of isolations and the title of transcripts.
    await page.getByRole('row', { name: 'interview-uz', exact: true }).getByRole('button', { name: 'Open' }).click();
    const notice = page.getByText('Isolated audio is played, not the recording itself');
    await expect(notice).toBeVisible();
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeEnabled();
    await page.getByRole('button', { name: 'Use the original' }).click();
    await expect(notice).toHaveCount(0);
    await page.keyboard.press('Control+Digit5');
    await readyRows().last().click();
    // The texts are stored: comparing again costs nothing.
    await expect(textsNow().getByText(/Yoshlar bu ishga/)).toHaveCount(2);
  } finally {
    await studio.quit();
    removeDataDir(dataDir);
  }
});

test('of fifty recordings three fail: forty-seven are saved at once, three show the reason with the request id and are retried', async () => {
  test.setTimeout(420_000);
  const dataDir = newDataDir();
  const [folder, saved] = [newDataDir(), newDataDir()];
  for (let number = 1; number <= 50; number += 1)
    writeFileSync(join(folder, `take ${String(number).padStart(2, '0')}.wav`), toneWav(200 + number * 7, 0.6));
  const plan = join(dataDir, 'faults.json');
  writeFileSync(
    plan,
    JSON.stringify({
      rules: [{ route: 'isolation-queue', nth: [4, 19, 36], fault: 'fail-processing', code: 'model_unavailable' }],
    }),
  );
  const service = await startPracticeServer('--fault-plan', plan);
  const studio = await startStudio({ dataDir, env: { OVOZ_API_KEY: service.key } });
  try {
    const { page } = studio;
    const address = page.getByRole('textbox', { name: 'Service address' });
    await address.fill(service.url);
    await address.blur();
    await expect(page.getByText('Works', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Open the studio' }).click();
    await expect(page.getByRole('heading', { name: 'Transcribe' })).toBeVisible();
    await page.keyboard.press('Control+Digit5');
    await dragFiles(page, [folder]);
    await expect(page.getByRole('radio', { name: 'Done 47' })).toBeVisible({ timeout: 300_000 });
    await turn(page.getByRole('radio', { name: 'Needs attention 3' }));
    const failed = page.getByRole('row').filter({ hasText: 'Failed, not charged' });
    await expect(failed).toHaveCount(3);
    await expect(failed.getByText(/Credits on hold were released.*Request \S+/)).toHaveCount(3);

    await studio.app.evaluate(({ dialog }, path) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
    }, saved);
    await page.getByRole('button', { name: 'Save 47 ready' }).click();
    await page.getByRole('menuitem', { name: 'WAV' }).click();
    await expect(page.getByText('47 files saved')).toBeVisible({ timeout: 60_000 });
    expect(readdirSync(saved)).toHaveLength(47);
    expect(readdirSync(saved)).toContain('take 01 (isolated).wav');

    await failed.first().getByRole('button', { name: 'Send again (may be charged)' }).click();
    await expect(page.getByRole('radio', { name: 'Done 48' })).toBeVisible({ timeout: 60_000 });
    await failed
      .first()
      .getByRole('button', { name: /^More for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Hide' }).click();
    await expect(failed).toHaveCount(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(failed).toHaveCount(2);
  } finally {
    await studio.quit();
    await service.stop();
    removeDataDir(dataDir);
    removeDataDir(folder);
    removeDataDir(saved);
  }
});
