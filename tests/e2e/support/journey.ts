import { test as base, expect, type Page } from '@playwright/test';
import { startPracticeServer, type PracticeServer } from './practice-server.ts';
import { newDataDir, removeDataDir, startStudio, type Studio, type StudioOptions } from './studio.ts';

/** What a journey works with; all of it ends with the journey, also with one that fails. */
interface Journey {
  /** The data of the app, which the next start finds again. */
  readonly dataDir: string;
  newFolder(): string;
  start(options?: Omit<StudioOptions, 'dataDir'>): Promise<Studio>;
  startService(...args: readonly string[]): Promise<PracticeServer>;
  atEnd(work: () => unknown): void;
}

export const test = base.extend<{ readonly journey: Journey }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
  journey: async ({}, provide) => {
    const ends: (() => unknown)[] = [];
    const newFolder = () => {
      const folder = newDataDir();
      ends.push(() => removeDataDir(folder));
      return folder;
    };
    const dataDir = newFolder();
    await provide({
      dataDir,
      newFolder,
      start: async (options = {}) => {
        const studio = await startStudio({ dataDir, ...options });
        ends.push(() => studio.quit());
        return studio;
      },
      startService: async (...args) => {
        const service = await startPracticeServer(...args);
        ends.push(() => service.stop());
        return service;
      },
      atEnd: (work) => void ends.push(work),
    });
    for (const end of ends.toReversed()) await end();
  },
});

/** From the first screen into practice mode. */
export async function enterPractice(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Look around with samples' }).click();
  await expect(page.getByRole('heading', { name: 'Transcribe' })).toBeVisible();
}

export async function typeAddress(page: Page, address: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Service address' });
  await field.fill(address);
  await field.blur();
}

/** From the first screen to the studio at a service whose key the app has. */
export async function enterService(page: Page, { url }: { readonly url: string }): Promise<void> {
  await typeAddress(page, url);
  await expect(page.getByText('Works', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Open the studio' }).click();
  await expect(page.getByRole('heading', { name: 'Transcribe' })).toBeVisible();
}

/** Answers the system's dialog for opening from now on. */
export const openFromDialog = ({ app }: Studio, path: string): Promise<void> =>
  app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, path);

/** Answers the system's dialog for saving from now on. */
export const saveByDialog = ({ app }: Studio, path: string): Promise<void> =>
  app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, path);

/** Kills the main process and waits until it is gone. */
export async function killStudio({ app }: Studio): Promise<void> {
  const main = app.process();
  const ended = new Promise((resolve) => main.once('exit', resolve));
  main.kill('SIGKILL');
  await ended;
}

/** Records each word that the page marks during playback, frame by frame, until `count` different ones were marked. */
export const wordsHeard = (page: Page, count: number): Promise<readonly string[]> =>
  page.evaluate(
    (wanted) =>
      new Promise<string[]>((resolve) => {
        const heard: string[] = [];
        const look = () => {
          const now = [...(CSS.highlights.get('ovoz-word-now') ?? [])]
            .map((range) => (range.startContainer.textContent ?? '').slice(range.startOffset, range.endOffset))
            .join('');
          if (now !== '' && now !== heard.at(-1)) heard.push(now);
          if (heard.length >= wanted) resolve(heard);
          else requestAnimationFrame(look);
        };
        look();
      }),
    count,
  );
