import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { cutSpans } from '../../shared/domain/transcript/edit-marks.ts';
import { axeViolations } from '../support/find-barriers.ts';
import { callsOf } from '../support/fake-studio.ts';
import {
  dragLane,
  framesInside,
  goTo,
  isPlaying,
  laneOf,
  markedWord,
  onDisk,
  playheadMs,
  seek,
  textPane,
  waitForSound,
} from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');
const words = transcript.segments.flatMap((segment) => segment.words);
const startOf = (at: number) => transcript.segments[at]?.startMs ?? Number.NaN;
const selection = (page: Page) => page.getByRole('toolbar', { name: /^Selection/u });
const plays = async (page: Page, isOn = true) => expect.poll(() => isPlaying(page)).toBe(isOn);
const isAt = async (page: Page, ms: number) => expect.poll(() => playheadMs(page)).toBe(ms);

interface Seen {
  readonly timeMs: number;
  readonly word: string;
}

/** The marked word at each time of the recording, frame by frame during playback. */
const watch = (page: Page, lengthMs: number): Promise<Seen[]> =>
  page.evaluate(
    (length) =>
      new Promise<Seen[]>((resolve) => {
        const [element] = window.audioElements.slice(-1);
        const seen: Seen[] = [];
        const endsAt = performance.now() + length;
        const look = () => {
          const [range] = CSS.highlights.get('ovoz-word-now') ?? [];
          const word = (range?.startContainer.textContent ?? '').slice(range?.startOffset, range?.endOffset);
          seen.push({ timeMs: (element?.currentTime ?? 0) * 1000, word });
          if (performance.now() < endsAt) requestAnimationFrame(look);
          else resolve(seen);
        };
        requestAnimationFrame(look);
      }),
    lengthMs,
  );

/** How long the mark was wrong, in milliseconds of the recording: late or early by that much. */
function errorMs({ timeMs, word }: Seen): number {
  const began = words.findLast(({ startMs }) => startMs <= timeMs);
  const due = began === undefined || timeMs >= began.endMs + 400 ? '' : began.text;
  if (word === due || (word === '' && began !== undefined && timeMs >= began.endMs)) return 0;
  const ahead = words.find(({ startMs, text: spoken }) => startMs > timeMs && spoken === word);
  if (ahead !== undefined && ahead.startMs - timeMs < 1000) return ahead.startMs - timeMs;
  return due === '' ? timeMs - ((began?.endMs ?? 0) + 400) : timeMs - (began?.startMs ?? 0);
}

test('the marked word is the one that is audible, and typing before it leaves it marked', async () => {
  const { page, texts } = await rig.openText(transcript);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForFunction(() => (window.audioElements.at(-1)?.currentTime ?? 0) > 0.75);
  expect(await page.evaluate(() => window.audioElements.at(-1)?.preservesPitch)).toBe(true);
  const seen = await watch(page, 3500);
  expect(new Set(seen.map(({ word }) => word)).size).toBeGreaterThanOrEqual(4);
  // Beside other tests a frame can come late.
  expect(Math.max(...seen.map(errorMs))).toBeLessThan(100);
  await page.keyboard.press('Escape');
  const word = transcript.segments[0]?.words[2];
  await seek(page, (word?.startMs ?? 0) + 20);
  await expect.poll(() => markedWord(page)).toBe(word?.text);
  await texts.first().focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('Xoʻsh ');
  expect(await markedWord(page)).toBe(word?.text);
});

