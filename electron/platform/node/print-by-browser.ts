import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { err, ok } from '../../../shared/result/result.ts';
import type { PdfRenderer } from '../../services/exports/write-request.ts';
import { smallEnvironment } from './practice-child.ts';

/** A document of a thousand pages takes some seconds; a browser that takes longer than this hangs. */
const limitMs = 120_000;

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

function usualPlaces(): readonly string[] {
  if (process.platform === 'darwin') {
    const apps = ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser'];
    return apps.flatMap((name) =>
      ['/Applications', join(homedir(), 'Applications')].map((root) => `${root}/${name}.app/Contents/MacOS/${name}`),
    );
  }
  if (process.platform === 'win32') {
    const roots = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((name) => process.env[name] ?? '');
    const tails = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];
    return tails.flatMap((tail) => roots.filter((root) => root !== '').map((root) => join(root, tail)));
  }
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/** A Chromium installed on this computer, for when there is no window of our own; null when there is none. */
export const findSystemBrowser = (): string | null => usualPlaces().find(isProgram) ?? null;

export const printByBrowser: PdfRenderer = async (html) => {
  const browser = findSystemBrowser();
  if (browser === null) return err(localFailure('export-unfinished', { code: 'pdf_needs_browser' }));
  const folder = await mkdtemp(join(tmpdir(), 'ovoz-print-')).catch(() => null);
  if (folder === null) return err(localFailure('export-unfinished'));
  try {
    const page = join(folder, 'page.html');
    const printed = join(folder, 'page.pdf');
    await writeFile(page, html, { mode: 0o600 });
    const code = await run(browser, [
      '--headless',
      '--disable-gpu',
      '--no-first-run',
      '--disable-extensions',
      '--no-pdf-header-footer',
      // In a container the user may be root, where the browser's sandbox is not available.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--user-data-dir=${join(folder, 'profile')}`,
      `--print-to-pdf=${printed}`,
      pathToFileURL(page).href,
    ]);
    return code === 0
      ? ok(new Uint8Array(await readFile(printed)))
      : err(localFailure('export-unfinished', { code: 'print_failed' }));
  } catch {
    return err(localFailure('export-unfinished', { code: 'print_failed' }));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }
};

function run(program: string, options: readonly string[]): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(program, options, { stdio: 'ignore', env: smallEnvironment(), timeout: limitMs });
    child.on('error', () => resolve(null));
    child.on('exit', (code) => resolve(code));
  });
}
