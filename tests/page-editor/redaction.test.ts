import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { packChange } from '../../shared/domain/transcript/packed.ts';
import type { Transcript, WordMark } from '../../shared/domain/transcript/transcript.ts';
import { copied, framesInside, pressKeys } from './support/editor-page.ts';
import { editorRig, painted } from './support/editor-rig.ts';
import { sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');
const [first, ...later] = transcript.segments;
const [secret, ...others] = first?.words ?? [];
if (first === undefined || secret === undefined) throw new Error('no words');
/** The text with its first word marked. */
const withMark = (mark: WordMark): Transcript => ({
  ...transcript,
  segments: [{ ...first, words: [{ ...secret, mark }, ...others] }, ...later],
});
const rest = first.text.slice(secret.text.length);
const masked = `█████${rest}`;

/**
 * The brightest colour of a strip through the middle of the first word of the first segment, as it is drawn, and how much
 * others differ: the edge of a letter in the colour behind it rounds to another one.
 */
const colourOf = async (page: Page, letters: number) => {
  const clip = await page
    .locator('[data-text]')
    .first()
    .evaluate((host, to) => {
      const range = document.createRange();
      if (host.firstChild === null) throw new Error('no text');
      range.setStart(host.firstChild, 0);
      range.setEnd(host.firstChild, to);
      const { left, top, width, height } = range.getBoundingClientRect();
      return { x: Math.ceil(left) + 2, y: Math.round(top + height / 2) - 3, width: Math.floor(width) - 14, height: 6 };
    }, letters);
  const picture = (await page.screenshot({ clip })).toString('base64');
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    if (context === null) throw new Error('no canvas');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const channels = [0, 1, 2].map((channel) => data.filter((_, at) => at % 4 === channel));
    return {
      colour: channels.map((values) => Math.max(...values)),
      spread: Math.max(...channels.map((values) => Math.max(...values) - Math.min(...values))),
    };
  }, picture);
};

test('a redacted word that is found stays covered in the text, and the list of matches masks it', async () => {
  const { page } = await rig.openText(withMark('redacted'));
  await page.mouse.move(1, 1);
  await painted(page);
  const covered = await colourOf(page, secret.text.length);
  expect(covered.spread).toBeLessThan(4);
  await page.keyboard.press('Control+f');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  // Only some of its letters: the others would say the rest.
  await panel.getByRole('searchbox', { name: 'Find' }).fill(secret.text.slice(1, -1));
  await expect.poll(() => page.evaluate(() => CSS.highlights.get('ovoz-found-now')?.size ?? 0)).toBe(1);
  // All of it is marked as the current match, in one colour, so that no letter and no place of one is seen.
  await expect.poll(async () => (await colourOf(page, secret.text.length)).colour).not.toEqual(covered.colour);
  expect((await colourOf(page, secret.text.length)).spread).toBeLessThan(4);
  const row = panel.getByRole('list').getByRole('button').first();
  await expect.poll(() => row.textContent()).toContain(`█████${rest.slice(0, 40)}`);
  expect(await row.textContent()).not.toMatch(/██████/u);
  expect(await row.locator('mark').textContent()).toBe('█████');
  await panel.getByRole('searchbox', { name: 'Find' }).fill('');
  await expect.poll(() => colourOf(page, secret.text.length)).toEqual(covered);
});

test('a redacted word is of one colour under the pointer, the caret and every selection, in every theme', async () => {
  const { page, texts } = await rig.openText(withMark('redacted'));
  const spreadAfter = async (...keys: readonly string[]) => {
    await texts.first().click({ position: { x: 10, y: 12 } });
    await pressKeys(page, ...keys);
    await painted(page);
    return (await colourOf(page, secret.text.length)).spread;
  };
  for (const scheme of [{ colorScheme: 'light' }, { colorScheme: 'dark' }, { forcedColors: 'active' }] as const) {
    await page.emulateMedia(scheme);
    for (const keys of [['End'], ['Home', 'Shift+End'], ['Home', 'Shift+ArrowDown'], ['Control+a']])
      expect([scheme, keys, await spreadAfter(...keys)]).toEqual([scheme, keys, expect.closeTo(0, -1)]);
    await page.keyboard.press('Escape');
  }
});

