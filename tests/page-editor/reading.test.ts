import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import type { Settings } from '../../shared/ipc/schemas.ts';
import { callsOf } from '../support/fake-studio.ts';
import { listedTranscript } from '../support/listed-transcript.ts';
import { editorRig, painted } from './support/editor-rig.ts';
import { detailOf, longTranscript, sample, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const interview = sampleTranscript('interview-uz');

const open = (transcript: Transcript) => rig.openText(transcript);
const focused = (page: Page) =>
  page.evaluate(() => ({
    pane: document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset['pane'],
    segment: document.activeElement?.closest<HTMLElement>('[data-text]')?.dataset['text'],
    text: document.activeElement?.textContent ?? '',
  }));

test('a transcript opens with the keys in its text: arrows walk, Tab puts the caret there, and Tab leaves the text', async () => {
  const { page, texts, complaints, close } = await open(interview);
  await expect.poll(async () => (await focused(page)).pane).toBe('text');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'Tab']) await page.keyboard.press(key);
  await page.keyboard.type('§');
  const [, , , fourth] = interview.segments;
  const [word = ''] = fourth?.text.split(' ') ?? [];
  await expect.poll(() => texts.nth(3).textContent()).toBe(`${word} §${fourth?.text.slice(word.length + 1) ?? ''}`);
  await page.keyboard.press('Tab');
  expect(await focused(page)).not.toMatchObject({ pane: 'text' });
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  expect((await focused(page)).text).toContain('Speaker 2');
  await page.keyboard.press('Shift+Tab');
  expect(await focused(page)).toMatchObject({ pane: 'text' });
  expect((await focused(page)).segment).toBeUndefined();
  expect(complaints).toEqual([]);
  await close();
});

test('every segment shows its time, and without speakers each is a paragraph of its own', async () => {
  const named = await open(interview);
  const opacities = () =>
    named.page
      .locator('[data-segment-time]')
      .evaluateAll((times) => times.slice(0, 3).map((time) => getComputedStyle(time).opacity));
  await expect.poll(opacities).toEqual(['1', '1', '1']);
  await named.close();
  const nameless = {
    ...interview,
    speakers: [],
    segments: interview.segments.map((segment) => ({ ...segment, speakerId: null })),
  };
  const { texts, complaints, close } = await open(nameless);
  const gaps = async () => {
    const boxes = await texts.evaluateAll((hosts) =>
      hosts.slice(0, 4).map((host) => {
        const { top, bottom } = host.getBoundingClientRect();
        return { top, bottom };
      }),
    );
    return boxes.slice(1).map(({ top }, at) => Math.round(top - (boxes[at]?.bottom ?? 0)));
  };
  await expect.poll(gaps).toEqual([18, 18, 18]);
  expect(complaints).toEqual([]);
  await close();
});

