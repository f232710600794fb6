import type { Settings, TranscriptDetail } from '../../../renderer/bridge/types.ts';
import type { Locator, Page } from '@playwright/test';
import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import { applyChange } from '../../../shared/domain/transcript/change.ts';
import { unpackChange, type PackedChange } from '../../../shared/domain/transcript/packed.ts';
import type { TimeSpan, Transcript } from '../../../shared/domain/transcript/transcript.ts';
import { callsOf } from '../../support/fake-studio.ts';
import { openPage, type OpenedPage } from '../../support/page-under-test.ts';
import { planStudio, type StudioPlan } from '../../support/studio-plan.ts';

export interface OpenOptions {
  readonly detail: TranscriptDetail;
  readonly language?: InterfaceLanguage;
  readonly theme?: 'light' | 'dark';
  readonly size?: { readonly width: number; readonly height: number };
  readonly reducedMotion?: boolean;
  readonly settings?: Partial<Settings>;
  readonly connection?: NonNullable<Parameters<typeof planStudio>[0]>['connection'];
  /** Take precedence over the usual answers of main. */
  readonly answers?: StudioPlan['answers'];
  readonly failures?: StudioPlan['failures'];
  readonly textParts?: StudioPlan['textParts'];
  /** Runs in the page before its own scripts. */
  readonly beforePage?: () => void;
}

export interface EditorPage extends OpenedPage {
  readonly close: () => Promise<void>;
}

/** Opens the shipped page at a transcript, with main replaced by a plan. */
export async function openEditor(options: OpenOptions): Promise<EditorPage> {
  const { detail, language = 'en', theme = 'light', size = { width: 1280, height: 800 }, beforePage } = options;
  const usual = planStudio({
    settings: { interfaceLanguage: language, appearance: theme, ...options.settings },
    ...(options.connection === undefined ? {} : { connection: options.connection }),
  });
  const plan: StudioPlan = {
    ...usual,
    answers: {
      'transcripts.open': detail,
      'transcripts.edit': { revision: 0 },
      'exports.render': {
        kind: 'text',
        text: '1\n00:00:00,700 --> 00:00:02,338\nAssalomu alaykum, usta!\n',
        isShortened: false,
      },
      'exports.check': { cueCount: 1, unmendedCount: 0, mendedCount: 0, problems: [] },
      'exports.profiles': { profiles: [] },
      'exports.save': { savedAs: 'suhbat.srt', revealToken: 'reveal-1' },
      ...options.answers,
    },
    failures: { ...options.failures },
    ...(options.textParts === undefined ? {} : { textParts: options.textParts }),
  };
  const reducedMotion = options.reducedMotion === false ? 'no-preference' : 'reduce';
  const opened = await openPage({
    plan,
    location: `/transcripts/${detail.id}`,
    size,
    media: { colorScheme: theme, reducedMotion },
    ...(beforePage === undefined ? {} : { beforePage }),
  });
  const { page } = opened;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('[data-pane="text"]').waitFor();
  return { ...opened, close: () => page.context().close() };
}

/** The transcript as main has it after everything that the page has saved. */
export async function onDisk(page: Page, start: Transcript): Promise<Transcript> {
  let transcript = start;
  for (const call of await callsOf(page, 'transcripts.edit'))
    for (const { change } of (call as unknown as { readonly edits: readonly { readonly change: PackedChange }[] })
      .edits) {
      const applied = applyChange(transcript, unpackChange(change));
      if (!applied.ok) throw new Error(applied.error);
      ({ transcript } = applied.value);
    }
  return transcript;
}

/** The position of the playhead in milliseconds. */
export const playheadMs = (page: Page): Promise<number> =>
  page.evaluate(() => Math.round((window.audioElements.at(-1)?.currentTime ?? -1) * 1000));

export const isPlaying = (page: Page): Promise<boolean> =>
  page.evaluate(() => window.audioElements.at(-1)?.paused === false);

