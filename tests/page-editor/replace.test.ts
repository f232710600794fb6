import type { Locator, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { onDisk } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { longTranscript } from './support/transcripts.ts';

const rig = editorRig();

const open = (transcript: Transcript) => rig.openText(transcript);
const textsOf = (transcript: Transcript) => transcript.segments.map(({ text }) => text);

/** Opens Find and searches, and waits for what is found. */
async function searchFor(page: Page, words: string): Promise<Locator> {
  await page.keyboard.press('Control+f');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  await panel.getByRole('searchbox', { name: 'Find' }).fill(words);
  await panel.getByText(/^1 of /u).waitFor();
  return panel;
}
const rowsInView = (panel: Locator) =>
  panel.getByRole('list', { name: 'Matches' }).evaluate((list) => {
    const { top } = list.getBoundingClientRect();
    const end = list.closest('[data-pane]')?.getBoundingClientRect().bottom ?? 0;
    return [...list.querySelectorAll('button')].filter((row) => {
      const box = row.getBoundingClientRect();
      return box.top >= top && box.bottom <= end;
    }).length;
  });

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
  // All that was saved is read each time.
  const slowly = { interval: 250 };
  await expect.poll(async () => count(await onDisk(page, transcript)), slowly).toBe(500);
  const saved = await onDisk(page, transcript);
  expect(saved.segments.map(({ words }) => words.slice(1))).toEqual(
    transcript.segments.map(({ words }) => words.slice(1)),
  );
  await texts.first().click();
  await page.keyboard.press('Control+z');
  await expect.poll(async () => count(await onDisk(page, transcript)), slowly).toBe(0);
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
  // What is written contains what is searched for, and is not replaced again.
  await replacement.fill('adras-adras');
  await panel.getByText(`1 of ${String(places)}`).waitFor();
  expect(await texts.allTextContents()).toEqual(before);
  await replacement.press('Enter');
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

test('what is searched for and its replacement are kept while another tab is open', async () => {
  const { page, complaints, close } = await open(longTranscript(4));
  const panel = await searchFor(page, 'adras');
  await page.keyboard.press('Control+h');
  const replacement = panel.getByRole('textbox', { name: 'Replace with' });
  await replacement.fill('atlas');
  await page.getByRole('tab', { name: 'Speakers' }).click();
  await replacement.waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Find' }).click();
  await expect.poll(() => replacement.inputValue()).toBe('atlas');
  expect(await panel.getByRole('searchbox', { name: 'Find' }).inputValue()).toBe('adras');
  await panel.getByRole('button', { name: 'Replace', exact: true }).waitFor();
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

test('all is replaced where it stands in the text as it is now, not where it was found before the last letter', async () => {
  const transcript = longTranscript(4);
  const { page, texts, complaints, close } = await open(transcript);
  const panel = await searchFor(page, 'adras');
  await page.keyboard.press('Control+h');
  await panel.getByRole('textbox', { name: 'Replace with' }).fill('atlas');
  const [first = '', ...others] = textsOf(transcript);
  await texts.first().evaluate((host) => {
    host.focus();
    document.getSelection()?.collapse(host.firstChild, 0);
  });
  await pressWithNextLetter(panel.getByRole('button', { name: /^Replace all \d+$/u }), '[data-pane="text"] > section');
  await page.keyboard.type('§');
  const replaced = [`§${first}`, ...others].map((text) => text.replaceAll('adras', 'atlas'));
  await expect.poll(() => texts.allTextContents()).toEqual(replaced);
  expect(complaints).toEqual([]);
  await close();
});

test.each(['Replace', /^Replace all \d+$/u] as const)(
  'what was found for other words than those in the field is not replaced (%s)',
  async (name) => {
    const transcript = longTranscript(4);
    const { page, texts, complaints, close } = await open(transcript);
    const panel = await searchFor(page, 'adras');
    const field = panel.getByRole('searchbox', { name: 'Find' });
    await page.keyboard.press('Control+h');
    await panel.getByRole('textbox', { name: 'Replace with' }).fill('atlas');
    await field.press('End');
    await pressWithNextLetter(panel.getByRole('button', { name, exact: true }), 'body');
    await page.keyboard.type('x');
    await panel.getByText('0 of 0').waitFor();
    expect(await texts.allTextContents()).toEqual(textsOf(transcript));
    expect(complaints).toEqual([]);
    await close();
  },
);

test('Find alone offers no replacing, and its matches have the room', async () => {
  const { page, complaints, close } = await open(longTranscript(40));
  await page.setViewportSize({ width: 960, height: 640 });
  const panel = await searchFor(page, 'adras');
  expect(await panel.getByRole('textbox', { name: 'Replace with' }).count()).toBe(0);
  expect(await panel.getByRole('button', { name: /^(?:Delete|Replace all)/u }).count()).toBe(0);
  await expect.poll(() => rowsInView(panel)).toBeGreaterThanOrEqual(5);
  expect(complaints).toEqual([]);
  await close();
});

test('replacing comes and goes with its button, and leaves room for matches', async () => {
  const { page, complaints, close } = await open(longTranscript(40));
  await page.setViewportSize({ width: 960, height: 640 });
  const panel = await searchFor(page, 'adras');
  const toggle = panel.getByRole('button', { name: 'Replace in the text' });
  const replacement = panel.getByRole('textbox', { name: 'Replace with' });
  await toggle.click();
  await replacement.waitFor();
  await expect.poll(() => rowsInView(panel)).toBeGreaterThanOrEqual(2);
  await toggle.click();
  await replacement.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await close();
});

test('an empty replacement is called deleting', async () => {
  const { page, complaints, close } = await open(longTranscript(4));
  await page.keyboard.press('Control+h');
  const panel = await searchFor(page, 'adras');
  await panel.getByRole('button', { name: 'Delete', exact: true }).waitFor();
  await panel.getByRole('button', { name: /^Delete all \d+$/u }).waitFor();
  await panel.getByRole('textbox', { name: 'Replace with' }).fill('atlas');
  await panel.getByRole('button', { name: 'Replace', exact: true }).waitFor();
  expect(await panel.getByRole('button', { name: /^Delete/u }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('Tab leads from what is searched for over its options, which are one stop, to the replacement and its buttons', async () => {
  const { page, close } = await open(longTranscript(3));
  const panel = await searchFor(page, 'usta');
  await page.keyboard.press('Control+h');
  await panel.getByRole('textbox', { name: 'Replace with' }).fill('rassom');
  const find = panel.getByRole('searchbox', { name: 'Find' });
  await find.focus();
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: one } = document;
      return one?.getAttribute('aria-label') ?? one?.getAttribute('placeholder') ?? one?.textContent ?? '';
    });
  const press = async (keys: string, expected: RegExp | string) => {
    await page.keyboard.press(keys);
    await expect.poll(focused).toMatch(expected);
  };
  await press('Tab', /^Match case/u);
  await press('ArrowRight', /^Whole word/u);
  await press('Tab', 'Replace with');
  await press('Tab', 'Replace');
  await press('Tab', /^Replace all/u);
  await press('Shift+Tab', 'Replace');
  await press('Shift+Tab', 'Replace with');
  // Back to the option that had the focus last.
  await press('Shift+Tab', /^Whole word/u);
  await page.keyboard.press('Space');
  await expect.poll(() => panel.getByRole('button', { name: 'Whole word' }).getAttribute('aria-pressed')).toBe('true');
  await press('Shift+Tab', 'Find');
  await close();
});

test('after the last match was replaced it is said that it was, until something else is searched', async () => {
  const start = longTranscript(2);
  const { page, texts, complaints, close } = await open(start);
  const [word = ''] = textsOf(start)[0]?.split(' ') ?? [];
  const panel = await searchFor(page, word);
  await page.keyboard.press('Control+h');
  await panel.getByRole('textbox', { name: 'Replace with' }).fill('Zarhal');
  const told = panel.getByText('Replaced. No more matches.');
  const replace = panel.getByRole('button', { name: 'Replace', exact: true });
  const count = textsOf(start).join(' ').split(word).length - 1;
  for (let left = count; left > 0; left -= 1) {
    expect(await told.count()).toBe(0);
    await panel.getByText(new RegExp(` of ${String(left)}$`, 'u')).waitFor();
    await replace.click();
  }
  await told.waitFor();
  expect(await panel.getByText('Nothing found.').count()).toBe(0);
  await panel.getByRole('searchbox', { name: 'Find' }).fill('qwzx');
  await panel.getByText('Nothing found.').waitFor();
  await panel.getByRole('searchbox', { name: 'Find' }).fill('zarhal');
  await panel.getByText(/^1 of /u).waitFor();
  await panel.getByRole('textbox', { name: 'Replace with' }).fill('');
  await panel.getByRole('button', { name: 'Delete all' }).click();
  await expect.poll(async () => (await texts.allTextContents()).join(' ')).not.toContain('arhal');
  expect(complaints).toEqual([]);
  await close();
});
