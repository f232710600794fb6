import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The real app with its first window and its own data. */
export interface Studio {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly dataDir: string;
  /** Quits as a user would and waits for the process to exit; the data stays for the next start. */
  quit(): Promise<void>;
}

export interface StudioOptions {
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly colorScheme?: 'light' | 'dark' | null;
  /** A tracer that runs Electron's program and receives its arguments. */
  readonly executable?: string;
}

/** A folder for the data of a run, outside the project. */
export const newDataDir = (): string => mkdtempSync(join(tmpdir(), 'ovoz-e2e-'));

/** Processes of a browser whose app was killed may still be writing. */
export const removeDataDir = (dataDir: string): void =>
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });

/** Variables that a user's shell would not have set: nothing leaks in from the machine that runs the tests. */
function cleanEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && (!entry[0].startsWith('OVOZ_') || entry[0] === 'OVOZ_BROWSER'),
    ),
  );
}

/** Starts the app as `npm start` does, waits for its first window to be usable. */
export async function startStudio(options: StudioOptions = {}): Promise<Studio> {
  const dataDir = options.dataDir ?? newDataDir();
  const app = await _electron.launch({
    args: [...(options.args ?? []), '.'],
    cwd: root,
    colorScheme: options.colorScheme ?? null,
    ...(options.executable === undefined ? {} : { executablePath: options.executable }),
    env: { ...cleanEnvironment(), LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8', OVOZ_DATA_DIR: dataDir, ...options.env },
  });
  // Read once: Playwright forgets the process when it exits.
  const main = app.process();
  const ended = new Promise<void>((resolve) => main.once('exit', () => resolve()));
  // A user has been asked about the first recordings of a connection before, unless a test is about that.
  await app.evaluate(({ dialog }) => {
    const show = dialog.showMessageBox.bind(dialog);
    dialog.showMessageBox = (async (...args: Parameters<typeof show>) =>
      (args.at(-1) as { readonly checkboxLabel?: string }).checkboxLabel === undefined
        ? show(...args)
        : { response: 0, checkboxChecked: true }) as typeof dialog.showMessageBox;
  });
  const page = await app.firstWindow();
  await page.waitForSelector('main, [role="main"]');
  return {
    app,
    page,
    dataDir,
    quit: async () => {
      if (main.exitCode !== null || main.signalCode !== null) return;
      await app.evaluate(({ app: electron }) => electron.quit()).catch(() => undefined);
      await ended;
    },
  };
}
