import { expect, test } from 'vitest';
import { changedByImport } from '../page/library-dialog-states.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const detail = detailOf(sampleTranscript('interview-uz'), null, { sourceName: 'suhbat.srt' });
const imported = { transcriptId: 't1', name: 'suhbat.srt', language: 'uz', isLanguageOpen: false } as const;
const { report } = changedByImport.imported[0] ?? {};

test.each([
  ['at once', false],
  ['after the report about it', true],
])('a text that an import opened has the focus %s, wherever it was before', async (_when, isReported) => {
  const made = isReported && report !== undefined ? { ...imported, report } : { ...imported, recordingName: 'a.mp3' };
  const answers = { 'transcripts.import': { imported: [made], refused: [], repeated: [] } };
  const { page, complaints, close } = await rig.open({ detail, answers });
  await page.evaluate(() => {
    window.location.hash = '#/';
  });
  await page.getByRole('heading', { name: 'Transcribe', exact: true }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Transcribe' }).focus();
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'suhbat.srt'));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  });
  const text = page.locator('[data-pane="text"] > section');
  await text.waitFor();
  if (isReported) await page.getByRole('dialog').getByRole('button', { name: 'Done' }).press('Enter');
  await expect.poll(() => text.evaluate((shown) => shown === document.activeElement)).toBe(true);
  const said = isReported ? '1 transcript imported' : 'suhbat.srt imported with the recording beside it, a.mp3';
  await page.locator('[data-pane="notices"]').getByText(said).waitFor();
  expect(complaints).toEqual([]);
  await close();
});
