import { expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { planStudio } from '../support/studio-plan.ts';
import { goTo, pagesOfFile, waitForFocus } from './page-rig.ts';

const pages = pagesOfFile();
const open = (plan = planStudio()) => pages.open({ plan, location: '/settings/storage' });
const oldRows = /Remove… Old items/;

it('a part is removed after a question and the new sizes are shown; empty parts are named in one line, and a refusal is said', async () => {
  const page = await open();
  const question = page.getByRole('alertdialog');
  await page.getByText('483 MB in use, 212 GB free on this disk').waitFor();
  await page.getByRole('button', { name: /Older copies/ }).click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => callsOf(page, 'storage.clean')).toEqual([]);
  await page.getByRole('button', { name: /Older copies/ }).click();
  await question.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('60 MB freed.').waitFor();
  await page.getByText('423 MB in use').waitFor();
  await expect
    .poll(() => page.getByRole('button', { name: /Nothing to remove: Older copies/ }).isDisabled())
    .toBe(true);
  await expect.poll(() => callsOf(page, 'storage.clean')).toEqual([{ part: 'backups' }]);
  const failure = makeFailure('already-open');
  await page.evaluate((given) => window.fakeStudio.setFailure('storage.clean', given), failure);
  await page.getByRole('button', { name: /Practice data/ }).click();
  await page.getByRole('button', { name: 'Delete practice' }).click();
  await page.getByRole('alert').waitFor();
  const parts = (['library', 'peaks', 'backups', 'log', 'practice', 'app'] as const).map((part) => ({
    part,
    bytes: 5000,
    removableBytes: part === 'peaks' ? 5000 : 0,
  }));
  const answers = { 'storage.describe': { parts, freeBytes: 1_000_000, movedTo: null } };
  const empty = await open(planStudio({ answers }));
  await empty.getByRole('button', { name: 'Remove… Waveforms' }).waitFor();
  await empty.getByText(/^Nothing to remove:/).waitFor();
  expect(await empty.getByRole('button', { name: /Older copies|Log|Practice data/ }).count()).toBe(0);
});

it('old rows are removed after a question that counts them, their transcripts stay, and Undo restores them', async () => {
  const page = await open();
  await page.getByText('1,234 items').waitFor();
  await page.getByRole('radio', { name: '90 days' }).focus();
  await page.keyboard.press('Space');
  await page.getByText('61 items').waitFor();
  const opener = page.getByRole('button', { name: oldRows });
  await opener.click();
  const question = page.getByRole('alertdialog', { name: 'Remove old items?' });
  await question.getByText('61 finished or cancelled items leave the queue.').waitFor();
  await question.getByText('Their transcripts stay in the library').waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect(await callsOf(page, 'storage.removeOldRows')).toEqual([]);
  await waitForFocus(opener);
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
});

it('transcripts are deleted with their rows only if that is switched on, at the service only if that is too', async () => {
  const page = await open();
  const question = page.getByRole('alertdialog');
  await page.getByRole('button', { name: oldRows }).click();
  await question.getByText('Delete their transcripts for good too').click();
  await question.getByText('Their transcripts are deleted at once').waitFor();
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
});

it('a move goes on when its page is left, its end is said anywhere, and then the new folder and what was left are shown', async () => {
  const page = await open();
  const step = { step: 'copying' as const, copiedBytes: 50, totalBytes: 200, failure: null, leftBytes: 0 };
  const own = page.getByText('The library is in the app’s own folder in your user profile.');
  await own.waitFor();
  await page.getByRole('button', { name: 'Move…', exact: true }).click();
  await emitEvent(page, 'storage.moving', step);
  await page.getByText('Moving the library 25%').waitFor();
  await goTo(page, '/library');
  await page.getByText('Moving the library').waitFor({ state: 'detached' });
  await goTo(page, '/settings/storage');
  await page.getByText('Moving the library 25%').waitFor();
  await goTo(page, '/library');
  const failure = makeFailure('library-not-moved', { code: 'move_no_room' });
  await emitEvent(page, 'storage.moving', { ...step, step: 'ended', failure });
  await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Storage' }).click();
  await page.getByRole('alert').first().waitFor();
  await page.evaluate(() => {
    const use = window.fakeStudio.ask('storage.describe') as object;
    window.fakeStudio.setAnswer('storage.describe', { ...use, movedTo: 'Tashqi disk' });
  });
  await emitEvent(page, 'storage.moving', step);
  await emitEvent(page, 'storage.moving', { ...step, step: 'ended', leftBytes: 12_000_000 });
  await page.getByText('The library is in its new location.').waitFor();
  await page.getByText('12 MB of old files couldn’t be removed').waitFor();
  await page.getByText('The library is in “Ovoz Studio Library” in the folder “Tashqi disk”.').waitFor();
  await expect.poll(() => own.count()).toBe(0);
});
