import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callsOf } from '../support/fake-studio.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { planStudio } from '../support/studio-plan.ts';
import { wavOf } from '../support/wav-files.ts';
import { isolatedAudio, isolatedJobs, openDone, playBytes } from './isolate-states.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const rate = 16_000;
const lateFrames = 160;

/** Three seconds of the same noise, which begins after some samples of silence. */
function noiseAfter(silentFrames: number): Buffer {
  let seed = 1;
  return wavOf({ rate, frames: rate * 3 }, (frame) => {
    if (frame < silentFrames) return 0;
    seed = (seed * 48_271) % 2_147_483_647;
    return (seed / 2_147_483_647 - 0.5) * 0.37;
  });
}
const recordings = [
  [/\/media\/noisy/u, noiseAfter(0)],
  [/\/media\/isolated/u, noiseAfter(lateFrames)],
] as const;

const open = async (): Promise<Page> => {
  const page = await served.open({
    plan: planStudio({
      settings: { interfaceLanguage: 'en' },
      jobs: isolatedJobs,
      answers: { 'isolation.open': isolatedAudio(null), 'isolation.list': { audio: [] }, 'isolation.prepare': {} },
    }),
  });
  for (const [url, bytes] of recordings) await playBytes(page, url, 'audio/wav', bytes);
  await openDone(page);
  await page.getByText(/LUFS/u).nth(1).waitFor({ timeout: 20_000 });
  return page;
};
const percent = (page: Page) => page.getByRole('spinbutton', { name: 'Isolated audio in the blend, percent' });
const chosen = (page: Page, name: RegExp) => page.getByRole('radio', { name }).isChecked();

it('the share of the blend is typed, and its loudness and true peak are measured', async () => {
  const page = await open();
  await percent(page).fill('35');
  await expect.poll(() => chosen(page, /^Blend/u)).toBe(true);
  await page.getByText('35% isolated, 65% original').waitFor();
  await percent(page).fill('350');
  await percent(page).blur();
  expect(await percent(page).inputValue()).toBe('35');
  const panel = page.getByRole('complementary');
  await panel.getByText(/^−\d+[.]\d LUFS$/u).waitFor({ timeout: 20_000 });
  await panel.getByText(/^−\d+[.]\d dBTP$/u).waitFor();
  await page.context().close();
});

it('each recording is found as it was left: blend, lanes, zoom and place', async () => {
  const page = await open();
  await percent(page).fill('35');
  await page.getByText('Spectrogram', { exact: true }).click();
  await page.keyboard.press('Alt+Equal');
  await page.getByRole('slider', { name: 'Position' }).press('End');
  await page.getByRole('slider', { name: 'Position' }).press('Shift+ArrowLeft');
  await page.getByRole('button', { name: 'Close the recording' }).click();
  await expect
    .poll(async () => (await callsOf(page, 'settings.update')).at(-1))
    .toMatchObject({
      comparedPlaces: [{ id: 'audio-1', timeMs: 2000, share: 0.35, showsRemoved: true, view: 'spectrogram' }],
    });
  await openDone(page);
  await page.getByText('Noise only', { exact: true }).nth(1).waitFor();
  expect(await percent(page).inputValue()).toBe('35');
  expect(await chosen(page, /^Spectrogram/u)).toBe(true);
  const position = page.getByRole('slider', { name: 'Position' });
  await expect.poll(() => position.getAttribute('aria-valuenow')).toBe('2');
  expect(
    await page
      .getByRole('button', { name: /zoom out/iu })
      .first()
      .isEnabled(),
  ).toBe(true);
  await page.context().close();
});

it('where files of the service are late, the heading claims to align only what is heard, and the list of files says so', async () => {
  const page = await open();
  await page.getByText('10 ms late, aligned for listening').waitFor();
  await page
    .getByText(
      'These files keep the service’s delay of 10 ms. A saved blend is aligned with the original, even at 100%.',
    )
    .waitFor();
  await page.context().close();
});

it('the recording as it was is no format of the voice: it is saved by itself and not prepared with the others', async () => {
  const page = await open();
  const voice = page.getByRole('complementary').getByRole('listitem');
  await voice.filter({ hasText: 'The recording as it was' }).waitFor();
  expect(await voice.filter({ hasText: 'MP3' }).locator('..').getByText('The recording as it was').count()).toBe(0);
  await page.getByRole('button', { name: 'Prepare all formats' }).click();
  await expect.poll(() => callsOf(page, 'isolation.prepare')).toEqual([{ audioId: 'audio-1', formats: ['ogg'] }]);
  await page.context().close();
});
