import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** Collects the names of tests that passed on retry, for the counts, and prints them at the end of the run. */
export class ReportFlaky implements Reporter {
  readonly #folder: string | null;

  /** `folder` gets `unit-flaky.json`; null if nothing is counted. */
  constructor(folder: string | null) {
    this.#folder = folder;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => test.diagnostic()?.flaky === true)
        .map((test) => `${module.relativeModuleId} > ${test.fullName}`),
    );
    for (const name of flaky) process.stdout.write(` flaky (passed at the second try): ${name}\n`);
    if (this.#folder === null) return;
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(join(this.#folder, 'unit-flaky.json'), JSON.stringify(flaky));
  }
}
