import { defineConfig } from '@playwright/test';

/**
 * `app` drives the real app; `conformance` proves that the host behaves as Electron does. Two workers: an app with its
 * browser waits as long as it works, so two of them keep two cores busy.
 */
export default defineConfig({
  workers: 2,
  fullyParallel: false,
  timeout: 60_000,
  // A retry tells a slow machine from a defect; a test that needed one is reported as flaky.
  retries: 1,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  outputDir: 'test-results/e2e',
  projects: [
    { name: 'conformance', testDir: 'tests/electron-host/test', testMatch: '**/*.spec.ts' },
    { name: 'app', testDir: 'tests/e2e', testMatch: '**/*.spec.ts' },
  ],
});