test('the keys play, jump and change the speed; Esc continues only what it paused itself', async () => {
  const { page } = await rig.openText(transcript);
  const press = (key: string) => page.keyboard.press(key);
  const speed = page.getByRole('button', { name: /^Speed/u });
  for (const [key, at] of [
    ['Control+ArrowDown', startOf(0)],
    ['Control+ArrowDown', startOf(1)],
    ['F2', startOf(1) + 5000],
    ['F1', startOf(1)],
    ['Control+ArrowUp', startOf(0)],
  ] as const) {
    await press(key);
    await isAt(page, at);
  }
  await press('Space');
  await plays(page);
  await press('Escape');
  await plays(page, false);
  for (const [key, said] of [
    ['F4', '1.25×'],
    ['F3', '1×'],
    ['F3', '0.75×'],
  ] as const) {
    await press(key);
    await expect.poll(() => speed.textContent()).toBe(said);
  }
  expect(await page.evaluate(() => window.audioElements.at(-1)?.playbackRate)).toBe(0.75);
  await textPane(page).focus();
  for (const key of ['Home', 'ArrowDown', 'ArrowRight', 'Enter']) await press(key);
  await isAt(page, transcript.segments[1]?.words[1]?.startMs ?? Number.NaN);
  await press('Space');
  await plays(page);
  await press('Space');
  await plays(page, false);
  await press('Escape');
  await press('Control+ArrowUp');
  await isAt(page, startOf(0));
  expect(await isPlaying(page)).toBe(false);
  await press('Space');
  for (const isOn of [true, false, true, false]) {
    await plays(page, isOn);
    await press('Escape');
  }
});

declare global {
  interface Window {
    /** What playback was faded to, and how long each fade took, in seconds. */
    readonly fades: { readonly to: number; readonly seconds: number }[];
    /** What the system would call for each media key. */
    readonly mediaKeys: Map<string, () => void>;
  }
}

/** Notes the fades of the page's audio, which no test can hear. */
function noteFades(): void {
  const fades: { to: number; seconds: number }[] = [];
  Object.assign(window, { fades });
  let from = 0;
  const note = (name: 'setValueAtTime' | 'linearRampToValueAtTime', seen: (value: number, time: number) => void) => {
    const own = Reflect.get(AudioParam.prototype, name) as (value: number, time: number) => AudioParam;
    AudioParam.prototype[name] = function (value, time) {
      seen(value, time);
      return own.call(this, value, time);
    };
  };
  note('setValueAtTime', (_value, time) => (from = time));
  note('linearRampToValueAtTime', (to, time) => fades.push({ to, seconds: time - from }));
}

