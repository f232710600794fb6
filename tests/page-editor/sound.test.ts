import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { isLongRun } from '../support/long-run.ts';
import { isPlaying, markedWord, playheadMs } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { differenceInOrder, readTwice } from './support/read-twice.ts';
import { detailOf, fixture, sample, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');

const open = () => rig.openText(transcript);
const text = (page: Page) => page.getByRole('region', { name: 'Transcript' });
const words = () => transcript.segments.flatMap((segment) => segment.words);

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
  const began = words().findLast(({ startMs }) => startMs <= timeMs);
  const due = began === undefined || timeMs >= began.endMs + 400 ? '' : began.text;
  if (word === due || (word === '' && began !== undefined && timeMs >= began.endMs)) return 0;
  const ahead = words().find(({ startMs, text: spoken }) => startMs > timeMs && spoken === word);
  if (ahead !== undefined && ahead.startMs - timeMs < 1000) return ahead.startMs - timeMs;
  return due === '' ? timeMs - ((began?.endMs ?? 0) + 400) : timeMs - (began?.startMs ?? 0);
}

test.each(isLongRun ? [0.5, 1, 2] : [1])('at %d× the marked word is the one that is audible', async (rate) => {
  const { page, complaints, close } = await open();
  await page.getByRole('button', { name: 'Speed 1×' }).click();
  await page.getByRole('menuitemradio', { name: `${String(rate)}×`, exact: true }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForFunction(() => (window.audioElements.at(-1)?.currentTime ?? 0) > 0.75);
  await expect.poll(() => page.evaluate(() => window.audioElements.at(-1)?.playbackRate)).toBe(rate);
  await expect.poll(() => page.evaluate(() => window.audioElements.at(-1)?.preservesPitch)).toBe(true);
  const seen = await watch(page, 3500);
  expect(new Set(seen.map(({ word }) => word)).size).toBeGreaterThanOrEqual(4 * rate);
  // Beside other tests a frame can come late.
  expect(Math.max(...seen.map(errorMs))).toBeLessThan(isLongRun ? 50 : 100);
  expect(complaints).toEqual([]);
  await close();
});

test('a click on a word plays from it, and words not played yet are muted', async () => {
  const { page, close } = await open();
  const paragraph = page.locator('article p', { hasText: 'kulolchilik' });
  const box = await paragraph.evaluate((element) => {
    const node = element.firstChild;
    const range = document.createRange();
    if (node === null) throw new Error('No text');
    const at = (node.textContent ?? '').indexOf('kulolchilik');
    range.setStart(node, at);
    range.setEnd(node, at + 11);
    return range.getBoundingClientRect().toJSON() as DOMRect;
  });
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const word = words().find((candidate) => candidate.text === 'kulolchilik');
  await expect.poll(() => playheadMs(page)).toBe(word?.startMs);
  await expect.poll(() => markedWord(page)).toBe('kulolchilik');
  const toCome = await page.evaluate(() => {
    const [range] = CSS.highlights.get('ovoz-to-come') ?? [];
    return (range?.startContainer.textContent ?? '').slice(range?.startOffset, range?.endOffset);
  });
  expect(toCome).toBe(' ustaxonasidamiz.');
  await close();
});

test('every key of reading does what the list of shortcuts says', async () => {
  const { page, close } = await open();
  const at = (index: number) => transcript.segments[index]?.startMs ?? -1;
  const press = (key: string) => page.keyboard.press(key);

  await press('Control+ArrowDown');
  await expect.poll(() => playheadMs(page)).toBe(at(0));
  await press('Control+ArrowDown');
  await expect.poll(() => playheadMs(page)).toBe(at(1));
  await press('F2');
  await expect.poll(() => playheadMs(page)).toBe(at(1) + 5000);
  await press('F1');
  await expect.poll(() => playheadMs(page)).toBe(at(1));
  await press('Control+ArrowUp');
  await expect.poll(() => playheadMs(page)).toBe(at(0));

  await press('Space');
  await expect.poll(() => isPlaying(page)).toBe(true);
  await press('Escape');
  await expect.poll(() => isPlaying(page)).toBe(false);
  await press('F4');
  await expect.poll(() => page.evaluate(() => window.audioElements.at(-1)?.playbackRate)).toBeGreaterThan(1);
  await press('F3');
  await press('F3');
  await expect.poll(() => page.evaluate(() => window.audioElements.at(-1)?.playbackRate)).toBeLessThan(1);
  for (let count = 0; count < 30; count += 1) await press('F4');
  await expect.poll(() => page.evaluate(() => window.audioElements.at(-1)?.playbackRate)).toBe(3);
  for (let count = 0; count < 30; count += 1) await press('F3');
  await expect.poll(() => page.evaluate(() => window.audioElements.at(-1)?.playbackRate)).toBe(0.25);
  for (let count = 0; count < 6; count += 1) await press('F4');

  await text(page).focus();
  await press('Space');
  await expect.poll(() => isPlaying(page)).toBe(true);
  await press('Space');
  await expect.poll(() => isPlaying(page)).toBe(false);
  await press('Home');
  await press('ArrowDown');
  await press('ArrowRight');
  await press('Enter');
  await expect.poll(() => playheadMs(page)).toBe(transcript.segments[1]?.words[1]?.startMs);
  await press('ArrowUp');
  await press('Enter');
  await expect.poll(() => playheadMs(page)).toBe(at(0));
  await press('Space');
  await expect.poll(() => isPlaying(page)).toBe(true);
  await press('Space');
  await expect.poll(() => isPlaying(page)).toBe(false);
  // Esc starts nothing by surprise: it continues only what it paused itself.
  await press('Escape');
  await press('Control+ArrowDown');
  await expect.poll(() => playheadMs(page)).toBe(at(1));
  expect(await isPlaying(page)).toBe(false);
  await press('Space');
  await expect.poll(() => isPlaying(page)).toBe(true);
  await press('Escape');
  await expect.poll(() => isPlaying(page)).toBe(false);
  await press('Escape');
  await expect.poll(() => isPlaying(page)).toBe(true);
  await press('Escape');
  await expect.poll(() => isPlaying(page)).toBe(false);

  await press('Control+l');
  await expect.poll(() => page.getByRole('button', { name: 'Loop segment' }).getAttribute('aria-pressed')).toBe('true');
  await press('F6');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('[data-pane]')?.getAttribute('data-pane')))
    .toBe('inspector');
  await close();
});

