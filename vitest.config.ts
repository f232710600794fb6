import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { ReportFlaky } from './tests/support/report-flaky.ts';

/** The folder where the counted run writes its counts. */
const counts = process.env['OVOZ_COUNTS'] ?? null;

// Every process and thread of a test compiles the same modules.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'ovoz-tests-compiled');

/** These drive a browser, which a busy machine can stall for a moment. */
const pages = ['tests/page/**/*.test.ts', 'tests/page-editor/**/*.test.ts'];
/** These keep nothing for the next file, so one process runs many; one for each took a third longer. */
const units = ['shared/**/*.test.ts', 'electron/**/*.test.ts', 'renderer/**/*.test.ts'];
const stateless = ['tests/contract/**/*.test.ts', 'tests/practice/**/*.test.ts', 'tests/architecture/**/*.test.ts'];
const left = ['**/node_modules/**', 'dist/**', 'tests/e2e/**', 'tests/architecture/fixtures/**'];

/** The longest files start first, so that no worker is left alone with one of them at the end. */
const longest = [
  'integration/kill-nine',
  'integration/full-disk',
  'recogniser/recogniser',
  'integration/isolation',
  'cli/service',
  'page/looks',
  'page/',
  'page-editor/',
  'cli/',
];

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
    // Threads that end while others compile WebAssembly can crash the process, because of a defect of V8 in its book of
    // compiled pages ("Check failed: jit_page.has_value()"): with memory protection keys, and when a wrapper is compiled anew.
    execArgv: ['--no-memory-protection-keys', '--wasm-wrapper-tiering-budget=1000000000'],
    reporters: ['default', new ReportFlaky(counts), ...(counts === null ? [] : ['json' as const])],
    ...(counts === null ? {} : { outputFile: { json: `${counts}/unit.json` } }),
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // A condition that holds is noticed at once; the limits only allow for a loaded machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000, interval: 20 } },
    projects: [
      { extends: true, test: { name: 'units', include: units, exclude: left, isolate: false } },
      { extends: true, test: { name: 'stateless', include: stateless, exclude: left, isolate: false } },
      // Rigs keep folders and servers for the file that created them.
      {
        extends: true,
        test: { name: 'whole', include: ['tests/**/*.test.ts'], exclude: [...left, ...pages, ...stateless] },
      },
      // A retry tells a slow machine from a defect, as with the specs of the app; a test that needed one is reported.
      // The files of a process share its browser, its server and its windows.
      { extends: true, test: { name: 'page', include: pages, exclude: left, retry: 1, isolate: false } },
    ],
  },
});
