import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['shared/**/*.test.ts', 'electron/**/*.test.ts', 'renderer/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**', 'tests/e2e/**', 'tests/architecture/fixtures/**'],
    pool: 'forks',
    maxWorkers: 2,
    // Files clean up after themselves, so two processes serve all of them; one a file cost a third of the time.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A condition that holds is seen at once; the limit only says how long a loaded machine may take.
    expect: { poll: { timeout: 15_000, interval: 20 } },
  },
});
