import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { tellBarriers } from '../support/find-barriers.ts';
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
  it('is found by a key, a word in any letters, and Enter; the list is clean for a screen reader', async () => {
    const page = await served.open({ plan: plan() });
    await page.keyboard.press('Control+Shift+KeyF');
    const dialog = page.getByRole('dialog', { name: 'All transcripts' });
    const field = dialog.getByRole('searchbox', { name: 'Find a transcript' });
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await dialog.getByRole('listitem').count()).toBe(3);
    expect(await tellBarriers(page)).toEqual([]);
    await field.fill('nothing like it');
    await dialog.getByText('No titles match. Text inside transcripts isn’t searched.').waitFor();
    await field.fill('устахонада');
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.location.hash === '#/transcripts/rowless');
    await dialog.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('is in the palette too, and one with a row is found by its title', async () => {
    const page = await served.open({ plan: plan() });
    await page.keyboard.press('Control+KeyK');
    await page.getByRole('combobox').fill('better title');
    await page.getByRole('group', { name: 'Transcripts' }).getByRole('option', { name: 'A better title' }).waitFor();
    await page.getByRole('combobox').fill('ustaxonada');
    await page.getByRole('option', { name: 'Ustaxonada suhbat' }).click();
    await page.waitForFunction(() => window.location.hash === '#/transcripts/rowless');
    await page.context().close();
  });

  it('is one of thousands: a part of them is shown, and how many are not', async () => {
    const page = await served.open({ plan: plan(5000) });
    await page.keyboard.press('Control+Shift+KeyF');
    const dialog = page.getByRole('dialog', { name: 'All transcripts' });
    await dialog.getByText('and 4,800 more: type to narrow them down').waitFor();
    expect(await dialog.getByRole('listitem').count()).toBe(200);
    await dialog.getByRole('searchbox').fill('yozuv 4711');
    await dialog.getByRole('button', { name: 'Open: Boshqa yozuv 4711' }).click();
    await page.waitForFunction(() => window.location.hash === '#/transcripts/more-4711');
    await page.context().close();
  });

  it('is found above the way back to its row, which F6 reaches from the field; another key gives way to the palette', async () => {
    const page = await served.open({ plan: plan() });
    await page.locator('[data-key="done"]').focus();
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.keyboard.press('Control+Shift+KeyF');
    const field = page.getByRole('dialog').getByRole('searchbox');
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('F6');
    await page.waitForFunction(() => document.activeElement?.textContent === 'Undo');
    await field.focus();
    await page.keyboard.press('Control+KeyK');
    await page.getByRole('combobox').waitFor();
    await field.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('is not said to be gone when the library can’t be read', async () => {
    const page = await served.open({ plan: planStudio({ failures: { 'transcripts.list': makeFailure('E-181') } }) });
    await page.keyboard.press('Control+Shift+KeyF');
    await page.getByRole('dialog').getByRole('alert').getByText('Disk reported an error').waitFor();
    expect(await page.getByText('There are no transcripts.').count()).toBe(0);
    await page.context().close();
  });
});
