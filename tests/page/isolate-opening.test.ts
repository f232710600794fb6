import type { Locator, Page } from '@playwright/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import type { IsolatedAudio } from '../../shared/ipc/contract-isolation.ts';
import { noQueue } from '../../shared/domain/jobs/queue-view.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { planStudio } from '../support/studio-plan.ts';
import { isolatedAudio, isolatedJobs, openDone, playNoisy } from './isolate-states.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const numbered = (number: number, state: JobView['state']): JobView => ({
  ...isolatedJobs[0]!,
  id: `job-${String(number)}`,
  name: `Yozuv ${String(number)}.wav`,
  addedAtMs: 1_000_000 - number,
  state,
});
const running = (number: number) => numbered(number, { tag: 'processing', sinceMs: 0, rawStatus: 'processing' });
const done = (number: number) =>
  numbered(number, { tag: 'done', audioId: `audio-${String(number)}`, finishedAtMs: 1_000_000 });
const results = Array.from({ length: 12 }, (_, number) => done(number));

const open = async (jobs: readonly JobView[]): Promise<Page> => {
  const page = await served.open({
    plan: planStudio({
      settings: { interfaceLanguage: 'en' },
      jobs,
      answers: { 'isolation.open': isolatedAudio(null), 'isolation.list': { audio: [] } },
    }),
  });
  await playNoisy(page);
  await page.keyboard.press('Control+Digit5');
  await page.getByRole('grid').waitFor();
  return page;
};
const change = (page: Page, number: number, jobs: JobView[]) =>
  emitEvent(page, 'jobs.changed', {
    number,
    isWhole: false,
    jobs,
    removedIds: [],
    queue: noQueue,
  });
const player = (page: Page) => page.getByRole('region', { name: 'Compare' }).first();
const opened = (page: Page) => callsOf(page, 'isolation.open');

it('of several recordings none opens by itself: their list is the screen', async () => {
  const page = await open([running(1), running(2), done(3)]);
  const list = page.getByRole('region', { name: 'Isolated recordings' });
  const before = await list.boundingBox();
  await change(page, 2, [done(1)]);
  await page.getByRole('row', { name: 'Yozuv 1.wav' }).getByText('Isolated').waitFor();
  await change(page, 3, [done(2)]);
  await page.getByRole('row', { name: 'Yozuv 2.wav' }).getByText('Isolated').waitFor();
  expect(await opened(page)).toEqual([]);
  expect(await list.boundingBox()).toEqual(before);
  await page.context().close();
});

it('the only recording that was added opens by itself, but not while the pointer is on a row', async () => {
  const page = await open([running(1), done(2)]);
  const row = page.getByRole('row', { name: 'Yozuv 1.wav' });
  await row.hover();
  await change(page, 2, [done(1)]);
  await row.getByText('Isolated').waitFor();
  expect(await opened(page)).toEqual([]);
  await page.mouse.move(600, 4);
  await player(page).waitFor();
  expect(await opened(page)).toEqual([{ audioId: 'audio-1' }]);
  await page.context().close();
});

it('Esc pauses, stops the loop and closes, in this order; the row gets the focus and the list its height', async () => {
  const page = await open(results);
  const list = page.getByRole('region', { name: 'Isolated recordings' });
  const before = await list.boundingBox();
  await page.getByRole('row', { name: 'Yozuv 3.wav' }).getByText('Yozuv 3.wav').click();
  await page.getByText(/LUFS/u).nth(1).waitFor({ timeout: 20_000 });
  await page.keyboard.press('Control+KeyL');
  await page.keyboard.press('Control+Space');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  await page.getByRole('button', { name: /^Loop 00/u }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Loop', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => player(page).count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Yozuv 3.wav');
  expect(await list.boundingBox()).toEqual(before);

  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Close the recording' }).click();
  await expect.poll(() => player(page).count()).toBe(0);
  await page.context().close();
});

