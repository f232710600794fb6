import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { callsOf } from '../support/fake-studio.ts';
import { listOf } from '../support/listed-transcript.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, longTranscript } from './support/transcripts.ts';

const rig = editorRig();

/** A transcript that is open, and another one with the same text that is shown. */
async function openTwo() {
  const transcript = longTranscript(4);
  const detail = detailOf(transcript, null);
  const { page, complaints, close } = await rig.open({
    detail,
    answers: { 'transcripts.edit': { revision: 0 }, 'library.trash': {}, ...listOf('t1', 't2') },
  });
  const texts = page.locator('[data-text]');
  await page.evaluate(
    (other) => {
      window.fakeStudio.setAnswer('transcripts.open', other);
      location.hash = '#/transcripts/t2';
    },
    { ...detail, id: 't2', title: 'Ikkinchi suhbat' },
  );
  await page.getByRole('heading', { name: 'Ikkinchi suhbat' }).waitFor();
  await texts.first().waitFor();
  return { page, texts, transcript, complaints, close };
}

async function replaceEverywhere(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Also replace in another transcript \(\d+\)…$/u }).click();
  const question = page.getByRole('alertdialog', { name: 'Replace in 2 transcripts?' });
  await question.getByRole('button', { name: /^Replace all \d+$/u }).click();
}

test('matches in the other open transcripts are replaced there too on request, and undone together', async () => {
  const { page, texts, transcript, complaints, close } = await openTwo();
  await page.keyboard.press('Control+f');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  await panel.getByRole('searchbox', { name: 'Find' }).fill('adras');
  await page.keyboard.press('Control+h');
  await panel.getByRole('textbox', { name: 'Replace with' }).fill('atlas');
  await replaceEverywhere(page);
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
  await replaceEverywhere(page);
  const notice = page.getByText(/^Replaced in 2 transcripts/u);
  await notice.waitFor();
  await texts.first().click();
  await page.keyboard.type('x');
  await notice.waitFor({ state: 'detached', timeout: 4000 });
  // What is typed while the replacing is saved is not undone either.
  await page.evaluate(() => window.fakeStudio.hold('transcripts.edit'));
  await panel.getByRole('searchbox', { name: 'Find' }).fill('atlas');
  await panel.getByRole('textbox', { name: 'Replace with' }).fill('adras');
  await replaceEverywhere(page);
  await texts.first().click();
  await page.keyboard.type('§');
  await expect.poll(() => texts.first().textContent()).toContain('§');
  await page.evaluate(() => window.fakeStudio.letGo('transcripts.edit'));
  await notice.waitFor();
  expect(await page.locator('[data-pane="notices"]').getByRole('button', { name: 'Undo' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('where one transcript offers to replace, the next one does too', async () => {
  const detail = detailOf(longTranscript(4), null);
  const { page, complaints, close } = await rig.open({ detail });
  await page.keyboard.press('Control+h');
  const replacement = page.getByRole('textbox', { name: 'Replace with' });
  await replacement.waitFor();
  await page.evaluate(
    (other) => {
      window.fakeStudio.setAnswer('transcripts.open', other);
      location.hash = '#/transcripts/t2';
    },
    { ...detail, id: 't2', title: 'Ikkinchi suhbat' },
  );
  await page.getByRole('heading', { name: 'Ikkinchi suhbat' }).waitFor();
  await page.keyboard.press('Control+f');
  await replacement.waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('deleting in several transcripts at once is asked about, and named as deleting', async () => {
  const { page, texts, complaints, close } = await openTwo();
  const before = await texts.allTextContents();
  await page.keyboard.press('Control+h');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  await panel.getByRole('searchbox', { name: 'Find' }).fill('adras');
  const deleteEverywhere = panel.getByRole('button', {
    name: /^Also delete in another transcript \(\d+\)…$/u,
  });
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

test('before several transcripts are changed at once each is named with its number of matches, and what is in the trash is left out', async () => {
  const { page, texts, complaints, close } = await openTwo();
  const before = await texts.allTextContents();
  const count = String(before.join(' ').split('adras').length - 1);
  await page.keyboard.press('Control+h');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  await panel.getByRole('searchbox', { name: 'Find' }).fill('adras');
  await panel.getByRole('textbox', { name: 'Replace with' }).fill('atlas');
  const everywhere = panel.getByRole('button', { name: /^Also replace in/u });
  const isInside = (button: Element) => {
    const side = button.closest('aside')?.getBoundingClientRect();
    return button.getBoundingClientRect().right <= (side?.right ?? 0) && button.scrollWidth <= button.clientWidth;
  };
  expect(await everywhere.evaluate(isInside)).toBe(true);
  await everywhere.click();
  const question = page.getByRole('alertdialog', { name: 'Replace in 2 transcripts?' });
  await expect
    .poll(() => question.getByRole('listitem').allInnerTexts())
    .toEqual([`Ikkinchi suhbat\n${count}`, `Suhbat t1\n${count}`]);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await texts.allTextContents()).toEqual(before);
  const { 'transcripts.list': left } = listOf('t2');
  await page.evaluate((answer) => window.fakeStudio.setAnswer('transcripts.list', answer), left);
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Suhbat t1/u })
    .click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Move to the trash' }).click();
  await everywhere.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await close();
});
