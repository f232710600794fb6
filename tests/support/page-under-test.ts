import type { Page } from '@playwright/test';
import { layPlan, putStudioOfLaidPlan } from './fake-studio.ts';
import { keepForNext } from './kept-page.ts';
import { serveBuiltPage } from './serve-built-page.ts';
import { slowDown } from './slow-page.ts';
import type { StudioPlan } from './studio-plan.ts';
import { testBrowser } from './test-browser.ts';

export interface OpenOptions {
  readonly plan: StudioPlan;
  /** The part of the address after `#`. */
  readonly location?: string;
  readonly size?: { readonly width: number; readonly height: number };
  readonly media?: Parameters<Page['emulateMedia']>[0];
  /** Runs in the page before its own scripts. */
  readonly beforePage?: () => void;
}

export interface OpenedPage {
  readonly page: Page;
  /** Errors, policy violations and warnings so far. A recording is at no address unless its test gives it one. */
  readonly complaints: string[];
}

declare global {
  interface Window {
    /** Every audio element that the page created: the player's is in no document. */
    readonly audioElements: HTMLAudioElement[];
  }
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

/** Opening a window costs twice as much as loading a page, so tests that change nothing of it hand it on. */
const idle: OpenedPage[] = [];

async function openWindow(): Promise<OpenedPage> {
  const browser = await testBrowser();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  await slowDown(page);
  const complaints: string[] = [];
  page.on('console', (message) => {
    const isMissing = message.text().includes('404 (Not Found)');
    if (['error', 'warning'].includes(message.type()) && !isMissing) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await putStudioOfLaidPlan(page);
  await page.addInitScript(keepAudioElements);
  return { page, complaints };
}

/**
 * Opens the page as it ships, main replaced by a plan, in a window that no other test uses (`page.context().close()` ends
 * its use) and waits for its first screen.
 */
export async function openPage({ plan, location = '/', size, media, beforePage }: OpenOptions): Promise<OpenedPage> {
  const { origin } = await serveBuiltPage();
  // Those of a browser that ended are of no use.
  while (idle.at(-1)?.page.isClosed() === true) idle.pop();
  const again = beforePage === undefined ? idle.pop() : undefined;
  const opened = again ?? (await openWindow());
  const { page } = opened;
  opened.complaints.length = 0;
  if (size !== undefined) await page.setViewportSize(size);
  if (media !== undefined) await page.emulateMedia(media);
  // Any page of the same origin will do: a plan can only be stored on its origin.
  if (again === undefined) await page.goto(`${origin}/blank`);
  await layPlan(page, plan);
  if (again === undefined) {
    keepForNext(page, () => idle.push(opened));
    if (beforePage !== undefined) await page.addInitScript(beforePage);
    await page.goto(`${origin}/#${location}`);
  } else {
    await page.evaluate((hash) => history.replaceState(null, '', `/#${hash}`), location);
    await page.reload();
  }
  await page.waitForSelector('main');
  await page.evaluate(() => document.fonts.ready);
  return opened;
}
