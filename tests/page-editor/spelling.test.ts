import { expect, test } from 'vitest';
import { shiftSegment } from '../../shared/domain/transcript/change.ts';
import type { Word } from '../../shared/domain/transcript/transcript.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { onDisk } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { planStudio } from '../support/studio-plan.ts';
import { detailOf, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();

test('misspelt words are marked where their language has a dictionary, when the caret has left them, and the menu mends or learns them', async () => {
  const lecture = sampleTranscript('lecture-ru');
  const [first] = lecture.segments;
  if (first === undefined) throw new Error('no segment');
  const words = first.words.map((word) => (word.text === 'лекции' ? { ...word, text: 'лекцыи' } : word));
  const text = first.text.replace('лекции', 'лекцыи');
  const transcript = { ...lecture, segments: [{ ...first, text, words }, ...lecture.segments.slice(1)] };
  const { page, complaints, close } = await rig.open({
    detail: detailOf(transcript, null),
    answers: { 'transcripts.edit': { revision: 0 } },
  });
  const texts = page.locator('[data-text]');
  const marked = (mark = 'misspelt') =>
    page.evaluate(
      (name) =>
        [...(CSS.highlights.get(name) ?? [])].map((range) =>
          range.startContainer.textContent?.slice(range.startOffset, range.endOffset),
        ),
      `ovoz-${mark}`,
    );
  await expect.poll(() => marked()).toEqual(['лекцыи']);
  expect(await marked('estimated')).toEqual([]);
  await texts.nth(1).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' Пажалуста');
  await expect.poll(async () => (await onDisk(page, transcript)).segments[1]?.text).toMatch(/Пажалуста$/u);
  expect(await marked()).toEqual(['лекцыи']);
  await page.keyboard.type(', ');
  await expect.poll(() => marked()).toEqual(expect.arrayContaining(['Пажалуста', 'лекцыи']));
  // One line under a word: its estimated time is marked when its spelling is not.
  expect(await marked('estimated')).toEqual([]);

  const menuOf = async (segment: number, word: string) => {
    const at = await texts.nth(segment).evaluate((host, written) => {
      const range = document.createRange();
      const from = host.textContent.indexOf(written);
      if (host.firstChild === null) throw new Error('no text');
      range.setStart(host.firstChild, from);
      range.setEnd(host.firstChild, from + written.length);
      const { x, y, width, height } = range.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    }, word);
    await page.mouse.click(at.x, at.y, { button: 'right' });
  };
  await menuOf(0, 'лекцыи');
  await page.getByRole('menuitem', { name: 'лекции', exact: true }).click();
  await expect.poll(() => texts.first().textContent()).toBe(first.text);
  await expect.poll(() => marked()).toEqual(['Пажалуста']);
  const timed = (said: readonly Word[] = []) => said.map((word) => [word.text, word.startMs, word.endMs]);
  await expect.poll(async () => timed((await onDisk(page, transcript)).segments[0]?.words)).toEqual(timed(first.words));
  await menuOf(1, 'Пажалуста');
  await page.getByRole('menuitem', { name: 'Add to dictionary' }).click();
  await expect.poll(() => marked()).toEqual([]);
  await expect.poll(() => marked('estimated')).toEqual(['Пажалуста,']);
  expect(await callsOf(page, 'settings.update')).toContainEqual({ knownWords: ['Пажалуста'] });
  // Another word is added elsewhere: undoing takes only its own word back.
  const { settings } = planStudio({ settings: { knownWords: ['Пажалуста', 'адрас'] } }).app;
  await emitEvent(page, 'settings.changed', settings);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect.poll(() => marked()).toEqual(['Пажалуста']);
  expect((await callsOf(page, 'settings.update')).at(-1)).toEqual({ knownWords: ['адрас'] });
  expect(complaints).toEqual([]);
  await close();
});

test('the word that is being typed is not marked when the checker answers after other rows have come', async () => {
  const lecture = sampleTranscript('lecture-ru');
  const segments = Array.from({ length: 30 }, (_, round) =>
    lecture.segments.map((segment) => ({
      ...shiftSegment(segment, round * lecture.durationMs),
      id: `${segment.id}-${String(round)}`,
    })),
  ).flat();
  const { page, complaints, close } = await rig.open({
    detail: detailOf({ ...lecture, durationMs: lecture.durationMs * 30, segments }, null),
    size: { width: 1280, height: 480 },
    answers: { 'transcripts.edit': { revision: 0 } },
  });
  const texts = page.locator('[data-text]');
  await texts.first().click();
  await page.keyboard.press('End');
  await page.keyboard.type(' превед, Пажалуста');
  const marked = () => page.evaluate(() => [...(CSS.highlights.get('ovoz-misspelt') ?? [])].map(String).length);
  await expect.poll(marked).toBe(1);
  const shown = await texts.count();
  await page.mouse.wheel(0, 120);
  await expect.poll(() => texts.count()).toBeGreaterThan(shown);
  const { settings } = planStudio({ settings: { knownWords: ['превед'] } }).app;
  await emitEvent(page, 'settings.changed', settings);
  await expect.poll(marked).toBe(0);
  await page.keyboard.type('.');
  await expect.poll(marked).toBe(1);
  expect(complaints).toEqual([]);
  await close();
});
