import { expect, test } from 'vitest';
import { realignWords } from '../../shared/domain/transcript/realign-words.ts';
import type { Segment } from '../../shared/domain/transcript/transcript.ts';
import { onDisk } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { partlyTooFast } from './support/too-fast.ts';
import { detailOf, sample } from './support/transcripts.ts';

const rig = editorRig();

/** A segment as it comes from a file that knows no times of words. */
const imported = (segment: Segment): Segment => ({ ...segment, words: realignWords([], segment.text, segment) });

test('Alt+F8 says why it leaves a caption as it is', async () => {
  const { segments, ...talk } = partlyTooFast([2]);
  const durationMs = segments[2]?.endMs ?? 0;
  const full = { ...talk, durationMs, segments: segments.slice(0, 3) };
  const detail = detailOf(full, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({ detail });
  const notices = page.locator('[data-pane="notices"]');
  await page.locator('[data-text="s0"]').click();
  await page.keyboard.press('Alt+F8');
  await notices.getByText('This caption has no problem to fix.').waitFor();
  await page.locator('[data-text="s2"]').click();
  // The little silence before it would not be enough.
  await page.keyboard.press('Alt+F8');
  await notices.getByText('There isn’t enough silence beside a caption').waitFor();
  await close();
});

test('Alt+F8 moves an end back to the least gap as one step, says what remains, and no word is moved', async () => {
  const { segments, ...talk } = partlyTooFast([1]);
  const moved = segments.map((one, at) => ({
    ...one,
    ...(at === 0 ? { endMs: 5990 } : {}),
    ...(at === 2 ? { startMs: 7270 } : {}),
  }));
  const made = detailOf({ ...talk, segments: moved }, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({ detail: { ...made, sourceName: 'talk.srt' } });
  const stored = () => onDisk(page, made.transcript);
  const row = page.locator('[data-index="1"]');
  await page.locator('[data-text="s1"]').click();
  await page.keyboard.press('Alt+F8');
  await page
    .locator('[data-pane="notices"]')
    .getByText(/^2 problems remain: 3 lines, limit 2 · [\d.]+ CPS with the name, limit 17\.$/u)
    .waitFor();
  await expect.poll(async () => (await stored()).segments[1]?.endMs).toBe(7187);
  expect((await stored()).segments[1]?.words).toEqual(moved[1]?.words);
  expect(await row.getByText(/Gap/u).count()).toBe(0);
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(async () => (await stored()).segments[1]?.endMs).toBe(7200);
  await close();
});

test('the times of all captions are fixed as one step, and the notice says how many and takes it back', async () => {
  const { segments, ...talk } = partlyTooFast([]);
  const short = segments.map((one, at) =>
    at === 1 || at === 4 ? imported({ ...one, endMs: one.startMs + 300 }) : one,
  );
  const made = detailOf({ ...talk, segments: short }, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({ detail: { ...made, sourceName: 'talk.srt' } });
  const endsOf = async () => (await onDisk(page, made.transcript)).segments.map(({ endMs }) => endMs);
  await page.locator('[data-text="s0"]').click();
  await page.keyboard.press('Alt+Shift+F8');
  const notices = page.locator('[data-pane="notices"]');
  await notices.getByText(/^\d+ problems fixed\./u).waitFor();
  for (const at of [1, 4]) await expect.poll(async () => (await endsOf())[at]).toBeGreaterThan(short[at]?.endMs ?? 0);
  await notices
    .getByText(/problems fixed/u)
    .locator('..')
    .getByRole('button', { name: 'Undo' })
    .click();
  await expect.poll(endsOf).toEqual(short.map(({ endMs }) => endMs));
  await close();
});

test('a caption with too many lines offers to be split, by its button and by the key, until each part has few', async () => {
  const { segments, ...talk } = partlyTooFast([]);
  const lines = '— Keldingizmi?\n— Keldim.\n— Xush kelibsiz, marhamat.';
  const spoken = segments.map((one, at) => (at === 1 || at === 3 ? imported({ ...one, text: lines }) : one));
  const made = detailOf({ ...talk, segments: spoken }, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({ detail: { ...made, sourceName: 'talk.srt' } });
  const textsOf = () => page.locator('[data-text]').allTextContents();
  await page.locator('[data-text="s0"]').click();
  await page.keyboard.press('F8');
  await page.locator('[data-index="1"]').getByRole('button', { name: 'Split in two' }).click();
  await expect.poll(textsOf).toContain('— Xush kelibsiz, marhamat.');
  expect((await textsOf())[1]).toBe('— Keldingizmi?\n— Keldim.');
  await page.locator('[data-text="s3"]').click();
  await page.keyboard.press('Alt+F8');
  await expect
    .poll(async () => (await textsOf()).filter((text) => text === '— Xush kelibsiz, marhamat.'))
    .toHaveLength(2);
  await page.keyboard.press('Control+KeyZ');
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(textsOf).toEqual(spoken.map(({ text }) => text));
  await close();
});

test('a fix by its key is that of the text as it was typed, even right after a letter', async () => {
  const { segments, ...talk } = partlyTooFast([]);
  const lines = '— Keldingizmi?\n— Keldim.\n— Xush kelibsiz, marhamat.';
  const spoken = segments.map((one, at) => (at === 1 ? imported({ ...one, text: lines }) : one));
  const made = detailOf({ ...talk, segments: spoken }, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({ detail: { ...made, sourceName: 'talk.srt' } });
  const text = page.locator('[data-text="s1"]');
  await text.click();
  await page.keyboard.press('F8');
  await page.locator('[data-index="1"]').getByRole('button', { name: 'Split in two' }).waitFor();
  await text.evaluate((host) => {
    document.getSelection()?.collapse(host.firstChild, 2);
    document.execCommand('insertText', false, 'Xoʻsh, ');
    host.dispatchEvent(new KeyboardEvent('keydown', { code: 'F8', key: 'F8', altKey: true, bubbles: true }));
  });
  await expect.poll(() => page.locator('[data-text]').count()).toBe(spoken.length + 1);
  const texts = await page.locator('[data-text]').allTextContents();
  expect(texts.slice(1, 3)).toEqual(['— Xoʻsh, Keldingizmi?\n— Keldim.', '— Xush kelibsiz, marhamat.']);
  await close();
});

test('a fix that lets a caption begin earlier says so, with what remains, and takes it back; one that does not says nothing', async () => {
  const { segments, ...talk } = partlyTooFast([]);
  const written = (text: string, one: Segment) => imported({ ...one, text, endMs: one.startMs + 600 });
  const nobody = segments.map((one) => ({ ...one, speakerId: null }));
  const made = nobody.map((one, at) =>
    at === 1
      ? written('Bu gap tez aytildi', one)
      : at === 3
        ? written('Bu gap esa juda ham tez aytildi', one)
        : at === 5
          ? written('Bu gap', one)
          : at % 2 === 0 && at > 0
            ? { ...one, startMs: 6000 * (at - 1) + 700 }
            : one,
  );
  const detail = {
    ...detailOf({ ...talk, speakers: [], segments: made }, rig.server.addRecording(sample('interview-uz.mp3'))),
    sourceName: 'talk.srt',
  };
  const { page, complaints, close } = await rig.openText(detail.transcript, {
    detail,
    settings: { checksCaptions: true },
  });
  const notices = page.locator('[data-pane="notices"]');
  const startOf = async (at: number) => (await onDisk(page, detail.transcript)).segments[at]?.startMs;
  const moved = notices.getByText(/^Starts 0\.\d+ s earlier, ends 0\.02 s later\.$/u);
  await page.locator('[data-index="1"]').getByRole('button', { name: 'Fix the times' }).click();
  await moved.waitFor();
  await expect.poll(() => startOf(1)).toBeLessThan(6000);
  await moved.locator('..').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => startOf(1)).toBe(6000);
  await expect.poll(() => moved.count()).toBe(0);
  await page.locator('[data-text="s1"]').click();
  await page.keyboard.press('Alt+F8');
  await moved.waitFor();
  await page.locator('[data-text="s5"]').click();
  await page.keyboard.press('Alt+F8');
  await expect.poll(async () => (await onDisk(page, detail.transcript)).segments[5]?.endMs).toBeGreaterThan(30_600);
  await expect.poll(() => notices.getByText('earlier').count()).toBe(0);
  await page.locator('[data-text="s3"]').click();
  await page.keyboard.press('Alt+F8');
  await notices
    .getByText(/^Starts 0\.\d+ s earlier, ends 0\.02 s later\. 1 problem remains: [\d.]+ CPS, limit 17\.$/u)
    .waitFor();
  expect(complaints).toEqual([]);
  await close();
});