test('a jump moves the playhead of overview and lane at once, before the audio is ready', async () => {
  const { page, close } = await open();
  const seen = await page.evaluate(async () => {
    const [element] = window.audioElements.slice(-1);
    if (element === undefined) throw new Error('No sound');
    const begun = new Promise((resolve) => {
      element.addEventListener('seeking', resolve, { once: true });
    });
    element.currentTime = element.duration / 2;
    await begun;
    const places = [...document.querySelectorAll('[data-pane="lane"] *')].flatMap(({ shadowRoot }) => {
      const playhead = shadowRoot?.querySelector<HTMLElement>('[part="cursor"]');
      return playhead === null || playhead === undefined ? [] : [Math.round(Number.parseFloat(playhead.style.left))];
    });
    return { isSeeking: element.seeking, places };
  });
  expect(seen).toEqual({ isSeeking: true, places: [50, 50] });
  await close();
});

test('stretches of a recording meet at the sample, and are those of the whole', async () => {
  const page = await rig.browser.newPage();
  await page.goto(rig.server.workerAddress('stretch-worker'));
  const read = await Promise.all(
    ['opus.ogg', 'vorbis.ogg', 'm4a'].map((kind) => readTwice(page, rig.server, fixture(`two-sentences.${kind}`), 6)),
  );
  await page.close();
  expect(read.map(({ end, whole }) => end - whole)).toEqual([0, 0, 0]);
  const [opus, vorbis, aac] = read.map(({ largest }) => largest);
  expect(opus).toBeLessThan(1e-4);
  expect(vorbis).toBeLessThan(1e-4);
  // Decoders of AAC fill in noise by chance; a stretch at the wrong place differs by ten times as much.
  expect(aac).toBeLessThan(0.03);
});

test('what is read in order is what is played, sample by sample', async () => {
  const page = await rig.browser.newPage();
  await page.goto(rig.server.workerAddress('mix-worker'));
  const [opus, vorbis, aac] = await Promise.all(
    ['opus.ogg', 'vorbis.ogg', 'm4a'].map((kind) =>
      differenceInOrder(page, rig.server, fixture(`two-sentences.${kind}`)),
    ),
  );
  await page.close();
  expect(opus).toBeLessThan(2e-3);
  expect(vorbis).toBeLessThan(1e-4);
  // Noise that the encoder only described is filled in by chance.
  expect(aac).toBeLessThan(0.03);
});

const canMake = spawnSync('ffmpeg', ['-version']).status === 0;

test.skipIf(!canMake)(
  'stretches of two minutes of seven are those of the whole, in every format',
  { tags: ['long'], timeout: 240_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ovoz-stretches-'));
    const page = await rig.browser.newPage();
    await page.goto(rig.server.workerAddress('stretch-worker'));
    // A sweep besides speech, so that no two places are the same.
    const sweep = "aevalsrc='0.1*sin(2*PI*(150*t+4*t*t))':s=44100:d=420";
    const inputs = ['-stream_loop', '-1', '-i', sample('interview-uz.mp3'), '-f', 'lavfi', '-i', sweep];
    const mix = ['-filter_complex', 'amix=inputs=2:duration=shortest:normalize=0'];
    const kinds = {
      m4a: ['-c:a', 'aac', '-aac_pns', '0'],
      'opus.ogg': ['-c:a', 'libopus'],
      'opus.mp4': ['-c:a', 'libopus'],
      'vorbis.ogg': ['-c:a', 'libvorbis'],
      mp3: [],
      flac: [],
      wav: [],
    };
    try {
      const source = join(folder, 'source.wav');
      execFileSync('ffmpeg', ['-v', 'error', ...inputs, ...mix, '-t', '420', source]);
      for (const [kind, codec] of Object.entries(kinds)) {
        const made = join(folder, `made.${kind}`);
        execFileSync('ffmpeg', ['-v', 'error', '-i', source, ...codec, made]);
        const { whole, end, largest } = await readTwice(page, rig.server, made, 120);
        expect({ kind, end }).toEqual({ kind, end: whole });
        expect(largest, kind).toBeLessThan(1e-4);
      }
    } finally {
      await page.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test('an imported text that goes on after its recording says so, and another recording is attached', async () => {
  const short = rig.server.addRecording(fixture('two-sentences.mp3'));
  const whole = rig.server.addRecording(sample('interview-uz.mp3'));
  const { page, complaints, close } = await rig.open({
    detail: detailOf(transcript, short, { isAtService: false, sourceName: 'suhbat.srt' }),
    answers: {
      'transcripts.locateMedia': { mediaUrl: `/media/${whole}`, mediaToken: whole, recordingName: null, failure: null },
    },
  });
  await page.getByText('The recording is shorter than the text.').waitFor();
  await page.getByRole('button', { name: 'Attach another recording' }).click();
  await page.getByText('The recording is shorter than the text.').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+e');
  await page.getByRole('dialog').getByText('SubRip').first().click();
  // No service ever wrote a file of it.
  expect(await page.getByRole('radio', { name: 'As recognised' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});
