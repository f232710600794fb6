import type { Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import type { IsolatedAudio } from '../../renderer/bridge/types.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { noQueue, type JobView } from '../../shared/domain/jobs/job-view.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { planStudio, type StudioPlan } from '../support/studio-plan.ts';
import { isolatedAudio, isolatedJobs, playNoisy, restingJobs } from './isolate-states.ts';
import { focusedName, pagesOfFile, tabTo, waitForFocus } from './page-rig.ts';

const { open } = pagesOfFile();

const like = (id: string, changes: Partial<JobView>): JobView =>
  ({ ...isolatedJobs.find((job) => job.id === id), ...changes }) as JobView;
const numbered = (id: string, at: number, state?: JobView['state']): JobView =>
  like(id, {
    id: `job-${String(at)}`,
    name: `Yozuv ${String(at)}.wav`,
    addedAtMs: 1_000_000 - at,
    ...(state && { state }),
  } as Partial<JobView>);
const done = (at: number) =>
  numbered('cancelled', at, { tag: 'done', audioId: `audio-${String(at)}`, finishedAtMs: 1_000_000 });
const results = (count: number) => Array.from({ length: count }, (_, at) => done(at));

const openList = async (jobs: readonly JobView[], answers: StudioPlan['answers'] = {}): Promise<Page> => {
  const page = await open({
    plan: planStudio({
      jobs,
      answers: {
        'isolation.open': isolatedAudio(null),
        'isolation.list': { audio: [] },
        'isolation.hidden': { jobs: [{ jobId: 'long-ago', name: 'Eski yozuv.wav', durationMs: 61_000 }] },
        'isolation.hide': { hiddenCount: 2 },
        'isolation.unhide': { restoredCount: 2 },
        'isolation.useAsRecording': { formerAudioId: null },
        ...answers,
      },
    }),
  });
  await playNoisy(page);
  await page.keyboard.press('Control+Digit5');
  await page.getByRole('grid').waitFor();
  return page;
};
const row = (page: Page, name: string) => page.getByRole('row', { name });
const show = async (page: Page, name: string) => {
  await row(page, name).getByText(name).click();
  await measured(page);
};
const measured = async (page: Page) => {
  await page.getByRole('slider', { name: 'Position' }).waitFor();
  await page.getByText('Measuring…').waitFor({ state: 'detached', timeout: 20_000 });
};
const told = (page: Page, ...jobs: JobView[]) =>
  emitEvent(page, 'jobs.changed', { isWhole: false, jobs, removedIds: [], queue: noQueue });
const player = (page: Page) => page.getByRole('region', { name: 'Compare' }).first();
const opened = async (page: Page) => (await callsOf(page, 'isolation.open')).map(({ audioId }) => audioId);
const heard = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });

describe('by keyboard alone', () => {
  it('waiting rows are released, others selected, hidden with undo, and shown again', async () => {
    const page = await openList([...isolatedJobs, ...restingJobs]);
    await page.getByText('2 recordings to send').waitFor();
    await tabTo(page, /^Isolate 2 recordings$/u);
    await page.keyboard.press('Enter');
    await expect
      .poll(() => callsOf(page, 'jobs.act'))
      .toEqual([{ jobIds: ['resting-1', 'resting-2'], action: 'go-on' }]);
    await tabTo(page, /^Buxoro, hovli suhbati 1[.]wav$/u);
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByRole('toolbar', { name: 'Selected recordings' }).getByText('2 selected').waitFor();
    await page.keyboard.press('Delete');
    await page.getByText('2 recordings hidden').waitFor();
    expect(await callsOf(page, 'isolation.hide')).toEqual([{ jobIds: ['large', 'failed'] }]);
    await page.keyboard.press('Control+KeyZ');
    await expect.poll(() => callsOf(page, 'isolation.unhide')).toEqual([{ jobIds: ['large', 'failed'] }]);
    await tabTo(page, /^More$/u);
    await page.keyboard.press('Enter');
    await tabTo(page, /hidden$/u);
    await page.keyboard.press('Enter');
    await tabTo(page, /^Show again: Eski yozuv[.]wav$/u);
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await callsOf(page, 'isolation.unhide')).at(-1)).toEqual({ jobIds: ['long-ago'] });
  });

  it('Esc pauses, stops the loop and closes, in this order, and the row has the focus; Ctrl+Z gives a transcript its recording back', async () => {
    const page = await openList(results(12));
    await show(page, 'Yozuv 3.wav');
    await page.keyboard.press('Control+KeyL');
    await page.keyboard.press('Control+Space');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    const loop = page.getByRole('button', { name: /^Loop 00/u });
    await loop.waitFor();
    await page.keyboard.press('Escape');
    await loop.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await expect.poll(() => player(page).count()).toBe(0);
    expect(await focusedName(page)).toBe('Yozuv 3.wav');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByText(/^Charged as a transcription of .* Expected cost: about [\d.]+ credits?\./u).waitFor();
    await page.getByRole('button', { name: 'Use as recording: Bozordagi intervyu, Chorsu' }).click();
    await page.getByText('now plays the cleaned audio').waitFor();
    await page.keyboard.press('Control+KeyZ');
    await expect.poll(() => callsOf(page, 'isolation.useOriginal')).toEqual([{ transcriptId: 'transcript-1' }]);
  });

  it('after a click keys belong to the opened recording: what is heard, X back to the last, Space plays', async () => {
    const page = await openList(results(5), { 'isolation.hide': { hiddenCount: 1 } });
    await show(page, 'Yozuv 2.wav');
    for (const [key, name] of [
      ['1', 'Original'],
      ['3', 'Blend'],
      ['4', 'Noise only'],
      ['2', 'Cleaned'],
      ['x', 'Noise only'],
      ['x', 'Cleaned'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => heard(page, name).isChecked()).toBe(true);
      expect(await page.getByRole('slider', { name: 'Blend' }).count()).toBe(name === 'Blend' ? 1 : 0);
    }
    const pause = page.getByRole('button', { name: 'Pause', exact: true });
    await page.getByText('Original', { exact: true }).first().click();
    await page.keyboard.press('Space');
    await pause.waitFor();
    await page.keyboard.press('Space');
    await pause.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await waitForFocus(row(page, 'Yozuv 2.wav'));
    await page.keyboard.press('ArrowDown');
    await waitForFocus(row(page, 'Yozuv 3.wav'));
    await page.keyboard.press('Delete');
    await page.getByText('Yozuv 3.wav hidden, nothing is refunded').waitFor();
    await page.keyboard.press('Control+KeyZ');
    await expect.poll(() => callsOf(page, 'isolation.unhide')).toEqual([{ jobIds: ['job-3'] }]);
  });
});