test('the way back to the playhead is offered only when that is out of view', async () => {
  const { page, complaints, close } = await open(longTranscript(200));
  const back = page.getByRole('button', { name: /^Back to/u });
  const text = page.locator('[data-pane="text"] > section');
  const box = await text.boundingBox();
  if (box === null) throw new Error('no text');
  await page.mouse.move(box.x + 200, box.y + 100);
  const scrolled = () => text.evaluate((list) => list.scrollTop);
  await page.mouse.wheel(0, 4);
  await expect.poll(scrolled).toBe(4);
  // Two frames, in which it would have come.
  await painted(page);
  expect(await back.count()).toBe(0);
  await page.mouse.wheel(0, 3000);
  await back.waitFor();
  await back.click();
  await expect.poll(scrolled).toBeLessThan(100);
  await expect.poll(() => back.count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('a pause in a segment that is partly on the screen needs no way back', async () => {
  const long = longTranscript(200);
  const transcript = {
    ...long,
    segments: long.segments.map((segment) => ({
      ...segment,
      words: segment.words.map((word, at) => ({
        ...word,
        startMs: segment.startMs + at * 100,
        endMs: segment.startMs + at * 100 + 90,
      })),
    })),
  };
  const { page, texts, complaints, close } = await open(transcript);
  await page.keyboard.press('F2');
  const box = await texts.first().boundingBox();
  if (box === null) throw new Error('no text');
  await page.mouse.move(box.x + 20, box.y + 10);
  const list = page.locator('[data-pane="text"] > section');
  await page.mouse.wheel(0, 60);
  await expect.poll(() => list.evaluate(({ scrollTop }) => scrollTop)).toBe(60);
  const back = page.getByRole('button', { name: /^Back to/u });
  await painted(page);
  expect(await back.count()).toBe(0);
  await page.mouse.wheel(0, 3000);
  await expect.poll(() => back.textContent()).toBe('Back to 00:05');
  expect(complaints).toEqual([]);
  await close();
});

test('the place of a jump is kept before the transcript is left, also of one back to where it was opened', async () => {
  const { page, close } = await rig.open({
    detail: detailOf(longTranscript(5), rig.server.addRecording(sample('interview-uz.mp3'))),
    settings: { editorPlaces: [{ id: 't1', timeMs: 0, visibleMs: 10_000, rate: 1, topSegment: null }] },
  });
  const lane = page.locator('[data-pane="lane"] input[type="range"]');
  const kept = async () =>
    ((await callsOf(page, 'settings.update')) as readonly Partial<Settings>[])
      .flatMap(({ editorPlaces = [] }) => editorPlaces)
      .at(-1)?.timeMs;
  await lane.press('End');
  await expect.poll(kept).toBeGreaterThan(1000);
  await lane.press('Home');
  await expect.poll(kept).toBe(0);
  await close();
});

test('a text that is opened by the keyboard has no frame, and the cursor is on the word at the playhead', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, complaints, close } = await rig.openText(transcript);
  const fourth = transcript.segments[3];
  const show = (hash: string) =>
    page.evaluate((to) => {
      window.location.hash = to;
    }, hash);
  await page.keyboard.press('Shift');
  await show('#/library');
  await page.locator('[data-pane="text"]').waitFor({ state: 'detached' });
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  await show(`#/transcripts/t1/${String((fourth?.startMs ?? 0) + 10)}`);
  const cursor = () =>
    page.evaluate(() =>
      [...(CSS.highlights.get('ovoz-cursor') ?? [])].map(({ startContainer, startOffset, endOffset }) =>
        (startContainer.textContent ?? '').slice(startOffset, endOffset),
      ),
    );
  await expect.poll(cursor).toEqual([fourth?.words[0]?.text]);
  const frame = await page.locator('[data-pane="text"] > section').evaluate((text) => {
    const { boxShadow } = getComputedStyle(text);
    return [text.matches(':focus-visible'), boxShadow];
  });
  expect(frame).toEqual([true, 'none']);
  expect(complaints).toEqual([]);
  await close();
});

test('while a text is read its title and the place of its lines are seen', async () => {
  const { page, close } = await rig.openText(interview, {
    answers: {
      'transcripts.list': {
        transcripts: [
          listedTranscript('t1', { title: 'Bir soatlik suhbat', createdAtMs: 1_795_000_000_000, credits: null }),
        ],
      },
    },
  });
  await page.evaluate(() => {
    window.location.hash = '#/library';
  });
  await page.locator('[data-pane="text"]').waitFor({ state: 'detached' });
  await page.evaluate(() => {
    window.fakeStudio.hold('transcripts.open');
    window.location.hash = '#/transcripts/t1';
  });
  await page.getByRole('heading', { name: 'Bir soatlik suhbat' }).waitFor();
  await page.locator('[data-skeleton]').waitFor();
  await close();
});

test('without a recording the buttons lead from segment to segment as the keys do', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, complaints, close } = await rig.open({ detail: detailOf(transcript, null) });
  const time = page.locator('[data-time] button');
  const isAt = async (place: number) => {
    const shown = new Date(transcript.segments[place]?.startMs ?? -1).toISOString().slice(14, 23);
    await expect.poll(() => time.textContent()).toContain(shown);
  };
  await page.locator('[data-text]').nth(2).click();
  const [next, previous] = ['Next segment', 'Previous segment'].map((name) => page.getByRole('button', { name }));
  if (next === undefined || previous === undefined) throw new Error('no buttons');
  await next.click();
  await isAt(3);
  await next.click();
  await isAt(4);
  await previous.click();
  await isAt(3);
  expect(await page.getByRole('button', { name: 'Play', exact: true }).isDisabled()).toBe(true);
  expect(complaints).toEqual([]);
  await close();
});
