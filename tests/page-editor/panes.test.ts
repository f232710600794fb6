import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { tellBarriers } from '../support/find-barriers.ts';
import { callsOf, putFakeStudio, emitEvent } from '../support/fake-studio.ts';
import { listOf } from '../support/listed-transcript.ts';
import { jobsInEveryState } from '../support/some-jobs.ts';
import { slowDown } from '../support/slow-page.ts';
import { planStudio, someSettings } from '../support/studio-plan.ts';
import { markedWord, playheadMs, waitForSound } from './support/editor-page.ts';
import { editorRig, painted } from './support/editor-rig.ts';
import { detailOf, sample, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();

/** A defect in one pane: drawing it throws while its name is planted. */
const plantThrow = (page: Page, pane: string | null): Promise<void> =>
  page.evaluate((name) => {
    const own = window as unknown as { brokenPane?: string | null };
    if (own.brokenPane === undefined) {
      // oxlint-disable-next-line typescript/unbound-method -- called with its element below
      const { setAttribute } = Element.prototype;
      Element.prototype.setAttribute = function (key, value) {
        if (key === 'data-pane' && value === own.brokenPane) throw new TypeError('planted: /home/someone/secret.wav');
        setAttribute.call(this, key, value);
      };
    }
    own.brokenPane = name;
  }, pane);

const panesOf = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main [data-pane]')].map((pane) => pane.dataset['pane']),
  );

test('a broken inspector leaves the text, the audio and the scroll position; it says so and can be shown again', async () => {
  const transcript = sampleTranscript('interview-uz');
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, complaints, close } = await rig.open({ detail });
  await waitForSound(page);
  await page.keyboard.press('F2');
  await expect.poll(() => playheadMs(page)).toBe(5000);
  const before = await markedWord(page);
  expect(before).not.toBe('');
  await plantThrow(page, 'inspector');
  for (const isInspectorOpen of [false, true])
    await emitEvent(page, 'settings.changed', { ...someSettings, isInspectorOpen });
  const broken = page.getByRole('alert', { name: 'Inspector' });
  await broken.waitFor();
  await expect.poll(() => panesOf(page)).toEqual(['header', 'lane', 'text', 'transport']);
  await expect.poll(() => markedWord(page)).toBe(before);
  await broken.getByRole('button', { name: 'Diagnostics' }).click();
  const report = await broken.locator('pre').textContent();
  expect(report).toContain('error: TypeError');
  expect(report).not.toContain('secret');
  await broken.getByRole('button', { name: 'Copy diagnostics' }).click();
  await broken.getByText('Copied', { exact: true }).waitFor();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(report);
  await plantThrow(page, null);
  await broken.getByRole('button', { name: 'Show again' }).click();
  await page.getByRole('complementary', { name: 'Inspector' }).waitFor();
  await expect.poll(() => markedWord(page)).toBe(before);
  expect(complaints.filter((line) => !line.includes('planted'))).toEqual([]);
  await close();
});

test('a broken header, waveform, text or playback bar leaves the other panes', async () => {
  const transcript = sampleTranscript('interview-uz');
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({ detail });
  const goTo = (hash: string) =>
    page.evaluate((next) => {
      window.location.hash = next;
    }, hash);
  const panes = ['header', 'lane', 'text', 'inspector', 'transport'];
  for (const pane of panes.filter((one) => one !== 'inspector')) {
    await goTo('#/settings');
    await page.locator('[data-pane="settings"]').waitFor();
    await plantThrow(page, pane);
    await goTo(`#/transcripts/${detail.id}`);
    await page.getByRole('main').getByRole('alert').first().waitFor();
    await expect.poll(() => panesOf(page)).toEqual(panes.filter((other) => other !== pane));
    await plantThrow(page, null);
  }
  await close();
});

