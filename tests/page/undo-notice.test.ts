import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsOf } from '../support/fake-studio.ts';
import { planStudio } from '../support/studio-plan.ts';
import { libraryPlan } from './library-states.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const undo = (page: Page) => page.getByRole('button', { name: 'Undo' });

/** Deletes the first transcript; from then on the test controls the time of the page. */
async function deleteOne(): Promise<Page> {
  const page = await served.open({ plan: planStudio(), location: '/settings/privacy' });
  await page.clock.install();
  await page.getByRole('button', { name: 'Choose a transcript…' }).click();
  await page.getByRole('dialog').getByRole('option').first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete for good' }).click();
  await undo(page).waitFor();
  return page;
}

describe('undo after a deletion', () => {
  it('is offered as long as main said, and no longer', async () => {
    const page = await deleteOne();
    await page.clock.fastForward(19_000);
    await expect.poll(() => undo(page).count()).toBe(1);
    await page.clock.fastForward(1_500);
    await undo(page).waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('stays while the pointer is on it', async () => {
    const page = await deleteOne();
    await undo(page).hover();
    await page.clock.fastForward(40_000);
    await expect.poll(() => undo(page).count()).toBe(1);
    await page.mouse.move(5, 5);
    await page.clock.fastForward(20_500);
    await undo(page).waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('is reached by F6 even above a dialog, stays while it has the focus, and is used by Enter', async () => {
    const page = await deleteOne();
    await page.keyboard.press('F6');
    await page.waitForFunction(() => document.activeElement?.textContent === 'Undo');
    await page.clock.fastForward(40_000);
    await expect.poll(() => undo(page).count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.getByText(/is back/).waitFor();
    await expect.poll(() => callsOf(page, 'transcripts.restore')).toHaveLength(1);
    await page.context().close();
  });

  it('appears above the bars at the lower edge, and disappears when the key undoes the deletion', async () => {
    const page = await served.open({ plan: libraryPlan(), location: '/library' });
    await page.getByRole('row', { name: 'Buxoro gilamlari' }).focus();
    await page.keyboard.press('Delete');
    await undo(page).waitFor();
    await page.getByRole('row', { name: 'Chorsu bozori' }).click({ modifiers: ['ControlOrMeta'] });
    await page.getByRole('row', { name: 'Interview with a ceramicist' }).click({ modifiers: ['ControlOrMeta'] });
    const bar = page.getByRole('toolbar', { name: 'Selected' });
    await bar.getByText('2 selected').waitFor();
    await expect
      .poll(async () => {
        const [notice, below] = [await undo(page).boundingBox(), await bar.boundingBox()];
        return notice !== null && below !== null && notice.y + notice.height <= below.y;
      })
      .toBe(true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+KeyZ');
    await undo(page).waitFor({ state: 'detached' });
    expect(await callsOf(page, 'library.restore')).toHaveLength(1);
    await page.context().close();
  });
});
