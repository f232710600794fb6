import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tellBarriers } from '../support/find-barriers.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { changedByImport, dialogPlan } from './library-dialog-states.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(async () => {
  await served.close();
});

describe('an import', () => {
  it('says until it is closed which captions of an imported file were changed or left out, with their numbers, lines and times', async () => {
    const { report, page } = await openReport(1);
    await report.getByText('faulty.vtt: 30 captions were changed. 1 caption was left out.').waitFor();
    await report.getByText('Line 9').waitFor();
    await report.getByText(/^Lines 40, 41, .* 59 and 6 more$/u).waitFor();
    await report.getByText('Caption 3 (line 13) 00:08.000–00:12.500 → 00:08.000–00:12.400').waitFor();
    await report.getByText('Captions 5, 6 (lines 21, 25) The place on the picture was left out.').waitFor();
    await page.waitForFunction(() => location.hash === '#/transcripts/t1');
    expect(await tellBarriers(page)).toEqual([]);
    await report.getByRole('button', { name: 'Done' }).press('Enter');
    await report.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('counts the segments of a file of data, which may have only one line', async () => {
    const { report, page } = await openReport(2);
    await report.getByText('meeting.json: 2 segments were changed. 1 segment was left out.').waitFor();
    await report.getByText('Segments 5, 8').waitFor();
    await page.context().close();
  });
});

async function openReport(fileCount: number) {
  const imported = changedByImport.imported.slice(0, fileCount);
  const page = await served.open({
    plan: dialogPlan({ answers: { 'transcripts.import': { ...changedByImport, imported } } }),
    location: '/library',
  });
  await page.getByRole('button', { name: 'More for the library' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Import transcripts…' }).press('Enter');
  await page.getByRole('dialog', { name: 'Language of the text' }).getByRole('button', { name: 'Done' }).press('Enter');
  return { page, report: page.getByRole('dialog', { name: 'Some parts were changed on import' }) };
}
