import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from '../build.ts';
import { findShell } from '../find-shell.ts';
import { prepareMachine } from '../prepare-machine.ts';
import { seedLibrary } from './seed-library.ts';
import { startOnce, type App, type Measured } from './start-once.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const jobs = 1_000;
const pairs = 7;
/** Idle takes fifteen seconds, so only the last pairs are watched. */
const idlePairs = 3;

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
};

interface Row {
  readonly name: string;
  readonly unit: string;
  readonly of: (run: Measured) => number | null;
  /** The studio's figure may be this many times that of the empty window. */
  readonly goal: number | null;
}

const rows: readonly Row[] = [
  { name: 'until it can be used', unit: 'ms', of: ({ start }) => start.readyMs, goal: 1.6 },
  { name: '  runtime and main, until the page begins', unit: 'ms', of: ({ start }) => start.pageBeginsMs, goal: null },
  { name: '  the page', unit: 'ms', of: ({ start }) => start.readyMs - start.pageBeginsMs, goal: null },
  { name: '  processor time used by then', unit: 'ms', of: ({ start }) => start.cpuMs, goal: null },
  { name: 'memory at idle (PSS)', unit: 'MiB', of: ({ idle }) => idle?.pssMiB ?? null, goal: 1.2 },
  { name: 'processes', unit: '', of: ({ idle }) => idle?.processes ?? null, goal: null },
  {
    name: 'timers and frames of the page at idle',
    unit: '/s',
    of: ({ idle }) => idle?.pageTimersPerSecond ?? null,
    goal: null,
  },
  { name: 'wake-ups of main at idle', unit: '/s', of: ({ idle }) => idle?.mainWakeUpsPerSecond ?? null, goal: null },
  { name: 'processor time at idle', unit: 'ms/s', of: ({ idle }) => idle?.cpuMsPerSecond ?? null, goal: null },
];

function summarise(studio: readonly Measured[], empty: readonly Measured[]) {
  return rows.map(({ name, unit, of, goal }) => {
    const values = (runs: readonly Measured[]) => runs.map(of).filter((value) => value !== null);
    const [ours, theirs] = [median(values(studio)), median(values(empty))];
    // A to B of each pair, so that a slow minute of the machine touches both sides.
    const ratios = values(studio).map((value, index) => value / (values(empty)[index] ?? Number.NaN));
    const ratio = theirs === 0 ? null : median(ratios);
    return { name, unit, studio: ours, empty: theirs, ratio, goal };
  });
}

const figure = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(1));

function table(summary: ReturnType<typeof summarise>): string {
  const line = (cells: readonly string[]) =>
    `${(cells[0] ?? '').padEnd(44)}${cells
      .slice(1)
      .map((cell) => cell.padStart(14))
      .join('')}`;
  return [
    line(['median', 'studio', 'empty window', 'ratio', 'goal']),
    ...summary.map(({ name, unit, studio, empty, ratio, goal }) =>
      line([
        name,
        `${figure(studio)} ${unit}`.trim(),
        `${figure(empty)} ${unit}`.trim(),
        ratio === null ? '' : ratio.toFixed(2),
        goal === null ? '' : `<= ${goal.toFixed(1)} ${ratio !== null && ratio <= goal ? 'met' : 'missed'}`,
      ]),
    ),
  ].join('\n');
}

/** The studio with a library of 1,000 jobs against an empty window of the same runtime, one after the other in turns. */
export async function benchStart(): Promise<void> {
  if (process.platform !== 'linux') throw new Error('Memory is read from /proc, so this runs on Linux.');
  await prepareMachine({ need: ['browser'] });
  await buildIfStale();
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-bench-'));
  try {
    const app = (name: string, path: string, ready: string): App => {
      const dataDir = join(folder, name);
      mkdirSync(dataDir, { mode: 0o700 });
      return { folder: path, dataDir, ready };
    };
    const studio = app('studio', root, '[role="row"]');
    const empty = app('empty', join(root, 'scripts', 'bench', 'empty-app'), 'h1');
    seedLibrary(studio.dataDir, jobs);
    const runs: { studio: Measured[]; empty: Measured[] } = { studio: [], empty: [] };
    const loadBefore = loadavg()[0] ?? 0;
    // The first of each fills the caches of disk and browser and does not count.
    await startOnce(studio, false);
    await startOnce(empty, false);
    for (let pair = 0; pair < pairs; pair += 1) {
      const withIdle = pair >= pairs - idlePairs;
      runs.studio.push(await startOnce(studio, withIdle));
      runs.empty.push(await startOnce(empty, withIdle));
      process.stderr.write(`pair ${String(pair + 1)} of ${String(pairs)}\n`);
    }
    const summary = summarise(runs.studio, runs.empty);
    const { kind } = findShell();
    const machine = { cores: cpus().length, loadBefore, loadAfter: loadavg()[0] ?? 0 };
    process.stdout.write(
      `Start and idle, ${String(jobs)} jobs, ${kind === 'host' ? 'stand-in on Chromium' : 'Electron'}, ${String(pairs)} pairs, load ${machine.loadBefore.toFixed(1)} to ${machine.loadAfter.toFixed(1)} on ${String(machine.cores)} cores\n\n${table(summary)}\n`,
    );
    const out = join(root, 'test-results', 'bench');
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, 'start.json'), JSON.stringify({ shell: kind, jobs, machine, summary, runs }, null, 2));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
