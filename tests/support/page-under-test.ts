import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Page } from '@playwright/test';
import { isWorkerScript, pagePolicy, workerPolicy } from '../../electron/shell/security/csp.ts';
import { builtPage } from './built-page.ts';
import { layPlan, putStudioOfLaidPlan } from './fake-studio.ts';
import { keepForNext } from './kept-page.ts';
import { slowDown } from './slow-page.ts';
import type { StudioPlan } from './studio-plan.ts';
import { testBrowser } from './test-browser.ts';

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

export interface OpenOptions {
  readonly plan: StudioPlan;
  /** The part of the address after `#`. */
  readonly location?: string;
}

/** Answers before the page does, for the file that is tested. */
let extra: ExtraRoute = () => false;
export const answerFirst = (route: ExtraRoute = () => false): void => void (extra = route);

/** Errors, policy violations and warnings of all pages so far. */
export const complaints: string[] = [];

let served: Promise<string> | null = null;
const idle: Page[] = [];

/** Serves the page as it ships, with the policy of the app, to all files of this process; the result is its origin. */
async function servePage(): Promise<string> {
  const built = await builtPage();
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
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/**
 * Opens the page, main replaced by a plan, in a window that no other test uses (`page.context().close()` ends its use)
 * and waits for its first screen.
 */
export async function openPage({ plan, location = '/' }: OpenOptions): Promise<Page> {
  const [origin, browser] = await Promise.all([(served ??= servePage()), testBrowser()]);
  // Those of a browser that ended are of no use.
  while (idle.at(-1)?.isClosed() === true) idle.pop();
  const kept = idle.pop();
  if (kept !== undefined) {
    await layPlan(kept, plan);
    await kept.evaluate((hash) => history.replaceState(null, '', `/#${hash}`), location);
    await kept.reload();
    await kept.waitForSelector('main');
    await kept.evaluate(() => document.fonts.ready);
    return kept;
  }
  const fresh = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  fresh.setDefaultTimeout(20_000);
  const page = await fresh.newPage();
  await slowDown(page);
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await putStudioOfLaidPlan(page);
  // Any page of the same origin will do: a plan can only be stored on its origin.
  await page.goto(`${origin}/blank`);
  await layPlan(page, plan);
  keepForNext(page, (again) => idle.push(again));
  await page.goto(`${origin}/#${location}`);
  await page.waitForSelector('main');
  await page.evaluate(() => document.fonts.ready);
  return page;
}
