import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { BrowserContextOptions, Page } from '@playwright/test';
import { isWorkerScript, pagePolicy, workerPolicy } from '../../electron/shell/security/csp.ts';
import { builtPage } from './built-page.ts';
import { layPlan, putFakeStudio, putStudioOfLaidPlan } from './fake-studio.ts';
import { keepForNext } from './kept-page.ts';
import { slowDown } from './slow-page.ts';
import type { StudioPlan } from './studio-plan.ts';
import { launchBrowser } from './test-browser.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** Answers requests for anything but files of the page, such as `/media/…`; true if it did. */
export type ExtraRoute = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface OpenOptions extends BrowserContextOptions {
  readonly plan: StudioPlan;
  /** The part of the address after `#`. */
  readonly location?: string;
}

/** The built page in a browser, served with the policy of the app, main replaced by a plan. */
export interface PageUnderTest {
  /**
   * Opens the page in a window that no other test uses (`page.context().close()` ends its use) and waits for its first
   * screen. `complaints` collects the browser's errors.
   */
  open(options: OpenOptions): Promise<Page>;
  /** Errors, policy violations and warnings of all pages so far. */
  readonly complaints: string[];
  close(): Promise<void>;
}

/** Serves the page as it ships, built into a folder of its own if necessary, and starts a browser. */
export async function servePage(extra: ExtraRoute = () => false): Promise<PageUnderTest> {
  const { folder: built, remove } = await builtPage();
  const server = createServer((request, response) => {
    if (extra(request, response)) return;
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname));
    const file = join(built, path === '/' ? 'index.html' : path);
    if (path === '/favicon.ico') {
      response.writeHead(204).end();
      return;
    }
    if (path === '/blank') {
      response.writeHead(200, { 'content-type': 'text/html' }).end();
      return;
    }
    if (!file.startsWith(built) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      // As in the app: files named by their content are cached.
      ...(path.startsWith('/assets/') ? { 'cache-control': 'public, max-age=31536000, immutable' } : {}),
      'content-security-policy': isWorkerScript(path) ? workerPolicy : pagePolicy('page-tests'),
    });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const browser = await launchBrowser();
  const complaints: string[] = [];
  const idle: Page[] = [];
  return {
    complaints,
    open: async ({ plan, location = '/', ...context }) => {
      const isUsual = Object.keys(context).length === 0;
      const kept = isUsual ? idle.pop() : undefined;
      if (kept !== undefined) {
        await layPlan(kept, plan);
        await kept.evaluate((hash) => history.replaceState(null, '', `/#${hash}`), location);
        await kept.reload();
        await kept.waitForSelector('main');
        await kept.evaluate(() => document.fonts.ready);
        return kept;
      }
      const fresh = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        reducedMotion: 'reduce',
        ...context,
      });
      fresh.setDefaultTimeout(20_000);
      const page = await fresh.newPage();
      await slowDown(page);
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      if (isUsual) {
        await putStudioOfLaidPlan(page);
        // Any page of the same origin will do: a plan can only be stored on its origin.
        await page.goto(`${origin}/blank`);
        await layPlan(page, plan);
        keepForNext(page, (again) => idle.push(again));
      } else await putFakeStudio(page, plan);
      await page.goto(`${origin}/#${location}`);
      await page.waitForSelector('main');
      await page.evaluate(() => document.fonts.ready);
      return page;
    },
    close: async () => {
      await browser.close();
      await new Promise((resolve) => server.close(resolve));
      remove();
    },
  };
}
