import { expect, test } from 'vitest';
import { timeCode } from '../../shared/domain/time/time-code.ts';
import { findViolations } from '../../shared/domain/transcript/find-violations.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { onDisk, waitForSound } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, sample, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();

const open = (transcript: Transcript) => rig.openText(transcript);
const textsOf = (transcript: Transcript) => transcript.segments.map(({ text }) => text);

test('the times beside the text are those of the segment with the caret, and of the one that is heard during playback', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, texts, complaints, close } = await open(transcript);
  await waitForSound(page);
  await page.getByRole('tab', { name: 'Info' }).click();
  const start = page.locator('[data-segment-times] input').first();
  await page.locator('[data-pane="text"] section').press('Home');
  const third = transcript.segments[2]?.startMs ?? 0;
  await texts.nth(2).click({ position: { x: 4, y: 8 } });
  await page.keyboard.press('Home');
  await expect.poll(() => start.inputValue()).toBe(timeCode(third));
  // Another field takes the caret away; the segment stays the one that is meant.
  await start.focus();
  await expect.poll(() => start.inputValue()).toBe(timeCode(third));
  await page.evaluate(() => {
    (document.activeElement as HTMLElement).blur();
  });
  const lane = await page.locator('[data-pane="lane"] input[type="range"]').boundingBox();
  if (lane === null) throw new Error('no lane');
  await page.mouse.click(lane.x + 2, lane.y + lane.height / 2);
  await expect.poll(() => start.inputValue()).toBe(timeCode(transcript.segments[0]?.startMs ?? 0));
  expect(complaints).toEqual([]);
  await close();
});

test('an edge dragged near a word snaps to it, keys nudge it, and each is one undo', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, close } = await open(transcript);
  await waitForSound(page);
  const [first] = transcript.segments;
  const word = first?.words.at(-1);
  if (first === undefined || word === undefined) throw new Error('no words');
  const handle = page.locator('[data-edge="end"]');
  const lane = await page.locator('[data-edge="end"]').locator('..').boundingBox();
  const box = await handle.boundingBox();
  if (lane === null || box === null) throw new Error('no handle');
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  const msPerPixel = 40_288 / lane.width;
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - (first.endMs - word.startMs) / msPerPixel + 1, y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await onDisk(page, transcript)).segments[0]?.endMs).toBe(word.startMs);
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Alt+ArrowRight');
  await expect.poll(async () => (await onDisk(page, transcript)).segments[0]?.endMs).toBe(word.startMs + 30);
  expect(findViolations(await onDisk(page, transcript))).toEqual([]);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect.poll(() => onDisk(page, transcript)).toEqual(transcript);
  await close();
});

test('Shift and arrows select whole segments: copied, given to a speaker, deleted and restored', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, texts, complaints, close } = await open(transcript);
  await texts.nth(1).click();
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Control+c');
  const name = transcript.speakers[0]?.name ?? '';
  const said = transcript.segments.slice(1, 4).map(({ text }) => text);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    [`${name}: ${said[0]}`, said[1], `Speaker 2: ${said[2]}`].join('\n'),
  );
  await page.keyboard.press('Alt+2');
  await page.keyboard.press('Delete');
  await expect.poll(() => texts.nth(1).textContent()).toBe(transcript.segments[4]?.text);
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.nth(1).textContent()).toBe(said[0]);
  await expect
    .poll(async () => (await onDisk(page, transcript)).segments.slice(0, 5).map(({ speakerId }) => speakerId))
    .toEqual(['SPEAKER_00', 'SPEAKER_01', 'SPEAKER_01', 'SPEAKER_01', 'SPEAKER_01']);
  await page.keyboard.press('Control+z');
  await texts.nth(2).click();
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Backspace');
  await expect.poll(() => texts.nth(2).textContent()).toBe(transcript.segments[5]?.text);
  await page.keyboard.press('Control+z');
  await expect.poll(async () => textsOf(await onDisk(page, transcript))).toEqual(textsOf(transcript));
  expect(complaints).toEqual([]);
  await close();
});

