import { defineConfig } from '@playwright/test';
import { shellEnvironment } from '../../scripts/find-shell.ts';

Object.assign(process.env, shellEnvironment());

/** The host's conformance spec. It uses nothing of the host, so it runs on Electron's own binary just as well. */
// oxlint-disable-next-line import/no-default-export -- Playwright asks for one
export default defineConfig({
  testDir: 'test',
  testMatch: '*.spec.ts',
  timeout: 30_000,
  expect: { timeout: 5_000 },
  workers: 1,
  reporter: [['list']],
  outputDir: '../../test-results/electron-host',
});
