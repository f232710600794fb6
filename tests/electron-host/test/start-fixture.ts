import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';

export const fixtureFolder: string = fileURLToPath(new URL('./fixture-app', import.meta.url));

/** The fixture app with its first page, and a folder that goes when it ends. */
export interface Fixture {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly folder: string;
  readonly env: Record<string, string>;
  end(): Promise<void>;
}

export async function startFixture(): Promise<Fixture> {
  const folder = mkdtempSync(join(tmpdir(), 'host-fixture-'));
  const own = { FIXTURE_USER_DATA: join(folder, 'data'), FIXTURE_SECRET: 'secret' };
  const env = { ...process.env, ...own } as Record<string, string>;
  const app = await _electron.launch({ args: ['.', '--flag'], cwd: fixtureFolder, env, colorScheme: null });
  const page = await app.firstWindow();
  await page.waitForFunction(() => document.readyState === 'complete' && document.title === 'Fixture');
  return {
    app,
    page,
    folder,
    env,
    end: async () => {
      await app.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