/** The word marked as being played. */
export const markedWord = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const [range] = CSS.highlights.get('ovoz-word-now') ?? [];
    if (range === undefined) return '';
    return (range.startContainer.textContent ?? '').slice(range.startOffset, range.endOffset);
  });

/** Waits until the recording can be played, its waveform is complete and answers the pointer. */
export async function waitForSound(page: Page): Promise<void> {
  await page.locator('[data-peaks="ready"]').waitFor();
  // It comes with what stands beside the text.
  await page.locator('[data-pane="transport"]').waitFor();
  await page.waitForFunction(() => (window.audioElements.at(-1)?.readyState ?? 0) >= 1);
}

/** In how many frames the sound is inside of a span, from now until that is over. */
export const framesInside = (page: Page, span: TimeSpan): Promise<number> =>
  page.evaluate(
    ({ startMs, endMs }) =>
      new Promise<number>((resolve) => {
        const [element] = window.audioElements.slice(-1);
        let frames = 0;
        const look = () => {
          const now = (element?.currentTime ?? 0) * 1000;
          if (now > startMs + 60 && now < endMs - 20) frames += 1;
          if (now < endMs + 200) requestAnimationFrame(look);
          else resolve(frames);
        };
        look();
      }),
    span,
  );

/** The segment with the caret, and before which of its letters that is. */
export const caretOf = (page: Page) =>
  page.evaluate(() => [document.activeElement?.getAttribute('data-text'), document.getSelection()?.focusOffset]);

export async function pressKeys(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

export async function enter(field: Locator, text: string): Promise<void> {
  await field.fill(text);
  await field.press('Enter');
}

export const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

export const textPane = (page: Page) => page.locator('[data-pane="text"] > section');
export const lanePane = (page: Page) => page.locator('[data-pane="lane"] input[type="range"]');
export const noticesOf = (page: Page) => page.locator('[data-pane="notices"]');

/** The first segment that is in view. */
export const topSegment = (page: Page): Promise<number> =>
  textPane(page).evaluate((pane) => {
    const { top } = pane.getBoundingClientRect();
    const rows = [...pane.querySelectorAll<HTMLElement>('[data-index]')];
    const seen = rows.filter((row) => row.getBoundingClientRect().bottom > top + 1);
    return Math.min(...seen.map((row) => Number(row.dataset['index'])));
  });

export const goTo = (page: Page, hash: string): Promise<void> =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

/** Moves the playhead as nothing on the page does. */
export const seek = (page: Page, timeMs: number): Promise<void> =>
  page.evaluate((ms) => {
    const [audio] = window.audioElements.slice(-1);
    if (audio !== undefined) audio.currentTime = ms / 1000;
  }, timeMs);

/** What a highlight covers: the marked letters of the text. */
export const highlighted = (page: Page, name: string): Promise<string[]> =>
  page.evaluate(
    (key) =>
      [...(CSS.highlights.get(key) ?? [])].map(({ startContainer, startOffset, endOffset }) =>
        startContainer.isConnected ? (startContainer.textContent ?? '').slice(startOffset, endOffset) : 'on no page',
      ),
    `ovoz-${name}`,
  );

/** The length of the recording of the sample interview, all of which a lane shows at first. */
export const interviewMs = 40_288;

/** Where a time is in a lane that shows all of the sample interview. */
export async function laneOf(page: Page) {
  const box = await lanePane(page).boundingBox();
  if (box === null) throw new Error('no lane');
  return { ...box, at: (ms: number) => box.x + (ms / interviewMs) * box.width, middle: box.y + box.height / 2 };
}

export async function drag(page: Page, fromX: number, toX: number, y: number): Promise<void> {
  await page.mouse.move(fromX, y);
  await page.mouse.down();
  await page.mouse.move((fromX + toX) / 2, y, { steps: 3 });
  await page.mouse.move(toX, y, { steps: 3 });
  await page.mouse.up();
}

/** Selects a part of the lane, in milliseconds. */
export async function dragLane(page: Page, fromMs: number, toMs: number): Promise<void> {
  const { at, middle } = await laneOf(page);
  await drag(page, at(fromMs), at(toMs), middle);
}
