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
import type { Check, Edit } from './defects.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folders = ['assets', 'docs', 'electron', 'renderer', 'scripts', 'shared', 'tests'];

/** The result of the tests with a name. `absent`: none ran, which is never a success. */
export type Verdict = 'passed' | 'failed' | 'skipped' | 'absent';

export interface Finding {
  readonly verdict: Verdict;
  /** The first line of the first failure. */
  readonly words: string;
}

interface Told {
  readonly status: string;
  readonly words: string;
}

/** Sources of the project in a folder of their own, where defects can be planted and removed. */
export interface PlantedCopy {
  /** Applies the edits; returns what reverts them. Throws unless `find` occurs exactly once. */
  plant(edits: readonly Edit[]): () => void;
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
const firstLine = (text = ''): string => stripVTControlCharacters(text).split('\n')[0]?.slice(0, 160) ?? '';

/** One verdict for all tests that match a name: failed if one failed, skipped if none ran. */
function findingOf(told: readonly Told[]): Finding {
  const failed = told.find(({ status }) => status === 'failed');
  if (failed !== undefined) return { verdict: 'failed', words: failed.words };
  if (told.length === 0) return { verdict: 'absent', words: '' };
  const isPassed = told.some(({ status }) => status === 'passed');
  return { verdict: isPassed ? 'passed' : 'skipped', words: '' };
}

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

  /** Runs to the end, and resolves with what was printed. */
  const node = (args: readonly string[]): Promise<string> =>
    new Promise((resolve) => {
      const { OVOZ_LONG: _long, ...env } = process.env;
      const flags = ['--disable-warning=ExperimentalWarning'];
      const child = spawn(process.execPath, [...flags, ...args], {
        cwd: copy,
        env: { ...env, VITEST: undefined },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let printed = '';
      child.stdout.on('data', (part: Buffer) => (printed += part.toString()));
      child.once('close', () => resolve(printed));
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
        .map(({ status, failureMessages }) => ({ status, words: firstLine(failureMessages[0]) }));
  }

  async function typeStatuses(): Promise<(check: Check) => readonly Told[]> {
    const printed = await node([join(copy, 'node_modules', 'typescript', 'bin', 'tsc'), '--checkers', '1']);
    return ({ file }) => {
      const found = printed.split('\n').find((line) => line.startsWith(file));
      return [{ status: found === undefined ? 'passed' : 'failed', words: firstLine(found) }];
    };
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
    async run(checks) {
      const units = filesOf(checks, 'vitest');
      const none = () => [];
      const unit = units.length === 0 ? none : await unitStatuses(units, namesOf(checks));
      const type = filesOf(checks, 'types').length === 0 ? none : await typeStatuses();
      const told = { vitest: unit, types: type };
      return new Map(checks.map((check) => [check, findingOf(told[check.runner](check))]));
    },
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}
