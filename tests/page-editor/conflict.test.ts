import { expect, test } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Change } from '../../shared/domain/transcript/change.ts';
import { packChange } from '../../shared/domain/transcript/packed.ts';
import type { Segment } from '../../shared/domain/transcript/transcript.ts';
import { callsOf } from '../support/fake-studio.ts';
import { onDisk } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();

/** A segment with another first word. */
const beginning = (segment: Segment, text: string): Segment => ({
  ...segment,
  text: segment.text.replace(/^\S+/u, text),
  words: segment.words.map((word, at) => (at === 0 ? { ...word, text } : word)),
});

/** A transcript whose first word is another one in the account, as are the other `segments`. */
async function openConflict(segments: readonly Segment[] = [], base: Change | null = null) {
  const transcript = sampleTranscript('interview-uz');
  const [first] = transcript.segments;
  if (first === undefined) throw new Error('no segment');
  const changed = beginning(first, 'Salom');
  const { page, complaints, close } = await rig.open({
    detail: detailOf(transcript, null),
    answers: {
      'transcripts.edit': { revision: 2 },
      'transcripts.nameVersion': {},
      'transcripts.replaceAtService': { state: 'same', sentAtMs: 7, failure: null },
      'transcripts.sync': { state: 'conflict', sentAtMs: null, failure: null },
      'transcripts.atService': {
        ofRevision: 0,
        change: packChange([{ type: 'set', segments: [changed, ...segments] }]),
        remoteRevision: 4,
        base: base === null ? null : packChange(base),
      },
      'transcripts.versions': {
        versions: [{ revision: 0, kind: 'service', atMs: null, name: null, label: null, editCount: 0 }],
      },
    },
  });
  return { page, transcript, complaints, close };
}

test('a text that was changed in the account too is compared at once; the kept one wins, and the other becomes a version first', async () => {
  const { page, complaints, close } = await openConflict();
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
  expect(complaints).toEqual([]);
  await close();
});

test('of two texts that were changed each paragraph is chosen, and one undo takes the choices back', async () => {
  const { page, transcript, complaints, close } = await openConflict();
  const [first] = transcript.segments;
  await page.locator('label').filter({ hasText: 'Both' }).click();
  await page.getByRole('button', { name: 'Use these choices' }).click();
  const texts = page.locator('[data-text]');
  const theirs = first?.text.replace(/^\S+/u, 'Salom') ?? '';
  await expect.poll(() => texts.nth(1).textContent()).toBe(theirs);
  expect(await texts.first().textContent()).toBe(first?.text);
  await expect
    .poll(() => callsOf(page, 'transcripts.replaceAtService'))
    .toEqual([{ transcriptId: 't1', remoteRevision: 4 }]);
  expect((await onDisk(page, transcript)).segments[1]?.text).toBe(theirs);
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(() => texts.nth(1).textContent()).toBe(transcript.segments[1]?.text);
  expect(complaints).toEqual([]);
  await close();
});

test('what only one side changed is chosen already, and it is said; what both changed is not', async () => {
  const [first, second, third] = sampleTranscript('interview-uz').segments;
  if (first === undefined || second === undefined || third === undefined) throw new Error('no segments');
  const { page, transcript, complaints, close } = await openConflict(
    [beginning(second, 'Hisobda'), beginning(third, 'Ilgari')],
    [{ type: 'set', segments: [beginning(first, 'Boshqa'), beginning(third, 'Ilgari')] }],
  );
  const rows = page.getByRole('radiogroup');
  await page.getByRole('button', { name: 'Left to choose: 1' }).waitFor();
  const chosen = (at: number) => rows.nth(at).getByRole('radio', { checked: true });
  expect(await chosen(0).count()).toBe(0);
  await expect.poll(() => rows.nth(1).getByRole('radio', { name: 'The account’s', checked: true }).count()).toBe(1);
  expect(await rows.nth(2).getByRole('radio', { name: 'Mine', checked: true }).count()).toBe(1);
  await page.getByText('Changed only in the account').waitFor();
  await page.getByText('Changed only here').waitFor();
  await rows.first().locator('label').filter({ hasText: 'Mine' }).click();
  await page.getByRole('button', { name: 'Use these choices' }).click();
  await expect.poll(() => page.locator('[data-text]').nth(1).textContent()).toMatch(/^Hisobda /u);
  const after = await onDisk(page, transcript);
  expect(after.segments.map(({ text }) => text)).toEqual(
    transcript.segments.map(({ text }, at) => (at === 1 ? text.replace(/^\S+/u, 'Hisobda') : text)),
  );
  expect(complaints).toEqual([]);
  await close();
});

test('what is left to choose is gone to one after the other, past what is chosen already', async () => {
  const [first, second, third] = sampleTranscript('interview-uz').segments;
  if (first === undefined || second === undefined || third === undefined) throw new Error('no segments');
  const { page, complaints, close } = await openConflict(
    [beginning(second, 'Hisobda'), beginning(third, 'Hisobda')],
    [{ type: 'set', segments: [beginning(first, 'Avval'), beginning(third, 'Avval')] }],
  );
  const left = page.getByRole('button', { name: 'Left to choose: 2' });
  await page.getByText('1 of 3').waitFor();
  await left.click();
  await page.getByText('3 of 3').waitFor();
  await left.click();
  await page.getByText('1 of 3').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('choices that can not be combined, or that the account refuses, keep the comparison open and say why', async () => {
  const [, second] = sampleTranscript('interview-uz').segments;
  if (second === undefined) throw new Error('no segment');
  // As no text of the editor may be: words that its text does not have.
  const { page, complaints, close } = await openConflict([{ ...second, text: 'Boshqa' }]);
  const rows = page.getByRole('radiogroup');
  const choose = (at: number, name: string) => rows.nth(at).locator('label').filter({ hasText: name }).click();
  await choose(0, 'Mine');
  await choose(1, 'The account’s');
  const use = page.getByRole('button', { name: 'Use these choices' });
  await use.click();
  await page.getByText('These choices can’t be combined').waitFor();
  expect(await callsOf(page, 'transcripts.replaceAtService')).toEqual([]);
  await use.waitFor();

  await page.evaluate(
    (failure) => window.fakeStudio.setFailure('transcripts.replaceAtService', failure),
    makeFailure('E-018'),
  );
  await choose(1, 'Mine');
  await use.click();
  await expect.poll(async () => (await callsOf(page, 'transcripts.replaceAtService')).length).toBe(1);
  await page.getByText('The service is having trouble').waitFor();
  await use.waitFor();
  expect(complaints).toEqual([]);
  await close();
});
