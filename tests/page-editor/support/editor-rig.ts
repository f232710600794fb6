import type { Locator, Page } from '@playwright/test';
import { afterEach, beforeAll, expect } from 'vitest';
import type { TranscriptDetail } from '../../../renderer/bridge/types.ts';
import type { Transcript } from '../../../shared/domain/transcript/transcript.ts';
import { serveBuiltPage, type PageServer } from '../../support/serve-built-page.ts';
import { openEditor, waitForSound, type EditorPage, type OpenOptions } from './editor-page.ts';
import { detailOf, sample } from './transcripts.ts';

export interface EditorRig {
  readonly server: PageServer;
  /** A transcript with the recording of the sample interview, as main describes it. */
  detailOf(transcript: Transcript, patch?: Partial<TranscriptDetail>): TranscriptDetail;
  /**
   * Opens a page, which is closed after the test, or as soon as the test opens another one; by then nothing may have
   * complained.
   */
  open(options: OpenOptions): Promise<EditorPage>;
  /** Opens a transcript over the recording of the sample interview, which can be heard by then. */
  openText(transcript: Transcript, options?: Partial<OpenOptions>): Promise<EditorPage & { readonly texts: Locator }>;
}

let interview: string | null = null;

/** The built page and a browser, which all files of a process share. */
export function editorRig(): EditorRig {
  let server: PageServer;
  const opened: EditorPage[] = [];
  beforeAll(async () => {
    server = await serveBuiltPage();
  });
  const endOpened = async () => {
    const ended = opened.splice(0);
    await Promise.all(ended.map(({ close }) => close()));
    expect(ended.flatMap(({ complaints }) => complaints)).toEqual([]);
  };
  afterEach(endOpened);
  const open = async (options: OpenOptions) => {
    await endOpened();
    const page = await openEditor(options);
    opened.push(page);
    return page;
  };
  const withRecording = (transcript: Transcript, patch: Partial<TranscriptDetail> = {}) =>
    detailOf(transcript, (interview ??= server.addRecording(sample('interview-uz.mp3'))), patch);
  return {
    get server() {
      return server;
    },
    detailOf: withRecording,
    open,
    async openText(transcript, options = {}) {
      const editor = await open({ detail: withRecording(transcript), ...options });
      await waitForSound(editor.page);
      return { ...editor, texts: editor.page.locator('[data-text]') };
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