it('the whole recording opened after its excerpt is not said to be an excerpt, nor offered to be paid for again', async () => {
  const page = await open([done(1), done(2)]);
  const show = async (number: number, part: IsolatedAudio['part']) => {
    const audio = { ...isolatedAudio(part), audioId: `audio-${String(number)}`, title: `Audio ${String(number)}` };
    await page.evaluate((answer) => window.fakeStudio.setAnswer('isolation.open', answer), audio);
    await page
      .getByRole('row', { name: `Yozuv ${String(number)}.wav` })
      .getByText('Isolated')
      .click();
    await page.getByRole('heading', { name: `Audio ${String(number)}` }).waitFor();
    await page.getByRole('slider', { name: 'Blend' }).waitFor();
  };
  const whole = page.getByRole('button', { name: 'Isolate all of it' });
  const times = { startMs: 0, endMs: 15_000, wholeMs: 90_000, wholeUrl: '/media/noisy' };
  await show(1, { ...times, index: null, count: 0, isJoinable: false });
  await whole.waitFor();
  await show(2, null);
  expect(await whole.count()).toBe(0);
  await page.context().close();
});

it('the excerpt of a recording that is isolated as a whole opens that one, without a price', async () => {
  const page = await served.open({
    plan: planStudio({
      settings: { interfaceLanguage: 'en' },
      jobs: [{ ...done(1), part: { startMs: 0, endMs: 30_000 } } as JobView, { ...done(2), name: done(1).name }],
      answers: {
        'isolation.open': {
          ...isolatedAudio({
            startMs: 0,
            endMs: 30_000,
            wholeMs: 90_000,
            wholeUrl: null,
            index: null,
            count: 0,
            isJoinable: false,
          }),
          jobId: 'job-1',
        },
        'isolation.list': { audio: [] },
      },
    }),
  });
  await playNoisy(page);
  await page.keyboard.press('Control+Digit5');
  await page.getByRole('row').first().getByText('Isolated').click();
  const side = page.getByRole('complementary');
  const openWhole = side.getByRole('button', { name: 'Open the whole recording' });
  await openWhole.waitFor();
  await side.getByText(/; all of it is isolated too\./u).waitFor();
  expect(await side.getByRole('button', { name: 'Isolate all of it' }).count()).toBe(0);
  expect(await side.getByText(/^1:30 ·/u).count()).toBe(0);
  await openWhole.click();
  await expect.poll(async () => (await opened(page)).at(-1)).toEqual({ audioId: 'audio-2' });
  expect(await callsOf(page, 'isolation.addWhole')).toEqual([]);
  await page.context().close();
});

it('a result of another length than its recording says so when it is opened', async () => {
  const page = await served.open({
    plan: planStudio({
      jobs: isolatedJobs,
      answers: {
        'isolation.open': { ...isolatedAudio(null), recordingMs: 90_000 },
        'isolation.list': { audio: [] },
      },
    }),
  });
  await playNoisy(page);
  await openDone(page);
  await page.getByText('The result is 0:15 long, the recording 1:30').waitFor();
  await page.context().close();
});

it('at 1280 by 800 the whole play row stays in view with the noise lane, under a notice, and beside texts, which are scrolled to', async () => {
  const words = (last: string) =>
    Array.from({ length: 60 }, (_, at) => ({
      text: at === 59 ? last : 'soʻz',
      startMs: at * 200,
      endMs: at * 200 + 150,
    }));
  const part = { startMs: 0, endMs: 15_000, wholeMs: 90_000, wholeUrl: null, index: null, count: 0, isJoinable: false };
  const page = await served.open({
    viewport: { width: 1280, height: 800 },
    plan: planStudio({
      settings: { interfaceLanguage: 'ru' },
      jobs: isolatedJobs,
      answers: {
        'isolation.open': isolatedAudio(part),
        'isolation.list': { audio: [] },
        'isolation.compareTexts': { texts: null },
      },
      failures: { 'jobs.addPicked': makeFailure('E-230', { params: { bugId: 'b-17' } }) },
    }),
  });
  await playNoisy(page);
  await openDone(page);
  await page.getByText(/LUFS/u).nth(1).waitFor({ timeout: 20_000 });
  /** Nothing lies over an end of it, and it is not scrolled away. */
  const isInView = (locator: Locator) =>
    locator.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [y + 2, y + height - 2].every((at) => element.contains(document.elementFromPoint(x + width / 2, at)));
    });
  const play = page.locator('button:has(svg.lucide-play)').first();
  await page.keyboard.press('3');
  await expect.poll(() => page.getByRole('slider').locator('canvas').count()).toBe(3);
  expect(await isInView(play)).toBe(true);
  await page.evaluate((texts) => window.fakeStudio.setAnswer('isolation.compareTexts', { texts }), {
    original: words('bor'),
    isolated: words('yoʻq'),
  });
  await page.getByRole('button', { name: 'Сравнить тексты' }).click();
  const different = page.getByRole('button', { name: 'yoʻq' });
  await different.waitFor();
  await expect.poll(() => isInView(different)).toBe(true);
  expect(await isInView(play)).toBe(true);
  await page.keyboard.press('Control+KeyO');
  await page.getByRole('alert').waitFor();
  expect(await isInView(play)).toBe(true);
  await page.context().close();
});

