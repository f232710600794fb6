import type { Browser, Locator, Page } from '@playwright/test';
import { afterAll, beforeAll } from 'vitest';
import type { Transcript } from '../../../shared/domain/transcript/transcript.ts';
import { launchQuietBrowser, openEditor, waitForSound, type EditorPage, type OpenOptions } from './editor-page.ts';
import { serveBuiltPage, type PageServer } from './serve-built-page.ts';
import { detailOf, sample } from './transcripts.ts';

export interface EditorRig {
  readonly server: PageServer;
  readonly browser: Browser;
  open(options: OpenOptions): Promise<EditorPage>;
  /**
   * Opens a transcript over the recording of the sample interview, which can be heard by then; what is saved is answered
   * as main answers it.
   */
  openText(transcript: Transcript, options?: Partial<OpenOptions>): Promise<EditorPage & { readonly texts: Locator }>;
}

/** The built page and a browser for all tests of a file. */
export function editorRig(): EditorRig {
  let server: PageServer;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([serveBuiltPage(), launchQuietBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });
  const open = (options: OpenOptions) => openEditor(browser, server, options);
  return {
    get server() {
      return server;
    },
    get browser() {
      return browser;
    },
    open,
    async openText(transcript, options = {}) {
      const opened = await open({
        detail: detailOf(transcript, server.addRecording(sample('interview-uz.mp3'))),
        ...options,
        answers: { 'transcripts.edit': { revision: 0 }, ...options.answers },
      });
      await waitForSound(opened.page);
      return { ...opened, texts: opened.page.locator('[data-text]') };
    },
  };
}

/** When the page has drawn what was just done to it. */
export const painted = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) =>
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            resolve();
          }),
        ),
      ),
  );
