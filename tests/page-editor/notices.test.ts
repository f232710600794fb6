import { expect, test } from 'vitest';
import { editorRig, painted } from './support/editor-rig.ts';
import { sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();

test.each([
  { width: 1280, height: 800 },
  { width: 960, height: 640 },
])(
  'at $width a notice lies neither on the text and the transport nor on the head and the buttons of a dialog',
  async (size) => {
    const { page, texts, complaints, close } = await rig.openText(sampleTranscript('interview-uz'), { size });
    const notice = page.locator('[data-pane="notices"] output > *');
    const covered = async (...selectors: string[]) => {
      await painted(page);
      const rects = async (selector: string) =>
        page
          .locator(selector)
          .evaluateAll((found) => found.map((element) => element.getBoundingClientRect().toJSON() as DOMRect));
      const notices = await rects('[data-pane="notices"] output > *');
      expect(notices.length).toBeGreaterThan(0);
      const found = await Promise.all(selectors.map(async (selector) => ({ selector, all: await rects(selector) })));
      return found.flatMap(({ selector, all }) =>
        all.some((one) =>
          notices.some(
            ({ left, right, top, bottom }) =>
              one.left < right && one.right > left && one.top < bottom && one.bottom > top,
          ),
        )
          ? [selector]
          : [],
      );
    };
    await texts.nth(3).click();
    await page.keyboard.press('Alt+F8');
    await notice.first().waitFor();
    expect(await covered('[data-pane="text"]', '[data-pane="transport"]')).toEqual([]);
    const { left, right } = await notice.first().evaluate((element) => element.getBoundingClientRect());
    expect([left >= 0, right <= size.width]).toEqual([true, true]);
    await page.keyboard.press('Control+e');
    const dialog = page.getByRole('dialog', { name: 'Export' });
    await dialog.waitFor();
    expect(await covered('[role="dialog"] > header', '[role="dialog"] > footer')).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  },
);
