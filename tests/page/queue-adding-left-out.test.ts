import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { dragFiles } from '../e2e/support/drag-files.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { planStudio } from '../support/studio-plan.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';

let served: PageUnderTest;
const folder = mkdtempSync(join(tmpdir(), 'ovoz-drop-'));
beforeAll(async () => {
  served = await servePage();
});
afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

const nothingAdded = {
  jobIds: [],
  addedCount: 0,
  leftCount: 0,
  refused: [],
  refusedCount: 0,
  repeated: [],
  repeatedCount: 0,
};
const file = (name: string): string => {
  const path = join(folder, name);
  writeFileSync(path, 'RIFF');
  return path;
};

describe('adding a great many recordings, or other files', () => {
  it('of thousands shows its progress, can be stopped, and reports what was left out', async () => {
    const stopped = { ...nothingAdded, addedCount: 1200, leftCount: 800 };
    const page = await served.open({
      plan: planStudio({ answers: { 'jobs.addDropped': stopped }, waits: ['jobs.addDropped'] }),
    });
    await dragFiles(page, [file('a.wav')]);
    await page.waitForFunction(() => window.fakeStudio.calls.some((call) => call.method === 'jobs.addDropped'));
    await emitEvent(page, 'files.adding', { doneCount: 900, totalCount: 2000 });
    await page.getByText('900 of 2,000').waitFor();
    await expect
      .poll(() => page.getByRole('progressbar', { name: 'Adding to the queue' }).getAttribute('aria-valuenow'))
      .toBe('45');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.waitForFunction(() => window.fakeStudio.calls.some((call) => call.method === 'files.stopAdding'));
    await page.evaluate(() => window.fakeStudio.letGo('jobs.addDropped'));
    await page.getByText('1,200 added, 800 skipped.').waitFor();
    await page.context().close();
  });

  it('of a folder with many other files names some, counts all, and shows more on request', async () => {
    const refused = Array.from({ length: 500 }, (_, at) => ({
      name: `${String(at)}.txt`,
      failure: makeFailure('E-211', { code: 'not_audio', params: { name: 'x' } }),
    }));
    const page = await served.open({
      plan: planStudio({
        answers: { 'jobs.addDropped': { ...nothingAdded, refused, refusedCount: 20_000 } },
      }),
    });
    await dragFiles(page, [file('a.wav')]);
    const list = page.getByRole('alert', { name: '20,000 files skipped' });
    await list.getByRole('button', { name: 'Show', exact: true }).click();
    await list.getByText('and 19,900 more').waitFor();
    await expect.poll(() => list.getByRole('listitem').count()).toBe(101);
    await list.getByRole('button', { name: 'Show more' }).click();
    await list.getByText('and 19,800 more').waitFor();
    await page.context().close();
  });

  it('that are texts or captions says so, and offers to import them', async () => {
    const refused = [
      { name: 'told.srt', failure: makeFailure('E-211', { code: 'text_file', params: { name: 'told.srt' } }) },
    ];
    const page = await served.open({
      plan: planStudio({ answers: { 'jobs.addPicked': { ...nothingAdded, refused, refusedCount: 1 } } }),
    });
    await page.keyboard.press('Control+KeyO');
    const list = page.getByRole('alert', { name: '1 file skipped' });
    await list.getByRole('button', { name: 'Show', exact: true }).click();
    await list.getByText('This is a text or caption file').waitFor();
    await list.getByRole('button', { name: 'Import transcripts…' }).click();
    await expect.poll(() => callsOf(page, 'transcripts.import')).toEqual([{ tokens: null }]);
    await page.context().close();
  });

  it('says how many files are dragged over the window, and stops when they leave', async () => {
    const page = await served.open({ plan: planStudio() });
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files: [file('a.wav'), file('b.wav'), file('c.wav')], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver'] as const) {
      await session.send('Input.dispatchDragEvent', { type, x: 500, y: 300, data });
    }
    await page.getByText('Drop to add 3 files').waitFor();
    await session.send('Input.dispatchDragEvent', { type: 'dragCancel', x: 500, y: 300, data });
    await page.getByText('Drop to add 3 files').waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('lists every rejected file with its reason until it is hidden, and adds the others', async () => {
    const refused = (name: string) => ({
      name,
      failure: makeFailure('E-211', { code: 'empty_file', params: { name } }),
    });
    const plan = planStudio({
      answers: {
        'jobs.addDropped': {
          ...nothingAdded,
          jobIds: ['1'],
          addedCount: 1,
          refused: [refused('boʻsh.wav'), refused('ketgan.wav')],
          refusedCount: 2,
        },
      },
    });
    const page = await served.open({ plan });
    await dragFiles(page, [file('a.wav')]);
    const list = page.getByRole('alert', { name: '2 files skipped' });
    await list.getByRole('button', { name: 'Show', exact: true }).click();
    await expect.poll(() => list.getByRole('listitem').count()).toBe(2);
    await list.getByRole('button', { name: /boʻsh\.wav/ }).click();
    await page.getByRole('alert', { name: '1 file skipped' }).waitFor();
    await page.context().close();
  });
});