test('the menu of a word cuts it out of the audio and restores it, redacted or not, and copies its segment with the time', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, texts, complaints, close } = await open(transcript);
  const markOf = async () => (await onDisk(page, transcript)).segments[1]?.words[0]?.mark;
  const menu = async (item: string) => {
    await texts.nth(1).click({ button: 'right', position: { x: 12, y: 12 } });
    await page.getByRole('menuitem', { name: item }).click();
  };
  await menu('Cut from audio');
  await expect.poll(markOf).toBe('cut');
  await menu('Keep in audio');
  await expect.poll(markOf).toBeUndefined();
  // Cutting and redacting know nothing of each other.
  await menu('Redact');
  await expect.poll(markOf).toBe('redacted');
  await menu('Cut from audio');
  await expect.poll(markOf).toBe('cut-redacted');
  expect(await page.evaluate(() => ['cut', 'redacted'].map((of) => CSS.highlights.get(`ovoz-${of}`)?.size))).toEqual([
    1, 1,
  ]);
  await menu('Keep in audio');
  await expect.poll(markOf).toBe('redacted');
  await menu('Show again');
  await expect.poll(markOf).toBeUndefined();
  await menu('Copy with time');
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`[00:02] ${transcript.speakers[0]?.name}: ${transcript.segments[1]?.text}`);
  expect(complaints).toEqual([]);
  await close();
});

test('a menu that was opened by a right click after a key has its shadow, and no ring around all of it', async () => {
  const { page, texts, complaints, close } = await open(sampleTranscript('interview-uz'));
  await texts.first().click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await texts.nth(1).click({ button: 'right', position: { x: 12, y: 12 } });
  const shadows = () =>
    page.getByRole('menu').evaluate((shown) => {
      const probe = document.createElement('div');
      probe.style.boxShadow = 'var(--shadow-3)';
      shown.append(probe);
      const wanted = getComputedStyle(probe).boxShadow;
      probe.remove();
      return [getComputedStyle(shown).boxShadow === wanted, shown.matches(':focus')];
    });
  await expect.poll(shadows).toEqual([true, true]);
  expect(complaints).toEqual([]);
  await close();
});

test('the last letters are saved before the window closes, and it is said when they can not be', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, complaints, close } = await rig.open({
    detail: detailOf(transcript, null),
    answers: { 'transcripts.edit': { revision: 1 } },
  });
  await page.locator('[data-text]').first().click();
  await page.keyboard.press('End');
  await page.keyboard.type(' Salom');
  await emitEvent(page, 'window.leaving', {});
  await expect.poll(() => callsOf(page, 'window.saved')).toEqual([{ isSaved: true }]);
  expect((await onDisk(page, transcript)).segments[0]?.text).toMatch(/ Salom$/u);
  await page.evaluate((failure) => window.fakeStudio.setFailure('transcripts.edit', failure), makeFailure('E-186'));
  await page.keyboard.type(' yana');
  await emitEvent(page, 'window.leaving', {});
  await expect.poll(() => callsOf(page, 'window.saved')).toEqual([{ isSaved: true }, { isSaved: false }]);
  expect(complaints).toEqual([]);
  await close();
});

test('what could not be saved yet is there when the text is opened again, however many others are open', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, complaints, close } = await rig.open({
    detail: detailOf(transcript, null),
    failures: { 'transcripts.edit': makeFailure('E-186') },
  });
  const first = page.locator('[data-text]').first();
  const show = (id: string) =>
    page.evaluate(
      (detail) => {
        window.fakeStudio.setAnswer('transcripts.open', detail);
        window.location.hash = `#/transcripts/${detail.id}`;
      },
      { ...detailOf(transcript, null), id },
    );
  // Each of these texts has letters that could not be saved, the last one too.
  for (let text = 1; text <= 8; text += 1) {
    await show(`text-${String(text)}`);
    await expect.poll(() => first.textContent()).toBe(transcript.segments[0]?.text);
    await first.click();
    await page.keyboard.press('End');
    await page.keyboard.type(` ${String(text)}`);
    await expect.poll(() => first.textContent()).toMatch(new RegExp(` ${String(text)}$`, 'u'));
  }
  for (const text of ['1', '8']) {
    await show(`text-${text}`);
    await expect.poll(() => first.textContent()).toMatch(new RegExp(` ${text}$`, 'u'));
  }
  // All of them are saved before the window closes.
  await page.evaluate(() => {
    window.fakeStudio.setFailure('transcripts.edit', null);
    window.fakeStudio.setAnswer('transcripts.edit', { revision: 1 });
  });
  await emitEvent(page, 'window.leaving', {});
  await expect.poll(() => callsOf(page, 'window.saved')).toEqual([{ isSaved: true }]);
  const saved = (await callsOf(page, 'transcripts.edit')).slice(-8) as readonly { readonly transcriptId: string }[];
  expect(new Set(saved.map(({ transcriptId }) => transcriptId)).size).toBe(8);
  expect(complaints).toEqual([]);
  await close();
});

