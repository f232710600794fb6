import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findShell } from '../find-shell.ts';
import { appIn, inBenchFolder } from './compare-starts.ts';
import { columns, figure, median } from './figures.ts';
import { allFailed, seedLibrary } from './seed-library.ts';
import { withApp, type App, type Running } from './start-once.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const probe = pathToFileURL(join(root, 'scripts', 'bench', 'loop-probe.ts')).href;
const rows = 1_000;
const rounds = 3;
const watchMs = 8_000;

interface Lateness {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

interface Seen {
  readonly page: Lateness;
  readonly frames: Lateness;
  readonly main: Lateness | null;
  readonly rowsPublished: number;
  readonly rowsDrawn: number;
}

/**
 * Runs in the page: optionally retries all rows, then measures for a while the delay of a timer (the delay of the main
 * thread) and the time between frames.
 */
const watchPage = (changes: boolean) => `(async () => {
  const listed = await window.studio.request('jobs.list', {});
  const jobIds = listed.value.jobs.map(({ id }) => id);
  let rowsPublished = 0;
  window.studio.on('jobs.changed', ({ jobs }) => { rowsPublished += jobs.length; });
  const end = performance.now() + ${String(watchMs)};
  const late = [], gaps = [];
  let lastFrame = performance.now();
  const eachFrame = (now) => { gaps.push(now - lastFrame); lastFrame = now; if (now < end) requestAnimationFrame(eachFrame); };
  requestAnimationFrame(eachFrame);
  const watched = new Promise((done) => {
    let last = performance.now();
    // The fifth timer inside another waits for at least 4 ms.
    const step = () => {
      const now = performance.now();
      late.push(Math.max(0, now - last - 4));
      last = now;
      if (now < end) setTimeout(step, 0); else done();
    };
    step();
  });
  if (${String(changes)}) await window.studio.request('jobs.act', { jobIds, action: 'retry' });
  await watched;
  const of = (all) => {
    const sorted = all.toSorted((a, b) => a - b);
    const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: sorted.at(-1) ?? 0 };
  };
  return { page: of(late), frames: of(gaps), rowsPublished, rowsDrawn: document.querySelectorAll('[role="row"]').length };
})()`;

async function watch({ devtools, sessionId, pid }: Running, changes: boolean, target: string): Promise<Seen> {
  // Work that the start defers is not part of the measurement.
  await wait(2_000);
  const isHost = findShell().kind === 'host';
  if (isHost) process.kill(pid, 'SIGUSR2');
  const { result } = await devtools.send<{ result: { value: Omit<Seen, 'main'> } }>(
    'Runtime.evaluate',
    { expression: watchPage(changes), awaitPromise: true, returnByValue: true },
    sessionId,
  );
  if (!isHost) return { ...result.value, main: null };
  process.kill(pid, 'SIGUSR2');
  await wait(500);
  return { ...result.value, main: JSON.parse(readFileSync(target, 'utf8')) as Lateness };
}

const cases = {
  'nothing changes': { changes: false, drawsAll: false },
  'all rows change': { changes: true, drawsAll: false },
  'all change, all drawn': { changes: true, drawsAll: true },
} as const;
type Case = keyof typeof cases;

async function measure(app: App, name: Case, target: string): Promise<Seen> {
  const { changes, drawsAll } = cases[name];
  const probing = { NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${probe}`, OVOZ_BENCH_LOOP: target };
  const env = findShell().kind === 'host' ? probing : {};
  return withApp(
    app,
    async (running) => {
      if (drawsAll) {
        // A window so tall that every row is visible stands for a list without virtualization.
        const size = { width: 1280, height: rows * 80, deviceScaleFactor: 1, mobile: false };
        await running.devtools.send('Emulation.setDeviceMetricsOverride', size, running.sessionId);
      }
      return watch(running, changes, target);
    },
    env,
  );
}

/**
 * Retries 1,000 failed rows at once in the real queue. Their files are missing, so each row changes at least twice. For
 * comparison it measures the same app at rest, and the same work with every row drawn, as without virtualization.
 */
export const benchList = (): Promise<void> =>
  inBenchFolder(async (folder, machine) => {
    const seeded = appIn(folder, 'seeded', root, '[role="row"]');
    seedLibrary(seeded.dataDir, rows, allFailed);
    const seen = new Map<Case, Seen[]>();
    for (let round = 0; round < rounds; round += 1) {
      for (const name of Object.keys(cases) as Case[]) {
        const dataDir = join(folder, `${name.replaceAll(/\W/g, '')}-${String(round)}`);
        mkdirSync(dataDir, { mode: 0o700 });
        cpSync(seeded.dataDir, dataDir, { recursive: true });
        const label = `round ${String(round + 1)} of ${String(rounds)}: ${name}`;
        try {
          const one = await measure({ ...seeded, dataDir }, name, join(folder, 'loop.json'));
          seen.set(name, [...(seen.get(name) ?? []), one]);
          process.stderr.write(`${label}\n`);
        } catch (error) {
          // If a browser crashes under load, only its round is missing from the table.
          process.stderr.write(`${label}: left out, ${error instanceof Error ? error.message : String(error)}\n`);
        }
      }
    }
    const line = (label: string, of: (one: Seen) => number | undefined) => [
      label,
      ...[...seen.values()].map((all) => figure(median(all.flatMap((one) => of(one) ?? [])))),
    ];
    const lines = [
      ['median', ...seen.keys()],
      line('page: main-thread delay p99, ms', ({ page }) => page.p99Ms),
      line('page: longest delay, ms', ({ page }) => page.maxMs),
      line('page: frames p99, ms', ({ frames }) => frames.p99Ms),
      line('page: longest frame, ms', ({ frames }) => frames.maxMs),
      line('main: event-loop delay p99, ms', ({ main }) => main?.p99Ms),
      line('main: longest delay, ms', ({ main }) => main?.maxMs),
      line('rows told', ({ rowsPublished }) => rowsPublished),
      line('rows in the page', ({ rowsDrawn }) => rowsDrawn),
    ];
    process.stdout.write(
      `${String(rows)} rows that change, ${machine()}, ${String(rounds)} rounds\n\n${columns(lines, 24)}\n`,
    );
  });
