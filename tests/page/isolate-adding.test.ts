import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import { noQueue } from '../../shared/domain/jobs/queue-view.ts';
import { dragFiles } from '../e2e/support/drag-files.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { planStudio } from '../support/studio-plan.ts';
import { isolatedAudio, isolatedJobs } from './isolate-states.ts';

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

it('the key that adds files adds them to the screen that is shown, whatever the queue has done meanwhile', async () => {
  const done = isolatedJobs.find(({ state }) => state.tag === 'done');
  const page = await served.open({
    plan: planStudio({
      settings: { interfaceLanguage: 'en' },
      answers: {
        'isolation.open': isolatedAudio(null),
        'isolation.list': { audio: [] },
        'isolation.hidden': { jobs: [] },
      },
      waits: ['jobs.addPicked'],
    }),
  });
  await page.keyboard.press('Control+Digit5');
  await page.getByRole('heading', { name: 'Isolate', exact: true }).waitFor();
  const change = async (number: number, job: JobView) =>
    emitEvent(page, 'jobs.changed', { number, isWhole: false, jobs: [job], removedIds: [], queue: noQueue });
  const kindsAdded = async () => (await callsOf(page, 'jobs.addPicked')).map(({ options }) => options.kind);
  // A waiting job can be paused, which makes another command of the queue available.
  await change(2, { ...done!, state: { tag: 'waiting', placeInQueue: 1 } });
  await page.getByText('Next to upload').waitFor();
  await page.keyboard.press('Control+KeyO');
  await expect.poll(kindsAdded).toEqual(['isolate']);
  await change(3, done!);
  await page.getByRole('region', { name: 'Compare' }).first().waitFor();
  await page.getByRole('link', { name: 'Isolate' }).click();
  await page.keyboard.press('Control+KeyO');
  await expect.poll(kindsAdded).toEqual(['isolate', 'isolate']);
  await page.context().close();
});
