import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { onDisk, playheadMs, waitForSound } from './support/editor-page.ts';
import { editorRig, painted } from './support/editor-rig.ts';
import { detailOf, longTranscript, sample, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');

const open = (beforePage?: () => void) => rig.openText(transcript, { ...(beforePage && { beforePage }) });
const boxOf = async (page: Page, segment: number) => {
  const box = await page.locator('[data-text]').nth(segment).boundingBox();
  if (box === null) throw new Error('no segment');
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
};
const scrolled = (page: Page) => page.locator('[data-pane="text"] > section').evaluate((list) => list.scrollTop);

test('a press beside the words puts the caret into the nearest line, moves neither view nor playhead, and letters arrive', async () => {
  const { page, texts, complaints, close } = await open();
  const said = await texts.allTextContents();
  const third = await boxOf(page, 2);
  const fourth = await boxOf(page, 3);
  const presses = [
    // Below a paragraph, right of a name, in the room beside the text, and between time and text.
    { x: third.x + third.width * 0.9, y: third.bottom + 5, segment: 2, written: `${said[2]}§` },
    { x: fourth.x + 400, y: fourth.y - 12, segment: 3, written: `${said[3]}§` },
    { x: third.right + 60, y: third.y + 10, segment: 2, written: `${said[2]}§` },
    { x: third.x - 6, y: third.y + 10, segment: 2, written: `§${said[2]}` },
  ];
  for (const { x, y, segment, written } of presses) {
    await page.mouse.click(x, y);
    await page.keyboard.type('§');
    await expect.poll(() => texts.nth(segment).textContent()).toBe(written);
    await page.keyboard.press('Control+z');
    await expect.poll(() => texts.nth(segment).textContent()).toBe(said[segment]);
  }
  expect(await playheadMs(page)).toBe(0);
  expect(await scrolled(page)).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('a press right of the end of a line takes caret and playhead to its last word', async () => {
  const [first, second, ...others] = transcript.segments;
  if (first === undefined || second === undefined) throw new Error('too short');
  const joined = [second, ...others.slice(0, 5)];
  const long = {
    ...second,
    endMs: joined.at(-1)?.endMs ?? second.endMs,
    text: joined.map(({ text }) => text).join(' '),
    words: joined.flatMap(({ words }) => words),
  };
  const segments = [first, long];
  const { page, texts, complaints, close } = await rig.openText({ ...transcript, segments });
  /** The last letter of each line. */
  const lines = await texts.evaluateAll((hosts) =>
    hosts.flatMap((host, segment) => {
      const node = host.firstChild as Text;
      const ends = [...node.data.matchAll(/\S(?= |$)/gu)].map(({ index }) => {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + 1);
        const { right, top, bottom } = range.getBoundingClientRect();
        return { segment, offset: index + 1, right, top, y: (top + bottom) / 2 };
      });
      return ends.filter(({ top }, at) => ends[at + 1]?.top !== top);
    }),
  );
  const ofLong = lines.filter(({ segment }) => segment === 1);
  const last = ofLong.at(-1);
  const inside = ofLong.slice(0, -1).toSorted((one, other) => one.right - other.right)[0];
  for (const line of [lines[0], last, inside]) {
    if (line === undefined) throw new Error('too few lines');
    const { right: edge } = await boxOf(page, line.segment);
    expect(edge - line.right).toBeGreaterThan(16);
    await page.mouse.click(Math.min(line.right + 60, edge - 2), line.y);
    const { text = '', words = [] } = segments[line.segment] ?? {};
    const wordCount = text.slice(0, line.offset).split(' ').length;
    await expect.poll(() => playheadMs(page)).toBe(words[wordCount - 1]?.startMs);
    await page.keyboard.type('§');
    await expect.poll(() => texts.nth(line.segment).textContent()).toMatch(/§/u);
    // At the end of a line inside a paragraph the caret is behind the space.
    expect((await texts.nth(line.segment).textContent())?.replace(' §', '§ ').trim()).toBe(
      `${text.slice(0, line.offset)}§${text.slice(line.offset)}`,
    );
    await page.keyboard.press('Control+z');
    await expect.poll(() => texts.nth(line.segment).textContent()).toBe(text);
  }
  // The highest pixels of a line are its own, though its letters begin below them.
  const [above, below] = [ofLong[0], ofLong[1]];
  const spoken = below === undefined ? 0 : segments[1]!.text.slice(0, above?.offset).split(' ').length;
  await page.mouse.click((await boxOf(page, 1)).x + 4, (below?.top ?? 0) - 1);
  await expect.poll(() => playheadMs(page)).toBe(segments[1]!.words[spoken]?.startMs);
  // So does the menu: right of a line it is about the last word of it.
  await page.mouse.click(Math.min((inside?.right ?? 0) + 60, (await boxOf(page, 1)).right - 2), inside?.y ?? 0, {
    button: 'right',
  });
  await page.getByRole('menuitem', { name: 'Cut from audio' }).click();
  const cut = segments[1]!.text.slice(0, inside?.offset).split(' ').length - 1;
  await expect
    .poll(async () =>
      (await onDisk(page, { ...transcript, segments })).segments[1]?.words.findIndex(({ mark }) => mark === 'cut'),
    )
    .toBe(cut);
  expect(complaints).toEqual([]);
  await close();
});

test('a press far below the text puts the caret nowhere and takes it out of the text', async () => {
  const { page, texts, complaints, close } = await rig.openText({
    ...transcript,
    segments: transcript.segments.slice(0, 2),
  });
  const said = await texts.allTextContents();
  await texts.first().click();
  const last = await boxOf(page, 1);
  for (const y of [last.bottom + 120, last.bottom + 200]) {
    await page.mouse.move(last.x + 200, y);
    await page.mouse.down();
    await page.mouse.move(last.x + 202, y);
    await page.mouse.up();
    expect(await page.evaluate(() => document.activeElement?.closest('[data-text]') ?? null)).toBeNull();
  }
  await page.keyboard.type('?');
  expect(await texts.allTextContents()).toEqual(said);
  expect(complaints).toEqual([]);
  await close();
});

test('the length of the recording is the same in the transport and in the facts about it', async () => {
  const detail = detailOf(sampleTranscript('podcast-en'), rig.server.addRecording(sample('podcast-en.flac')));
  const { page, close } = await rig.open({ detail });
  await waitForSound(page);
  await page.getByRole('tab', { name: 'Info' }).click();
  const length = page.getByText('Length', { exact: true }).locator('xpath=following-sibling::*');
  await expect.poll(() => length.textContent()).toBe('0:19');
  expect(await page.locator('[data-time] small').textContent()).toBe('/ 0:19');
  await close();
});

test('a drag that begins beside the words selects from the nearest letter, in its own segment and into others', async () => {
  const { page, texts, complaints, close } = await open();
  const said = await texts.allTextContents();
  const third = await boxOf(page, 2);
  const second = await boxOf(page, 1);
  const copied = async () => {
    await page.keyboard.press('Control+c');
    return page.evaluate(() => navigator.clipboard.readText());
  };
  await page.mouse.move(third.right + 60, third.y + 10);
  await page.mouse.down();
  await page.mouse.move(third.x + 1, third.y + 10, { steps: 4 });
  await page.mouse.up();
  await expect.poll(copied).toBe(said[2]);
  await page.mouse.move(third.right + 60, third.y + 10);
  await page.mouse.down();
  await page.mouse.move(second.x + 1, second.y + 10, { steps: 6 });
  await page.mouse.up();
  await expect.poll(copied).toContain(`${said[1]}\n${said[2]}`);
  expect(complaints).toEqual([]);
  await close();
});

test('in a pause a press on a word that is in view scrolls nothing, and one on a time takes playback and caret to its start', async () => {
  const { page, texts, complaints, close } = await open();
  const pane = await page.locator('[data-pane="text"] > section').boundingBox();
  if (pane === null) throw new Error('no text');
  const boxes = await Promise.all(transcript.segments.slice(0, 8).map((_segment, index) => boxOf(page, index)));
  const last = boxes.findLastIndex(({ bottom }) => bottom < pane.y + pane.height);
  await texts.nth(last).click({ position: { x: 6, y: 12 } });
  await expect.poll(() => playheadMs(page)).toBe(transcript.segments[last]?.startMs);
  expect(await scrolled(page)).toBe(0);
  await page.locator('[data-segment-time]').nth(3).click();
  await expect.poll(() => playheadMs(page)).toBe(transcript.segments[3]?.startMs);
  await page.keyboard.type('§');
  await expect.poll(() => texts.nth(3).textContent()).toBe(`§${transcript.segments[3]?.text ?? ''}`);
  expect(complaints).toEqual([]);
  await close();
});

test('a letter that is undone before there was time to render it is gone', async () => {
  const { page, texts, complaints, close } = await open(() => {
    window.requestIdleCallback = () => 1;
  });
  const said = await texts.first().textContent();
  await texts.first().click();
  await page.keyboard.type('§');
  await expect.poll(() => texts.first().textContent()).toContain('§');
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.first().textContent()).toBe(said);
  expect(complaints).toEqual([]);
  await close();
});

test('a drag over a word in the lowest line moves nothing while the button is down, and one that comes there from above scrolls', async () => {
  const { page, texts, complaints, close } = await rig.openText(longTranscript(60));
  const list = page.locator('[data-pane="text"] > section');
  const place = () => list.evaluate(({ scrollTop, clientHeight }) => [Math.round(scrollTop), clientHeight]);
  // The word at the playhead is about to leave the view above, and a line is cut off below.
  await texts.nth(1).click({ position: { x: 5, y: 8 } });
  await expect.poll(() => playheadMs(page)).toBe(6000);
  const wordIn = () =>
    list.evaluate((pane) => {
      const { bottom } = pane.getBoundingClientRect();
      const words = [...pane.querySelectorAll('[data-text]')].flatMap((host) => {
        const [text] = host.childNodes;
        return !(text instanceof Text)
          ? []
          : Array.from(text.data.matchAll(/\S+/gu), ({ index, 0: word }) => {
              const range = document.createRange();
              range.setStart(text, index);
              range.setEnd(text, index + word.length);
              const { left, right, top } = range.getBoundingClientRect();
              return { word, left, right, top };
            });
      });
      const lowest = Math.max(...words.map(({ top }) => top).filter((top) => top < bottom - 6));
      const found = words.findLast(({ top, right }) => top === lowest && right < 660);
      if (found === undefined) throw new Error('no word');
      return { ...found, y: Math.min(bottom - 3, lowest + 12), bottom };
    });
  await list.hover();
  await page.mouse.wheel(0, 150);
  await expect.poll(place).toEqual([150, expect.any(Number)]);
  const { word, left, right, y, bottom } = await wordIn();
  expect(bottom - y).toBeLessThan(12);
  const before = await place();
  await page.mouse.move(left + 1, y);
  await page.mouse.down();
  for (const x of [left + 4, (left + right) / 2, right - 4, right - 1]) {
    await page.mouse.move(x, y);
    for (let frame = 0; frame < 8; frame += 1) await painted(page);
    expect(await place()).toEqual(before);
  }
  await page.mouse.up();
  expect(await page.evaluate(() => document.getSelection()?.toString())).toBe(word);
  expect(await place()).toEqual(before);
  await page.mouse.move(left, y - 60);
  await page.mouse.down();
  await page.mouse.move(right, y, { steps: 6 });
  await expect.poll(async () => (await place())[0]).toBeGreaterThan(250);
  await page.mouse.up();
  await page.getByRole('button', { name: 'Back to 00:06' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test.each(['in another window', 'outside of the window'])(
  'after a button that was released %s the text follows the playback again',
  async (where) => {
    const { page, texts, complaints, close } = await rig.openText(longTranscript(60));
    const scrolled = () => page.locator('[data-pane="text"] > section').evaluate(({ scrollTop }) => scrollTop);
    await texts.nth(1).hover();
    await page.mouse.down();
    const box = await texts.nth(1).boundingBox();
    const clientY = (box?.y ?? 0) + (box?.height ?? 0) / 2;
    await page.evaluate(
      ([isOther, y]) => {
        if (isOther) window.dispatchEvent(new Event('blur'));
        else window.dispatchEvent(new PointerEvent('pointermove', { buttons: 0, pointerType: 'mouse', clientY: y }));
      },
      [where === 'in another window', clientY] as const,
    );
    for (let segment = 0; segment < 6; segment += 1) await page.keyboard.press('Control+ArrowDown');
    await expect.poll(() => playheadMs(page)).toBeGreaterThanOrEqual(30_000);
    await expect.poll(scrolled).toBeGreaterThan(100);
    expect(complaints).toEqual([]);
    await close();
  },
);
