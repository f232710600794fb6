import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { timeCode } from '../../shared/domain/time/time-code.ts';
import { callsOf } from '../support/fake-studio.ts';
import { onDisk, waitForSound } from './support/editor-page.ts';
import { editorRig, painted } from './support/editor-rig.ts';
import { detailOf, longDetailOf, longTranscript, sample, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');

const timesOf = (page: Page, row: number) => page.locator(`[data-index="${String(row)}"] [data-exact-times]`);
const shownIn = (page: Page, row: number) => timesOf(page, row).locator('span').allTextContents();

test('exact times show when a segment begins and ends, its length and speed; a click goes to the field of that time', async () => {
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, complaints, close } = await rig.open({
    detail,
    answers: { 'transcripts.edit': { revision: 0 } },
  });
  await waitForSound(page);
  const third = transcript.segments[2];
  if (third === undefined) throw new Error('too few segments');
  expect(await page.locator('[data-exact-times]').count()).toBe(0);
  await page.keyboard.press('Alt+m');
  const speed = (third.text.length * 1000) / (third.endMs - third.startMs);
  await expect
    .poll(() => shownIn(page, 2))
    .toEqual([
      timeCode(third.startMs),
      `${((third.endMs - third.startMs) / 1000).toFixed(3)} s`,
      timeCode(third.endMs),
      `${speed.toFixed(1)} CPS`,
    ]);
  expect(await callsOf(page, 'settings.update')).toContainEqual({ showsExactTimes: true });
  await timesOf(page, 2)
    .getByText(`${speed.toFixed(1)} CPS`)
    .hover();
  await page.getByRole('tooltip').getByText('The speed is that of the segment’s text').waitFor();
  await timesOf(page, 2).getByText(timeCode(third.endMs)).click();
  const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value);
  await expect.poll(focused).toBe(timeCode(third.endMs));
  await page.keyboard.type(timeCode(third.endMs - 200));
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await shownIn(page, 2))[2]).toBe(timeCode(third.endMs - 200));
  await expect.poll(async () => (await onDisk(page, transcript)).segments[2]?.endMs).toBe(third.endMs - 200);
  await timesOf(page, 4)
    .getByText(timeCode(transcript.segments[4]?.startMs ?? 0))
    .click();
  await expect.poll(focused).toBe(timeCode(transcript.segments[4]?.startMs ?? 0));
  // The text changes the speed while it is typed.
  const before = (await shownIn(page, 0))[3];
  await page.locator('[data-text]').first().click();
  await page.keyboard.type('yangi soʻzlar ');
  await expect.poll(async () => (await shownIn(page, 0))[3]).not.toBe(before);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Exact times');
  await page.getByRole('option', { name: 'Exact times in the text' }).first().click();
  await expect.poll(() => page.locator('[data-exact-times]').count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test.each(['ru', 'uz'] as const)(
  'a row has the decimal sign of the language, in times as in lengths, and a typed time may have either (%s)',
  async (language) => {
    const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
    const { page, close } = await rig.open({
      detail,
      language,
      answers: { 'transcripts.edit': { revision: 0 } },
      settings: { showsExactTimes: true, checksCaptions: true },
    });
    await waitForSound(page);
    const rows = page.locator('[data-exact-times]');
    await rows.first().waitFor();
    for (const words of await rows.allTextContents()) expect(words.match(/\d[.,]\d/gu)?.join('')).not.toContain('.');
    const endMs = transcript.segments[2]?.endMs ?? 0;
    const written = (ms: number) => timeCode(ms).replace('.', ',');
    await timesOf(page, 2).getByText(written(endMs)).click();
    const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value);
    await expect.poll(focused).toBe(written(endMs));
    for (const [typed, ms] of [
      [timeCode(endMs - 100), endMs - 100],
      [written(endMs - 200), endMs - 200],
    ] as const) {
      await page.keyboard.press('Control+KeyA');
      await page.keyboard.type(typed);
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await shownIn(page, 2))[2]).toBe(written(ms));
    }
    await close();
  },
);

test('the two buttons of the exact times say what they edit, and Tab passes them by', async () => {
  const { page, texts, complaints, close } = await rig.openText(transcript);
  await page.keyboard.press('Alt+m');
  const third = transcript.segments[2];
  const buttons = timesOf(page, 2).getByRole('button');
  const start = timesOf(page, 2).getByRole('button', { name: `Edit the start, ${timeCode(third?.startMs ?? 0)}` });
  const end = timesOf(page, 2).getByRole('button', { name: `Edit the end, ${timeCode(third?.endMs ?? 0)}` });
  await end.waitFor();
  expect(await buttons.count()).toBe(2);
  expect(await buttons.evaluateAll((all: readonly HTMLElement[]) => all.map(({ tabIndex }) => tabIndex))).toEqual([
    -1, -1,
  ]);
  await end.hover();
  await page.getByRole('tooltip').getByText('Edit the end').waitFor();
  const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value);
  // Anywhere on its line, not on the time alone.
  await end.getByText('CPS').click();
  await expect.poll(focused).toBe(timeCode(third?.endMs ?? 0));
  await start.getByText(/ s$/u).click();
  await expect.poll(focused).toBe(timeCode(third?.startMs ?? 0));
  // The key goes to the start, whichever was pressed last.
  await end.click();
  await texts.nth(2).click();
  await page.keyboard.press('Alt+t');
  await expect.poll(focused).toBe(timeCode(third?.startMs ?? 0));
  expect(complaints).toEqual([]);
  await close();
});

