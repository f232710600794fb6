import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import type { PedalChoices } from '../../shared/domain/pedals/pedals.ts';
import { areOpen, fakePedals, infinity, olympus, philips, plugIn, send, unplug } from '../support/fake-pedals.ts';
import { isPlaying, playheadMs } from './support/editor-page.ts';
import { editorRig, type EditorRig } from './support/editor-rig.ts';
import { sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const [left, middle, right] = [1, 2, 4];

const open = (choices: PedalChoices = {}, more: Parameters<EditorRig['openText']>[1] = {}) =>
  rig.openText(sampleTranscript('interview-uz'), {
    beforePage: fakePedals,
    ...more,
    settings: { pedals: { areRead: true, choices }, ...more.settings },
  });

async function plugInAndWait(page: Page, pedal: typeof infinity, index: number): Promise<void> {
  await plugIn(page, pedal);
  await expect.poll(async () => (await areOpen(page))[index]).toBe(true);
}
const playing = (page: Page, isExpected: boolean) => expect.poll(() => isPlaying(page)).toBe(isExpected);
/** While it is paused. */
const atMs = (page: Page, ms: number) => expect.poll(() => playheadMs(page)).toBe(ms);

test('the middle pedal plays while it is held, the left one goes back and the right one forward', async () => {
  const { page, complaints, close } = await open();
  await plugInAndWait(page, infinity, 0);
  await send(page, 0, middle, 0);
  await playing(page, true);
  await send(page, 0, 0, 0);
  await playing(page, false);
  const start = await playheadMs(page);
  await send(page, 0, right, 0);
  await send(page, 0, 0, 0);
  await atMs(page, start + 5000);
  await send(page, 0, left, 0);
  await send(page, 0, 0, 0);
  await atMs(page, start);
  expect(complaints).toEqual([]);
  await close();
});

test('a pause by pedal goes back as far as any other', async () => {
  const { page, close } = await open({}, { settings: { rewindOnPauseMs: 3000 } });
  await plugInAndWait(page, infinity, 0);
  await send(page, 0, right, 0);
  await send(page, 0, middle, 0);
  await playing(page, true);
  const jumpedBack = await page.evaluate(() => {
    const audio = window.audioElements.at(-1);
    const before = audio?.currentTime ?? 0;
    window.fakePedals.send(0, [0, 0]);
    return before - (audio?.currentTime ?? 0);
  });
  expect(jumpedBack).toBeCloseTo(3, 1);
  await close();
});

test('back and forward are repeated while their pedal is held, and stop when it is let go', async () => {
  const { page, close } = await open();
  await page.clock.install();
  await plugInAndWait(page, infinity, 0);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
  await send(page, 0, right, 0);
  await atMs(page, 5000);
  await page.clock.runFor(1100);
  await atMs(page, 15_000);
  await send(page, 0, 0, 0);
  await page.clock.runFor(3000);
  expect(await playheadMs(page)).toBe(15_000);
  await close();
});

test('a pedal works while another window is in front', async () => {
  const { page, close } = await open();
  await plugInAndWait(page, infinity, 0);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setFocusEmulationEnabled', { enabled: false });
  const other = await page.context().newPage();
  await other.bringToFront();
  await expect.poll(() => page.evaluate(() => document.hasFocus())).toBe(false);
  await send(page, 0, middle, 0);
  await playing(page, true);
  await send(page, 0, 0, 0);
  await playing(page, false);
  await close();
});

test('a pedal that is unplugged while it plays lets go, and plays again once it is back', async () => {
  const { page, close } = await open();
  await plugInAndWait(page, infinity, 0);
  await send(page, 0, middle, 0);
  await playing(page, true);
  await unplug(page, 0);
  await playing(page, false);
  await plugInAndWait(page, infinity, 1);
  await send(page, 1, middle, 0);
  await playing(page, true);
  await close();
});

test('two pedals work at once: it plays until both are let go', async () => {
  const { page, close } = await open();
  await plugInAndWait(page, infinity, 0);
  await plugInAndWait(page, philips, 1);
  await send(page, 0, middle, 0);
  await send(page, 1, middle, 0, 0);
  await playing(page, true);
  await send(page, 0, 0, 0);
  expect(await isPlaying(page)).toBe(true);
  await send(page, 1, 0, 0, 0);
  await playing(page, false);
  await close();
});

test('buttons do what the settings say, also those of a pedal that has no usual ones', async () => {
  const { page, close } = await open({
    '05f3:00ff 0:0': 'playback.toggle',
    '05f3:00ff 0:2': 'none',
    '07b4:025f 0:25': 'playback.replaySlower',
  });
  await plugInAndWait(page, infinity, 0);
  await plugInAndWait(page, olympus, 1);
  await send(page, 0, left, 0);
  await playing(page, true);
  await send(page, 0, 0, 0);
  await send(page, 0, left, 0);
  await playing(page, false);
  await send(page, 0, right, 0);
  await send(page, 1, 0, 0, 1, 0);
  expect(await isPlaying(page)).toBe(false);
  await send(page, 1, 0, 0, 0, 2);
  await playing(page, true);
  expect(await page.evaluate(() => window.audioElements.at(-1)?.playbackRate)).toBeLessThan(1);
  await close();
});

/** The scripts about pedals that the page has loaded. */
const loadedCode = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => name.includes('pedals-')),
  );

test('no pedal is opened and no code for them loaded while they are not read, and each is closed when the text is left', async () => {
  const off = await open({}, { settings: { pedals: { areRead: false, choices: {} } } });
  await plugIn(off.page, infinity);
  // Whoever listens would have opened it by now: a command of the page that came later has been carried out.
  await off.page.keyboard.press('F2');
  await atMs(off.page, 5000);
  expect(await areOpen(off.page)).toEqual([false]);
  expect(await loadedCode(off.page)).toEqual([]);
  await off.close();

  const { page, close } = await open();
  await plugInAndWait(page, infinity, 0);
  await send(page, 0, middle, 0);
  await playing(page, true);
  expect(await loadedCode(page)).not.toEqual([]);
  await page.evaluate(() => {
    window.location.hash = '#/library';
  });
  await expect.poll(() => areOpen(page)).toEqual([false]);
  await close();
});
