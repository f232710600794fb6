import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import type { Change } from '../../shared/domain/transcript/change.ts';
import { packChange } from '../../shared/domain/transcript/packed.ts';
import type { Segment, Transcript } from '../../shared/domain/transcript/transcript.ts';
import type { Version } from '../../shared/domain/transcript/versions.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { caretOf, enter, highlighted, onDisk } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');
const [first, second, third] = transcript.segments;
if (first === undefined || second === undefined || third === undefined) throw new Error('too few segments');

const service: Version = { revision: 0, kind: 'service', atMs: null, name: null, label: null, editCount: 0 };
const now: Version = { revision: 5, kind: 'now', atMs: 5, name: null, label: null, editCount: 1 };
const named: Version = { revision: 3, kind: 'named', atMs: 3, name: 'Tekshirilgan', label: null, editCount: 2 };
const automatic: Version = { revision: 1, kind: 'before', atMs: 1, name: null, label: 'replace-all', editCount: 1 };

/** The versions of a text, of which the earlier ones differ from it by `change`. */
async function openVersions(text: Transcript, change: Change) {
  const { page } = await rig.open({
    detail: detailOf(text, null),
    answers: {
      'transcripts.nameVersion': {},
      'transcripts.versions': { versions: [now, named, automatic, service] },
      'transcripts.version': { ofRevision: 0, change: packChange(change) },
    },
  });
  await page.keyboard.press('Control+Shift+h');
  await page.locator('aside[data-pane="inspector"] li').first().waitFor();
  return page;
}

test('silences and speakers that differ are told and restored with the words', async () => {
  const cuts = [
    { startMs: 100, endMs: 300 },
    { startMs: 4000, endMs: 4200 },
  ];
  const cut = { ...transcript, cuts };
  const page = await openVersions(cut, [{ type: 'cuts', cuts: [] }]);
  await page.getByText('2 silences are cut', { exact: true }).waitFor();
  const restore = page.getByRole('button', { name: 'Restore all' });
  await restore.click();
  await expect.poll(async () => (await onDisk(page, cut)).cuts).toBeUndefined();
  // The edits of the page are now those of the version.
  await page.getByText('No differences').waitFor();
  await expect.poll(() => restore.isDisabled()).toBe(true);

  const speakers = transcript.speakers.map((speaker) => ({ ...speaker, name: 'Anvar' }));
  const other = await openVersions(transcript, [
    { type: 'cuts', cuts: cuts.slice(1) },
    { type: 'speakers', speakers },
  ]);
  await other.getByText('1 silence is no longer cut').waitFor();
  await other.getByText('The speakers are different').waitFor();
  await other.getByRole('button', { name: 'Restore all' }).click();
  await expect.poll(() => onDisk(other, transcript)).toEqual({ ...transcript, speakers, cuts: cuts.slice(1) });
});