test('with exact times thousands of segments stay virtual, and the one at the top stays there when they come and go', async () => {
  const { detail, textParts } = longDetailOf(longTranscript(6000), rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, complaints, close } = await rig.open({ detail, textParts });
  const pane = page.locator('[data-pane="text"] > section');
  await page.locator('[data-text]').first().waitFor();
  await pane.evaluate((scroller) => {
    scroller.scrollTop = scroller.scrollHeight / 2;
  });
  const top = () =>
    pane.evaluate((scroller) => {
      const from = scroller.getBoundingClientRect().top;
      const rows = [...scroller.querySelectorAll<HTMLElement>('[data-index]')];
      const seen = rows.filter((row) => row.getBoundingClientRect().bottom > from + 1);
      return Math.min(...seen.map((row) => Number(row.dataset['index'])));
    });
  await expect.poll(top).toBeGreaterThan(2000);
  const before = await top();
  await page.keyboard.press('Alt+m');
  await expect.poll(() => page.locator('[data-exact-times]').count()).toBeGreaterThan(3);
  expect(await page.locator('[data-exact-times]').count()).toBeLessThan(60);
  await expect.poll(top).toBe(before);
  await page.keyboard.press('Alt+m');
  await expect.poll(() => page.locator('[data-exact-times]').count()).toBe(0);
  await expect.poll(top).toBe(before);
  expect(complaints).toEqual([]);
  await close();
});

test.each([
  ['en', 1280],
  ['ru', 960],
  ['uz', 960],
  ['ru', 600],
] as const)('exact times fit beside the text, also after the first hour (%s, %i px wide)', async (language, width) => {
  const lateMs = 3 * 3_600_000;
  const late = {
    ...transcript,
    durationMs: transcript.durationMs + lateMs,
    segments: transcript.segments.map((segment) => ({
      ...segment,
      startMs: segment.startMs + lateMs,
      endMs: segment.endMs + lateMs,
      words: segment.words.map((word) => ({ ...word, startMs: word.startMs + lateMs, endMs: word.endMs + lateMs })),
    })),
  };
  const detail = detailOf(late, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({ detail, language, size: { width, height: 640 } });
  await page.locator('[data-text]').first().waitFor();
  await page.keyboard.press('Alt+m');
  await timesOf(page, 1).waitFor();
  const misplaced = await page.locator('[data-index]').evaluateAll(
    (rows) =>
      rows.filter((row) => {
        const times = row.querySelector('[data-exact-times]');
        const own = row.querySelector('[data-text]')?.getBoundingClientRect();
        const box = times?.getBoundingClientRect();
        if (times === null || own === undefined || box === undefined) return true;
        const isBeside = box.right <= own.left || box.bottom <= own.top;
        const isWhole = [...times.querySelectorAll('span')].every((part) => {
          const { left, right } = part.getBoundingClientRect();
          return (
            left >= row.getBoundingClientRect().left &&
            right <= box.right + 0.5 &&
            part.scrollWidth <= part.clientWidth + 1
          );
        });
        return !isBeside || !isWhole || own.width < 200;
      }).length,
  );
  expect(misplaced).toBe(0);
  await close();
});

test('after a cold start a row that is as high as was first guessed keeps its height when another row grows', async () => {
  // 64 wide letters in two lines: two for the 60 that a line is guessed to hold at first, one for the 66 of its width.
  const wide = Array.from({ length: 13 }, () => 'mmmm').join(' ');
  const segments = transcript.segments.map((segment, index) => {
    if (index !== 4) return segment;
    const step = Math.floor((segment.endMs - segment.startMs) / 13);
    const words = wide.split(' ').map((text, at) => ({
      text,
      startMs: segment.startMs + at * step,
      endMs: segment.startMs + (at + 1) * step,
    }));
    return { ...segment, text: wide, words };
  });
  const { page, texts, complaints, close } = await rig.openText({ ...transcript, segments });
  await expect.poll(() => texts.nth(4).evaluate((text) => text.getBoundingClientRect().height)).toBe(58);
  await texts.first().click();
  await page.keyboard.press('End');
  await page.keyboard.insertText(' and more of it'.repeat(6));
  await expect.poll(() => texts.first().evaluate((text) => text.getBoundingClientRect().height)).toBeGreaterThan(57);
  await painted(page);
  const overlapping = await page.evaluate(() => {
    const rows = [...document.querySelectorAll('article[data-index]')].map((row) => row.getBoundingClientRect());
    return rows.filter((row, at) => row.bottom > (rows[at + 1]?.top ?? Infinity) + 1).length;
  });
  expect(overlapping).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});
