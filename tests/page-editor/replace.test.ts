import { expect, test } from 'vitest';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { callsOf } from '../support/fake-studio.ts';
import { onDisk } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, longTranscript } from './support/transcripts.ts';

const rig = editorRig();

const open = (transcript: Transcript) => rig.openText(transcript);
const textsOf = (transcript: Transcript) => transcript.segments.map(({ text }) => text);

test('five hundred places are found and replaced as one step, and one undo reverts all of them', async () => {
  const start = longTranscript(500);
  const transcript = {
    ...start,
    segments: start.segments.map((segment) => ({
      ...segment,
      text: segment.text.replace(/^\S+/u, 'royan'),
      words: segment.words.map((word, at) => (at === 0 ? { ...word, text: 'royan' } : word)),
    })),
  };
  const { page, texts, complaints, close } = await open(transcript);
  await page.keyboard.press('Control+f');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  await panel.getByRole('searchbox', { name: 'Find' }).fill('роян');
  await panel.getByText('1 of 500').waitFor();
  await page.keyboard.press('Enter');
  await panel.getByText('2 of 500').waitFor();
  await page.keyboard.press('Control+h');
  await panel.getByRole('textbox', { name: 'Replace with' }).fill('roʻyan');
  await panel.getByRole('button', { name: 'Replace all 500' }).click();
  await page.getByText('500 matches replaced').waitFor();
  await expect.poll(() => texts.first().textContent()).toMatch(/^roʻyan /u);
  const count = (saved: Transcript) => saved.segments.filter(({ text }) => text.startsWith('roʻyan ')).length;
  await expect.poll(async () => count(await onDisk(page, transcript))).toBe(500);
  const saved = await onDisk(page, transcript);
  expect(saved.segments.map(({ words }) => words.slice(1))).toEqual(
    transcript.segments.map(({ words }) => words.slice(1)),
  );
  await texts.first().click();
  await page.keyboard.press('Control+z');
  await expect.poll(async () => count(await onDisk(page, transcript))).toBe(0);
  expect(await onDisk(page, transcript)).toEqual(transcript);
  expect(complaints).toEqual([]);
  await close();
});

test('Enter in the field of the replacement replaces the match that is shown and goes on behind it; Esc goes back to the text', async () => {
  const transcript = longTranscript(4);
  const { page, texts, complaints, close } = await open(transcript);
  const before = await texts.allTextContents();
  const places = before.join(' ').split('adras').length - 1;
  await page.keyboard.press('Control+f');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  await panel.getByRole('searchbox', { name: 'Find' }).fill('adras');
  await page.keyboard.press('Control+h');
  const replacement = panel.getByRole('textbox', { name: 'Replace with' });
  await expect.poll(() => replacement.evaluate((field) => field === document.activeElement)).toBe(true);
  // What is written contains what is searched for, and is not replaced again.
  await replacement.fill('adras-adras');
  await panel.getByText(`1 of ${String(places)}`).waitFor();
  expect(await texts.allTextContents()).toEqual(before);
  await page.keyboard.press('Enter');
  await panel.getByText(`3 of ${String(places + 1)}`).waitFor();
  await page.keyboard.press('Enter');
  await panel.getByText(`5 of ${String(places + 2)}`).waitFor();
  const replaced = (await texts.allTextContents()).join(' ').split('adras-adras').length - 1;
  expect(replaced).toBe(2);
  await page.keyboard.press('Escape');
  await page.keyboard.type('§');
  await expect
    .poll(async () => (await texts.allTextContents()).join(' ').match(/(?:adras.*){4}§adras/u) !== null)
    .toBe(true);
  expect(complaints).toEqual([]);
  await close();
});

test('the key for replacing leads into the field of what is searched for while that is empty', async () => {
  const { page, complaints, close } = await open(longTranscript(4));
  await page.keyboard.press('Control+h');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  const isFocused = (label: string) =>
    panel.getByLabel(label, { exact: true }).evaluate((field) => field === document.activeElement);
  await expect.poll(() => isFocused('Find')).toBe(true);
  await panel.getByRole('searchbox', { name: 'Find' }).fill('adras');
  await page.keyboard.press('Control+h');
  await expect.poll(() => isFocused('Replace with')).toBe(true);
  expect(complaints).toEqual([]);
  await close();
});

