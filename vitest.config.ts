import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longRunOnly } from './tests/support/long-run.ts';
import { ReportFlaky } from './tests/support/report-flaky.ts';

/** Where the run that is counted leaves its counts. */
const counts = process.env['OVOZ_COUNTS'] ?? null;

/** They drive a browser, which a busy machine can starve for a moment. */
const pages = ['tests/page/**/*.test.ts', 'tests/page-editor/**/*.test.ts'];
const left = ['**/node_modules/**', 'dist/**', 'tests/e2e/**', 'tests/architecture/fixtures/**', ...longRunOnly];

/** The longest files begin first, so that no worker is left alone with one of them at the end. */
const longest = ['page/looks', 'integration/kill-nine', 'integration/full-disk', 'page-editor/', 'page/', 'cli/'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((path) => moduleId.includes(`/tests/${path}`));
      return at < 0 ? longest.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    pool: 'forks',
    // Threads that end while they hold compiled WebAssembly can end the whole process, by a defect of V8 in what guards
    // compiled code by keys of the processor ("Check failed: jit_page.has_value()").
    execArgv: ['--no-memory-protection-keys'],
    reporters: ['default', new ReportFlaky(counts), ...(counts === null ? [] : ['json' as const])],
    ...(counts === null ? {} : { outputFile: { json: `${counts}/unit.json` } }),
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A condition that holds is seen at once; the limit only says how long a loaded machine may take.
    expect: { poll: { timeout: 15_000, interval: 20 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          include: ['shared/**/*.test.ts', 'electron/**/*.test.ts', 'renderer/**/*.test.ts'],
          exclude: left,
          // These keep nothing behind, so a process serves many files; one for each cost a third of the time.
          isolate: false,
        },
      },
      // Rigs keep folders and servers for the file that they were made for.
      { extends: true, test: { name: 'whole', include: ['tests/**/*.test.ts'], exclude: [...left, ...pages] } },
      // A second try tells a slow machine from a defect, as with the specs of the app; what needed one is printed.
      { extends: true, test: { name: 'page', include: pages, exclude: left, retry: 1 } },
    ],
  },
});