test('a text can still be undone after many others were opened, and after its recording was attached', async () => {
  const transcript = sampleTranscript('interview-uz');
  const token = rig.server.addRecording(sample('interview-uz.mp3'));
  const without = detailOf(transcript, null, { mediaFailure: makeFailure('E-010', { code: 'no_recording' }) });
  const { page, complaints, close } = await rig.open({
    detail: without,
    answers: {
      'transcripts.edit': { revision: 0 },
      'transcripts.locateMedia': { mediaUrl: `/media/${token}`, mediaToken: token, recordingName: null, failure: null },
    },
  });
  const first = page.locator('[data-text]').first();
  const said = transcript.segments[0]?.text ?? '';
  const show = async (id: string, title: string) => {
    await page.evaluate(
      (detail) => {
        window.fakeStudio.setAnswer('transcripts.open', detail);
        window.location.hash = `#/transcripts/${detail.id}`;
      },
      { ...without, id, title },
    );
    await page.getByRole('heading', { name: title }).waitFor();
  };
  await first.click();
  await page.keyboard.press('End');
  await page.keyboard.type(' yana');
  await page.getByText('Saved on this computer').waitFor();
  for (let other = 1; other <= 9; other += 1) await show(`other-${String(other)}`, `Other ${String(other)}`);
  await show('t1', 'The first one');
  await expect.poll(() => first.textContent()).toBe(`${said} yana`);
  await page.getByRole('button', { name: 'Attach the recording' }).click();
  await waitForSound(page);
  await page.getByRole('button', { name: /^Undo/u }).click();
  await expect.poll(() => first.textContent()).toBe(said);
  expect(complaints).toEqual([]);
  await close();
});

test('a selection of whole segments colours their text and not their times, and ends when the playhead at rest leaves it', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, complaints, close } = await open(transcript);
  await waitForSound(page);
  /** Which segments have a colour behind their text, and how many times have one. */
  const coloured = () =>
    page.evaluate(() => {
      const isColoured = (element: Element | null | undefined) =>
        element !== null && element !== undefined && getComputedStyle(element).backgroundColor !== 'rgba(0, 0, 0, 0)';
      const rows = [...document.querySelectorAll<HTMLElement>('[data-index]')];
      return {
        texts: rows.flatMap((row) => (isColoured(row.querySelector('[data-text]')) ? [row.dataset['index']] : [])),
        times: rows.filter((row) => isColoured(row) || isColoured(row.querySelector('[data-segment-time]'))).length,
      };
    });
  const slider = page.locator('[data-pane="lane"] input[type="range"]');
  const select = async () => {
    await slider.press('Home');
    await page.locator('[data-text="s1"]').click();
    await page.keyboard.press('End');
    await page.keyboard.press('Shift+ArrowDown');
    await expect.poll(coloured).toEqual({ texts: ['1', '2'], times: 0 });
  };
  const none = { texts: [], times: 0 };
  await select();
  await page.keyboard.press('Control+ArrowDown');
  // Still in the selection.
  expect(await coloured()).toEqual({ texts: ['1', '2'], times: 0 });
  await page.keyboard.press('Control+ArrowDown');
  await expect.poll(coloured).toEqual(none);
  await select();
  await slider.press('End');
  await expect.poll(coloured).toEqual(none);
  // Playback that goes on from one segment to the next takes nothing away.
  await select();
  await page.keyboard.press('Control+Space');
  await page.waitForFunction(
    (endMs) => (window.audioElements.at(-1)?.currentTime ?? 0) * 1000 > endMs,
    transcript.segments[2]?.endMs ?? 0,
  );
  await page.keyboard.press('Control+Space');
  expect(await coloured()).toEqual({ texts: ['1', '2'], times: 0 });
  expect(complaints).toEqual([]);
  await close();
});