describe('one Save button', () => {
  it('saves what is heard, its menu the others and the video; at 1280 by 800 playing stays in view', async () => {
    const page = await openList(results(3), {
      'isolation.open': { ...isolatedAudio(null), video: 'mp4', losesSubtitles: true },
    });
    await page.setViewportSize({ width: 1280, height: 800 });
    await show(page, 'Yozuv 1.wav');
    const play = await page.getByRole('button', { name: 'Play', exact: true }).boundingBox();
    expect((play?.y ?? 800) + (play?.height ?? 0)).toBeLessThanOrEqual(800);
    await page.keyboard.press('Control+KeyS');
    await page.keyboard.press('3');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Choose what to save' }).click();
    await page.getByText('MP4, without subtitles').waitFor();
    await page.getByRole('menuitem', { name: 'Video with the blend, 80% cleaned' }).click();
    await expect
      .poll(() => callsOf(page, 'isolation.saveMix' as 'isolation.save'))
      .toMatchObject([
        { format: 'wav', content: 'isolated' },
        { format: 'wav', content: 'blend', percent: 80 },
        { format: 'video', content: 'blend', percent: 80 },
      ]);
  });
});

describe('several saved at once', () => {
  const saveBoth = async (audio: IsolatedAudio) => {
    const page = await openList(results(2), {
      'isolation.open': audio,
      'isolation.choosePlace': { placeToken: 'place' },
      'isolation.save': { savedAs: 'Yozuv.wav', revealToken: 'file' },
    });
    await page.getByRole('button', { name: 'Save 2 ready' }).click();
    await page.getByRole('menuitem', { name: 'WAV' }).click();
    return page;
  };

  it('each is aligned with its original as a single one is, and put into the chosen folder; what is not saved is named', async () => {
    const page = await saveBoth(isolatedAudio(null));
    const mixes = () => callsOf(page, 'isolation.saveMix' as 'isolation.save');
    const sent = () => callsOf(page, 'stream isolation.saveMix' as 'isolation.save');
    const say = (message: unknown) =>
      page.evaluate((one) => window.fakeStudio.sayInStream('isolation.saveMix', one), message);
    for (const count of [1, 2]) {
      await expect.poll(mixes, { timeout: 20_000 }).toHaveLength(count);
      await say({ kind: 'value', value: { kind: 'chosen' } });
      const finished = async () => (await sent()).filter((one) => (one as { kind?: string }).kind === 'finish');
      await expect.poll(finished, { timeout: 20_000 }).toHaveLength(count);
      if (count === 1)
        await say({ kind: 'value', value: { kind: 'saved', savedAs: 'Yozuv.wav', revealToken: 'file' } });
      await say({ kind: 'end', result: { ok: true, value: null } });
    }
    await page.getByText('1 file saved').waitFor();
    await page.getByRole('alert').getByText('Export not finished').waitFor();
    const wanted = { format: 'wav', content: 'isolated', percent: 100, placeToken: 'place' };
    expect(await mixes()).toMatchObject([wanted, wanted]);
    expect(await callsOf(page, 'isolation.save')).toEqual([]);
  });

  it('what cannot be read here is saved as the service made it', async () => {
    const audio = isolatedAudio(null);
    const page = await saveBoth({ ...audio, isolated: { ...audio.isolated, url: null } });
    await page.getByText('2 files saved').waitFor();
    const wanted = { audioId: 'audio-1', format: 'wav', placeToken: 'place' };
    expect((await callsOf(page, 'isolation.save')).map((one) => ({ ...one, audioId: 'audio-1' }))).toEqual([
      wanted,
      wanted,
    ]);
  });
});

