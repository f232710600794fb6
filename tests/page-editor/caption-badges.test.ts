import type { Locator, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { toTranscript } from '../../shared/domain/transcript/from-received.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { playheadMs } from './support/editor-page.ts';
import { editorRig, painted } from './support/editor-rig.ts';
import { namesOfAll, partlyTooFast } from './support/too-fast.ts';
import { detailOf, longTranscript, sample } from './support/transcripts.ts';

const rig = editorRig();

test.each([
  ['en', 1280],
  ['ru', 960],
  ['uz', 960],
  ['ru', 600],
] as const)('the problems of captions come without moving the text (%s, %i px wide)', async (language, width) => {
  const detail = detailOf(partlyTooFast([0, 1, 2, 4]), rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({ detail, language, size: { width, height: 800 } });
  const texts = page.locator('[data-text]');
  const places = () => texts.evaluateAll((hosts) => hosts.map((host) => host.getBoundingClientRect().top));
  await texts.first().waitFor();
  await painted(page);
  const before = await places();
  await page.keyboard.press('F8');
  const problem = page.locator('[data-index="0"] [data-problems]');
  await problem.waitFor();
  expect(await places()).toEqual(before);
  // And they are inside of their line.
  const row = await page.locator('[data-index="0"]').boundingBox();
  const chip = await problem.boundingBox();
  expect((chip?.x ?? 0) + (chip?.width ?? 0)).toBeLessThanOrEqual((row?.x ?? 0) + (row?.width ?? 0));
  expect(chip?.x).toBeGreaterThanOrEqual(row?.x ?? 0);
  await close();
});

/** One segment of three sentences, of which the last one is said in a moment. */
function fastAtItsEnd(): Transcript {
  const { segments, ...talk } = longTranscript(2);
  const said = [
    ['Bugun', 'ustaxonaga', 'mehmon', 'boʻlib', 'keldik.', 600],
    ['Usta', 'bizni', 'eshik', 'oldida', 'kutib', 'oldi.', 600],
    ['Xush', 'kelibsiz,', 'azizlar,', 'marhamat!', 120],
  ] as const;
  let endMs = 0;
  const words = said.flatMap((sentence) =>
    sentence.slice(0, -1).map((text) => {
      const startMs = endMs;
      endMs += Number(sentence.at(-1));
      return { text: String(text), startMs, endMs };
    }),
  );
  const [first] = segments;
  if (first === undefined) throw new Error('there is a segment');
  const next = { ...first, id: 's1', startMs: endMs, endMs: endMs + 8000, text: 'Rahmat.', words: [] };
  return {
    ...talk,
    durationMs: endMs + 8000,
    segments: [{ ...first, startMs: 0, endMs, text: words.map(({ text }) => text).join(' '), words }, next],
  };
}

/** The elements that cut some of the shown text; none where every letter is seen. */
const cutPartsOf = (place: Locator) =>
  place.evaluate((shown) => {
    const cut: string[] = [];
    for (const one of [shown, ...shown.querySelectorAll('*')])
      if (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible')
        cut.push(one.className);
    const { left, right } = shown.getBoundingClientRect();
    for (let host = shown.parentElement; host !== null; host = host.parentElement) {
      const box = host.getBoundingClientRect();
      if (getComputedStyle(host).overflowX !== 'visible' && (left < box.left - 1 || right > box.right + 1))
        cut.push(host.className);
    }
    return cut;
  });

test.each([
  ['en', 1280, 0, /^Caption 2 of 2: [\d.]+ CPS, limit 17$/u],
  ['en', 960, 0, /^Caption 2 of 2: [\d.]+ CPS, limit 17$/u],
  ['en', 960, 5000, /^Caption 2 of 2: [\d.]+ CPS, limit 17\. 2 more problems$/u],
  ['ru', 960, 5000, /^Субтитр 2 из 2: [\d,]+ симв\.\/с, предел 17\. Ещё 2 замечания$/u],
  ['uz', 960, 5000, /^2-subtitr \(jami 2 ta\): [\d,]+ belgi\/s, chegara 17\. Yana 2 ta kamchilik$/u],
] as const)(
  'a badge says which caption of the segment is too fast, and every letter of it is seen beside exact times (%s, %i px wide, at least %i ms)',
  async (language, width, minimumMs, said) => {
    const detail = detailOf(fastAtItsEnd(), rig.server.addRecording(sample('interview-uz.mp3')));
    const size = { width, height: width === 960 ? 640 : 800 };
    const exportChoices = minimumMs === 0 ? {} : { srt: { minimumMs } };
    const settings = { showsExactTimes: true, checksCaptions: true, exportChoices };
    const { page, close } = await rig.open({ detail, language, size, settings });
    const badge = page.locator('[data-index="0"] [data-problems] [id]');
    expect(await badge.textContent()).toMatch(said);
    expect(await cutPartsOf(badge)).toEqual([]);
    await close();
  },
);

test.each([
  ['en', 960, true, 'with the name, limit 17'],
  ['ru', 960, true, 'с именем'],
  ['uz', 960, true, 'Ism bilan'],
  ['ru', 960, false, 'с именем'],
  ['uz', 1280, true, 'Ism bilan'],
  ['ru', 1280, false, 'с именем'],
] as const)(
  'a badge beside the name of a speaker is not cut anywhere (%s, %i px wide, exact times: %s)',
  async (language, width, showsExactTimes, part) => {
    const detail = detailOf(partlyTooFast([0, 1]), rig.server.addRecording(sample('interview-uz.mp3')));
    const size = { width, height: width === 960 ? 640 : 800 };
    // By segment there is silence left, so the fix stands beside it.
    const { page, close } = await rig.open({
      detail: { ...detail, sourceName: 'talk.srt' },
      language,
      size,
      settings: { ...namesOfAll, showsExactTimes, checksCaptions: true },
    });
    const badge = page.locator('[data-index="0"] [data-problems]', { hasText: part });
    expect(await cutPartsOf(badge.locator('[id]'))).toEqual([]);
    await close();
  },
);

/** Told by the tooltip of the problems of a row, which is inside of the window. */
const reasonsOf = async (page: Page, row: number) => {
  await page.locator(`[data-index="${String(row)}"] [data-problems] > :first-child`).hover();
  const tip = page.getByRole('tooltip');
  await tip.waitFor();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const box = await tip.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect(box?.y).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
  const said = (await tip.textContent()) ?? '';
  await page.keyboard.press('Escape');
  return said;
};

test('a badge has the worst problem and how many more, the tooltip all of them, and F8 leads to the caption that has them', async () => {
  const transcript = fastAtItsEnd();
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const size = { width: 960, height: 640 };
  const settings = { checksCaptions: true, exportChoices: { srt: { minimumMs: 5000 } } };
  const { page, close } = await rig.open({ detail, size, settings });
  const badge = page.locator('[data-index="0"] [data-problems] [id]');
  await expect.poll(() => badge.textContent()).toMatch(/^Caption 2 of 2: [\d.]+ CPS, limit 17\. 2 more problems$/u);
  const reasons = await reasonsOf(page, 0);
  expect(reasons).toMatch(/^Caption 1 of 2: [^\n]+\n• [\d.]+ s on screen, at least 5 s needed\n/u);
  const [, begins = '-'] =
    /\n\nCaption 2 of 2: “(\w+) [^\n]+\n• [\d.]+ CPS, limit 17\n• [\d.]+ s on screen, at least 5 s needed$/u.exec(
      reasons,
    ) ?? [];
  const text = transcript.segments[0]?.text ?? '';
  const before = () =>
    page.evaluate(() => {
      const { anchorNode, anchorOffset } = document.getSelection() ?? { anchorNode: null, anchorOffset: 0 };
      return anchorNode?.textContent?.slice(0, anchorOffset);
    });
  for (const place of [0, text.indexOf(begins), 0]) {
    await page.keyboard.press('F8');
    await expect.poll(before).toBe(text.slice(0, place));
    const said = text.slice(0, place).split(' ').length - 1;
    await expect.poll(() => playheadMs(page)).toBe(transcript.segments[0]?.words[said]?.startMs);
  }
  await close();
});

test('a caption that is too fast says that the name of its speaker counts, and how fast the text alone is', async () => {
  const detail = detailOf(partlyTooFast([2]), rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({ detail, settings: namesOfAll });
  await page.locator('[data-text]').first().click();
  await page.keyboard.press('F8');
  const badge = page.locator('[data-index="2"]').getByText(/^[\d.]+ CPS with the name, limit 17/u);
  await badge.first().waitFor();
  const reasons = await reasonsOf(page, 2);
  const [, letters = '', speed = ''] =
    /The name “3-soʻzlovchi:” counts, because the export writes it\. The text alone: (\d+) characters, ([\d.]+) CPS/u.exec(
      reasons,
    ) ?? [];
  const shown = /“(3-soʻzlovchi: [^”]+)”, 00:12\.000 – 00:\d\d\.\d{3}: (\d+) characters/u.exec(reasons);
  expect(Number(letters)).toBe(Number(shown?.[2]) - '3-soʻzlovchi: '.length);
  expect(Number(speed)).toBeLessThan(
    Number.parseFloat(/[\d.]+/u.exec((await badge.first().textContent()) ?? '')?.[0] ?? ''),
  );
  await page.getByRole('tab', { name: 'Info' }).click();
  await page.getByText(/Speaker names count too, and a long one can change where captions are split\./u).waitFor();
  await close();
});

test('without speakers a problem has its number, unit and word above the text, moves nothing and names its caption', async () => {
  const made = partlyTooFast([1, 4]);
  const transcript: Transcript = {
    ...made,
    speakers: [],
    segments: made.segments.map((segment, at) => ({
      ...segment,
      speakerId: null,
      // Nothing is left between the first one and the second.
      endMs: at === 0 ? 6000 : segment.endMs,
    })),
  };
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  for (const size of [
    { width: 1280, height: 800 },
    { width: 960, height: 640 },
  ]) {
    const { page, close } = await rig.open({ detail: { ...detail, sourceName: 'talk.srt' }, size });
    const texts = page.locator('[data-text]');
    const places = () => texts.evaluateAll((hosts) => hosts.map((host) => host.getBoundingClientRect().top));
    await texts.first().waitFor();
    const before = await places();
    await page.keyboard.press('F8');
    await page
      .locator('[data-index="1"]')
      .getByText(/^[\d.]+ CPS, limit 17/u)
      .last()
      .waitFor();
    await page
      .locator('[data-index="0"]')
      .getByText('Gap 0 ms, at least 83 ms needed')
      .last()
      .waitFor({ state: 'attached' });
    expect(await places()).toEqual(before);
    expect(await reasonsOf(page, 0)).toMatch(
      /^“[^”]+”, 00:00\.000 – 00:06\.000: [^\n]+\n• Gap 0 ms, at least 83 ms needed\nThe next caption begins at 00:06\.000\.$/u,
    );
    expect(await reasonsOf(page, 1)).toMatch(/“[^”]+”, 00:06\.000 – 00:07\.200: \d+ characters in 1\.2 s/u);
    await close();
  }
});

test('the last caption of subtitles without a recording is offered the time it needs, since nothing follows it', async () => {
  const segments = [{ text: 'Maktabda necha yildan beri ishlaysiz?', startMs: 4000, endMs: 4500, words: [] }];
  const transcript = toTranscript({ text: '', segments }, { language: 'uz', keepsLines: true });
  const mediaFailure = makeFailure('E-010', { code: 'no_recording' });
  const detail = { ...detailOf(transcript, null, { mediaFailure }), sourceName: 'talk.srt' };
  const { page, complaints, close } = await rig.open({ detail });
  await page.locator('[data-text]').first().waitFor();
  await page.keyboard.press('F8');
  const problem = page.locator('[data-index="0"] [data-problems]');
  await problem.waitFor();
  await page.keyboard.press('Alt+F8');
  await problem.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+KeyZ');
  await problem.waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a badge stands clear of the ring of the segment above and of its own', async () => {
  const made = partlyTooFast([1, 2, 3]);
  // The first two segments are of one person, another one speaks then.
  const transcript: Transcript = {
    ...made,
    segments: made.segments.map((segment, at) => ({
      ...segment,
      speakerId: made.speakers[at < 2 ? 0 : 1]?.id ?? null,
    })),
  };
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({ detail, settings: { checksCaptions: true } });
  const ringPx = 3;
  for (const [at, isNamed] of [
    [1, false],
    [2, true],
    [3, false],
  ] as const) {
    const row = page.locator(`[data-index="${String(at)}"]`);
    await row.locator('[data-problems]').waitFor();
    const words = await row.locator('[data-problems] > span').boundingBox();
    const above = await page.locator(`[data-index="${String(at - 1)}"] [data-text]`).boundingBox();
    const own = await row.locator('[data-text]').boundingBox();
    if (words === null || above === null || own === null) throw new Error('not on the page');
    expect(words.y).toBeGreaterThanOrEqual(above.y + above.height + ringPx);
    if (!isNamed) expect(words.y + words.height).toBeLessThanOrEqual(own.y - ringPx);
    // A line leads from it down to the end of its own text, and begins below the text above.
    const line = await row.evaluate((host) => {
      const { top, height } = getComputedStyle(host, '::after');
      const from = host.getBoundingClientRect().top + Number.parseFloat(top);
      return { from, to: from + Number.parseFloat(height) };
    });
    expect(line.from).toBeGreaterThanOrEqual(above.y + above.height + ringPx);
    expect(line.from).toBeLessThanOrEqual(words.y + words.height / 2);
    expect(line.to).toBeGreaterThan(own.y + own.height / 2);
    expect(line.to).toBeLessThanOrEqual(own.y + own.height);
  }
  await close();
});

test('F8 leads to an imported caption whose lines the file will not keep, the badge says so, and the tooltip has them', async () => {
  const segments = [
    { text: 'Oʻn yildan\nbuyon.', startMs: 0, endMs: 2500, words: [] },
    { text: 'Maktabda\nnecha yildan beri\nmuallim boʻlib ishlaysiz?', startMs: 4000, endMs: 9000, words: [] },
  ];
  const transcript = toTranscript({ text: '', segments }, { language: 'uz', keepsLines: true });
  const detail = { ...detailOf(transcript, null), sourceName: 'talk.srt' };
  const { page, complaints, close } = await rig.open({ detail, size: { width: 960, height: 640 } });
  await page.locator('[data-text]').first().waitFor();
  await page.keyboard.press('F8');
  const badge = page.locator('[data-index="1"] [data-problems] [id]');
  await expect.poll(() => badge.textContent()).toBe('3 lines, limit 2: rewrapped on export');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-text'))).toBe(transcript.segments[1]?.id);
  expect(await page.locator('[data-index="0"] [data-problems]').count()).toBe(0);
  expect(await reasonsOf(page, 1)).toMatch(/\nIn the file:\nMaktabda necha yildan beri\nmuallim boʻlib ishlaysiz\?$/u);
  await page.locator('[data-index="1"]').getByRole('button', { name: 'Split in two' }).click();
  await badge.waitFor({ state: 'detached' });
  expect(await page.locator('[data-text]').allInnerTexts()).toContain('Maktabda\nnecha yildan beri');
  expect(complaints).toEqual([]);
  await close();
});
