import { expect, test } from 'vitest';
import { callsOf } from '../support/fake-studio.ts';
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

test.each([
  ['Info', 1280],
  ['Info', 960],
  ['Find', 960],
  ['Speakers', 960],
] as const)('a notice hides no control of the panel beside the text: %s at %i', async (tab, width) => {
  const { page, texts, complaints, close } = await rig.openText(sampleTranscript('interview-uz'), {
    size: { width, height: width === 960 ? 640 : 800 },
    settings: { checksCaptions: true, replacesInFind: true },
  });
  const panel = page.locator('[data-pane="inspector"]');
  await texts.nth(3).click();
  await page.getByRole('tab', { name: tab }).click();
  // Two are shown at most, one above the other.
  await page.keyboard.press('Alt+F8');
  await page.keyboard.press('Control+Alt+F8');
  const notices = page.locator('[data-pane="notices"] output > *');
  await notices.first().waitFor();
  await painted(page);
  /** Wherever it is scrolled to: the controls in sight whose middle a notice lies on. */
  const hidden = await page.getByRole('tabpanel').evaluate((shown) => {
    const found = new Set<string>();
    for (let top = 0; top <= shown.scrollHeight; top += 20) {
      shown.scrollTop = top;
      const end = shown.getBoundingClientRect().bottom;
      for (const one of shown.querySelectorAll('button, input, label:has([role="switch"]), li')) {
        const { left, right, top: above, bottom } = one.getBoundingClientRect();
        const middle = (above + bottom) / 2;
        const at = middle < end ? document.elementFromPoint((left + right) / 2, middle) : null;
        if (at?.closest('[data-pane="notices"]') != null) found.add(one.outerHTML);
      }
    }
    return [...found];
  });
  expect(hidden).toEqual([]);
  // The room is given back with the last notice.
  for (let left = await notices.count(); left > 0; left -= 1)
    await notices.last().getByRole('button', { name: 'Close' }).click();
  await notices.first().waitFor({ state: 'detached' });
  expect(await panel.evaluate((one) => getComputedStyle(one).borderBlockEndWidth)).toBe('0px');
  expect(complaints).toEqual([]);
  await close();
});

test('the notice about an import goes by itself where the pointer happens to rest, and stays where it is pointed at', async () => {
  const imported = { transcriptId: 't1', name: 'suhbat.srt', language: 'uz', isLanguageOpen: false } as const;
  const { page, complaints, close } = await rig.openText(sampleTranscript('interview-uz'), {
    answers: { 'transcripts.import': { imported: [imported], refused: [], repeated: [] } },
  });
  const notice = page.locator('[data-pane="notices"] output > *', { hasText: '1 transcript imported' });
  const importText = async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('Import transcripts');
    await page.keyboard.press('Enter');
    await notice.waitFor();
  };
  await importText();
  const { x, y } = await notice.evaluate((one) => one.getBoundingClientRect());
  await notice.getByRole('button', { name: 'Close' }).click();
  await page.mouse.move(x + 60, y + 20);
  await page.clock.install();
  await importText();
  await page.clock.fastForward(6000);
  await notice.waitFor({ state: 'detached' });
  await importText();
  await page.mouse.move(x + 62, y + 20);
  await page.clock.fastForward(20_000);
  await painted(page);
  expect(await notice.count()).toBe(1);
  await page.mouse.move(300, 400);
  await page.clock.fastForward(6000);
  await notice.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await close();
});

test.each(['en', 'ru', 'uz'] as const)(
  'a notice with a button is read in lines of words in a narrow corner: %s',
  async (language) => {
    const { page, texts, close } = await rig.openText(sampleTranscript('interview-uz'), {
      size: { width: 960, height: 640 },
      language,
    });
    await texts.nth(3).click();
    await page.keyboard.press('Alt+Digit7');
    const notice = page.locator('[data-pane="notices"] output > *');
    await notice.waitFor();
    await painted(page);
    const { words, all } = await notice.evaluate((one) => {
      const widthOf = (part: Element | undefined) => part?.getBoundingClientRect().width ?? 0;
      return { words: widthOf(one.children[1]), all: widthOf(one) };
    });
    expect(words).toBeGreaterThan(all * 0.6);
    await close();
  },
);

