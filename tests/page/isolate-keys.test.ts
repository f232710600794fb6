import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import { callsOf } from '../support/fake-studio.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { planStudio } from '../support/studio-plan.ts';
import { isolatedAudio, isolatedJobs } from './isolate-states.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const done = isolatedJobs.find(({ state }) => state.tag === 'done');
/** Thirty results, more than there is room for. */
const jobs = Array.from(
  { length: 30 },
  (_, at) =>
    ({ ...done, id: `done-${String(at)}`, name: `Yozuv ${String(at)}.wav`, addedAtMs: 1_000_000 - at }) as JobView,
);

const open = async (): Promise<Page> => {
  const page = await served.open({
    plan: planStudio({
      settings: { interfaceLanguage: 'en' },
      jobs,
      answers: {
        'isolation.open': isolatedAudio(null),
        'isolation.list': { audio: [] },
        'isolation.hide': { undoMs: 20_000 },
        'isolation.unhide': { isRestored: true },
      },
    }),
  });
  await page.keyboard.press('Control+Digit5');
  return page;
};
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

it('a row has the keyboard after a press: arrows walk on from it, Delete hides it and Ctrl+Z brings it back', async () => {
  const page = await open();
  await page.getByRole('row', { name: 'Yozuv 2.wav' }).getByText('Yozuv 2.wav').click();
  await expect.poll(() => focused(page)).toBe('Yozuv 2.wav');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(page)).toBe('Yozuv 3.wav');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('Yozuv 3.wav');
  await page.keyboard.press('Delete');
  await page.getByText('Yozuv 3.wav hidden').waitFor();
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(() => callsOf(page, 'isolation.unhide')).toEqual([{ jobId: 'done-3' }]);
  await page.context().close();
});

it('the list scrolls by itself: the player stays where it is', async () => {
  const page = await open();
  await page.getByRole('row', { name: 'Yozuv 0.wav' }).click();
  const player = page.getByRole('region', { name: 'Compare' }).first();
  const before = await player.boundingBox();
  await page.keyboard.press('End');
  await page.getByRole('row', { name: 'Yozuv 29.wav' }).waitFor();
  await expect.poll(() => focused(page)).toBe('Yozuv 29.wav');
  expect(await player.boundingBox()).toEqual(before);
  await page.context().close();
});
