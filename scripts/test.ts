import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build.ts';
import { prepareMachine } from './prepare-machine.ts';
import { run } from './run-command.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (path: string) => join(root, 'node_modules', path);

interface Step {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}

const node = (name: string, script: string, ...args: string[]): Step => ({
  name,
  program: process.execPath,
  args: [bin(script), ...args],
});

/** These steps change no source and share nothing. The layers have a test of their own. */
const checks: readonly Step[] = [
  // One checker, because each of the usual four works out the shared types again: half the processor time in all.
  node('types', 'typescript/bin/tsc', '--checkers', '1'),
  node('dead code', 'knip/bin/knip.js'),
  node('lint', 'oxlint/bin/oxlint', '--type-aware', '--deny-warnings'),
  node('format', 'oxfmt/bin/oxfmt', '--check', '.'),
  node('the command, built once for all its tests', 'vite/bin/vite.js', 'build', '--mode', 'cli', '--logLevel', 'warn'),
];
const runs: readonly Step[] = [
  node('unit, contract and integration tests', 'vitest/vitest.mjs', 'run'),
  { name: 'the real app', program: process.execPath, args: [join(root, 'scripts', 'e2e.ts')] },
];

interface UnitReport {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
}

interface EndToEndReport {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
}

const readReport = <T>(name: string): T => JSON.parse(readFileSync(join(root, 'test-results', name), 'utf8')) as T;

async function work(steps: Iterable<Step>, carryOut: (step: Step) => Promise<void>): Promise<void> {
  for (const step of steps) {
    const stepStarted = Date.now();
    process.stdout.write(`\n── ${step.name}\n`);
    try {
      await carryOut(step);
    } catch (error) {
      process.stderr.write(`\nStopped at "${step.name}": ${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    }
    process.stdout.write(`   ${step.name}: ${((Date.now() - stepStarted) / 1000).toFixed(1)} s\n`);
  }
}

async function runAndShow(step: Step): Promise<void> {
  const output: string[] = [];
  try {
    await run(step.program, step.args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] }, (text) => output.push(text));
  } finally {
    process.stdout.write(output.join(''));
  }
}

await prepareMachine({ need: ['browser', 'pages', 'keyring', 'display', 'speech', 'readers'] });
await buildIfStale();
const started = Date.now();
const queue = checks.values();
// Two at a time, because the smallest machine has two processors; both take from one queue.
await Promise.all([work(queue, runAndShow), work(queue, runAndShow)]);
const env = {
  ...process.env,
  OVOZ_COUNTS: join(root, 'test-results'),
  OVOZ_CLI: join(root, 'dist', 'cli', 'cli.js'),
};
await work(runs.values(), (step) => run(step.program, step.args, { cwd: root, env }));
const unit = readReport<UnitReport>('unit.json');
const flaky = readReport<readonly string[]>('unit-flaky.json');
const app = readReport<EndToEndReport>('e2e.json');
process.stdout.write(
  [
    '',
    `Unit, contract, integration: ${unit.numPassedTests - flaky.length} passed, ${unit.numFailedTests} failed, ${flaky.length} flaky, ${unit.numPendingTests} skipped`,
    `The real app and the host:   ${app.stats.expected} passed, ${app.stats.unexpected} failed, ${app.stats.flaky} flaky, ${app.stats.skipped} skipped`,
    `Total: ${unit.numTotalTests + app.stats.expected + app.stats.unexpected + app.stats.flaky + app.stats.skipped} tests in ${((Date.now() - started) / 1000).toFixed(0)} s`,
    '',
  ].join('\n'),
);
