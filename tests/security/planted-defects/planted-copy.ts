import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { shellEnvironment } from '../../../scripts/find-shell.ts';
import type { Check, Edit } from './defects.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folders = ['assets', 'docs', 'electron', 'renderer', 'scripts', 'shared', 'tests'];

/**
 * The result of the tests with a name. `absent`: none ran, which is never a success. `broken`: not the test itself
 * failed but its preparation, which proves nothing either.
 */
export type Verdict = 'passed' | 'failed' | 'broken' | 'skipped' | 'absent';

export interface Finding {
  readonly verdict: Verdict;
  /** The first line of the first failure. */
  readonly words: string;
}

interface Told {
  readonly status: string;
  readonly words: string;
  readonly isBroken: boolean;
}

/** Sources of the project in a folder of their own, where defects can be planted and removed. */
export interface PlantedCopy {
  /** Applies the edits; returns what reverts them. Throws unless `find` occurs exactly once. */
  plant(edits: readonly Edit[]): () => void;
  /** Builds what ships from the copy in its present state. */
  build(): Promise<void>;
  /** Runs the files of the checks once and returns the result of each check's tests. */
  run(checks: readonly Check[]): Promise<ReadonlyMap<Check, Finding>>;
  remove(): void;
}

interface UnitReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}
interface AppSpec {
  readonly title: string;
  readonly line: number;
  readonly tests: readonly {
    readonly status: string;
    readonly results: readonly {
      readonly error?: { readonly message?: string };
      readonly errorLocation?: { readonly line: number };
    }[];
  }[];
}
interface AppSuite {
  readonly file: string;
  readonly suites?: readonly AppSuite[];
  readonly specs: readonly AppSpec[];
}

const firstLine = (text = ''): string => stripVTControlCharacters(text).split('\n')[0]?.slice(0, 160) ?? '';

/** One verdict for all tests that match a name: failed if one failed, skipped if none ran. */
function findingOf(told: readonly Told[]): Finding {
  const failed = told.find(({ status }) => status === 'failed' || status === 'unexpected');
  if (failed !== undefined) return { verdict: failed.isBroken ? 'broken' : 'failed', words: failed.words };
  if (told.length === 0) return { verdict: 'absent', words: '' };
  const isPassed = told.some(({ status }) => status === 'passed' || status === 'expected');
  return { verdict: isPassed ? 'passed' : 'skipped', words: '' };
}

const specsOf = (suite: AppSuite): readonly AppSpec[] => [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];

export function copyProject(): PlantedCopy {
  // The real path, because builds name files by it.
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'planted-')));
  for (const folder of folders) {
    cpSync(join(root, folder), join(copy, folder), {
      recursive: true,
      filter: (path) => !path.includes('planted-defects'),
    });
  }
  for (const name of readdirSync(root, { withFileTypes: true })) {
    if (name.isFile() && !name.name.startsWith('.env')) cpSync(join(root, name.name), join(copy, name.name));
  }
  symlinkSync(realpathSync(join(root, 'node_modules')), join(copy, 'node_modules'), 'junction');

  const node = (args: readonly string[]): Promise<void> =>
    new Promise((resolve) => {
      const { OVOZ_LONG: _long, ...env } = process.env;
      const flags = ['--disable-warning=ExperimentalWarning'];
      const child = spawn(process.execPath, [...flags, ...args], {
        cwd: copy,
        env: { ...env, ...shellEnvironment(), VITEST: undefined },
        stdio: 'ignore',
      });
      child.once('exit', () => resolve());
    });

  /** Only the named tests, because the others would only take time. */
  const namesOf = (checks: readonly Check[]) => checks.map(({ name }) => RegExp.escape(name)).join('|');
  const filesOf = (checks: readonly Check[], runner: Check['runner']) => [
    ...new Set(checks.filter((check) => check.runner === runner).map(({ file }) => file)),
  ];

  async function unitStatuses(files: readonly string[], names: string): Promise<(check: Check) => readonly Told[]> {
    const output = join(copy, 'unit.json');
    rmSync(output, { force: true });
    const vitest = join(copy, 'node_modules', 'vitest', 'vitest.mjs');
    await node([vitest, 'run', ...files, '-t', names, '--reporter=json', `--outputFile=${output}`]);
    if (!existsSync(output)) return () => [];
    const report = JSON.parse(readFileSync(output, 'utf8')) as UnitReport;
    return ({ file, name }) =>
      report.testResults
        .filter((result) => result.name.endsWith(file))
        .flatMap((result) => result.assertionResults)
        .filter(({ fullName }) => fullName.includes(name))
        .map(({ status, failureMessages }) => ({ status, words: firstLine(failureMessages[0]), isBroken: false }));
  }

  async function appStatuses(files: readonly string[], names: string): Promise<(check: Check) => readonly Told[]> {
    const output = join(copy, 'test-results', 'e2e.json');
    rmSync(output, { force: true });
    const playwright = join(copy, 'node_modules', '@playwright', 'test', 'cli.js');
    await node([playwright, 'test', '-c', 'playwright.config.ts', '--project=app', '-g', names, ...files]);
    if (!existsSync(output)) return () => [];
    const report = JSON.parse(readFileSync(output, 'utf8')) as { readonly suites: readonly AppSuite[] };
    return ({ file, name }) =>
      report.suites
        .filter((suite) => file.endsWith(suite.file))
        .flatMap(specsOf)
        .filter(({ title }) => title.includes(name))
        .flatMap(({ line, tests }) =>
          tests.map(({ status, results }) => {
            const [first] = results;
            // Hooks above a test in its file are its preparation.
            const isBroken = first?.errorLocation === undefined || first.errorLocation.line < line;
            return { status, words: firstLine(first?.error?.message), isBroken };
          }),
        );
  }

  return {
    plant(edits) {
      const before = new Map<string, string>();
      for (const { file, find, plant } of edits) {
        const path = join(copy, file);
        const text = readFileSync(path, 'utf8');
        if (text.split(find).length !== 2) throw new Error(`${file} does not hold exactly once: ${find}`);
        if (!before.has(path)) before.set(path, text);
        writeFileSync(
          path,
          text.replace(find, () => plant),
        );
      }
      return () => {
        for (const [path, text] of before) writeFileSync(path, text);
      };
    },
    build: () => node([join(copy, 'scripts', 'build.ts')]),
    async run(checks) {
      const [units, apps] = [filesOf(checks, 'vitest'), filesOf(checks, 'app')];
      const none = () => [];
      const unit = units.length === 0 ? none : await unitStatuses(units, namesOf(checks));
      const app = apps.length === 0 ? none : await appStatuses(apps, namesOf(checks));
      return new Map(checks.map((check) => [check, findingOf(check.runner === 'vitest' ? unit(check) : app(check))]));
    },
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}
