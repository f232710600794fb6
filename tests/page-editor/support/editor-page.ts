import type { Browser, Page } from '@playwright/test';
import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import { applyChange } from '../../../shared/domain/transcript/change.ts';
import { unpackChange, type PackedChange } from '../../../shared/domain/transcript/packed.ts';
import type { TimeSpan, Transcript } from '../../../shared/domain/transcript/transcript.ts';
import type { Settings, TranscriptDetail } from '../../../shared/ipc/schemas.ts';
import { callsOf, putFakeStudio } from '../../support/fake-studio.ts';
import { slowDown } from '../../support/slow-page.ts';
import { planStudio, type StudioPlan } from '../../support/studio-plan.ts';
import { launchBrowser } from '../../support/test-browser.ts';
import type { PageServer } from './serve-built-page.ts';

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

export interface EditorPage {
  readonly page: Page;
  /** Violations of the policy, uncaught errors and errors on the console; a missing peaks cache is none. */
  readonly complaints: string[];
  readonly close: () => Promise<void>;
}

declare global {
  interface Window {
    /** Every audio element that the page created: the player's is in no document. */
    readonly audioElements: HTMLAudioElement[];
  }
}

/** A browser that plays audio without user activation, muted. */
export const launchQuietBrowser = (): Promise<Browser> =>
  launchBrowser('--mute-audio', '--autoplay-policy=no-user-gesture-required');

/** Opens the shipped page at a transcript, with main replaced by a plan. */
export async function openEditor(browser: Browser, server: PageServer, options: OpenOptions): Promise<EditorPage> {
  const { detail, language = 'en', theme = 'light', size = { width: 1280, height: 800 } } = options;
  const context = await browser.newContext({
    viewport: size,
    colorScheme: theme,
    reducedMotion: options.reducedMotion === false ? 'no-preference' : 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  await slowDown(page);
  page.setDefaultTimeout(8000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('404 (Not Found)')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  const plan = planStudio({
    settings: { interfaceLanguage: language, appearance: theme, ...options.settings },
    ...(options.connection === undefined ? {} : { connection: options.connection }),
  });
  await putFakeStudio(page, {
    ...plan,
    answers: {
      'transcripts.open': detail,
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
  });
  await page.addInitScript(keepAudioElements);
  if (options.beforePage !== undefined) await page.addInitScript(options.beforePage);
  await page.goto(`${server.origin}/#/transcripts/${detail.id}`);
  await page.locator('[data-pane="text"]').waitFor();
  await page.evaluate(() => document.fonts.ready);
  return { page, complaints, close: () => context.close() };
}

/** The transcript as main has it after everything that the page has saved. */
export async function onDisk(page: Page, start: Transcript): Promise<Transcript> {
  let transcript = start;
  for (const call of await callsOf(page, 'transcripts.edit'))
    for (const { change } of (call as { readonly edits: readonly { readonly change: PackedChange }[] }).edits) {
      const applied = applyChange(transcript, unpackChange(change));
      if (!applied.ok) throw new Error(applied.error);
      ({ transcript } = applied.value);
    }
  return transcript;
}

function keepAudioElements() {
  const made: HTMLAudioElement[] = [];
  Object.defineProperty(window, 'audioElements', { value: made });
  window.Audio = new Proxy(window.Audio, {
    construct(target, parameters: ConstructorParameters<typeof Audio>) {
      const element = new target(...parameters);
      made.push(element);
      return element;
    },
  });
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
