import { expect, test } from 'vitest';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { isPlaying, playheadMs, waitForSound } from './support/editor-page.ts';
import { editorRig, painted } from './support/editor-rig.ts';
import { longTranscript } from './support/transcripts.ts';

const rig = editorRig();

const open = (transcript: Transcript) => rig.openText(transcript);

test('Find moves the view and not the playback, and begins with what is in view', async () => {
  const transcript = longTranscript(300);
  const { page, complaints, close } = await open(transcript);
  await waitForSound(page);
  const text = page.locator('[data-pane="text"] > section');
  await text.evaluate((list) => {
    list.scrollTop = list.scrollHeight / 2;
  });
  const firstInView = () =>
    text.evaluate((list) => {
      const { top } = list.getBoundingClientRect();
      const shown = [...list.querySelectorAll<HTMLElement>('[data-index]')].filter(
        (row) => row.getBoundingClientRect().bottom > top,
      );
      return Math.min(...shown.map(({ dataset }) => Number(dataset['index'])));
    });
  // Rows that are measured meanwhile move those in view.
  let before = -1;
  const isAtRest = async () => {
    const seen = before;
    before = await firstInView();
    return before > 100 && seen === before;
  };
  await expect.poll(isAtRest).toBe(true);
  await page.keyboard.press('Control+f');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  await panel.getByRole('searchbox', { name: 'Find' }).fill('adras');
  const number = async () => Number((await panel.getByText(/^\d+ of \d+$/u).textContent())?.split(' ')[0]);
  const places = transcript.segments.flatMap(({ text }, index) => [...text.matchAll(/adras/gu)].map(() => index));
  await expect.poll(number).toBe(places.findIndex((index) => index >= before) + 1);
  for (let press = 0; press < 30; press += 1) await page.keyboard.press('Enter');
  await expect.poll(firstInView).toBeGreaterThan(before + 5);
  expect(await playheadMs(page)).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('a match is played by a key in the fields and by a button that names the key, and Find goes on', async () => {
  const transcript = longTranscript(4);
  const { page, texts, complaints, close } = await open(transcript);
  await waitForSound(page);
  const [, second] = transcript.segments;
  const word = second?.words.find(({ text }) => text === 'adras');
  await page.keyboard.press('Control+f');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  const play = panel.getByRole('button', { name: 'Play from the match' });
  // Beside the options, which are one line in the smallest window too.
  await page.setViewportSize({ width: 960, height: 640 });
  const middleOf = async (name: string) => {
    const box = await panel.getByRole('button', { name }).boundingBox();
    return box === null ? Number.NaN : box.y + box.height / 2;
  };
  await expect
    .poll(async () => Math.abs((await middleOf('Match case')) - (await middleOf('Next match'))))
    .toBeLessThan(2);
  expect(await play.isDisabled()).toBe(true);
  const field = panel.getByRole('searchbox', { name: 'Find' });
  await field.fill('adras');
  const before = await texts.allTextContents();
  const first = (transcript.segments[0]?.text.match(/adras/gu) ?? []).length;
  await panel.getByText(/^1 of /u).waitFor();
  for (let press = 0; press < first; press += 1) await field.press('Enter');
  await panel.getByText(new RegExp(`^${String(first + 1)} of `, 'u')).waitFor();
  await field.press('Control+Enter');
  await expect.poll(() => isPlaying(page)).toBe(true);
  expect(await playheadMs(page)).toBeGreaterThanOrEqual(word?.startMs ?? Number.POSITIVE_INFINITY);
  expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await texts.allTextContents()).toEqual(before);
  await play.hover();
  await page.getByRole('tooltip').getByText('Ctrl').waitFor();
  await page.evaluate(() => {
    const audio = window.audioElements.at(-1);
    if (audio !== undefined) audio.currentTime = 0;
  });
  await play.click();
  await expect.poll(() => playheadMs(page)).toBeGreaterThanOrEqual(word?.startMs ?? Number.POSITIVE_INFINITY);
  expect(await playheadMs(page)).toBeLessThan((word?.startMs ?? 0) + 1500);
  expect(complaints).toEqual([]);
  await close();
});

test('Enter always goes on to the next match, after typing and after playing one too, and the first one is shown as soon as it is found', async () => {
  const { page, complaints, close } = await open(longTranscript(300));
  await waitForSound(page);
  await page.keyboard.press('Control+f');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  const field = panel.getByRole('searchbox', { name: 'Find' });
  await field.fill('adras');
  await panel.getByText(/^1 of /u).waitFor();
  await field.press('Enter');
  await panel.getByText(/^2 of /u).waitFor();
  await field.fill('adra');
  await panel.getByText(/^1 of /u).waitFor();
  await field.press('Control+Enter');
  await expect.poll(() => isPlaying(page)).toBe(true);
  await field.press('Enter');
  await panel.getByText(/^2 of /u).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('showing Find again moves nothing until something is typed or Enter is pressed', async () => {
  const long = longTranscript(300);
  const transcript: Transcript = {
    ...long,
    segments: long.segments.map((segment, at) =>
      at < 299
        ? segment
        : {
            ...segment,
            text: segment.text.replace(/^\S+/u, 'sentyabr'),
            words: segment.words.map((word, place) => (place === 0 ? { ...word, text: 'sentyabr' } : word)),
          },
    ),
  };
  const { page, complaints, close } = await open(transcript);
  const text = page.locator('[data-pane="text"] > section');
  const top = () => text.evaluate((list) => Math.round(list.scrollTop));
  const follow = page.getByRole('button', { name: /^(?:Follow|Back to \S+)$/u });
  await page.keyboard.press('Control+f');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  await panel.getByRole('searchbox', { name: 'Find' }).fill('sentyabr');
  await expect.poll(top).toBeGreaterThan(5000);
  await page.getByRole('tab', { name: 'Speakers' }).click();
  await follow.click();
  await expect.poll(top).toBe(0);
  await page.keyboard.press('Control+f');
  await panel.getByText('1 of 1').waitFor();
  await painted(page);
  expect(await top()).toBe(0);
  // The text still follows what is played, so there is nothing to lead back to it.
  await text.evaluate((list) => {
    list.scrollTop = 3000;
  });
  await painted(page);
  expect(await follow.count()).toBe(0);
  await page.keyboard.press('Enter');
  await expect.poll(top).toBeGreaterThan(5000);
  await follow.waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a match is marked in a line where a new line was typed and undone, and so is the spoken word; the caret is where it was', async () => {
  const transcript = longTranscript(4);
  const { page, texts, complaints, close } = await open(transcript);
  await waitForSound(page);
  const [first] = transcript.segments;
  if (first === undefined) throw new Error('no segment');
  const marked = (name: string) =>
    page.evaluate(
      (key) =>
        [...(CSS.highlights.get(key) ?? [])].map((range) =>
          range.startContainer.isConnected
            ? range.startContainer.textContent?.slice(range.startOffset, range.endOffset)
            : 'on no page',
        ),
      `ovoz-${name}`,
    );
  const host = texts.first();
  await host.click();
  await page.keyboard.press('Control+Home');
  for (let press = 0; press < 8; press += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('Control+z');
  await expect
    .poll(() => host.evaluate(({ textContent, childNodes }) => [textContent, childNodes.length]))
    .toEqual([first.text, 1]);
  await page.keyboard.type('x');
  const typed = `${first.text.slice(0, 8)}x${first.text.slice(8)}`;
  await expect.poll(() => host.textContent()).toBe(typed);
  await page.keyboard.press('Control+z');
  await expect.poll(() => host.textContent()).toBe(first.text);
  await page.keyboard.press('Control+f');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  const wanted = first.words[3]?.text ?? '';
  await panel.getByRole('searchbox', { name: 'Find' }).fill(wanted);
  await panel.getByText(/^1 of /u).waitFor();
  await expect.poll(() => marked('found-now')).toEqual([wanted]);
  await page.evaluate(
    (ms) => {
      const audio = window.audioElements.at(-1);
      if (audio !== undefined) audio.currentTime = ms / 1000;
    },
    (first.words[5]?.startMs ?? 0) + 50,
  );
  await expect.poll(() => marked('word-now')).toEqual([first.words[5]?.text]);
  expect(complaints).toEqual([]);
  await close();
});

test('a button that comes under the resting pointer shows no tooltip over the field; one that is pointed at does, until a field has the focus', async () => {
  const { page, complaints, close } = await open(longTranscript(4));
  await waitForSound(page);
  await page.setViewportSize({ width: 960, height: 640 });
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  const [next, tip] = [panel.getByRole('button', { name: 'Next match' }), page.getByRole('tooltip')];
  await page.keyboard.press('Control+h');
  const box = (await next.boundingBox())!;
  await page.getByRole('tab', { name: 'Speakers' }).click();
  // The tooltip of a neighbour comes at once.
  await page.getByRole('button', { name: 'Versions' }).hover();
  await tip.waitFor();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await tip.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+h');
  await expect.poll(() => next.evaluate((button) => button.matches(':hover'))).toBe(true);
  await painted(page);
  expect(await tip.count()).toBe(0);
  await page.mouse.move(box.x + box.width / 2 + 1, box.y + box.height / 2);
  await tip.waitFor();
  await panel.getByRole('searchbox', { name: 'Find' }).evaluate((field) => {
    field.blur();
    field.focus();
  });
  await tip.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await close();
});
