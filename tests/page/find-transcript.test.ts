import { afterAll, beforeAll, describe, it } from 'vitest';
import { jobsInEveryState } from '../support/some-jobs.ts';
import { planStudio } from '../support/studio-plan.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const text = (id: string, title: string) => ({
  id,
  title,
  sourceName: `${id}.mp3`,
  createdAtMs: 1_790_000_000_000,
  isAtService: true,
  wordCount: 812,
  credits: null,
});
/** The library of somebody who has taken most rows out of the queue. */
const plan = (count = 3) =>
  planStudio({
    jobs: jobsInEveryState(),
    answers: {
      'transcripts.list': {
        transcripts: [
          text('t-1', 'A better title of the ceramicist'),
          text('rowless', 'Ustaxonada suhbat'),
          ...Array.from({ length: count - 2 }, (_, index) => text(`more-${index}`, `Boshqa yozuv ${index}`)),
        ],
      },
    },
  });

describe('a transcript whose row was taken out of the queue', () => {
  it('is in the palette, and one with a row is found by its title', async () => {
    const page = await served.open({ plan: plan() });
    await page.keyboard.press('Control+KeyK');
    await page.getByRole('combobox').fill('better title');
    await page.getByRole('group', { name: 'Transcripts' }).getByRole('option', { name: 'A better title' }).waitFor();
    await page.getByRole('combobox').fill('ustaxonada');
    await page.getByRole('option', { name: 'Ustaxonada suhbat' }).click();
    await page.waitForFunction(() => window.location.hash === '#/transcripts/rowless');
    await page.context().close();
  });
});
