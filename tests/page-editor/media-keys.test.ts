import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { isPlaying, playheadMs, waitForSound } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, sample, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();

declare global {
  interface Window {
    /** What the system would call for each media key. */
    readonly mediaKeys: Map<string, () => void>;
  }
}

/** Notes what the page asks of the system, whose keys no test can press. */
function noteMediaKeys(): void {
  const keys = new Map<string, () => void>();
  Object.assign(window, { mediaKeys: keys });
  navigator.mediaSession.setActionHandler = (action, handler) => {
    if (handler === null) keys.delete(action);
    else
      keys.set(action, () => {
        handler({ action });
      });
  };
}
const press = (page: Page, action: string) => page.evaluate((key) => window.mediaKeys.get(key)?.(), action);

test('media keys play, pause, skip and go from segment to segment, and are given back when the text is left', async () => {
  const transcript = sampleTranscript('interview-uz');
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, complaints, close } = await rig.open({ detail, beforePage: noteMediaKeys });
  await waitForSound(page);
  const starts = transcript.segments.map(({ startMs }) => startMs);
  expect(await page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe(detail.title);
  await press(page, 'play');
  await expect.poll(() => isPlaying(page)).toBe(true);
  await press(page, 'pause');
  await expect.poll(() => isPlaying(page)).toBe(false);
  await page.keyboard.press('Control+ArrowDown');
  await expect.poll(() => playheadMs(page)).toBe(starts[0]);
  await press(page, 'nexttrack');
  await expect.poll(() => playheadMs(page)).toBe(starts[1]);
  await press(page, 'seekforward');
  await expect.poll(() => playheadMs(page)).toBe((starts[1] ?? 0) + 5000);
  await press(page, 'seekbackward');
  await press(page, 'previoustrack');
  await expect.poll(() => playheadMs(page)).toBe(starts[0]);
  // Another program may have played since: the keys are asked for again with each start.
  await page.evaluate(() => {
    window.mediaKeys.clear();
  });
  await page.keyboard.press('Space');
  await expect.poll(() => page.evaluate(() => window.mediaKeys.has('pause'))).toBe(true);
  await press(page, 'stop');
  await expect.poll(() => isPlaying(page)).toBe(false);
  // They jump as far as the keys.
  await page.evaluate(() => {
    window.location.hash = '#/settings/editor';
  });
  await page.getByRole('radiogroup', { name: 'Jump back and forward' }).getByText('2 s', { exact: true }).click();
  await page.goBack();
  await waitForSound(page);
  const left = await playheadMs(page);
  await press(page, 'seekforward');
  await expect.poll(() => playheadMs(page)).toBe(left + 2000);
  await page.evaluate(() => {
    window.location.hash = '#/library';
  });
  await expect.poll(() => page.evaluate(() => window.mediaKeys.size)).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});
