import type { Locator, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { packChange, unpackChange, type PackedChange } from '../../shared/domain/transcript/packed.ts';
import type { Segment, Transcript, Word } from '../../shared/domain/transcript/transcript.ts';
import { isPlaying, markedWord, onDisk, waitForSound } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { callsOf } from '../support/fake-studio.ts';
import { listOf } from '../support/listed-transcript.ts';
import type { StudioPlan } from '../support/studio-plan.ts';
import { detailOf, sample, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();

/** With a word whose spelling does not survive the way to Cyrillic and back. */
const interview = ((): Transcript => {
  const transcript = sampleTranscript('interview-uz');
  const written = (text: string) => text.replace('alaykum', "a'laykum").replace('Bugun', "Bu'gun");
  const segments = transcript.segments.map((segment): Segment => ({
    ...segment,
    text: written(segment.text),
    words: segment.words.map((word) => ({ ...word, text: written(word.text) })),
  }));
  return { ...transcript, segments };
})();
const [first, second] = interview.segments;
if (first === undefined || second === undefined) throw new Error('no segments');
const inCyrillic = ['Ассалому аълайкум, уста!', 'Буъгун биз Риштонда, кулолчилик устахонасидамиз.'] as const;

async function openInCyrillic(transcript = interview, answers: StudioPlan['answers'] = {}) {
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const opened = await rig.open({
    detail,
    answers: { 'transcripts.edit': { revision: 0 }, ...answers },
  });
  await waitForSound(opened.page);
  await opened.page.getByText('Show all Uzbek transcripts in Cyrillic letters').click();
  const texts = opened.page.locator('[data-text]');
  await expect.poll(() => texts.first().textContent()).toMatch(/^[А-Я]/u);
  return { ...opened, texts, stored: () => onDisk(opened.page, transcript) };
}
const caretOf = (page: Page) =>
  page.evaluate(() => {
    const { focusNode, focusOffset } = document.getSelection() ?? {};
    return [focusNode?.parentElement?.closest<HTMLElement>('[data-text]')?.dataset['text'], focusOffset];
  });
const putCaret = (text: Locator, offset: number) =>
  text.evaluate((host, at) => {
    host.focus();
    document.getSelection()?.collapse(host.firstChild, at);
  }, offset);
const asSentyabr = (word: Word): Word => ({ ...word, text: word.text.replace('usta', 'sentyabr') });
const textsOf = (transcript: Transcript) => transcript.segments.map(({ text }) => text);

test('Uzbek is corrected in the Cyrillic view: what is typed is stored in Latin, other words stay as stored, and undo restores the caret', async () => {
  const { page, texts, stored, complaints, close } = await openInCyrillic();
  await texts.first().click();
  await page.keyboard.press('End');
  await page.keyboard.type(' салом, щётка');
  expect(await isPlaying(page)).toBe(false);
  expect(await page.getByRole('alert').count()).toBe(0);
  await expect.poll(async () => (await stored()).segments[0]?.text).toBe(`${first.text} salom, shyotka`);
  expect(await texts.first().textContent()).toBe(`${inCyrillic[0]} салом, щётка`);
  expect((await stored()).segments[0]?.words.slice(0, first.words.length)).toEqual(first.words);
  expect((await caretOf(page))[1]).toBe(`${inCyrillic[0]} салом, щётка`.length);

  await putCaret(texts.nth(1), 'Буъгун би'.length);
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('сиз');
  await expect.poll(async () => (await stored()).segments[1]?.text).toBe(second.text.replace('biz', 'sizz'));
  await page.keyboard.press('Delete');
  await expect.poll(async () => (await stored()).segments[1]?.text).toBe(second.text.replace('biz', 'siz'));
  const [before, after] = [second.words, (await stored()).segments[1]?.words];
  expect(after).toEqual(before.map((word) => (word.text === 'biz' ? { ...word, text: 'siz' } : word)));

  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.nth(1).textContent()).toBe(inCyrillic[1]);
  expect(await caretOf(page)).toEqual([second.id, 'Буъгун би'.length]);
  await page.keyboard.press('Control+y');
  await expect.poll(() => texts.nth(1).textContent()).toBe(inCyrillic[1].replace('биз', 'сиз'));
  expect(await caretOf(page)).toEqual([second.id, 'Буъгун сиз'.length]);
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('Control+z');
  await expect.poll(stored).toEqual(interview);
  await expect.poll(() => texts.first().textContent()).toBe(inCyrillic[0]);
  expect(complaints).toEqual([]);
  await close();
});

test('Latin letters typed into the Cyrillic view become Cyrillic when the caret leaves the segment, and undo goes through what was typed', async () => {
  const { page, texts, stored, complaints, close } = await openInCyrillic();
  await texts.first().click();
  await page.keyboard.press('End');
  await page.keyboard.type(' oxirgi yozuv');
  await expect.poll(() => texts.first().textContent()).toBe(`${inCyrillic[0]} oxirgi yozuv`);
  await expect.poll(async () => (await stored()).segments[0]?.text).toBe(`${first.text} oxirgi yozuv`);
  const before = await stored();
  await putCaret(texts.nth(1), 'Буъгун би'.length);
  await expect.poll(() => texts.first().textContent()).toBe(`${inCyrillic[0]} охирги ёзув`);
  expect(await caretOf(page)).toEqual([second.id, 'Буъгун би'.length]);
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.first().textContent()).toBe(inCyrillic[0]);
  await page.keyboard.press('Control+y');
  await expect.poll(() => texts.first().textContent()).toBe(`${inCyrillic[0]} охирги ёзув`);
  expect(await stored()).toEqual(before);
  // A control has the focus for a while, and the caret comes back to where it was.
  await page.keyboard.press('End');
  await page.keyboard.type(' va');
  await page.getByRole('button', { name: 'Play', exact: true }).focus();
  await expect.poll(() => texts.first().textContent()).toBe(`${inCyrillic[0]} охирги ёзув ва`);
  await texts.first().focus();
  expect(await caretOf(page)).toEqual([first.id, `${inCyrillic[0]} охирги ёзув ва`.length]);
  await page.keyboard.type('й');
  await expect.poll(async () => (await stored()).segments[0]?.text).toBe(`${first.text} oxirgi yozuv vay`);
  expect(complaints).toEqual([]);
  await close();
});