describe('what opens', () => {
  it('the key that adds files adds them to the screen that is shown, with its options, whatever the queue has done meanwhile', async () => {
    const page = await open({
      plan: planStudio({
        settings: { isolatesExcerpts: true, restoresSpeech: true, restorationModel: 'other' },
        answers: { 'isolation.open': isolatedAudio(null), 'isolation.list': { audio: [] } },
        waits: ['jobs.addPicked'],
      }),
    });
    await page.keyboard.press('Control+Digit5');
    await page.getByRole('heading', { name: 'Isolate', exact: true }).waitFor();
    const wanted = { kind: 'isolate', isExcerpt: true, restoresSpeech: true, restorationModel: 'other' };
    const added = async () => (await callsOf(page, 'jobs.addPicked')).map(({ options }) => options);
    // A waiting job can be paused, which makes another command of the queue available.
    await told(page, numbered('waiting', 1, { tag: 'waiting', placeInQueue: 1 }));
    await page.getByText('Waiting to upload').waitFor();
    await page.keyboard.press('Control+KeyO');
    await expect.poll(added).toEqual([wanted]);
    await told(page, done(1));
    await player(page).waitFor();
    await page.getByRole('link', { name: 'Isolate' }).click();
    await page.keyboard.press('Control+KeyO');
    await expect.poll(added).toEqual([wanted, wanted]);
  });
});

