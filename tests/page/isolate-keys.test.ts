import type { Locator, Page } from '@playwright/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import { callsOf } from '../support/fake-studio.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { planStudio } from '../support/studio-plan.ts';
import { turn } from '../support/turn.ts';
import { isolatedAudio, isolatedJobs, playNoisy, restingJobs } from './isolate-states.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const done = isolatedJobs.find(({ state }) => state.tag === 'done');
/** Thirty results, more than there is room for. */
const jobs = Array.from(
  { length: 30 },
  (_, at) =>
    ({ ...done, id: `done-${String(at)}`, name: `Yozuv ${String(at)}.wav`, addedAtMs: 1_000_000 - at }) as JobView,
);

const open = async (listed: readonly JobView[] = jobs, prepare?: (page: Page) => Promise<unknown>): Promise<Page> => {
  const page = await served.open({
    plan: planStudio({
      settings: { interfaceLanguage: 'en' },
      jobs: listed,
      answers: {
        'isolation.open': isolatedAudio(null),
        'isolation.list': { audio: [] },
        'isolation.hide': { undoMs: 20_000 },
        'isolation.unhide': { isRestored: true },
        'isolation.hidden': { jobs: [{ jobId: 'long-ago', name: 'Eski yozuv.wav', durationMs: 61_000 }] },
        'isolation.retry': { retriedCount: 2 },
        'jobs.act': { changedCount: 2, acceptedCount: 0 },
      },
    }),
  });
  await prepare?.(page);
  await page.keyboard.press('Control+Digit5');
  return page;
};
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

it('a row has the focus after a click: arrows move on from it, Delete hides it and Ctrl+Z restores it', async () => {
  const page = await open();
  await page.getByRole('row', { name: 'Yozuv 2.wav' }).getByText('Yozuv 2.wav').click();
  await expect.poll(() => focused(page)).toBe('Yozuv 2.wav');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(page)).toBe('Yozuv 3.wav');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('Yozuv 3.wav');
  await page.keyboard.press('Delete');
  await page.getByText('Yozuv 3.wav hidden').waitFor();
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(() => callsOf(page, 'isolation.unhide')).toEqual([{ jobId: 'done-3' }]);
  await page.context().close();
});

it('the list scrolls by itself: the player stays where it is', async () => {
  const page = await open();
  await page.getByRole('row', { name: 'Yozuv 0.wav' }).click();
  const player = page.getByRole('region', { name: 'Compare' }).first();
  const before = await player.boundingBox();
  await page.keyboard.press('End');
  await page.getByRole('row', { name: 'Yozuv 29.wav' }).waitFor();
  await expect.poll(() => focused(page)).toBe('Yozuv 29.wav');
  expect(await player.boundingBox()).toEqual(before);
  await page.context().close();
});

/** Presses Tab from the present focus until a control with this name has it. */
const tabTo = async (page: Page, name: RegExp) => {
  for (let presses = 0; presses < 60; presses += 1) {
    const label = await page.evaluate(() => {
      const { activeElement: at } = document;
      const owner = at instanceof HTMLInputElement ? (at.labels?.[0] ?? at) : at;
      return at?.getAttribute('aria-label') ?? owner?.textContent ?? '';
    });
    if (name.test(label)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`No Tab leads to ${String(name)}`);
};

it('by keyboard alone: waiting rows are released or removed, rows are selected, retried, hidden and shown again', async () => {
  const page = await open([...isolatedJobs, ...restingJobs]);
  await page.getByText('2 recordings to send').waitFor();
  await tabTo(page, /^Isolate 2 recordings$/u);
  await page.keyboard.press('Enter');
  await expect.poll(() => callsOf(page, 'jobs.act')).toEqual([{ jobIds: ['resting-1', 'resting-2'], action: 'go-on' }]);

  await tabTo(page, /^Buxoro, hovli suhbati 1[.]wav$/u);
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  const bar = page.getByRole('toolbar', { name: 'Selected recordings' });
  await bar.getByText('2 selected').waitFor();
  await page.keyboard.press('Delete');
  await page.getByText('2 recordings hidden').waitFor();
  expect(await callsOf(page, 'isolation.hide')).toEqual([{ jobId: 'large' }, { jobId: 'failed' }]);
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(() => callsOf(page, 'isolation.unhide')).toEqual([{ jobId: 'large' }, { jobId: 'failed' }]);

  await tabTo(page, /hidden$/u);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Show again: Eski yozuv[.]wav$/u);
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await callsOf(page, 'isolation.unhide')).at(-1)).toEqual({ jobId: 'long-ago' });
  await page.context().close();
});