test('in the Cyrillic view segments are split, joined, pasted into and typed over as in the own letters', async () => {
  const { page, texts, stored, complaints, close } = await openInCyrillic();
  await putCaret(texts.nth(1), 'Буъгун биз '.length);
  await page.keyboard.press('Enter');
  await expect.poll(() => texts.nth(2).textContent()).toBe('Риштонда, кулолчилик устахонасидамиз.');
  await expect
    .poll(async () => textsOf(await stored()).slice(1, 3))
    .toEqual(["Bu'gun biz", 'Rishtonda, kulolchilik ustaxonasidamiz.']);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('ў');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Home');
  await page.keyboard.press('Backspace');
  await expect.poll(() => texts.nth(1).textContent()).toBe(inCyrillic[1]);
  await expect.poll(async () => (await stored()).segments[1]).toEqual(second);
  expect(await caretOf(page)).toEqual([second.id, 'Буъгун биз '.length]);

  await page.evaluate(() => navigator.clipboard.writeText('ҳаммамиз ва Google'));
  await page.keyboard.press('Control+v');
  await expect
    .poll(async () => (await stored()).segments[1]?.text)
    .toBe("Bu'gun biz hammamiz va Google Rishtonda, kulolchilik ustaxonasidamiz.");
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await stored()).segments[1]).toEqual(second);

  // From inside the first segment to inside the second, typed over.
  const at = await texts.nth(1).evaluate((host, offset) => {
    const range = document.createRange();
    if (host.firstChild === null) throw new Error('no text');
    range.setStart(host.firstChild, offset);
    range.setEnd(host.firstChild, offset + 1);
    const { left, top, height } = range.getBoundingClientRect();
    return { x: left + 1, y: top + height / 2 };
  }, 'Буъгун '.length);
  await putCaret(texts.first(), 'Ассалому '.length);
  await page.keyboard.down('Shift');
  await page.mouse.click(at.x, at.y);
  await page.keyboard.up('Shift');
  // A key of a Cyrillic keyboard, which the driver of the browser has not.
  await page.evaluate(() =>
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ў', bubbles: true, cancelable: true })),
  );
  await expect
    .poll(async () => textsOf(await stored())[0])
    .toBe('Assalomu oʻbiz Rishtonda, kulolchilik ustaxonasidamiz.');
  await page.keyboard.press('Control+z');
  await expect.poll(stored).toEqual(interview);
  expect(complaints).toEqual([]);
  await close();
});

