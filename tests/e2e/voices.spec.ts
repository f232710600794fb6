import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { cutRecording } from '../support/cut-recording.ts';
import { enterService, test } from './support/journey.ts';

/** Seconds recorded so far. */
const recorded = async (page: Page): Promise<number> =>
  Number.parseFloat((await page.getByRole('timer').textContent()) ?? '0');
const recordFor = (page: Page, seconds: number) =>
  expect.poll(() => recorded(page), { timeout: 40_000, intervals: [100] }).toBeGreaterThan(seconds);

test('a voice is cloned from the microphone, despite a restart and a wrong reading, speaks, and is deleted', async ({
  journey,
}) => {
  test.setTimeout(240_000);
  const service = await journey.startService();
  // What the microphone records from the next press on.
  const microphone = join(journey.newFolder(), 'microphone.wav');
  const hear = async (fromSeconds: number, toSeconds: number): Promise<void> =>
    writeFileSync(microphone, await cutRecording(fromSeconds, toSeconds));
  const args = [
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-audio-capture=${microphone}%noloop`,
  ];
  await hear(11, 22);
  const env = { OVOZ_API_KEY: service.key };
  let studio = await journey.start({ args, env });
  let { page } = studio;
  await enterService(page, service);
  await page.getByRole('link', { name: 'Voices' }).click();
  await page.getByRole('button', { name: 'Clone a voice' }).first().click();
  let wizard = page.getByRole('dialog', { name: 'Clone a voice' });
  await wizard.getByRole('radio', { name: 'Oʻzbek', exact: true }).check();
  await wizard.getByRole('button', { name: 'Start recording' }).click();
  await recordFor(page, 10.6);
  await wizard.getByRole('button', { name: 'Stop recording' }).click();
  await expect(wizard.getByText('Level is good')).toBeVisible({ timeout: 20_000 });
  // The draft is on disk: a restart continues with it.
  await studio.quit();

  studio = await journey.start({ args, env });
  ({ page } = studio);
  await page.getByRole('link', { name: 'Voices' }).click();
  await page.getByRole('button', { name: 'Continue draft' }).first().click();
  wizard = page.getByRole('dialog', { name: 'Clone a voice' });
  await expect(wizard.getByText('Level is good')).toBeVisible({ timeout: 20_000 });
  await wizard.getByText('Remove noise').click();
  await wizard.getByRole('button', { name: 'Use this recording' }).click();
  // Where the generated speech sounds like two people, that is asked about.
  const anyway = page.getByRole('button', { name: 'Use it anyway' });
  const said = wizard.getByRole('textbox', { name: 'What was said' });
  await expect(anyway.or(said)).toBeVisible({ timeout: 20_000 });
  if (await anyway.isVisible()) await anyway.click();
  await expect(said).toHaveValue(/nutq/u, { timeout: 20_000 });
  await said.fill('Bugun havo ochiq, kechqurun sayr qilish mumkin.');
  await wizard.getByRole('button', { name: 'Text is correct' }).click();
  await wizard.getByRole('textbox', { name: 'Name' }).fill('Kechki eshittirish');
  const consent = wizard.getByRole('checkbox', { name: /This is my voice/u });
  await consent.click();
  await expect(consent).toBeChecked();
  await wizard.getByRole('button', { name: 'Next: read aloud' }).click();

  const read = async (from: number, to: number, seconds: number) => {
    await hear(from, to);
    await wizard.getByRole('button', { name: 'Start reading' }).last().click();
    await recordFor(page, seconds);
    await wizard.getByRole('button', { name: 'Stop and check' }).click();
  };
  await expect(wizard.getByText(/^(9:\d\d|10:00) left$/u)).toBeVisible();
  await read(0, 9, 4);
  await expect(wizard.getByRole('alert').filter({ hasText: '4 attempts left' })).toBeVisible({ timeout: 20_000 });
  await expect(wizard.getByText('Attempt 2 of 5')).toBeVisible();

  await wizard.getByRole('button', { name: 'Get a new text' }).click();
  await read(25, 36, 9.5);
  await expect(wizard.getByText('“Kechki eshittirish” is ready')).toBeVisible({ timeout: 20_000 });
  await expect(wizard.getByText(/(0\.\d\d|1\.00), at least 0\.72 needed/u)).toBeVisible();
  await wizard.getByRole('button', { name: 'Done' }).click();

  const own = page.getByRole('list', { name: 'Your voices' }).getByRole('listitem').first();
  await expect(own).toContainText('Kechki eshittirish');
  await own.getByRole('button', { name: /^Listen to/u }).click();
  await expect(own.getByRole('button', { name: /^Stop/u })).toBeVisible();
  await expect(own.getByRole('button', { name: /^Listen to Kechki/u })).toBeVisible({ timeout: 30_000 });
  await own.getByRole('button', { name: /^More/u }).click();
  await page.getByRole('menuitem', { name: 'Delete the voice…' }).click();
  await page.getByRole('button', { name: 'Delete the voice' }).click();
  await expect(page.getByText('Kechki eshittirish', { exact: false }).first()).toBeVisible();
  await expect(page.getByRole('list', { name: 'Your voices' })).not.toContainText('Kechki eshittirish');
});
