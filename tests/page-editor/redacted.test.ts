import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { editorRig, painted } from './support/editor-rig.ts';
import { sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();

/** A strip through the middle of the first word of the first segment, as it is drawn. */
const pictureOf = async (page: Page, letters: number) => {
  const { x, y } = await page
    .locator('[data-text]')
    .first()
    .evaluate((host, to) => {
      const range = document.createRange();
      if (host.firstChild === null) throw new Error('no text');
      range.setStart(host.firstChild, 0);
      range.setEnd(host.firstChild, to);
      const { left, top, height } = range.getBoundingClientRect();
      return { x: Math.ceil(left) + 1, y: Math.round(top + height / 2) - 3 };
    }, letters);
  return page.screenshot({ clip: { x, y, width: 24, height: 6 } });
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
  const covered = await pictureOf(page, word.length);
  await page.keyboard.press('Control+f');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  // Only some of its letters: the others would say the rest.
  await panel.getByRole('searchbox', { name: 'Find' }).fill(word.slice(1, -1));
  await expect.poll(() => page.evaluate(() => CSS.highlights.get('ovoz-found-now')?.size ?? 0)).toBe(1);
  await painted(page);
  const rest = first?.text.slice(word.length) ?? '';
  const row = panel.getByRole('list').getByRole('button').first();
  await expect.poll(() => row.textContent()).toContain(`█████${rest.slice(0, 40)}`);
  expect(await row.textContent()).not.toMatch(/██████/u);
  expect(await row.locator('mark').textContent()).toBe('█████');
  expect((await pictureOf(page, word.length)).equals(covered)).toBe(true);
  expect(complaints).toEqual([]);
  await close();
});