test('in the Cyrillic view Find searches what is shown and replaces it, the spoken word is marked, and the word menu works', async () => {
  const { page, texts, stored, complaints, close } = await openInCyrillic();
  const word = second.words[3];
  await page.evaluate((ms) => {
    const [audio] = window.audioElements.slice(-1);
    if (audio) audio.currentTime = (ms + 20) / 1000;
  }, word?.startMs ?? 0);
  await expect.poll(() => markedWord(page)).toBe('кулолчилик');
  await putCaret(texts.nth(1), 0);
  await page.keyboard.type('Хўш ');
  expect(await markedWord(page)).toBe('кулолчилик');
  await page.keyboard.press('Control+z');

  await page.keyboard.press('Control+h');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  await panel.getByRole('searchbox', { name: 'Find' }).fill('Риштонда');
  await panel.getByRole('button', { name: 'Match case' }).click();
  await expect.poll(() => panel.getByText('1 of 1').count()).toBe(1);
  await panel.getByRole('textbox', { name: 'Replace with' }).fill('Тошкентда');
  await panel.getByRole('button', { name: 'Replace', exact: true }).click();
  await expect
    .poll(async () => (await stored()).segments[1]?.text)
    .toBe(second.text.replace('Rishtonda', 'Toshkentda'));

  await texts.nth(1).evaluate((host) => {
    const range = document.createRange();
    if (host.firstChild === null) throw new Error('no text');
    range.setStart(host.firstChild, host.textContent.indexOf('кулолчилик'));
    range.setEnd(host.firstChild, host.textContent.indexOf(' устахона'));
    const { left, top, height } = range.getBoundingClientRect();
    host.dispatchEvent(
      new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: left + 9, clientY: top + height / 2 }),
    );
  });
  await page.getByRole('menuitem', { name: 'Redact' }).click();
  await expect
    .poll(async () => (await stored()).segments[1]?.words.map(({ text, mark }) => [text, mark]))
    .toEqual(
      second.words.map(({ text }) => [
        text.replace('Rishtonda', 'Toshkentda'),
        text === 'kulolchilik' ? 'redacted' : undefined,
      ]),
    );
  expect(complaints).toEqual([]);
  await close();
});

test('in the Cyrillic view a caption that is too fast is given more time, with its words as they are stored', async () => {
  const { page, stored, complaints, close } = await openInCyrillic();
  await page.getByRole('tab', { name: 'Info' }).click();
  await page.getByText('Check caption rules').click();
  await page.getByRole('button', { name: 'Fix the times' }).first().click();
  await expect.poll(async () => (await stored()).segments[0]?.endMs).toBeGreaterThan(first.endMs);
  expect(textsOf(await stored())).toEqual(textsOf(interview));
  expect(complaints).toEqual([]);
  await close();
});

