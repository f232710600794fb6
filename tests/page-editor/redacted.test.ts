import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { packChange } from '../../shared/domain/transcript/packed.ts';
import { framesInside } from './support/editor-page.ts';
import { editorRig, painted } from './support/editor-rig.ts';
import { sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();

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
  const transcript = sampleTranscript('interview-uz');
  const [first] = transcript.segments;
  const word = first?.words[0]?.text ?? '';
  const segments = transcript.segments.map((segment) =>
    segment !== first
      ? segment
      : { ...segment, words: segment.words.map((one, at) => (at === 0 ? { ...one, mark: 'redacted' as const } : one)) },
  );
  const { page, complaints, close } = await rig.openText({ ...transcript, segments });
  await page.mouse.move(1, 1);
  await painted(page);
  const covered = await colourOf(page, word.length);
  expect(covered.spread).toBeLessThan(4);
  await page.keyboard.press('Control+f');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  // Only some of its letters: the others would say the rest.
  await panel.getByRole('searchbox', { name: 'Find' }).fill(word.slice(1, -1));
  await expect.poll(() => page.evaluate(() => CSS.highlights.get('ovoz-found-now')?.size ?? 0)).toBe(1);
  // All of it is marked as the current match, in one colour, so that no letter and no place of one is seen.
  await expect.poll(async () => (await colourOf(page, word.length)).colour).not.toEqual(covered.colour);
  expect((await colourOf(page, word.length)).spread).toBeLessThan(4);
  await painted(page);
  const rest = first?.text.slice(word.length) ?? '';
  const row = panel.getByRole('list').getByRole('button').first();
  await expect.poll(() => row.textContent()).toContain(`█████${rest.slice(0, 40)}`);
  expect(await row.textContent()).not.toMatch(/██████/u);
  expect(await row.locator('mark').textContent()).toBe('█████');
  await panel.getByRole('searchbox', { name: 'Find' }).fill('');
  await expect.poll(() => colourOf(page, word.length)).toEqual(covered);
  expect(complaints).toEqual([]);
  await close();
});

test.each(['Redact', 'Cut from audio'])(
  '"%s" says that the time of a word is only estimated, and so does the export of the audio',
  async (item) => {
    const given = sampleTranscript('interview-uz');
    const segments = given.segments.map((segment, index) => ({
      ...segment,
      words: segment.words.map((word, at) =>
        index === 0 && at === 0 ? { ...word, isEstimated: true as const } : word,
      ),
    }));
    const { page, texts, complaints, close } = await rig.openText(
      { ...given, segments },
      { settings: { lastExportFormat: 'wav' } },
    );
    const mark = async (segment: number, name: string) => {
      await texts.nth(segment).click({ button: 'right', position: { x: 12, y: 12 } });
      await page.getByRole('menuitem', { name }).click();
    };
    const notice = page.getByText(/^This word’s timing is a guess/u);
    const note = page.getByText('Some cut or redacted words have estimated times');
    const openAudio = async () => {
      await page.keyboard.press('Control+e');
      await page.getByText('Cut and redacted parts are left out.').waitFor();
    };
    await mark(1, item);
    await openAudio();
    expect(await note.count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await notice.count()).toBe(0);
    await mark(0, item);
    await notice.waitFor();
    await openAudio();
    await note.waitFor();
    expect(complaints).toEqual([]);
    await close();
  },
);

test('redacted words are left out of playback, as in the audio that is exported, until they are shown again', async () => {
  const given = sampleTranscript('interview-uz');
  const [first] = given.segments;
  const secret = first?.words.slice(1) ?? [];
  if (first === undefined || secret.length === 0) throw new Error('no words');
  const marked = {
    ...first,
    words: first.words.map((word, at) => (at === 0 ? word : { ...word, mark: 'redacted' as const })),
  };
  const { page, texts, complaints, close } = await rig.openText({
    ...given,
    segments: [marked, ...given.segments.slice(1)],
  });
  const span = { startMs: secret[0]?.startMs ?? 0, endMs: secret.at(-1)?.endMs ?? 0 };
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
  expect(complaints).toEqual([]);
  await close();
});

test('a redacted word is masked where it is dragged to, and in its menu', async () => {
  const given = sampleTranscript('interview-uz');
  const [first] = given.segments;
  const [secret, ...others] = first?.words ?? [];
  if (first === undefined || secret === undefined) throw new Error('no words');
  const marked = { ...first, words: [{ ...secret, mark: 'redacted' as const }, ...others] };
  const { page, texts, complaints, close } = await rig.openText({
    ...given,
    segments: [marked, ...given.segments.slice(1)],
  });
  await texts.first().click({ button: 'right', position: { x: 12, y: 12 } });
  const item = page.getByRole('menuitem', { name: 'Show again' });
  await item.waitFor();
  expect(await item.textContent()).toContain('█████');
  expect(await page.getByRole('menu').textContent()).not.toContain(secret.text);
  await page.keyboard.press('Escape');
  await texts.first().dblclick({ position: { x: 12, y: 12 } });
  const dragged = await texts.first().evaluate((host) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData('text/html', host.innerHTML);
    (host.firstChild ?? host).dispatchEvent(new DragEvent('dragstart', { dataTransfer, bubbles: true }));
    return dataTransfer.types.map((type) => dataTransfer.getData(type));
  });
  expect(dragged).toEqual(['█████']);
  expect(complaints).toEqual([]);
  await close();
});

test('Versions tells that a redacted word was cut too, without its letters', async () => {
  const now = sampleTranscript('interview-uz');
  const [first] = now.segments;
  const [secret, ...others] = first?.words ?? [];
  if (first === undefined || secret === undefined) throw new Error('no words');
  const marked = { ...first, words: [{ ...secret, mark: 'cut-redacted' as const }, ...others] };
  const { page, complaints, close } = await rig.openText(
    { ...now, segments: [marked, ...now.segments.slice(1)] },
    {
      answers: {
        'transcripts.versions': {
          versions: [{ revision: 0, kind: 'service', atMs: null, name: null, label: null, editCount: 0 }],
        },
        'transcripts.version': { ofRevision: 0, change: packChange([{ type: 'set', segments: [first] }]) },
      },
    },
  );
  await page.getByRole('button', { name: 'Versions' }).click();
  await page.getByText('Cut: █████. 1 word redacted').waitFor();
  expect(complaints).toEqual([]);
  await close();
});
