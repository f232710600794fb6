import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { planStudio } from '../support/studio-plan.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const open = (plan = planStudio()) => served.open({ plan, location: '/settings/storage' });
const oldRows = /Remove… Old items/;

it('old rows are removed after a question that counts them, their transcripts stay, and Undo restores them', async () => {
  const page = await open();
  await page.getByText('1,234 items').waitFor();
  await page.getByRole('radio', { name: '90 days' }).focus();
  await page.keyboard.press('Space');
  await page.getByText('61 items').waitFor();
  await page.getByRole('radio', { name: '90 days' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByText('0 items').waitFor();
  await expect.poll(() => page.getByRole('button', { name: oldRows }).isDisabled()).toBe(true);
  await page.keyboard.press('ArrowLeft');
  await page.getByText('61 items').waitFor();

  await page.getByRole('button', { name: oldRows }).click();
  const question = page.getByRole('alertdialog', { name: 'Remove old items?' });
  await question.getByText('61 items that are done or cancelled go out of the queue.').waitFor();
  await question.getByText('Their transcripts stay in the library').waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await expect.poll(() => callsOf(page, 'storage.removeOldRows')).toEqual([]);
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(oldRows);

  await page.keyboard.press('Enter');
  await question.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('61 items removed. Their transcripts stay').waitFor();
  await page.getByText('0 items').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('1,234 items restored.').waitFor();
  await page.getByText('61 items').waitFor();
  await expect
    .poll(() => callsOf(page, 'storage.removeOldRows'))
    .toEqual([{ days: 90, withTexts: false, atService: false }]);
  await page.context().close();
});

it('transcripts are deleted with their rows only if that is switched on, at the service only if that is too', async () => {
  const page = await open();
  const question = page.getByRole('alertdialog');
  await page.getByRole('button', { name: oldRows }).click();
  await question.getByText('Delete their transcripts for good too').click();
  await question.getByText('Their transcripts are gone at once').waitFor();
  await question.getByText('1,233 transcripts').waitFor();
  await question.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByText('1,234 items removed. 1,233 transcripts deleted.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: oldRows }).click();
  await question.getByText('Delete their transcripts for good too').click();
  await question.getByText('Delete at the service too').click();
  await question.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByText('1,234 items removed.').waitFor();
  await expect
    .poll(() => callsOf(page, 'storage.removeOldRows'))
    .toEqual([
      { days: 30, withTexts: true, atService: false },
      { days: 30, withTexts: true, atService: true },
    ]);
  await page.context().close();
});

it('a refusal is shown where the request was made', async () => {
  const page = await open(planStudio({ failures: { 'storage.removeOldRows': makeFailure('E-180') } }));
  await page.getByRole('button', { name: oldRows }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('alert').waitFor();
  await page.context().close();
});

it('after a move the page shows the folder of the library, and what could not be removed from the old one', async () => {
  const page = await open();
  await page.getByText('The library is in the app’s own folder in your user profile.').waitFor();
  const use = await page.evaluate(() => window.fakeStudio.ask('storage.describe'));
  await page.getByRole('button', { name: 'Move…', exact: true }).click();
  const told = { copiedBytes: 50, totalBytes: 200, failure: null, leftBytes: 0 };
  await emitEvent(page, 'storage.moving', { step: 'copying', ...told });
  await page.getByText('Moving the library 25%').waitFor();
  await page.evaluate((moved) => window.fakeStudio.setAnswer('storage.describe', moved), {
    ...(use as object),
    movedTo: 'Tashqi disk',
  });
  await emitEvent(page, 'storage.moving', { step: 'ended', ...told, leftBytes: 12_000_000 });
  await page.getByText('The library is in its new location.').waitFor();
  await page.getByText('Old files of 12 MB could not be removed').waitFor();
  await page.getByText('The library is in “Ovoz Studio Library” in the folder “Tashqi disk”.').waitFor();
  await expect.poll(() => page.getByText('The library is in the app’s own folder').count()).toBe(0);
  await page.context().close();
});

it('a move goes on when its page is left: the page shows it again, and its end is shown anywhere', async () => {
  const page = await open();
  const step = { step: 'copying' as const, copiedBytes: 50, totalBytes: 200, failure: null, leftBytes: 0 };
  const goTo = (path: string) =>
    page.evaluate((hash) => {
      location.hash = hash;
    }, `#${path}`);
  await page.getByRole('button', { name: 'Move…', exact: true }).waitFor();
  await emitEvent(page, 'storage.moving', step);
  await page.getByText('Moving the library 25%').waitFor();
  await goTo('/library');
  await page.getByText('Moving the library').waitFor({ state: 'detached' });
  await goTo('/settings/storage');
  await page.getByText('Moving the library 25%').waitFor();
  await goTo('/library');
  const failure = makeFailure('E-239', { code: 'move_no_room' });
  await emitEvent(page, 'storage.moving', { ...step, step: 'ended', failure });
  await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Storage' }).click();
  await page.getByRole('alert').waitFor();
  await page.context().close();
});
