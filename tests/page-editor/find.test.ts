import type { Locator, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { callsOf } from '../support/fake-studio.ts';
import { listOf } from '../support/listed-transcript.ts';
import { goTo, onDisk } from './support/editor-page.ts';
import { editorRig, painted } from './support/editor-rig.ts';
import { detailOf, longTranscript } from './support/transcripts.ts';

const rig = editorRig();
const short = longTranscript(4);
const said = short.segments.map(({ text }) => text);
const countIn = (text: string, word: string) => text.split(word).length - 1;
const panelOf = (page: Page) => page.getByRole('tabpanel', { name: 'Find' });
const fieldOf = (page: Page) => panelOf(page).getByRole('searchbox', { name: 'Find' });
const replacementOf = (page: Page) => panelOf(page).getByRole('textbox', { name: 'Replace with' });

/** Opens Find and searches, and waits for what is found; with a replacement, that is written too. */
async function searchFor(page: Page, word: string, replacement?: string): Promise<Locator> {
  await page.keyboard.press(replacement === undefined ? 'Control+f' : 'Control+h');
  await fieldOf(page).fill(word);
  await panelOf(page)
    .getByText(/^1 of /u)
    .waitFor();
  if (replacement !== undefined) await replacementOf(page).fill(replacement);
  return panelOf(page);
}

test('hundreds of places are found in the other alphabet and replaced as one step', async () => {
  const start = longTranscript(200);
  const transcript = {
    ...start,
    segments: start.segments.map((segment) => ({
      ...segment,
      text: segment.text.replace(/^\S+/u, 'royan'),
      words: segment.words.map((word, at) => (at === 0 ? { ...word, text: 'royan' } : word)),
    })),
  };
  const { page, texts } = await rig.openText(transcript);
  const panel = await searchFor(page, 'роян', 'roʻyan');
  await panel.getByRole('button', { name: 'Replace all (200)' }).click();
  await page.getByText('200 matches replaced').waitFor();
  const steps = () =>
    page.evaluate(() => window.fakeStudio.calls.filter(({ method }) => method === 'transcripts.edit').length);
  await expect.poll(steps).toBe(1);
  const replaced = await onDisk(page, transcript);
  expect(replaced.segments.filter(({ text }) => text.startsWith('roʻyan ')).length).toBe(200);
  const wordsOf = ({ segments }: typeof replaced) => segments.map(({ words }) => words.slice(1));
  expect(wordsOf(replaced)).toEqual(wordsOf(transcript));
  await texts.first().click();
  await page.keyboard.press('Control+z');
  await expect.poll(steps).toBe(2);
  expect(await onDisk(page, transcript)).toEqual(transcript);
});

test('Enter replaces and goes on behind; undo in the field ends with typing in the text', async () => {
  const { page, texts } = await rig.openText(short);
  const places = countIn(said.join(' '), 'adras');
  // What is written contains what is searched for, and is not replaced again.
  const panel = await searchFor(page, 'adras', 'adras-adras');
  const shown = async () => (await texts.allTextContents()).join(' ');
  await replacementOf(page).press('Enter');
  await panel.getByText(`3 of ${String(places + 1)}`).waitFor();
  await page.keyboard.press('Enter');
  await panel.getByText(`5 of ${String(places + 2)}`).waitFor();
  expect(countIn(await shown(), 'adras-adras')).toBe(2);
  await page.keyboard.press('Escape');
  await page.keyboard.type('§');
  await expect.poll(async () => /(?:adras.*){4}§adras/u.test(await shown())).toBe(true);
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Control+z');
  await expect.poll(() => texts.allTextContents()).toEqual(said);

  await replacementOf(page).fill('atlas');
  await page.getByRole('tab', { name: 'Speakers' }).click();
  await replacementOf(page).waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Find' }).click();
  await expect.poll(() => replacementOf(page).inputValue()).toBe('atlas');
  expect(await fieldOf(page).inputValue()).toBe('adras');
  const replaceAll = panel.getByRole('button', { name: /^Replace all \(\d+\)$/u });
  await replaceAll.click();
  await expect.poll(shown).toContain('atlas');
  await fieldOf(page).press('Control+z');
  await expect.poll(() => texts.allTextContents()).toEqual(said);
  await replaceAll.click();
  await expect.poll(shown).toContain('atlas');
  await texts.first().click();
  await page.keyboard.type('§');
  await expect.poll(shown).toContain('§');
  await fieldOf(page).press('Control+z');
  await painted(page);
  expect(await shown()).toContain('§');
  // An empty replacement is called deleting.
  await fieldOf(page).fill('atlas');
  await replacementOf(page).fill('');
  await panel.getByRole('button', { name: /^Delete all \(\d+\)$/u }).click();
  await expect.poll(shown).not.toContain('atlas');
  await panel
    .getByRole('status')
    .filter({ hasText: /^\d+ matches deleted$/u })
    .waitFor();
});

test('the words of all matches are redacted as one step', async () => {
  const { page } = await rig.openText(short);
  const panel = await searchFor(page, 'adra');
  await panel.getByRole('button', { name: 'Replace in the text' }).click();
  const count = countIn(said.join(' '), 'adra');
  // Before a part of a word is replaced or deleted, the panel says that it is one.
  await panel.getByRole('button', { name: `Skip ${String(count)} inside longer words` }).click();
  await panel.getByText('Nothing found.').waitFor();
  await panel.getByRole('button', { name: 'Whole words' }).click();
  await panel.getByRole('button', { name: 'Redact all' }).click();
  const redacted = async () => {
    const { segments } = await onDisk(page, short);
    return segments.flatMap(({ words }) => words.filter(({ mark }) => mark === 'redacted').map(({ text }) => text));
  };
  const meant = short.segments
    .flatMap(({ words }) => words.map(({ text }) => text))
    .filter((text) => /adra/iu.test(text));
  await expect.poll(redacted).toEqual(meant);
  await page.getByText(`${String(meant.length)} matches redacted`).waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
  await expect.poll(redacted).toEqual([]);
});

/**
 * Presses it in the same task in which the next letter is written, so that nothing can be searched again before. The text
 * keeps its input to itself, so `around` is what hears of it last.
 */
const pressWithNextLetter = (button: Locator, around: string) =>
  button.evaluate((element: HTMLElement, selector) => {
    const press = () => {
      element.click();
    };
    document.querySelector(selector)?.addEventListener('input', press, { once: true });
  }, around);

test('what is replaced is what is found now, not what was found before the last letter', async () => {
  const { page, texts } = await rig.openText(short);
  const panel = await searchFor(page, 'adras', 'atlas');
  const replaceAll = panel.getByRole('button', { name: /^Replace all \(\d+\)$/u });
  for (const button of [panel.getByRole('button', { name: 'Replace', exact: true }), replaceAll]) {
    await fieldOf(page).fill('adras');
    await panel.getByText(/^1 of /u).waitFor();
    await fieldOf(page).press('End');
    await pressWithNextLetter(button, 'body');
    await page.keyboard.type('x');
    await panel.getByText('Nothing found.').waitFor();
    expect(await texts.allTextContents()).toEqual(said);
  }
  await fieldOf(page).fill('adras');
  await panel.getByText(/^1 of /u).waitFor();
  await texts.first().evaluate((host) => {
    host.focus();
    document.getSelection()?.collapse(host.firstChild, 0);
  });
  await pressWithNextLetter(replaceAll, '[data-pane="text"] > section');
  await page.keyboard.type('§');
  const [first = '', ...others] = said;
  const replaced = [`§${first}`, ...others].map((text) => text.replaceAll('adras', 'atlas'));
  await expect.poll(() => texts.allTextContents()).toEqual(replaced);
});

test('matches in other transcripts are replaced after a question, undone together, never in the trash', async () => {
  const detail = detailOf(short, null);
  const { page } = await rig.open({ detail, answers: { 'library.trash': {}, ...listOf('t1', 't2') } });
  const texts = page.locator('[data-text]');
  await page.evaluate((other) => window.fakeStudio.setAnswer('transcripts.open', other), {
    ...detail,
    id: 't2',
    title: 'Ikkinchi suhbat',
  });
  await goTo(page, '#/transcripts/t2');
  await page.getByRole('heading', { name: 'Ikkinchi suhbat' }).waitFor();
  await texts.first().waitFor();
  const panel = await searchFor(page, 'adras', 'atlas');
  const count = String(countIn(said.join(' '), 'adras'));
  const everywhere = panel.getByRole('button', { name: /^Also (?:replace|delete) in another transcript \(\d+\)…$/u });
  const question = page.getByRole('alertdialog', { name: /^(?:Replace|Delete) in 2 transcripts\?$/u });
  const notice = page.getByText(/^(?:Replaced|Deleted) in 2 transcripts/u);
  const confirm = async () => {
    await everywhere.click();
    await question.getByRole('button', { name: /^(?:Replace|Delete) all \(\d+\)$/u }).click();
  };
  await everywhere.click();
  await expect
    .poll(() => question.getByRole('listitem').allInnerTexts())
    .toEqual([`Ikkinchi suhbat\n${count}`, `Suhbat t1\n${count}`]);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await texts.allTextContents()).toEqual(said);
  await confirm();
  await notice.waitFor();
  const edits = async () =>
    (await callsOf(page, 'transcripts.edit')).map((call) => {
      const { transcriptId, edits: made } = call as {
        readonly transcriptId: string;
        readonly edits: readonly { readonly label: string }[];
      };
      return `${transcriptId} ${made.map(({ label }) => label).join()}`;
    });
  await expect.poll(async () => (await edits()).toSorted()).toEqual(['t1 replace-all', 't2 replace-all']);
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
  await expect.poll(async () => (await edits()).slice(2).toSorted()).toEqual(['t1 undo', 't2 undo']);
  await expect.poll(() => texts.allTextContents()).toEqual(said);
  // What is typed while the replacing is saved is not undone by its notice.
  await page.evaluate(() => window.fakeStudio.hold('transcripts.edit'));
  await confirm();
  await texts.first().click();
  await page.keyboard.type('§');
  await expect.poll(() => texts.first().textContent()).toContain('§');
  await page.evaluate(() => window.fakeStudio.letGo('transcripts.edit'));
  await notice.waitFor();
  expect(await page.locator('[data-pane="notices"]').getByRole('button', { name: 'Undo' }).count()).toBe(0);
  await fieldOf(page).fill('atlas');
  await replacementOf(page).fill('');
  await confirm();
  await expect.poll(async () => (await texts.allTextContents()).join(' ')).not.toContain('atlas');

  await fieldOf(page).fill('ipak');
  await everywhere.waitFor();
  const { 'transcripts.list': left } = listOf('t2');
  await page.evaluate((answer) => window.fakeStudio.setAnswer('transcripts.list', answer), left);
  const other = page.getByRole('navigation').getByRole('link', { name: /^Suhbat t1/u });
  await other.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Move to the trash' }).click();
  await everywhere.waitFor({ state: 'detached' });
});

test('an address with words to find opens Find at them, beside the text that was shut before', async () => {
  const { page } = await rig.openText(short, { settings: { isInspectorOpen: false } });
  const word = said[1]?.split(' ')[0] ?? '';
  await goTo(page, `#/transcripts/t1/find/${encodeURIComponent(word)}`);
  await page.reload();
  await expect.poll(() => fieldOf(page).inputValue()).toBe(word);
  await expect.poll(() => fieldOf(page).evaluate((field) => field === document.activeElement)).toBe(true);
  await panelOf(page)
    .getByText(/ of \d/u)
    .first()
    .waitFor();
});
