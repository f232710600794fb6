import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { build } from 'vite';

/** The page built with a language of long words in the place of Uzbek. */
export interface PseudoPage {
  /** Puts the long words into an opened page: it is loaded again. */
  applyTo(page: Page): Promise<void>;
  remove(): void;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};
const catalogues = '/shared/i18n/catalogues.ts';
const plainImport = "import { uz } from './uz/index.ts';";
const pseudoImport = "import { pseudoCatalogue } from './pseudo.ts';\nconst uz = pseudoCatalogue(en);";

export async function buildPseudoPage(): Promise<PseudoPage> {
  const outDir = mkdtempSync(join(tmpdir(), 'ovoz-pseudo-'));
  let isReplaced = false;
  await build({
    configFile: fileURLToPath(new URL('../../vite.config.ts', import.meta.url)),
    mode: 'renderer',
    logLevel: 'error',
    build: { outDir },
    plugins: [
      {
        name: 'pseudo-locale',
        enforce: 'pre',
        transform: (code, id) => {
          if (!id.endsWith(catalogues)) return null;
          isReplaced = code.includes(plainImport);
          return code.replace(plainImport, pseudoImport);
        },
      },
    ],
  });
  if (!isReplaced) throw new Error('the catalogue of Uzbek is no longer where the pseudo-locale looks for it');
  return {
    applyTo: async (page) => {
      await page.route('**/*', async (route) => {
        const path = new URL(route.request().url()).pathname;
        // The names of the built files hold a hash of what is in them, so the server of the test knows only some.
        if (path !== '/' && !path.startsWith('/assets/')) {
          await route.continue();
          return;
        }
        const file = path === '/' ? 'index.html' : path;
        await route.fulfill({
          body: readFileSync(join(outDir, file)),
          contentType: types[extname(file)] ?? 'application/octet-stream',
        });
      });
      await page.reload();
      await page.waitForSelector('main');
      await page.evaluate(() => document.fonts.ready);
    },
    remove: () => rmSync(outDir, { recursive: true, force: true }),
  };
}
