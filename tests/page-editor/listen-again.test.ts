import { expect, test } from 'vitest';
import { callsOf } from '../support/fake-studio.ts';
import { onDisk } from './support/editor-page.ts';
import { editorRig, painted } from './support/editor-rig.ts';
import { detailOf, longTranscript, sample, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();

const transcript = sampleTranscript('interview-uz');
const [segment] = transcript.segments;
if (segment === undefined) throw new Error('The sample is empty');

test('of what was heard the second time one difference is accepted, with its times, and one kept; one undo takes it back', async () => {
  // Two words are recognised differently; the first of them is spoken a little later, too.
  const words = segment.words.map(({ text, startMs, endMs }, at) => ({
    text: at === 0 ? 'Birinchi' : at === segment.words.length - 1 ? 'oxirgi' : text,
    startMs: at === 0 ? startMs + 30 : startMs,
    endMs,
  }));
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const answers = { 'transcripts.listenAgain': { words }, 'transcripts.edit': { revision: 0 } };
  const { page, complaints, close } = await rig.open({ detail, answers });
  const text = page.locator('[data-text]').first();
  await text.click();
  await page.keyboard.press('Control+Shift+KeyL');
  const panel = page.getByRole('complementary', { name: 'Transcribe this part again' });
  await panel.getByText('2 changes').waitFor();
  const rows = panel.getByRole('listitem');
  await rows.first().getByRole('button', { name: 'Accept', exact: true }).click();
  await expect.poll(() => rows.count()).toBe(1);
  await rows.first().getByRole('button', { name: 'Keep the old word' }).click();
  await panel.getByText('All changes are looked through').waitFor();

  const accepted = `Birinchi ${segment.text.split(' ').slice(1).join(' ')}`;
  await expect.poll(() => text.textContent()).toBe(accepted);
  await expect.poll(async () => (await onDisk(page, transcript)).segments[0]?.text).toBe(accepted);
  const [first, ...others] = (await onDisk(page, transcript)).segments[0]?.words ?? [];
  expect(first).toMatchObject({ text: 'Birinchi', startMs: (segment.words[0]?.startMs ?? 0) + 30 });
  expect(others).toEqual(segment.words.slice(1));

  await text.click();
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(() => text.textContent()).toBe(segment.text);
  expect(complaints).toEqual([]);
  await close();
});

test('the changes are decided by the keyboard: arrows, Enter, and the next one has the focus and is shown in the text', async () => {
  const words = segment.words.map(({ text, startMs, endMs }, at) => ({
    text: at === 0 ? 'Birinchi' : at === segment.words.length - 1 ? 'oxirgi' : text,
    startMs,
    endMs,
  }));
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const answers = { 'transcripts.listenAgain': { words }, 'transcripts.edit': { revision: 0 } };
  const { page, complaints, close } = await rig.open({ detail, answers });
  const text = page.locator('[data-text]').first();
  await text.click();
  await page.keyboard.press('Control+Shift+KeyL');
  const panel = page.getByRole('complementary', { name: 'Transcribe this part again' });
  await panel.getByText('2 changes').waitFor();
  const focused = () =>
    page.evaluate(() => [
      document.activeElement?.getAttribute('aria-label'),
      document.activeElement?.closest('li')?.querySelector('del')?.textContent,
    ]);
  const shown = () =>
    page.evaluate(() => [...(CSS.highlights.get('ovoz-differs-now') ?? [])].map((range) => range.startOffset));
  const [first, last] = [segment.words[0]?.text, segment.words.at(-1)?.text];
  await expect.poll(focused).toEqual(['Accept', first]);
  await expect.poll(shown).toEqual([0]);
  await page.keyboard.press('ArrowDown');
  await expect.poll(focused).toEqual(['Accept', last]);
  await expect.poll(shown).toEqual([segment.text.lastIndexOf(' ') + 1]);
  await page.keyboard.press('Enter');
  await expect.poll(focused).toEqual(['Accept', first]);
  await page.keyboard.press('ArrowRight');
  await expect.poll(focused).toEqual(['Keep the old word', first]);
  await page.keyboard.press('Enter');
  await panel.getByText('All changes are looked through').waitFor();
  await expect.poll(() => text.textContent()).toBe(segment.text.replace(/\S+$/u, 'oxirgi'));
  await page.keyboard.press('Enter');
  await panel.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await close();
});

test('the seconds that are listened to are shown on the lane until the panel closes', async () => {
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const answers = { 'transcripts.listenAgain': { words: [...segment.words] }, 'transcripts.edit': { revision: 0 } };
  const { page, close } = await rig.open({ detail, answers });
  await page.locator('[data-text]').first().click();
  const badge = page.locator('[data-pane="lane"]').getByText(/^[\d.]+ s$/u);
  expect(await badge.count()).toBe(0);
  await page.keyboard.press('Control+Shift+KeyL');
  await badge.waitFor();
  await page.keyboard.press('Escape');
  await badge.waitFor({ state: 'detached' });
  await close();
});

test('accepting all leaves nothing: a word that makes room for an accepted one is no new change, and Enter closes', async () => {
  // Everything is heard a little later, so that the accepted word reaches over the beginning of the next one.
  const words = segment.words.map(({ text, startMs, endMs }, at) => ({
    text: at === 0 ? 'Birinchi' : text,
    startMs: startMs + 250,
    endMs: endMs + 250,
  }));
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const answers = { 'transcripts.listenAgain': { words }, 'transcripts.edit': { revision: 0 } };
  const { page, complaints, close } = await rig.open({ detail, answers });
  await page.locator('[data-text]').first().click();
  await page.keyboard.press('Control+Shift+KeyL');
  const panel = page.getByRole('complementary', { name: 'Transcribe this part again' });
  await panel.getByText('1 change').waitFor();
  await panel.getByRole('button', { name: 'Accept all' }).click();
  await panel.getByText('All changes are looked through').waitFor();
  await panel.getByText('Accepted: 1.').waitFor();
  expect(await panel.getByRole('listitem').count()).toBe(0);
  const saved = async () => (await onDisk(page, transcript)).segments[0]?.words ?? [];
  await expect.poll(async () => (await saved())[0]).toMatchObject({ text: 'Birinchi', endMs: words[0]?.endMs });

  expect((await saved())[1]).toMatchObject({ startMs: words[1]?.startMs, endMs: words[1]?.endMs });
  await page.keyboard.press('Enter');
  await panel.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await close();
});

test('where the service gives no confidence, the key of the next doubtful word says that there are none, and why', async () => {
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({ detail });
  await page.locator('[data-text]').first().click();
  await page.keyboard.press('Alt+F7');
  await page.getByText(/The service doesn’t tell how sure it is of a word/u).waitFor();
  await close();
});

test('the keys go to the panel that listens again: Enter presses its button and splits nothing, Esc gives the caret back', async () => {
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const answers = { 'transcripts.listenAgain': { words: null }, 'transcripts.edit': { revision: 0 } };
  const { page, complaints, close } = await rig.open({ detail, answers });
  const texts = page.locator('[data-text]');
  await texts.nth(1).click();
  await page.keyboard.press('Home');
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight');
  const caret = () =>
    page.evaluate(() => [
      document.activeElement?.getAttribute('data-text'),
      document.activeElement?.hasAttribute('data-text') === true ? document.getSelection()?.focusOffset : null,
    ]);
  expect(await caret()).toEqual([transcript.segments[1]?.id, 4]);
  await page.keyboard.press('Control+Shift+KeyL');
  const panel = page.getByRole('complementary', { name: 'Transcribe this part again' });
  const start = panel.getByRole('button', { name: 'Transcribe again' });
  await expect.poll(() => start.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await panel.getByText('Nothing was sent.').waitFor();
  expect(await onDisk(page, transcript)).toEqual(transcript);
  expect(await texts.nth(1).textContent()).toBe(transcript.segments[1]?.text);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  expect(await caret()).toEqual([transcript.segments[1]?.id, 4]);
  expect(complaints).toEqual([]);
  await close();
});

test('typing elsewhere while a change waits for its answer does not scroll the text back to it', async () => {
  const long = longTranscript(60);
  const [first] = long.segments;
  const words = first?.words.map((word, at) => (at === 0 ? { ...word, text: 'birinchi' } : word)) ?? [];
  const { page, texts, close } = await rig.openText(long, { answers: { 'transcripts.listenAgain': { words } } });
  await texts.first().click();
  await page.keyboard.press('Control+Shift+KeyL');
  await page.getByRole('complementary', { name: 'Transcribe this part again' }).getByText('1 change').waitFor();
  await expect.poll(() => page.evaluate(() => CSS.highlights.get('ovoz-differs-now')?.size)).toBe(1);
  await page.locator('[data-pane="text"] > section').hover();
  await page.mouse.wheel(0, 50_000);
  const other = page.locator('[data-text="s59"]');
  await other.click();
  await page.keyboard.type('a');
  await expect.poll(async () => (await callsOf(page, 'transcripts.edit')).length).toBe(1);
  await painted(page);
  const box = await other.boundingBox();
  const pane = await page.locator('[data-pane="text"] > section').boundingBox();
  expect(box?.y).toBeGreaterThan(pane?.y ?? 0);
  expect(box?.y).toBeLessThan((pane?.y ?? 0) + (pane?.height ?? 0));
  await close();
});

test.each(['en', 'ru', 'uz'] as const)(
  'in a low window all changes can be accepted without scrolling (%s)',
  async (language) => {
    const words = segment.words.map(({ startMs, endMs }) => ({ text: 'boshqa', startMs, endMs }));
    const { page, complaints, close } = await rig.open({
      detail: detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3'))),
      answers: { 'transcripts.listenAgain': { words } },
      size: { width: 960, height: 640 },
      language,
    });
    await page.locator('[data-text]').first().click();
    await page.keyboard.press('Control+Shift+KeyL');
    const buttons = page.locator('aside [data-main] button');
    // That of the change, and those of all of them.
    await expect.poll(() => buttons.count()).toBe(3);
    const areSeen = await buttons.evaluateAll((all) =>
      all.slice(1).map((button) => {
        const { left, width, top, height } = button.getBoundingClientRect();
        return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      }),
    );
    expect(areSeen).toEqual([true, true]);
    expect(complaints).toEqual([]);
    await close();
  },
);
