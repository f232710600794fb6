import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FaultPlan, parseFaultPlan } from '../../electron/practice/faults.ts';
import { startPracticeServer, type PracticeServer } from '../../electron/practice/server.ts';
import { startCli, type CliEnvironment, type CliResult } from './cli-run.ts';
import { toneWav } from './wav-files.ts';

const speech = readFileSync(new URL('../../assets/samples/interview-uz.mp3', import.meta.url));
const checker = fileURLToPath(new URL('../../scripts/check-run.ts', import.meta.url));

interface Checked {
  readonly code: number;
  /** The violations, a line each, and a last line with their number. */
  readonly lines: readonly string[];
}

/** The checker in a process of its own. */
function checkRun(libraryPath: string, serviceDir: string, ...more: readonly string[]): Promise<Checked> {
  const args = ['--disable-warning=ExperimentalWarning', checker, '--library', libraryPath, '--service', serviceDir];
  return new Promise((resolve) => {
    execFile(process.execPath, [...args, ...more], (error, out, err) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, lines: `${out}${err}`.trim().split('\n') });
    });
  });
}

/** Recordings, the real command and the practice service with planned faults, in a folder of their own. */
export interface RunRig {
  readonly root: string;
  readonly service: PracticeServer;
  readonly libraryPath: string;
  readonly serviceDir: string;
  /** `url`: another address for the service, for example that of the fault proxy. */
  start(more?: Partial<CliEnvironment>): { readonly ended: Promise<CliResult>; kill(signal?: NodeJS.Signals): void };
  check(...more: readonly string[]): Promise<Checked>;
  /** Call once: its records are complete then. */
  stopService(): Promise<void>;
  dispose(): Promise<void>;
}

export async function openRunRig(
  files: number,
  rules: readonly Readonly<Record<string, unknown>>[] = [],
  options: { readonly concurrency?: number } = {},
): Promise<RunRig> {
  const root = mkdtempSync(join(tmpdir(), 'ovoz-run-'));
  const recordings = join(root, 'recordings');
  const serviceDir = join(root, 'service');
  const dataDir = join(root, 'data');
  for (const folder of [recordings, serviceDir, dataDir]) mkdirSync(folder);
  for (let number = 0; number < files; number += 1) {
    // Each with its own content; most are answered at once, some are accepted with 202 and polled, and some contain
    // speech.
    if (number % 20 === 0) {
      writeFileSync(join(recordings, `speech-${number}.mp3`), Buffer.concat([speech, Buffer.alloc(number)]));
    } else writeFileSync(join(recordings, `tone-${number}.wav`), toneWav(200 + number, number % 10 === 3 ? 1.2 : 0.2));
  }
  const plan = parseFaultPlan({ rules });
  if (!plan.ok) throw new Error(plan.error);
  const service = await startPracticeServer({
    stateDir: serviceDir,
    faultPlan: rules.length === 0 ? new FaultPlan([]) : plan.value,
    limits: { shortAudioMs: 1000, requestsPerSecond: 1_000_000 },
    pace: { queuedMs: 0, processingMs: 0 },
  });
  const args = ['transcribe', recordings, '--language', 'uz', '--json', '--out', join(root, 'out')];
  const more = options.concurrency === undefined ? [] : ['--concurrency', String(options.concurrency)];
  let stopped: Promise<void> | null = null;
  const stopService = (): Promise<void> => (stopped ??= service.close());
  return {
    root,
    service,
    serviceDir,
    libraryPath: join(dataDir, 'library.db'),
    start(environment = {}) {
      const { child, ended } = startCli([...args, ...more], {
        url: service.url,
        key: service.token,
        dataDir,
        ...environment,
      });
      return { ended, kill: (signal = 'SIGKILL') => void child.kill(signal) };
    },
    check: (...expected) => checkRun(join(dataDir, 'library.db'), serviceDir, ...expected),
    stopService,
    async dispose() {
      await stopService();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