test('in the Cyrillic view what is heard again is shown in Cyrillic and accepted as it was heard', async () => {
  const words = second.words.map((word) => (word.text === 'biz' ? { ...word, text: 'sentyabrda' } : word));
  const { page, texts, stored, complaints, close } = await openInCyrillic(interview, {
    'transcripts.listenAgain': { words },
  });
  await texts.nth(1).click();
  await page.keyboard.press('Control+Shift+KeyL');
  const row = page.getByRole('complementary', { name: 'Transcribe this part again' }).getByRole('listitem');
  await expect.poll(() => row.locator('del').textContent()).toBe('биз');
  expect(await row.locator('ins').textContent()).toBe('сентябрда');
  await row.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect.poll(() => texts.nth(1).textContent()).toBe(inCyrillic[1].replace('биз', 'сентябрда'));
  await expect.poll(async () => (await stored()).segments[1]?.text).toBe(second.text.replace('biz', 'sentyabrda'));
  expect(complaints).toEqual([]);
  await close();
});

test('what is replaced in the other open transcripts is stored in their own letters too', async () => {
  const { page, texts, complaints, close } = await openInCyrillic(interview, listOf('t1', 't2'));
  await page.evaluate(
    (detail) => {
      window.fakeStudio.setAnswer('transcripts.open', detail);
      location.hash = '#/transcripts/t2';
    },
    { ...detailOf(interview, null), id: 't2', title: 'Ikkinchi suhbat' },
  );
  await page.getByRole('heading', { name: 'Иккинчи суҳбат' }).waitFor();
  await expect.poll(() => texts.first().textContent()).toBe(inCyrillic[0]);
  await page.keyboard.press('Control+h');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  await panel.getByRole('searchbox', { name: 'Find' }).fill('Риштонда');
  await panel.getByRole('textbox', { name: 'Replace with' }).fill('Тошкентда');
  await panel.getByRole('button', { name: /^Also replace in another transcript/u }).click();
  await page.getByRole('button', { name: 'Replace all 2' }).click();
  await page.getByText(/^Replaced in 2 transcripts/u).waitFor();
  const written = async () =>
    (await callsOf(page, 'transcripts.edit')).map((call) => {
      const { edits } = call as { readonly edits: readonly { readonly change: PackedChange }[] };
      return edits.flatMap(({ change }) =>
        unpackChange(change).flatMap((step) => (step.type === 'set' ? step.segments.map(({ text }) => text) : [])),
      );
    });
  const replaced = second.text.replace('Rishtonda', 'Toshkentda');
  await expect.poll(written).toEqual([[replaced], [replaced]]);
  expect(await texts.nth(1).textContent()).toBe(inCyrillic[1].replace('Риштонда', 'Тошкентда'));
  expect(complaints).toEqual([]);
  await close();
});

test('in the Cyrillic view an earlier version is compared in Cyrillic and restored as it was stored', async () => {
  const segments = [{ ...first, text: first.text.replace('usta', 'sentyabr'), words: first.words.map(asSentyabr) }];
  const { page, stored, complaints, close } = await openInCyrillic(interview, {
    'transcripts.versions': {
      versions: [
        { revision: 1, kind: 'now', atMs: 5, name: null, label: null, editCount: 1 },
        { revision: 0, kind: 'service', atMs: null, name: null, label: null, editCount: 0 },
      ],
    },
    'transcripts.version': { ofRevision: 1, change: packChange([{ type: 'set', segments }]) },
  });
  await page.keyboard.press('Control+Shift+h');
  await expect.poll(() => page.locator('del').allTextContents()).toEqual(['сентябрь!']);
  expect(await page.locator('ins').allTextContents()).toEqual(['уста!']);
  await page.getByRole('button', { name: 'Restore all' }).click();
  await expect.poll(async () => (await stored()).segments[0]).toEqual(segments[0]);
  expect(complaints).toEqual([]);
  await close();
});

test('the undo key works while a switch has the focus, as the undo button does', async () => {
  const { page, texts, complaints, close } = await openInCyrillic();
  await texts.first().click();
  await page.keyboard.press('End');
  await page.keyboard.type(' aa');
  await page.getByText('Show all Uzbek transcripts in Cyrillic letters').click();
  await expect.poll(() => texts.first().textContent()).toBe(`${first.text} aa`);
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('switch');
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.first().textContent()).toBe(first.text);
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(() => texts.first().textContent()).toBe(`${first.text} aa`);
  expect(complaints).toEqual([]);
  await close();
});
