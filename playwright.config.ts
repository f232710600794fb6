import { defineConfig } from '@playwright/test';

/**
 * `app` drives the real app; `conformance` proves that the host behaves as Electron does. One worker:
 * two cores carry one app with its browser at a time, and a second one would only make both slower.
 */
export default defineConfig({
  workers: 1,
  fullyParallel: false,
  timeout: 60_000,
  // A second try tells a slow machine from a defect; what needed one is counted as flaky and printed.
  retries: 1,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  outputDir: 'test-results/e2e',
  projects: [
    { name: 'conformance', testDir: 'tests/electron-host/test', testMatch: '**/*.spec.ts' },
    { name: 'app', testDir: 'tests/e2e', testMatch: '**/*.spec.ts' },
  ],
});