test('undo in the find field takes back the replacing only while nothing was typed in the text since', async () => {
  const transcript = longTranscript(4);
  const { page, texts, complaints, close } = await open(transcript);
  await page.keyboard.press('Control+f');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  const field = panel.getByRole('searchbox', { name: 'Find' });
  await field.fill('adras');
  await page.keyboard.press('Control+h');
  await panel.getByRole('textbox', { name: 'Replace with' }).fill('atlas');
  const replaceAll = panel.getByRole('button', { name: /^Replace all \d+$/u });
  const before = await texts.allTextContents();
  await replaceAll.click();
  await expect.poll(async () => (await texts.allTextContents()).join(' ')).toContain('atlas');
  await field.press('Control+z');
  await expect.poll(() => texts.allTextContents()).toEqual(before);
  await replaceAll.click();
  await expect.poll(async () => (await texts.allTextContents()).join(' ')).toContain('atlas');
  await texts.first().click();
  await page.keyboard.type('§');
  await expect.poll(() => texts.first().textContent()).toContain('§');
  await field.press('Control+z');
  await expect.poll(async () => textsOf(await onDisk(page, transcript)).join(' ')).toContain('§');
  expect(await texts.first().textContent()).toContain('§');
  expect(complaints).toEqual([]);
  await close();
});

