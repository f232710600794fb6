import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { quietNode, scriptPath, startSink } from './sink-process.ts';

const run = promisify(execFile);
const megabyte = 1024 * 1024;
const bigBytes = 500 * megabyte;
const smallFiles = 200;
const smallBytes = 64 * 1024;
const atOnce = 8;
const pairs = 5;

interface Measured {
  readonly tookMs: number;
  readonly rssMiB: number;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function byApp(url: string, folder: string, count: number): Promise<Measured> {
  const { stdout } = await run(process.execPath, [quietNode, scriptPath('send-files.ts'), url, folder, String(count)]);
  const result = JSON.parse(stdout) as Measured & { readonly failed: number };
  if (result.failed > 0) throw new Error(`${result.failed} uploads of the app failed`);
  return result;
}

/** The highest resident memory of a running process in MiB; available on Linux only. */
function watchMemory(pid: number | undefined): () => number {
  let peak = 0;
  const look = (): void => {
    try {
      const [, kib] = /VmHWM:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      peak = Math.max(peak, Number(kib ?? 0) / 1024);
    } catch {
      // The process has exited.
    }
  };
  const timer = setInterval(look, 20);
  look();
  return () => {
    clearInterval(timer);
    return peak;
  };
}

const curlArgs = (url: string): readonly string[] => [
  '-sS',
  '-o',
  '/dev/null',
  '--fail',
  '-H',
  'Expect:',
  '-H',
  'Idempotency-Key: 00000000-0000-4000-8000-000000000000',
  '-F',
  'language=uz',
  '-F',
  'include_speakers=false',
  `${url}/v1/stt`,
];

async function byCurl(url: string, path: string): Promise<Measured> {
  const startedAtMs = performance.now();
  const child = spawn('curl', ['-F', `audio=@${path}`, ...curlArgs(url)], { stdio: ['ignore', 'inherit', 'inherit'] });
  const peak = watchMemory(child.pid);
  const code = await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
  const rssMiB = peak();
  if (code !== 0) throw new Error(`curl ended with ${String(code)}`);
  return { tookMs: performance.now() - startedAtMs, rssMiB };
}

async function byCurls(url: string, folder: string): Promise<Measured> {
  const startedAtMs = performance.now();
  const command = `ls ${folder}/* | xargs -P ${atOnce} -I{} curl -F audio=@{} ${curlArgs(url)
    .map((arg) => `'${arg}'`)
    .join(' ')}`;
  await run('sh', ['-c', command]);
  return { tookMs: performance.now() - startedAtMs, rssMiB: 0 };
}

/** Compares uploads with `curl` on the same sink, alternately: one of 500 MB, and 200 small ones, eight at a time. */
export async function benchUpload(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'ovoz-bench-'));
  const [big, small, tiny] = [join(root, 'big'), join(root, 'small'), join(root, 'tiny')];
  mkdirSync(big);
  mkdirSync(tiny);
  mkdirSync(small);
  const sink = await startSink('queued');
  try {
    const path = join(big, 'big.wav');
    const file = await open(path, 'w');
    await file.truncate(bigBytes);
    await file.close();
    for (let number = 0; number < smallFiles; number += 1) {
      writeFileSync(join(small, `${number}.wav`), Buffer.alloc(smallBytes, number));
    }
    writeFileSync(join(tiny, 'tiny.wav'), Buffer.alloc(1000));
    const atRest: Measured[] = [];
    const ours: Measured[] = [];
    const curls: Measured[] = [];
    const manyOurs: Measured[] = [];
    const manyCurls: Measured[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      atRest.push(await byApp(sink.url, tiny, 1));
      ours.push(await byApp(sink.url, big, 1));
      curls.push(await byCurl(sink.url, path));
      manyOurs.push(await byApp(sink.url, small, atOnce));
      manyCurls.push(await byCurls(sink.url, small));
    }
    print(atRest, ours, curls, manyOurs, manyCurls);
  } finally {
    sink.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

function print(...[atRest, ours, curls, manyOurs, manyCurls]: readonly (readonly Measured[])[]): void {
  const ms = (runs: readonly Measured[] = []): number => median(runs.map(({ tookMs }) => tookMs));
  const rss = (runs: readonly Measured[] = []): number => median(runs.map(({ rssMiB }) => rssMiB));
  const rate = (runs: readonly Measured[] | undefined): number => bigBytes / megabyte / (ms(runs) / 1000);
  const ratios = (ours ?? []).map(({ tookMs }, at) => (curls?.[at]?.tookMs ?? 0) / tookMs);
  const lines = [
    ['500 MB in one upload', 'app', 'curl', 'app / curl'],
    ['  throughput, MiB/s', rate(ours).toFixed(0), rate(curls).toFixed(0), median(ratios).toFixed(2)],
    ['  peak memory, MiB', rss(ours).toFixed(0), rss(curls).toFixed(0), (rss(ours) / rss(curls)).toFixed(1)],
    ['  more than for 1 kB, MiB', (rss(ours) - rss(atRest)).toFixed(0), '', ''],
    [`${smallFiles} files of 64 KiB, ${atOnce} at once`, '', '', ''],
    ['  time, ms', ms(manyOurs).toFixed(0), ms(manyCurls).toFixed(0), (ms(manyOurs) / ms(manyCurls)).toFixed(2)],
    ['  files a second', ...[manyOurs, manyCurls].map((runs) => ((smallFiles / ms(runs)) * 1000).toFixed(0)), ''],
  ];
  for (const [name = '', ...cells] of lines) {
    process.stdout.write(`${name.padEnd(36)}${cells.map((cell) => cell.padStart(12)).join('')}\n`);
  }
  const load = loadavg()[0] ?? 0;
  process.stdout.write(
    `medians of ${pairs} runs in turns; ${cpus().length} processors, load ${load.toFixed(1)}; the app's rule is 60 requests a second\n`,
  );
  mkdirSync('test-results/bench', { recursive: true });
  writeFileSync('test-results/bench/upload.json', JSON.stringify({ ours, curls, manyOurs, manyCurls, load }, null, 2));
}