test('cut audio is left out, faded within 10 ms, and restored; silences are cut as one step', async () => {
  const { page } = await rig.openText(transcript);
  await page.evaluate(noteFades);
  const { at, middle } = await laneOf(page);
  await dragLane(page, 12_000, 15_000);
  await selection(page).getByRole('button', { name: 'Cut from audio' }).click();
  const spans = async () => cutSpans(await onDisk(page, transcript));
  await expect.poll(async () => (await spans()).length).toBe(1);
  const [cut] = await spans();
  if (cut === undefined) throw new Error('nothing is cut');
  // The words that are not heard are struck in the text.
  const struck = (await onDisk(page, transcript)).segments.flatMap((segment) =>
    segment.words.filter(({ mark }) => mark === 'cut').map(({ startMs, endMs }) => (startMs + endMs) / 2),
  );
  expect(struck.length).toBeGreaterThan(2);
  for (const ms of struck) expect(ms >= 12_000 - 50 && ms < 15_000 + 50).toBe(true);
  await page.mouse.click(at(11_500), middle);
  await page.keyboard.press('Control+Space');
  // Three seconds are 180 frames: it may be a few late on a busy machine, and is still faded out in time.
  expect(await framesInside(page, cut)).toBeLessThan(30);
  const fades = await page.evaluate(() => window.fades);
  // Out before the cut, and in after it.
  expect(fades.some(({ to }, place) => to === 0 && fades.slice(place).some((later) => later.to === 1))).toBe(true);
  for (const { seconds } of fades) expect(seconds).toBeGreaterThanOrEqual(0.005);
  for (const { seconds } of fades) expect(seconds).toBeLessThanOrEqual(0.01);
  await page.keyboard.press('Escape');
  await page.mouse.click(at(13_000), middle, { button: 'right' });
  await page.getByRole('menuitem', { name: 'Restore what was cut' }).click();
  await expect.poll(spans).toEqual([]);

  await page.getByRole('button', { name: 'Speed 1×' }).click();
  await page.getByRole('menuitem', { name: 'Rewind on pause' }).click();
  await page.getByRole('menuitemradio', { name: '2 s' }).click();
  await page.mouse.click(at(20_000), middle);
  await page.keyboard.press('Control+Space');
  await page.waitForFunction(() => (window.audioElements.at(-1)?.currentTime ?? 0) > 20.3);
  await page.keyboard.press('Escape');
  await plays(page, false);
  expect(await playheadMs(page)).toBeLessThan(19_500);

  await page.keyboard.press('Control+Shift+KeyX');
  const panel = page.getByRole('complementary', { name: 'Silences' });
  await panel.getByText(/silences?, saves? 0:/u).waitFor();
  await panel.getByRole('slider', { name: 'Shortest silence' }).fill('0.3');
  const told = await panel.getByText(/silences?, saves? 0:/u).textContent();
  expect(await axeViolations(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Cut them' }).click();
  await expect.poll(async () => (await onDisk(page, transcript)).cuts?.length).toBe(Number(told?.split(' ')[0]));
  // What was cut is told instead of that nothing is left.
  await panel.getByText(told?.replace(/ silences, save (.+)/u, ' silences cut, $1 shorter now') ?? '').waitFor();
  await panel.getByRole('slider', { name: 'Shortest silence' }).fill('0.4');
  await panel.getByText('No such silences.').waitFor();
  expect(await panel.getByText('Playback already skips them').count()).toBe(0);
  await panel.getByRole('button', { name: 'Close' }).click();
  await page.locator('[data-text]').first().click();
  await page.keyboard.press('Control+z');
  await expect.poll(() => onDisk(page, transcript)).toEqual(transcript);
});

/** Notes what the page asks of the system, whose keys no test can press. */
function noteMediaKeys(): void {
  const keys = new Map<string, () => void>();
  Object.assign(window, { mediaKeys: keys });
  navigator.mediaSession.setActionHandler = (action, handler) => {
    if (handler === null) keys.delete(action);
    else keys.set(action, () => handler({ action }));
  };
}

test('media keys play, jump and skip as the settings say, and are given back when the text is left', async () => {
  const { page } = await rig.openText(transcript, { beforePage: noteMediaKeys });
  const press = (action: string) => page.evaluate((key) => window.mediaKeys.get(key)?.(), action);
  expect(await page.evaluate(() => navigator.mediaSession.metadata?.title)).toMatch(/^Margʻilon/u);
  await press('play');
  await plays(page);
  await press('pause');
  await plays(page, false);
  await page.keyboard.press('Control+ArrowDown');
  await isAt(page, startOf(0));
  await press('nexttrack');
  await isAt(page, startOf(1));
  await press('seekforward');
  await isAt(page, startOf(1) + 5000);
  await press('seekbackward');
  await press('previoustrack');
  await isAt(page, startOf(0));
  // Another program may have played since: the keys are asked for again with each start.
  await page.evaluate(() => window.mediaKeys.clear());
  await page.keyboard.press('Space');
  await expect.poll(() => page.evaluate(() => window.mediaKeys.has('pause'))).toBe(true);
  await press('stop');
  await plays(page, false);

  await goTo(page, '#/settings/editor');
  const jump = page.getByRole('radiogroup', { name: 'Jump back and forward' });
  await jump.getByText('10 s', { exact: true }).click();
  await expect.poll(() => callsOf(page, 'settings.update')).toContainEqual({ jumpMs: 10_000 });
  await page.goBack();
  await waitForSound(page);
  const leftMs = await playheadMs(page);
  await press('seekforward');
  await isAt(page, leftMs + 10_000);
  await page.keyboard.press('F2');
  await isAt(page, leftMs + 20_000);
  await page.getByRole('button', { name: 'Back 10 seconds' }).click();
  await isAt(page, leftMs + 10_000);
  await goTo(page, '#/library');
  await expect.poll(() => page.evaluate(() => window.mediaKeys.size)).toBe(0);
});