it('by keyboard alone: a result is played, switched, blended and looped, and all its details are reached', async () => {
  const page = await open(jobs, playNoisy);
  await tabTo(page, /^Yozuv 0[.]wav$/u);
  await page.keyboard.press('Enter');
  await page.getByText(/LUFS/u).nth(1).waitFor({ timeout: 20_000 });
  const heard = (name: string) => page.getByRole('radio', { name, exact: true });
  // Typing a letter finds a row while the list has the focus.
  await tabTo(page, /^Switch/u);
  await page.keyboard.press('x');
  await expect.poll(() => heard('Original').isChecked()).toBe(true);
  await page.keyboard.press('4');
  await page.getByRole('slider', { name: 'Blend' }).waitFor();
  await page.keyboard.press('Control+KeyL');
  await page.getByRole('button', { name: /^Loop 00:00[.]0 to 00:08[.]0, 8 s/u }).waitFor();
  await page.keyboard.press('Control+Space');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.keyboard.press('Control+Space');
  for (const name of [
    /^Blend/u,
    /^Waveform/u,
    /^Position$/u,
    /^Match loudness/u,
    /^Switch/u,
    /^Restore speech/u,
    /^Try 30 seconds first/u,
    /^Isolated audio in the blend/u,
    /^Save the blend as MP3$/u,
    /^Save MP3$/u,
    /^Transcribe this$/u,
    /^Use as recording/u,
  ])
    await tabTo(page, name);
  await page.context().close();
});

it('several failed rows are retried by one request, which says that it may be charged', async () => {
  const failed = isolatedJobs.find(({ id }) => id === 'failed');
  const page = await open(
    [1, 2].map((at) => ({ ...failed, id: `f-${String(at)}`, name: `F ${String(at)}.wav` }) as JobView),
  );
  await page.getByRole('row', { name: 'F 1.wav' }).focus();
  await page.keyboard.press('Control+KeyA');
  await page.getByRole('button', { name: 'Send 2 again (may be charged)' }).click();
  await expect.poll(() => callsOf(page, 'isolation.retry')).toEqual([{ jobIds: ['f-1', 'f-2'] }]);
  await page.context().close();
});

