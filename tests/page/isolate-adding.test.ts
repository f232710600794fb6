import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dragFiles } from '../e2e/support/drag-files.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { planStudio } from '../support/studio-plan.ts';

let served: PageUnderTest;
const folder = mkdtempSync(join(tmpdir(), 'ovoz-isolate-'));
beforeAll(async () => {
  served = await servePage();
});
afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

it('adding a large folder to Isolate shows its progress, can be stopped, and reports what was left out', async () => {
  const recording = join(folder, 'a.wav');
  writeFileSync(recording, 'RIFF');
  const stopped = {
    jobIds: [],
    addedCount: 1200,
    leftCount: 800,
    refused: [],
    refusedCount: 0,
    repeated: [],
    repeatedCount: 0,
  };
  const page = await served.open({
    plan: planStudio({
      settings: { interfaceLanguage: 'en' },
      answers: { 'jobs.addDropped': stopped },
      waits: ['jobs.addDropped'],
    }),
  });
  await page.keyboard.press('Control+Digit5');
  await page.getByRole('heading', { name: 'Isolate', exact: true }).waitFor();
  await dragFiles(page, [recording]);
  await expect.poll(async () => (await callsOf(page, 'jobs.addDropped')).length).toBe(1);
  await emitEvent(page, 'files.adding', { doneCount: 900, totalCount: 2000 });
  await page.getByText('900 of 2,000').waitFor();
  await expect
    .poll(() => page.getByRole('progressbar', { name: 'Adding to the queue' }).getAttribute('aria-valuenow'))
    .toBe('45');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect.poll(async () => (await callsOf(page, 'files.stopAdding')).length).toBe(1);
  await page.evaluate(() => window.fakeStudio.letGo('jobs.addDropped'));
  await page.getByText('1,200 added, 800 skipped.').waitFor();
  await page.context().close();
});
