import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tellBarriers } from '../support/find-barriers.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { dialogPlan } from './library-dialog-states.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(async () => {
  await served.close();
});

describe('an import', () => {
  it('says until it is closed which captions of an imported file were changed or left out, with their lines', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => at + 40);
    const page = await served.open({
      plan: dialogPlan({
        answers: {
          'transcripts.import': {
            imported: [
              {
                transcriptId: 't1',
                name: 'faulty.srt',
                language: 'en',
                isLanguageOpen: true,
                report: {
                  captionCount: 27,
                  kinds: [
                    { kind: 'unreadable', count: 1, lines: [9] },
                    { kind: 'marks', count: 26, lines },
                  ],
                },
              },
            ],
            refused: [],
            repeated: [],
          },
        },
      }),
      location: '/library',
    });
    await page.getByRole('button', { name: 'More for the library' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Import transcripts…' }).press('Enter');
    await page
      .getByRole('dialog', { name: 'Language of the text' })
      .getByRole('button', { name: 'Done' })
      .press('Enter');
    const report = page.getByRole('dialog', { name: 'Not every caption could be taken as it was' });
    await report.getByText('faulty.srt: 27 captions were changed or left out.').waitFor();
    await report.getByText('Line 9').waitFor();
    await report.getByText(`Lines ${lines.join(', ')} and 6 more`).waitFor();
    await page.waitForFunction(() => location.hash === '#/transcripts/t1');
    expect(await tellBarriers(page)).toEqual([]);
    await report.getByRole('button', { name: 'Done' }).press('Enter');
    await report.waitFor({ state: 'detached' });
    await page.context().close();
  });
});
