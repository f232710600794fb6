import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { toneWav } from '../../tests/support/wav-files.ts';
import { quietNode, scriptPath, startSink } from './sink-process.ts';

const run = promisify(execFile);
const fileCount = 1_000;
const atOnce = 8;
const rounds = 3;

const measured = z.object({
  tookMs: z.number(),
  addedMs: z.number(),
  count: z.number(),
  delayP99Ms: z.number(),
  rssMiB: z.number(),
});
type Measured = z.output<typeof measured>;

const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;

async function byApp(url: string, folder: string): Promise<Measured> {
  const { stdout } = await run(process.execPath, [quietNode, scriptPath('run-queue.ts'), url, folder, String(atOnce)]);
  const result = measured.parse(JSON.parse(stdout));
  if (result.count !== fileCount) throw new Error(`the queue took ${result.count} of ${fileCount} files`);
  return result;
}

/** A plain loop of curl, without a journal, recovery or a library. */
async function byCurls(url: string, folder: string): Promise<number> {
  const startedAtMs = performance.now();
  const curl = `curl -sS -o /dev/null --fail -H Expect: -H 'Idempotency-Key: 00000000-0000-4000-8000-000000000000' -F audio=@{} -F language=uz -F include_speakers=false '${url}/v1/stt'`;
  await run('sh', ['-c', `ls '${folder}'/* | xargs -P ${atOnce} -I{} ${curl}`]);
  return performance.now() - startedAtMs;
}

/**
 * Sends a thousand small recordings, from the drop to the stored transcript, against a loop of `curl` on the same
 * service.
 */
export async function benchQueue(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-bench-queue-'));
  const sink = await startSink('done');
  try {
    for (let at = 0; at < fileCount; at += 1) writeFileSync(join(folder, `${at}.wav`), toneWav(100 + at, 0.2));
    const ours: Measured[] = [];
    const curls: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await byApp(sink.url, folder));
      curls.push(await byCurls(sink.url, folder));
    }
    const took = median(ours.map(({ tookMs }) => tookMs));
    const lines = [
      ['app, seconds', (took / 1000).toFixed(1)],
      [`xargs -P ${atOnce} curl, seconds`, (median(curls) / 1000).toFixed(1)],
      ['app / curl', median(ours.map(({ tookMs }, at) => tookMs / (curls[at] ?? Number.NaN))).toFixed(2)],
      ['all rows in the list after, ms', median(ours.map(({ addedMs }) => addedMs)).toFixed(0)],
      ['delay of main, p99, ms', median(ours.map(({ delayP99Ms }) => delayP99Ms)).toFixed(1)],
      ['peak memory of the process, MiB', median(ours.map(({ rssMiB }) => rssMiB)).toFixed(0)],
    ];
    process.stdout.write(`${fileCount} small recordings, ${atOnce} at once, from the drop to the stored text\n`);
    for (const [name = '', value = ''] of lines) process.stdout.write(`  ${name.padEnd(34)}${value.padStart(10)}\n`);
    const load = loadavg()[0] ?? 0;
    process.stdout.write(`medians of ${rounds} rounds; ${cpus().length} processors, load ${load.toFixed(1)}\n`);
    mkdirSync('test-results/bench', { recursive: true });
    writeFileSync('test-results/bench/queue.json', JSON.stringify({ ours, curls, load }, null, 2));
  } finally {
    sink.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