test('matches in the other open transcripts are replaced there too on request, and undone together', async () => {
  const transcript = longTranscript(4);
  const detail = detailOf(transcript, null);
  const { page, complaints, close } = await rig.open({
    detail,
    answers: { 'transcripts.edit': { revision: 0 } },
  });
  const texts = page.locator('[data-text]');
  await page.evaluate(
    (detail) => {
      window.fakeStudio.setAnswer('transcripts.open', detail);
      location.hash = '#/transcripts/t2';
    },
    { ...detail, id: 't2', title: 'Ikkinchi suhbat' },
  );
  await page.getByRole('heading', { name: 'Ikkinchi suhbat' }).waitFor();
  await texts.first().waitFor();
  await page.keyboard.press('Control+f');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  await panel.getByRole('searchbox', { name: 'Find' }).fill('adras');
  await page.keyboard.press('Control+h');
  await panel.getByRole('textbox', { name: 'Replace with' }).fill('atlas');
  await panel.getByRole('button', { name: /^Also replace in another open transcript \(\d+\)$/u }).click();
  await page.getByText(/^Replaced in 2 transcripts/u).waitFor();
  const edits = async () =>
    (await callsOf(page, 'transcripts.edit')).map((call) => {
      const { transcriptId, edits: made } = call as {
        readonly transcriptId: string;
        readonly edits: readonly { readonly label: string }[];
      };
      return `${transcriptId} ${made.map(({ label }) => label).join()}`;
    });
  await expect.poll(async () => (await edits()).toSorted()).toEqual(['t1 replace-all', 't2 replace-all']);
  expect(await texts.first().textContent()).not.toContain('adras');
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
  await expect.poll(async () => (await edits()).slice(2).toSorted()).toEqual(['t1 undo', 't2 undo']);
  await expect.poll(() => texts.first().textContent()).toBe(transcript.segments[0]?.text);
  await panel.getByRole('searchbox', { name: 'Find' }).fill('adra');
  await panel.getByRole('button', { name: /^Also replace in another open transcript \(\d+\)$/u }).click();
  const notice = page.getByText(/^Replaced in 2 transcripts/u);
  await notice.waitFor();
  await texts.first().click();
  await page.keyboard.type('x');
  await notice.waitFor({ state: 'detached', timeout: 4000 });
  // What is typed while the replacing is saved is not undone either.
  await page.evaluate(() => window.fakeStudio.hold('transcripts.edit'));
  await panel.getByRole('searchbox', { name: 'Find' }).fill('atlas');
  await panel.getByRole('textbox', { name: 'Replace with' }).fill('adras');
  await panel.getByRole('button', { name: /^Also replace in another open transcript \(\d+\)$/u }).click();
  await texts.first().click();
  await page.keyboard.type('§');
  await expect.poll(() => texts.first().textContent()).toContain('§');
  await page.evaluate(() => window.fakeStudio.letGo('transcripts.edit'));
  await notice.waitFor();
  expect(await page.locator('[data-pane="notices"]').getByRole('button', { name: 'Undo' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('Find alone replaces nothing: replacing is opened by its button or key, stays open in the next transcript, and an empty replacement says that it deletes', async () => {
  const transcript = longTranscript(40);
  const detail = detailOf(transcript, null);
  const { page, complaints, close } = await rig.open({
    detail,
    answers: { 'transcripts.edit': { revision: 0 } },
  });
  // What one transcript opens, the next one shows.
  await page.setViewportSize({ width: 960, height: 640 });
  await page.keyboard.press('Control+f');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  await panel.getByRole('searchbox', { name: 'Find' }).fill('adras');
  await panel.getByText(/^1 of /u).waitFor();
  const replacement = panel.getByRole('textbox', { name: 'Replace with' });
  const deletes = panel.getByRole('button', { name: /^Delete/u });
  expect(await replacement.count()).toBe(0);
  expect(await deletes.count()).toBe(0);
  const rowsInView = () =>
    panel.getByRole('list', { name: 'Matches' }).evaluate((list) => {
      const { top } = list.getBoundingClientRect();
      const end = list.closest('[data-pane]')?.getBoundingClientRect().bottom ?? 0;
      return [...list.querySelectorAll('button')].filter((row) => {
        const box = row.getBoundingClientRect();
        return box.top >= top && box.bottom <= end;
      }).length;
    });
  await expect.poll(rowsInView).toBeGreaterThanOrEqual(5);
  const toggle = panel.getByRole('button', { name: 'Replace in the text' });
  await toggle.click();
  await replacement.waitFor();
  await deletes.first().waitFor();
  await expect.poll(rowsInView).toBeGreaterThanOrEqual(2);
  await page.evaluate(
    (detail) => {
      window.fakeStudio.setAnswer('transcripts.open', detail);
      location.hash = '#/transcripts/t2';
    },
    { ...detail, id: 't2', title: 'Ikkinchi suhbat' },
  );
  await page.getByRole('heading', { name: 'Ikkinchi suhbat' }).waitFor();
  await page.keyboard.press('Control+f');
  await replacement.waitFor();
  await toggle.click();
  await replacement.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await close();
});

test('deleting in several transcripts at once is asked about, and named as deleting', async () => {
  const transcript = longTranscript(4);
  const detail = detailOf(transcript, null);
  const { page, complaints, close } = await rig.open({
    detail,
    answers: { 'transcripts.edit': { revision: 0 } },
  });
  const texts = page.locator('[data-text]');
  await page.evaluate(
    (detail) => {
      window.fakeStudio.setAnswer('transcripts.open', detail);
      location.hash = '#/transcripts/t2';
    },
    { ...detail, id: 't2', title: 'Ikkinchi suhbat' },
  );
  await page.getByRole('heading', { name: 'Ikkinchi suhbat' }).waitFor();
  await texts.first().waitFor();
  const before = await texts.allTextContents();
  await page.keyboard.press('Control+h');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  await panel.getByRole('searchbox', { name: 'Find' }).fill('adras');
  const deleteEverywhere = panel.getByRole('button', { name: /^Also delete in another open transcript \(\d+\)$/u });
  await deleteEverywhere.click();
  const question = page.getByRole('alertdialog', { name: 'Delete in 2 transcripts?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await texts.allTextContents()).toEqual(before);
  await deleteEverywhere.click();
  await question.getByRole('button', { name: /^Delete all \d+$/u }).click();
  await page.getByText(/^Deleted in 2 transcripts/u).waitFor();
  await expect.poll(async () => (await texts.allTextContents()).join(' ')).not.toContain('adras');
  expect(complaints).toEqual([]);
  await close();
});
