import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfStale } from '../build.ts';
import { findShell } from '../find-shell.ts';
import { prepareMachine } from '../prepare-machine.ts';
import { columns, figure, median, spread } from './figures.ts';
import { startOnce, warmUp, type App, type Measured } from './start-once.ts';

export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly of: (run: Measured) => number | null;
  /** The limit of the ratio between the first app's figure and the second's. */
  readonly goal?: number;
}

export const startFigures: readonly Figure[] = [
  { name: 'until it can be used', unit: 'ms', of: ({ start }) => start.readyMs },
  { name: '  runtime and main, until the page begins', unit: 'ms', of: ({ start }) => start.pageBeginsMs },
  { name: '  the page', unit: 'ms', of: ({ start }) => start.readyMs - start.pageBeginsMs },
  { name: '  processor time used by then', unit: 'ms', of: ({ start }) => start.cpuMs },
  { name: 'memory at idle (PSS)', unit: 'MiB', of: ({ idle }) => idle?.pssMiB ?? null },
  { name: 'processes', unit: '', of: ({ idle }) => idle?.processes ?? null },
  { name: 'timers and frames of the page at idle', unit: '/s', of: ({ idle }) => idle?.pageTimersPerSecond ?? null },
  { name: 'wake-ups of main at idle', unit: '/s', of: ({ idle }) => idle?.mainWakeUpsPerSecond ?? null },
  { name: 'processor time at idle', unit: 'ms/s', of: ({ idle }) => idle?.cpuMsPerSecond ?? null },
];

export interface Comparison {
  readonly title: string;
  readonly names: readonly [string, string];
  readonly figures: readonly Figure[];
  readonly pairs: number;
  /** Watching an idle app takes fifteen seconds, so only the last pairs do it. */
  readonly idlePairs: number;
  readonly prepare: (folder: string) => readonly [App, App];
}

export function appIn(folder: string, name: string, path: string, ready: string): App {
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { mode: 0o700 });
  return { folder: path, dataDir, ready };
}

export async function inBenchFolder(measure: (folder: string, machine: () => string) => Promise<void>): Promise<void> {
  if (process.platform !== 'linux') throw new Error('Memory is read from /proc, so this runs on Linux.');
  await prepareMachine({ need: ['browser'] });
  await buildIfStale();
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-bench-'));
  const loadBefore = loadavg()[0] ?? 0;
  const shell = findShell().kind === 'host' ? 'stand-in on Chromium' : 'Electron';
  const load = () =>
    `load ${loadBefore.toFixed(1)} to ${(loadavg()[0] ?? 0).toFixed(1)} on ${String(cpus().length)} cores`;
  try {
    await measure(folder, () => `${shell}, ${load()}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function table({ names, figures }: Comparison, first: readonly Measured[], second: readonly Measured[]): string {
  const lines = figures.map(({ name, unit, of, goal }) => {
    const values = (runs: readonly Measured[]) => runs.map(of).filter((value) => value !== null);
    const [ours, theirs] = [values(first), values(second)];
    const cell = (runs: readonly number[]) => `${figure(median(runs))} ${unit}`.trim();
    // The ratio within each pair, because a slow minute of the machine affects both sides.
    const ratios = ours.map((value, index) => value / (theirs[index] ?? Number.NaN)).filter(Number.isFinite);
    const ratio = median(ratios);
    const verdict = goal === undefined ? '' : `<= ${goal.toFixed(1)} ${ratio <= goal ? 'met' : 'missed'}`;
    return [name, cell(ours), cell(theirs), ratios.length === 0 ? '' : ratio.toFixed(2), spread(ratios), verdict];
  });
  return columns([['median', ...names, 'ratio', 'spread', 'goal'], ...lines]);
}

export const compareStarts = (comparison: Comparison): Promise<void> =>
  inBenchFolder(async (folder, machine) => {
    const { title, pairs, idlePairs } = comparison;
    const [first, second] = comparison.prepare(folder);
    const runs: { first: Measured[]; second: Measured[] } = { first: [], second: [] };
    await warmUp(first);
    await warmUp(second);
    for (let pair = 0; pair < pairs; pair += 1) {
      const withIdle = pair >= pairs - idlePairs;
      runs.first.push(await startOnce(first, withIdle));
      runs.second.push(await startOnce(second, withIdle));
      process.stderr.write(`pair ${String(pair + 1)} of ${String(pairs)}\n`);
    }
    const rows = table(comparison, runs.first, runs.second);
    process.stdout.write(`${title}, ${machine()}, ${String(pairs)} pairs\n\n${rows}\n`);
  });
