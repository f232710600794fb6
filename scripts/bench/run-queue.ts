import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Secret } from '../../electron/secret/secret.ts';
import { openWorkspace } from '../../electron/workspace/open-workspace.ts';

// Takes every file of a folder through the app's own queue, from the drop to the stored transcript, and prints how long
// it took.
const [, , baseUrl = '', folder = '', atOnce = '8'] = process.argv;
const dataDir = mkdtempSync(join(tmpdir(), 'ovoz-bench-data-'));
const opened = await openWorkspace({
  mode: 'service',
  dataDir,
  source: () => ({ kind: 'service', baseUrl, key: new Secret('bench_0123456789') }),
  audioWorker: new URL('../../electron/entries/audio-worker.ts', import.meta.url),
  readingWorker: new URL('../../electron/entries/library-worker.ts', import.meta.url),
  log: { write: () => undefined },
  concurrency: Number(atOnce),
  allowsLoopbackHttp: true,
});
if (!opened.ok) throw new Error(opened.error.row);
const library = opened.value;
const { jobs } = library;
await jobs.start();
const delay = monitorEventLoopDelay({ resolution: 1 });
const paths = readdirSync(folder).map((name) => join(folder, name));
const left = new Set<string>();
const startedAtMs = performance.now();
const finished = new Promise<void>((resolve) => {
  jobs.onChanged(({ jobs: changed }) => {
    for (const { id, state } of changed) if (state.tag === 'done') left.delete(id);
    if (left.size === 0) resolve();
  });
});
delay.enable();
const { jobIds } = await jobs.add(
  paths.map((path) => ({ path, kind: 'transcribe', language: 'uz', includeSpeakers: false })),
);
const addedMs = performance.now() - startedAtMs;
const done = new Set(jobs.list().jobs.flatMap(({ id, state }) => (state.tag === 'done' ? [id] : [])));
for (const id of jobIds) if (!done.has(id)) left.add(id);
if (left.size > 0) await finished;
const tookMs = performance.now() - startedAtMs;
delay.disable();
await library.close();
rmSync(dataDir, { recursive: true, force: true });
process.stdout.write(
  JSON.stringify({
    tookMs,
    addedMs,
    count: jobIds.length,
    delayP99Ms: delay.percentile(99) / 1e6,
    rssMiB: process.resourceUsage().maxRSS / 1024,
  }),
);