test('versions are saved, renamed and lose their name, in the letters of the text', async () => {
  const page = await openVersions(transcript, []);
  const list = page.getByRole('list', { name: 'Versions' });
  const rowOf = (title: string) => list.getByRole('listitem').filter({ hasText: title });
  const name = page.getByRole('textbox', { name: 'Name of the version' });
  await page.getByRole('button', { name: 'Before “Replace all”' }).click();
  await page.getByRole('button', { name: 'Save version' }).click();
  await enter(name, "O'qilgan ma'no");
  await rowOf('Before “Replace all”').getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  await name.fill('Oldin');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  expect(await rowOf('From the service').getByRole('button', { name: 'More' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Tekshirilgan' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Remove the name' }).click();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect
    .poll(async () => (await callsOf(page, 'transcripts.nameVersion')).map((call) => [call.revision, call.name]))
    .toEqual([
      [5, 'Oʻqilgan maʼno'],
      [1, 'Oldin'],
      [3, null],
      [3, 'Tekshirilgan'],
    ]);
});

/** A segment with another first word. */
const beginning = (segment: Segment, text: string): Segment => ({
  ...segment,
  text: segment.text.replace(/^\S+/u, text),
  words: segment.words.map((word, at) => (at === 0 ? { ...word, text } : word)),
});

/** A transcript whose first word is another one in the account, as are the other `segments`. */
async function openConflict(segments: readonly Segment[] = [], base: Change | null = null) {
  const { page } = await rig.open({
    detail: detailOf(transcript, null),
    answers: {
      'transcripts.edit': { revision: 2 },
      'transcripts.nameVersion': {},
      'transcripts.replaceAtService': { state: 'same', sentAtMs: 7, failure: null },
      'transcripts.sync': { state: 'conflict', sentAtMs: null, failure: null },
      'transcripts.atService': {
        ofRevision: 0,
        change: packChange([{ type: 'set', segments: [beginning(first!, 'Salom'), ...segments] }]),
        remoteRevision: 4,
        base: base === null ? null : packChange(base),
      },
      'transcripts.versions': { versions: [service] },
    },
  });
  const row = (at: number) => page.getByRole('radiogroup').nth(at);
  return {
    page,
    row,
    choose: (at: number, name: string) => row(at).locator('label').filter({ hasText: name }).click(),
    use: page.getByRole('button', { name: 'Use these choices' }),
    replaced: () => callsOf(page, 'transcripts.replaceAtService'),
  };
}

test('a text changed in the account too is compared; the kept one wins, the other is a version', async () => {
  const { page } = await openConflict();
  await page.locator('del').getByText('Salom', { exact: true }).waitFor();
  await page.getByText('The text in your account was changed too.').waitFor();
  expect(await callsOf(page, 'transcripts.replaceAtService')).toEqual([]);
  // Paragraph by paragraph: nothing is done until each has a choice, which the button goes to, and both can be kept.
  const left = page.getByRole('button', { name: 'Left to choose: 1' });
  await left.click();
  expect(await callsOf(page, 'transcripts.replaceAtService')).toEqual([]);
  await page.getByRole('radio', { name: 'The account’s' }).focus();
  for (let step = 0; step < 2; step += 1) await page.keyboard.press('ArrowRight');
  await page.getByRole('radio', { name: 'Both', checked: true }).waitFor();
  await page.getByRole('button', { name: 'Use these choices' }).waitFor();
  await page.getByRole('button', { name: 'Keep this text' }).click();
  await expect
    .poll(() => callsOf(page, 'transcripts.replaceAtService'))
    .toEqual([{ transcriptId: 't1', remoteRevision: 4 }]);
  expect(await callsOf(page, 'transcripts.nameVersion')).toEqual([
    { transcriptId: 't1', revision: 1, name: 'In your account' },
  ]);
  const edits = (await callsOf(page, 'transcripts.edit')) as readonly {
    readonly edits: readonly { readonly label: string }[];
  }[];
  expect(edits.flatMap((call) => call.edits.map(({ label }) => label))).toEqual(['conflict', 'restore']);
});

test('of two texts each paragraph is chosen, and one undo takes the choices back', async () => {
  const { page, choose, use, replaced } = await openConflict();
  const texts = page.locator('[data-text]');
  await choose(0, 'Both');
  await use.click();
  const theirs = beginning(first, 'Salom').text;
  await expect.poll(() => texts.nth(1).textContent()).toBe(theirs);
  expect(await texts.first().textContent()).toBe(first.text);
  await expect.poll(replaced).toEqual([{ transcriptId: 't1', remoteRevision: 4 }]);
  expect((await onDisk(page, transcript)).segments[1]?.text).toBe(theirs);
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(() => texts.nth(1).textContent()).toBe(second.text);
});

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Transcribe this part again' });

test('each difference that is heard again is accepted with its times or kept, by mouse and keys', async () => {
  const last = first.words.length - 1;
  // Two words are heard differently; the first of them begins a little later, too.
  const words = first.words.map(({ text, startMs, endMs }, at) => ({
    text: at === 0 ? 'Birinchi' : at === last ? 'oxirgi' : text,
    startMs: at === 0 ? startMs + 30 : startMs,
    endMs,
  }));
  const { page, texts } = await rig.openText(transcript, {
    answers: { 'transcripts.listenAgain': { words, credits: null } },
  });
  const panel = panelOf(page);
  const lane = page.locator('[data-pane="lane"]').getByText(/^[\d.]+ s$/u);
  const focused = () =>
    page.evaluate(() => [
      document.activeElement?.getAttribute('aria-label'),
      document.activeElement?.closest('li')?.querySelector('del')?.textContent,
    ]);
  const [opening, closing] = [first.words[0]?.text, first.words[last]?.text];
  await texts.first().click();
  await page.keyboard.press('Control+Shift+KeyL');
  await panel.getByText('2 changes').waitFor();
  // The seconds that are listened to are shown on the lane.
  await lane.waitFor();
  await expect.poll(focused).toEqual(['Accept', opening]);
  await page.keyboard.press('ArrowDown');
  await expect.poll(focused).toEqual(['Accept', closing]);
  await expect.poll(() => highlighted(page, 'differs-now')).toEqual([closing]);
  await page.keyboard.press('ArrowRight');
  await expect.poll(focused).toEqual(['Keep the old word', closing]);
  await page.keyboard.press('Enter');
  await expect.poll(focused).toEqual(['Accept', opening]);
  await panel.getByRole('button', { name: 'Accept', exact: true }).click();
  await panel.getByText('All changes reviewed').waitFor();
  const accepted = beginning(first, 'Birinchi').text;
  await expect.poll(async () => (await onDisk(page, transcript)).segments[0]?.text).toBe(accepted);
  const [word, ...others] = (await onDisk(page, transcript)).segments[0]?.words ?? [];
  expect(word).toMatchObject({ text: 'Birinchi', startMs: (first.words[0]?.startMs ?? 0) + 30 });
  expect(others).toEqual(first.words.slice(1));
  await page.keyboard.press('Enter');
  await panel.waitFor({ state: 'detached' });
  expect(await lane.count()).toBe(0);
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(() => texts.first().textContent()).toBe(first.text);
});

test('listening again says what a started minute costs, sends nothing unasked, and gives the caret back', async () => {
  const { page, texts } = await rig.openText(transcript, {
    answers: {
      'transcripts.listenAgain': { words: null, credits: null },
      'usage.listenRate': { sampleCount: 1, creditsPerHour: '5400', creditsPerGigabyte: null, stepMs: 60_000 },
    },
  });
  await texts.nth(1).click();
  await page.keyboard.press('Home');
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+Shift+KeyL');
  const start = panelOf(page).getByRole('button', { name: 'Transcribe again' });
  await panelOf(page).getByText('Expected cost: about 90 credits').waitFor();
  await expect.poll(() => start.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.evaluate(() => window.fakeStudio.hold('transcripts.listenAgain'));
  await page.keyboard.press('Enter');
  await panelOf(page).getByText('The service is listening').waitFor();
  await emitEvent(page, 'spend.asking', { isOpen: true });
  await panelOf(page).getByText('Waiting for your answer. Nothing has been sent yet.').waitFor();
  expect(await panelOf(page).getByText('The service is listening').count()).toBe(0);
  await emitEvent(page, 'spend.asking', { isOpen: false });
  await panelOf(page).getByText('The service is listening').waitFor();
  await page.evaluate(() => window.fakeStudio.letGo('transcripts.listenAgain'));
  await panelOf(page).getByText('Nothing was sent.').waitFor();
  expect(await onDisk(page, transcript)).toEqual(transcript);
  await page.keyboard.press('Escape');
  await panelOf(page).waitFor({ state: 'detached' });
  expect(await caretOf(page)).toEqual([second.id, 4]);
});

test('what listening again cost is said afterwards, once the service has reported it', async () => {
  const { page, texts } = await rig.openText(transcript, {
    answers: { 'transcripts.listenAgain': { words: null, credits: null } },
  });
  const answer = (credits: string | null) =>
    page.evaluate((value) => window.fakeStudio.setAnswer('transcripts.listenAgain', value), {
      words: [...second.words],
      credits,
    });
  await texts.nth(1).click();
  await page.keyboard.press('Control+Shift+KeyL');
  const start = panelOf(page).getByRole('button', { name: 'Transcribe again' });
  await start.waitFor();
  await answer(null);
  await start.click();
  await panelOf(page).getByText('The cost is not known yet').waitFor();
  await answer('60');
  await page.evaluate(() => window.fakeStudio.emit('usage.changed', {}));
  await panelOf(page).getByText('Charged: 60 credits').waitFor();
});