test('the edge of the inspector is dragged or moved by keys within its bounds, and stays there', async () => {
  const transcript = sampleTranscript('interview-uz');
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({ detail });
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  const edge = page.getByRole('separator', { name: 'Width of the inspector' });
  const width = () => inspector.evaluate((element) => Math.round(element.getBoundingClientRect().width));
  const kept = async () => (await callsOf(page, 'settings.update')).map((change) => change.inspectorWidth);
  await expect.poll(width).toBe(296);
  await edge.focus();
  for (const [key, expected] of [
    ['ArrowLeft', 312],
    ['Shift+ArrowLeft', 376],
    ['Home', 480],
    ['ArrowLeft', 480],
    ['End', 220],
    ['Enter', 296],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(width).toBe(expected);
  }
  await expect.poll(kept).toEqual([312, 376, 480, 480, 220, null]);
  const box = await inspector.boundingBox();
  if (box === null) throw new Error('no inspector');
  await page.mouse.move(box.x, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x - 40, box.y + 60, { steps: 4 });
  await expect.poll(width).toBe(336);
  expect(await kept()).toHaveLength(6);
  await page.mouse.up();
  await expect.poll(kept).toEqual([312, 376, 480, 480, 220, null, 336]);
  expect(await tellBarriers(page, { inside: '[role="separator"]' })).toEqual([]);
  await close();
});

test('by keyboard alone a word is corrected, marked, split and found, a speaker renamed, an edge moved and a version shown', async () => {
  const transcript = sampleTranscript('interview-uz');
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, complaints, close } = await rig.open({
    detail,
    answers: {
      'transcripts.edit': { revision: 0 },
      'transcripts.versions': {
        versions: [
          { revision: 1, kind: 'now', atMs: 5, name: null, label: null, editCount: 1 },
          { revision: 0, kind: 'service', atMs: null, name: null, label: null, editCount: 0 },
        ],
      },
      'transcripts.version': { ofRevision: 0, change: [] },
    },
  });
  await waitForSound(page);
  const press = (...keys: readonly string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  const paneOfFocus = () =>
    page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset['pane']);
  const goTo = async (pane: string) => {
    for (let step = 0; step < 12 && (await paneOfFocus()) !== pane; step += 1) await press('F6');
    expect(await paneOfFocus()).toBe(pane);
  };
  const labels = async () =>
    (await callsOf(page, 'transcripts.edit')).flatMap((call) =>
      (call as { readonly edits: readonly { readonly label: string }[] }).edits.map(({ label }) => label),
    );
  const texts = page.locator('[data-text]');
  const name = transcript.speakers[0]?.name ?? '';

  await goTo('text');
  await press('Tab', 'End');
  await page.keyboard.type(' ha');
  await expect.poll(labels).toEqual(['type']);
  await press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Cut from audio' }).focus();
  await press('Enter');
  await expect.poll(labels).toEqual(['type', 'cut']);
  await goTo('text');
  await press('Home', 'Control+ArrowRight', 'Enter');
  await expect.poll(labels).toEqual(['type', 'cut', 'split']);

  await texts.first().focus();
  await press('Shift+Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(name);
  await press('Enter', 'Enter');
  await page.getByRole('textbox', { name: 'Name' }).waitFor();
  await page.keyboard.type('Nodira');
  await press('Enter');
  await page.getByRole('button', { name: 'Nodira' }).first().waitFor();

  await press('Control+f');
  await page.keyboard.type('usta');
  await page.getByText(/^1 of \d+$/u).waitFor();
  await press('Enter', 'Tab');
  await goTo('lane');
  const before = await playheadMs(page);
  await press('ArrowRight');
  await expect.poll(() => playheadMs(page)).toBeGreaterThan(before + 500);
  await press('Alt+ArrowLeft');
  await expect.poll(labels).toEqual(['type', 'cut', 'split', 'rename', 'edge']);
  await goTo('transport');
  await goTo('header');
  await press('Control+Shift+h');
  await page.getByRole('heading', { name: 'Versions' }).waitFor();
  await goTo('header');
  await press('Enter');
  await texts.first().waitFor();
  await press('Control+e');
  await page.getByRole('dialog', { name: 'Export' }).waitFor();
  await press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await close();
});

test('a broken part of the queue’s screen leaves the list', async () => {
  const context = await rig.browser.newContext();
  const page = await context.newPage();
  await slowDown(page);
  await putFakeStudio(page, planStudio({ jobs: jobsInEveryState() }));
  await page.goto(`${rig.server.origin}/#/settings`);
  await page.getByRole('main').waitFor();
  await plantThrow(page, 'inspector');
  await page.evaluate(() => {
    window.location.hash = '#/';
  });
  await page.getByRole('alert', { name: 'New files' }).waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(5);
  await context.close();
});

test('the focus rings of the text, of a tab and of the waveform are whole and have the colour of all others', async () => {
  const detail = detailOf(sampleTranscript('interview-uz'), rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({ detail });
  await waitForSound(page);
  const colour = await page.evaluate(() => {
    const probe = document.createElement('i');
    probe.style.color = 'var(--focus-color)';
    document.body.append(probe);
    return getComputedStyle(probe).color;
  });
  const inside = `${colour} 0px 0px 0px 2px inset`;
  const ring = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((one) => getComputedStyle(one).boxShadow);
  await page.getByRole('tab', { name: 'Speakers' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => ring('[role="tab"][aria-selected="true"]')).toBe(inside);
  await page.locator('[data-pane="text"] > section').focus();
  await expect.poll(() => ring('[data-pane="text"] > section')).toBe(inside);
  // Wavesurfer's own scroller takes the focus when it is pressed.
  const waveform = await page.evaluateHandle(() =>
    [...document.querySelectorAll('*')]
      .flatMap(({ shadowRoot }) => [...(shadowRoot?.querySelectorAll<HTMLElement>('[part~="scroll"]') ?? [])])
      .at(-1),
  );
  const scroller = waveform.asElement();
  await scroller?.evaluate((one) => {
    (one as HTMLElement).focus();
  });
  expect(await scroller?.evaluate((one) => getComputedStyle(one as HTMLElement).outlineColor)).toBe(colour);
  await close();
});

test('a transcript that is opened from the menu of recent ones by keys has the keys, and no tip is left', async () => {
  const transcript = sampleTranscript('interview-uz');
  const detail = detailOf(transcript, null);
  const answers = listOf('t-1', 't-2', detail.id);
  const { page, complaints, close } = await rig.open({ detail, answers, size: { width: 960, height: 640 } });
  const button = page.getByRole('navigation').first().getByRole('button', { name: 'Recent' });
  const menu = page.getByRole('menu', { name: 'Recent' });
  const isInText = () => page.evaluate(() => document.activeElement?.matches('[data-pane="text"] > section') === true);
  for (const title of ['Suhbat t-2', 'Suhbat t-1', 'Suhbat t-1']) {
    await button.focus();
    await page.keyboard.press('ArrowDown');
    const line = menu.getByRole('menuitem', { name: title });
    while (!(await line.evaluate((one) => one === document.activeElement))) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await menu.waitFor({ state: 'detached' });
    await page.waitForFunction((id) => location.hash === `#/transcripts/${id}`, title.replace('Suhbat ', ''));
    await expect.poll(isInText).toBe(true);
    await painted(page);
    expect(await isInText()).toBe(true);
    expect(await page.getByRole('tooltip').count()).toBe(0);
  }
  // Opened by the pointer, it has no chosen line yet, so Enter opens nothing; Escape goes back to the button.
  await button.click();
  await menu.waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => location.hash)).toBe('#/transcripts/t-1');
  await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(complaints).toEqual([]);
  await close();
});