it('after a click keys and Space belong to the opened recording; what keys went to keeps its own', async () => {
  const page = await open(jobs, playNoisy);
  const heard = (name: string) => page.getByRole('radio', { name, exact: true });
  const rows = page.getByRole('row', { selected: true });
  await page.getByRole('row', { name: 'Yozuv 0.wav' }).getByText('Yozuv 0.wav').click();
  await page.getByText(/LUFS/u).nth(1).waitFor({ timeout: 20_000 });
  for (const [key, name] of [
    ['1', 'Original'],
    ['3', 'Noise only'],
    ['4', 'Blend'],
    ['2', 'Isolated'],
    ['x', 'Original'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => heard(name).isChecked()).toBe(true);
  }
  const play = page.getByRole('button', { name: 'Play', exact: true });
  const pause = page.getByRole('button', { name: 'Pause', exact: true });
  await page.keyboard.press('Space');
  await pause.waitFor();
  await page.getByRole('button', { name: /^Switch/u }).click();
  await expect.poll(() => heard('Isolated').isChecked()).toBe(true);
  await page.keyboard.press('Space');
  await play.waitFor();
  const loudness = page.getByRole('switch', { name: /^Match loudness/u });
  await page.getByText('Match loudness').click();
  expect(await loudness.isChecked()).toBe(false);
  // What a switch decides may be paid for: it keeps Space, whatever its state and however it was reached.
  await page.keyboard.press('Space');
  expect(await loudness.isChecked()).toBe(true);
  await page.keyboard.press('Space');
  expect(await loudness.isChecked()).toBe(false);
  expect(await pause.count()).toBe(0);
  await page.keyboard.press('Control+Space');
  await pause.waitFor();
  await page.getByRole('row', { name: 'Yozuv 0.wav' }).getByText('Yozuv 0.wav').click();
  await page.keyboard.press('Control+Space');
  await play.waitFor();
  expect(await rows.count()).toBe(0);

  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await expect.poll(() => rows.count()).toBe(1);
  await tabTo(page, /^Switch/u);
  await page.keyboard.press('Space');
  await expect.poll(() => heard('Original').isChecked()).toBe(true);
  await play.waitFor();
  await page.context().close();
});

it('another restoration model is requested by its name, and the choice is stored', async () => {
  const page = await open();
  await turn(page.getByRole('switch', { name: /Restore speech/u }));
  const model = page.getByRole('textbox', { name: 'Restoration model' });
  await model.fill(' restore-large ');
  await model.press('Enter');
  await expect
    .poll(async () => (await callsOf(page, 'settings.update')).at(-1))
    .toMatchObject({ restorationModel: 'restore-large' });
  await page.context().close();
});

it('the list is sorted from its menu, a row opens its own menu, and keys zoom the lanes in and out', async () => {
  const named = jobs.slice(0, 5).map((job, at) => ({ ...job, name: `${'caebd'[at] ?? ''}.wav` }) as JobView);
  const page = await open(named, (opened) => playNoisy(opened));
  const names = () => page.getByRole('row').evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')));
  await expect.poll(names).toEqual(['c.wav', 'a.wav', 'e.wav', 'b.wav', 'd.wav']);
  await page.getByRole('button', { name: /^Sort/u }).press('Enter');
  await page.getByRole('menuitemradio', { name: 'Name' }).press('Enter');
  await expect.poll(names).toEqual(['a.wav', 'b.wav', 'c.wav', 'd.wav', 'e.wav']);

  await page.getByRole('row', { name: 'b.wav' }).focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Compare' }).waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('row', { name: 'b.wav' }).getByText('b.wav').click();
  const zoomOut = page.getByRole('button', { name: /zoom out/iu }).first();
  // Until both recordings can be played nothing can be zoomed.
  await expect
    .poll(() =>
      page
        .getByRole('button', { name: /zoom in/iu })
        .first()
        .isEnabled(),
    )
    .toBe(true);
  expect(await zoomOut.isDisabled()).toBe(true);
  await page.keyboard.press('Alt+Equal');
  await expect.poll(() => zoomOut.isEnabled()).toBe(true);
  await page.keyboard.press('Alt+Digit0');
  await expect.poll(() => zoomOut.isDisabled()).toBe(true);
  await page.context().close();
});

it('the menu of a row that was scrolled out of view opens beside the row, in view', async () => {
  const failed = isolatedJobs.find(({ id }) => id === 'failed');
  const page = await open([...jobs.slice(0, 25), { ...failed, id: 'lost', name: 'Shamol.wav' } as JobView]);
  const row = page.getByRole('row', { name: 'Shamol.wav' });
  for (const key of ['Enter', 'Shift+F10']) {
    await row.getByText('Shamol.wav').click();
    await expect.poll(() => focused(page)).toBe('Shamol.wav');
    await page.getByRole('grid').evaluate((grid) => {
      grid.scrollTop = grid.scrollHeight;
    });
    await expect.poll(() => page.getByRole('row', { name: 'Yozuv 24.wav' }).isVisible()).toBe(true);
    await page.keyboard.press(key);
    const last = page.getByRole('menuitem', { name: 'Hide' });
    await last.waitFor();
    await expect.poll(() => isInView(last)).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
  }
  await page.context().close();
});

const isInView = (element: Locator): Promise<boolean> =>
  element.evaluate((item) => {
    const { top, bottom } = item.getBoundingClientRect();
    return top >= 0 && bottom <= window.innerHeight;
  });

it('spectrogram and loudness are commands, and “noise” finds all that is heard in a comparison', async () => {
  const page = await open(jobs, playNoisy);
  await page.getByRole('row', { name: 'Yozuv 0.wav' }).click();
  const spectrogram = page.getByRole('radio', { name: 'Spectrogram' });
  await page.getByText(/LUFS/u).nth(1).waitFor({ timeout: 20_000 });
  await page.keyboard.press('Control+KeyK');
  await page.keyboard.type('spectrogram');
  await page.keyboard.press('Enter');
  await expect.poll(() => spectrogram.isChecked()).toBe(true);
  const match = page.getByRole('switch', { name: 'Match loudness' });
  expect(await match.isChecked()).toBe(true);
  await page.keyboard.press('Control+KeyK');
  await page.keyboard.type('loudness');
  await page.keyboard.press('Enter');
  await expect.poll(() => match.isChecked()).toBe(false);
  await page.keyboard.press('Control+KeyK');
  await page.keyboard.type('noise');
  await page.getByRole('option', { name: 'Hear what was removed' }).waitFor();
  await page.context().close();
});