it('in the smallest window an opened recording leaves two rows of the list and lanes of 48 pixels', async () => {
  const page = await open(results);
  await page.setViewportSize({ width: 960, height: 640 });
  await page.getByRole('row', { name: 'Yozuv 0.wav' }).getByText('Yozuv 0.wav').click();
  await page.getByText(/LUFS/u).nth(1).waitFor({ timeout: 20_000 });
  await page.keyboard.press('4');
  const pictures = page.getByRole('slider', { name: 'Position' }).locator('canvas');
  await expect.poll(() => pictures.count()).toBe(3);
  const heights = await pictures.evaluateAll((lanes) => lanes.map((lane) => lane.parentElement?.offsetHeight ?? 0));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(48);
  const grid = await page.getByRole('grid').boundingBox();
  expect(grid?.height).toBeGreaterThanOrEqual(82);
  const controls = await page.getByRole('button', { name: /^Switch/u }).boundingBox();
  expect((controls?.y ?? 640) + (controls?.height ?? 0)).toBeLessThan((grid?.y ?? 0) - 32);
  await page.context().close();
});

it('the line above the list moves it by keys and by dragging, and its place is stored', async () => {
  const page = await open(results);
  await page.getByRole('row', { name: 'Yozuv 0.wav' }).getByText('Yozuv 0.wav').click();
  const line = page.getByRole('separator', { name: 'Height of the list' });
  const stored = async () => (await callsOf(page, 'settings.update')).at(-1);
  const usual = Number(await line.getAttribute('aria-valuenow'));
  await line.press('ArrowUp');
  await expect.poll(stored).toEqual({ isolateListHeight: usual + 16 });
  const { x = 0, y = 0, width = 0 } = (await line.boundingBox()) ?? {};
  await page.mouse.move(x + width / 2, y);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y - 50, { steps: 3 });
  await page.mouse.up();
  await expect.poll(stored).toEqual({ isolateListHeight: usual + 66 });
  await line.press('Enter');
  await expect.poll(stored).toEqual({ isolateListHeight: null });
  await page.context().close();
});

it('Ctrl+Z undoes that a transcript plays the isolated audio', async () => {
  const page = await served.open({
    plan: planStudio({
      settings: { interfaceLanguage: 'en' },
      jobs: results,
      answers: {
        'isolation.open': isolatedAudio(null),
        'isolation.list': { audio: [] },
        'isolation.useAsRecording': { formerAudioId: null },
        'isolation.useOriginal': {},
      },
    }),
  });
  await page.keyboard.press('Control+Digit5');
  await page.getByRole('row', { name: 'Yozuv 0.wav' }).getByText('Yozuv 0.wav').click();
  await page.getByRole('button', { name: 'Use as recording: Bozordagi intervyu, Chorsu' }).click();
  const notice = page.getByText('now plays the isolated audio');
  await notice.waitFor();
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(() => callsOf(page, 'isolation.useOriginal')).toEqual([{ transcriptId: 'transcript-1' }]);
  await expect.poll(() => notice.count()).toBe(0);
  await page.context().close();
});