test('redacted words are masked in what is copied, cut and dragged, and in their menu', async () => {
  const { page, texts } = await rig.openText(withMark('redacted'));
  const host = texts.first();
  const select = async (key: string) => {
    await host.click();
    await pressKeys(page, 'Home', key);
  };
  const openMenu = () => host.click({ button: 'right', position: { x: 5, y: 10 } });
  await select('Shift+End');
  await page.keyboard.press('Control+c');
  await expect.poll(() => copied(page)).toBe(masked);
  await select('Shift+ArrowDown');
  await page.keyboard.press('Control+c');
  await expect.poll(() => copied(page)).toContain(`${masked}\n`);
  expect(await copied(page)).not.toContain(secret.text);
  // Without a selection the menu says which word is meant.
  await page.keyboard.press('Escape');
  await host.click();
  await openMenu();
  expect(await page.getByRole('menuitem', { name: 'Show again' }).textContent()).toContain('█████');
  expect(await page.getByRole('menu').textContent()).not.toContain(secret.text);
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  for (const name of [/^Copy( Ctrl|$)/u, /^Copy with/u]) {
    await page.evaluate(() => navigator.clipboard.writeText('nothing'));
    await select('Control+Shift+ArrowRight');
    await openMenu();
    expect(await page.getByRole('menu').textContent()).not.toContain(secret.text);
    const item = page.getByRole('menuitem', { name });
    if (!(await item.isVisible())) await page.getByRole('menuitem', { name: 'More' }).click();
    await item.click();
    await expect.poll(() => copied(page)).toContain('█████');
    expect(await copied(page)).not.toContain(secret.text);
  }
  await host.dblclick({ position: { x: 12, y: 12 } });
  const dragged = await host.evaluate((element) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData('text/html', element.innerHTML);
    (element.firstChild ?? element).dispatchEvent(new DragEvent('dragstart', { dataTransfer, bubbles: true }));
    return dataTransfer.types.map((type) => dataTransfer.getData(type));
  });
  expect(dragged).toEqual(['█████']);
  await select('Control+Shift+ArrowRight');
  await page.keyboard.press('Control+x');
  await expect.poll(() => host.textContent()).toBe(rest.trim());
  expect((await copied(page)).trim()).toBe('█████');
  await page.keyboard.press('Control+z');
  await expect.poll(() => host.textContent()).toBe(first.text);
});

test('redacted words are left out of playback until they are shown again', async () => {
  const hidden = { ...first, words: [secret, ...others.map((word) => ({ ...word, mark: 'redacted' as const }))] };
  const { page, texts } = await rig.openText({ ...transcript, segments: [hidden, ...later] });
  const span = { startMs: others[0]?.startMs ?? 0, endMs: others.at(-1)?.endMs ?? 0 };
  /** How often the sound was in them until they were over. */
  const framesPlayed = async () => {
    await texts.first().click({ position: { x: 8, y: 12 } });
    await page.keyboard.press('Control+Space');
    const frames = await framesInside(page, span);
    await page.keyboard.press('Control+Space');
    return frames;
  };
  const left = await framesPlayed();
  await texts.first().click({ button: 'right', position: { x: 100, y: 12 } });
  await page.getByRole('menuitem', { name: 'Show again' }).click();
  expect(left).toBeLessThan((await framesPlayed()) / 2);
});

test('Versions tells that a redacted word was cut too, without its letters', async () => {
  const { page } = await rig.openText(withMark('cut-redacted'), {
    answers: {
      'transcripts.versions': {
        versions: [{ revision: 0, kind: 'service', atMs: null, name: null, label: null, editCount: 0 }],
      },
      'transcripts.version': { ofRevision: 0, change: packChange([{ type: 'set', segments: [first] }]) },
    },
  });
  await page.keyboard.press('Control+Shift+KeyH');
  await page.getByText('Cut: █████. 1 word redacted').waitFor();
});