describe('an excerpt', () => {
  const part: IsolatedAudio['part'] = {
    startMs: 0,
    endMs: 15_000,
    wholeMs: 90_000,
    wholeUrl: null,
    index: null,
    count: 0,
    isJoinable: false,
  };
  const whole = (page: Page) => page.getByRole('button', { name: /^Clean all 1:30/u });

  it('is ordered whole by the main button; what is cleaned of it meanwhile is marked on its lane', async () => {
    const excerpt = { ...done(1), isExcerpt: true, part: { startMs: 0, endMs: 15_000 } } as JobView;
    const page = await openList([excerpt, done(2)], {
      'isolation.open': { ...isolatedAudio({ ...part, wholeUrl: '/media/noisy' }), jobId: 'job-1' },
    });
    await row(page, 'Yozuv 1.wav').getByText('Yozuv').click();
    await whole(page).waitFor();
    const state = { tag: 'processing', sinceMs: 1, rawStatus: null } as const;
    await told(page, { ...excerpt, id: 'again', state, part: { startMs: 30_000, endMs: 60_000 } } as JobView);
    await page.getByText('Being cleaned: 00:30 to 01:00').waitFor();
    await page.evaluate((answer) => window.fakeStudio.setAnswer('isolation.open', answer), {
      ...isolatedAudio(null),
      audioId: 'audio-2',
      title: 'Audio 2',
    });
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await row(page, 'Yozuv 2.wav').getByText('Yozuv').click();
    await page.getByRole('heading', { name: 'Audio 2' }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
    expect(await whole(page).count()).toBe(0);
  });

  it('whose whole recording is isolated opens that one without a price, also where only main knows of it', async () => {
    const excerpt = { ...done(1), part: { startMs: 0, endMs: 15_000 } } as JobView;
    const page = await openList([excerpt, { ...done(2), name: excerpt.name }], {
      'isolation.open': { ...isolatedAudio(part), jobId: 'job-1' },
    });
    await page.getByRole('row').first().getByText('Yozuv').click();
    const openWhole = page.getByRole('button', { name: 'Open the whole recording' });
    await openWhole.waitFor();
    expect(await whole(page).count()).toBe(0);
    await openWhole.click();
    await expect.poll(async () => (await opened(page)).at(-1)).toBe('audio-2');
    expect(await callsOf(page, 'isolation.addWhole')).toEqual([]);

    const listed = await openList([...results(30), done(40)], {
      'isolation.open': isolatedAudio(part),
      'isolation.addWhole': { jobId: 'job-40', isListed: true },
    });
    await row(listed, 'Yozuv 0.wav').getByText('Yozuv 0.wav').click();
    await whole(listed).click();
    await expect.poll(async () => (await opened(listed)).at(-1)).toBe('audio-40');
  });
});

describe('a second copy', () => {
  const first = like('working', { id: 'first', name: 'Bir.wav' });
  const params = { jobId: 'first', name: 'Bir.wav', date: 1 };
  const failure = makeFailure('already-in-queue', {
    code: 'same_in_queue',
    outcome: 'not_sent',
    layer: 'local',
    params,
  });
  const again = like('working', { id: 'again', name: 'Nusxa.wav', state: { tag: 'needs-user', failure } });
  const ready = like('working', {
    id: 'first',
    name: 'Bir.wav',
    state: { tag: 'done', audioId: 'audio-1', finishedAtMs: 1 },
  });

  it('of a recording that is being isolated says so, and leaves the list with undo or takes the result of the first', async () => {
    const page = await openList([done(1), first, again]);
    const twin = row(page, 'Nusxa.wav');
    await twin.getByText('Already being cleaned').waitFor();
    expect(await twin.getByRole('button', { name: 'Open that result' }).count()).toBe(0);
    await twin.getByRole('button', { name: 'Remove from the list' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => callsOf(page, 'jobs.act')).toEqual([{ jobIds: ['again'], action: 'undo-cancel' }]);
    expect(await callsOf(page, 'jobs.remove')).toEqual([{ jobId: 'again' }]);
    await told(page, ready);
    await twin.getByText('Cleaned before', { exact: true }).waitFor();
    await twin.getByRole('button', { name: 'Open that result' }).click();
    await expect.poll(() => callsOf(page, 'jobs.copyResult')).toEqual([{ jobId: 'again' }]);
    await told(page, { ...again, state: { tag: 'done', audioId: 'audio-2', finishedAtMs: 2 } });
    await expect.poll(async () => (await opened(page)).at(-1)).toBe('audio-2');
  });
});

describe('money', () => {
  it('is estimated from the last isolations before a recording is sent, and said after it in its row', async () => {
    const long = like('waiting', { id: 'long', name: 'Uzun.wav', durationMs: 1_327_000 });
    const paused = { ...long, state: { tag: 'paused', sentBytes: 0, totalBytes: 0 } } as JobView;
    const page = await openList([like('done', {}), paused], {
      'isolation.list': { audio: [{ audioId: 'audio-1', jobId: 'done', credits: '31' }] },
      'usage.isolationRate': { sampleCount: 3, creditsPerHour: '3601', creditsPerGigabyte: null },
    });
    await page.getByText(/1 recording to send: .*about 1,328 credits/u).waitFor();
    await page.getByText('Estimated from your last 3 isolations.').first().waitFor();
    await page
      .getByText('Up to 10 minutes are sent at once; more waits until you send it. Per minute: about 61 credits.')
      .waitFor();
    await page.setViewportSize({ width: 960, height: 640 });
    await row(page, 'Uzun.wav').getByText('about 1,328').filter({ visible: true }).first().waitFor();
    await row(page, 'Uzun.wav').getByText('Paused').filter({ visible: true }).first().waitFor();
    await told(page, { ...long, state: { tag: 'paused', sentBytes: 0, totalBytes: 0, isAwaitingAnswer: true } });
    await row(page, 'Uzun.wav').getByText('Not sent yet').filter({ visible: true }).first().waitFor();
    await row(page, 'Bozordagi').getByText('31 credits').filter({ visible: true }).first().waitFor();
  });

  it('may be asked for again where several failed rows are retried; what the service has is only waited for no longer', async () => {
    const failed = [1, 2].map((at) => numbered('failed', at));
    const page = await openList([...failed, like('held', { name: 'Navbatda.wav' }), like('cancelled', {})], {
      'isolation.retry': { retriedCount: 2 },
    });
    await row(page, 'Yozuv 1.wav').getByRole('button', { name: 'Send again (may be charged)' }).click();
    await page.getByRole('alertdialog', { name: 'Send it again?' }).getByRole('button', { name: 'Cancel' }).click();
    expect(await callsOf(page, 'jobs.retry')).toEqual([]);
    await page.getByRole('button', { name: 'Needs attention 2' }).waitFor();
    await row(page, 'Navbatda.wav').getByText('Queued at the service').waitFor();
    await row(page, 'Navbatda.wav').focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Cancel' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel 1 recording' }).click();
    await expect.poll(() => callsOf(page, 'jobs.act')).toEqual([{ jobIds: ['held'], action: 'cancel' }]);
    for (const at of [1, 2]) {
      await row(page, `Yozuv ${String(at)}.wav`).focus();
      await page.keyboard.press('Space');
    }
    await page.getByRole('button', { name: 'Send 2 again (may be charged)' }).click();
    await expect.poll(() => callsOf(page, 'isolation.retry')).toEqual([{ jobIds: ['job-1', 'job-2'] }]);
  });
});