test('a notice about a transcript goes when that is left, even while it is pointed at', async () => {
  const { page, texts, close } = await rig.openText(sampleTranscript('interview-uz'));
  const notice = page.locator('[data-pane="notices"] output > *');
  await texts.nth(3).click();
  await page.keyboard.press('Alt+Digit7');
  await notice.hover();
  await page.mouse.move(0, 0);
  await notice.hover();
  await page.evaluate(() => {
    location.hash = '#/settings/general';
  });
  await notice.waitFor({ state: 'detached', timeout: 3000 });
  await close();
});

test('a short notice is one line: its icon, its text, its buttons', async () => {
  const { page, texts, close } = await rig.openText(sampleTranscript('interview-uz'));
  await texts.nth(3).waitFor();
  await page.locator('h1').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy the title' }).click();
  const notice = page.locator('[data-pane="notices"] output > *', { hasText: 'Copied' });
  await notice.waitFor();
  await painted(page);
  const parts = await notice.evaluate((one) =>
    [...one.children].map((part) => {
      const { left, top, height } = part.getBoundingClientRect();
      return { left, middle: Math.round(top + height / 2) };
    }),
  );
  expect(new Set(parts.map(({ middle }) => middle)).size).toBe(1);
  expect(parts.map(({ left }) => left)).toEqual(parts.map(({ left }) => left).toSorted((one, other) => one - other));
  await close();
});

test('the buttons of the recording are on its first line in the panel beside the text', async () => {
  const { page, close } = await rig.openText(sampleTranscript('interview-uz'), {
    size: { width: 1280, height: 800 },
  });
  await page.getByRole('tab', { name: 'Info' }).click();
  const recording = page
    .getByRole('tabpanel')
    .locator('dd', { has: page.getByRole('button') })
    .first();
  const { top, buttons } = await recording.evaluate((one) => ({
    top: one.getBoundingClientRect().top,
    buttons: [...one.querySelectorAll('button')]
      .map((button) => button.getBoundingClientRect())
      .map((box) => box.top + box.height / 2),
  }));
  expect(buttons.length).toBeGreaterThan(0);
  for (const middle of buttons) expect(middle - top).toBeLessThan(18);
  await close();
});

test('an export that is repeated may take the place of the earlier file from its notice, which then says so', async () => {
  const { page, texts, complaints, close } = await rig.openText(sampleTranscript('interview-uz'), {
    settings: { lastExportFormat: 'srt' },
    answers: {
      'exports.save': { savedAs: 'suhbat (2).srt', revealToken: 'new-file', takenToken: 'earlier-file' },
      'exports.replace': { savedAs: 'suhbat.srt', revealToken: 'earlier-file' },
    },
  });
  const notice = page.locator('[data-pane="notices"] output > *');
  await texts.first().click();
  await page.keyboard.press('Control+Shift+KeyE');
  await notice.filter({ hasText: 'Saved as suhbat (2).srt' }).waitFor();
  expect(await notice.getByRole('button', { name: 'Show in folder' }).count()).toBe(1);
  await notice.getByRole('button', { name: 'Replace the earlier file' }).click();
  const replaced = notice.filter({ hasText: 'Replaced suhbat.srt' });
  await replaced.waitFor();
  expect(await callsOf(page, 'exports.replace')).toEqual([{ revealToken: 'new-file', takenToken: 'earlier-file' }]);
  await replaced.getByRole('button', { name: 'Show in folder' }).click();
  await expect.poll(() => callsOf(page, 'exports.reveal')).toEqual([{ revealToken: 'earlier-file' }]);
  expect(complaints).toEqual([]);
  await close();
});
