import { join } from 'node:path';
import type { Page } from '@playwright/test';

const themes = ['light', 'dark'] as const;

/** Two frames: React has drawn, the browser has laid out. A text, because scripts are checked without the page's types. */
const drawn = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

export type TakePicture = (screen: string) => Promise<void>;

/** Takes pictures of the screen that is open, in both themes, and leaves it light. `taken` gets the paths. */
export const pictureTaker =
  (page: Page, folder: string, taken: string[]): TakePicture =>
  async (screen) => {
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate('document.fonts.ready.then(() => undefined)');
      await page.evaluate(drawn);
      const path = join(folder, `${screen}-${colorScheme}.png`);
      await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
      taken.push(path);
    }
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  };
