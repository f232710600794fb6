import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { PracticeMessage } from '../../electron/services/practice/practice-process.ts';
import type { ModeId } from '../../shared/domain/modes.ts';
import { UtilityProcess } from '../../tests/electron-host/src/api/utility-process.ts';
import { call, submit } from '../../tests/practice/practice-client.ts';
import { wavOf } from '../../tests/support/wav-files.ts';
import { appIn, compareStarts, startFigures } from './compare-starts.ts';
import { writeConformer } from './conformer-model.ts';
import { goalTable } from './figures.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const entry = join(root, 'electron', 'entries', 'practice.ts');
const usualMinutes = 5;
const warmMs = 4_000;

interface Service {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  readonly ended: Promise<unknown>;
  readonly kill: () => boolean;
}

/** The service as the app runs it. */
async function startService(stateDir: string, model: string): Promise<Service> {
  const child = new UtilityProcess(entry, ['--state-dir', stateDir, '--model', model], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const [message] = (await once(child, 'message')) as [PracticeMessage];
  if (message.type === 'failed') throw new Error(message.code);
  return { url: message.url, token: message.token, pid: child.pid ?? 0, ended, kill: () => child.kill() };
}

/** A field of /proc/PID/status, in MB. */
function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return (Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) * 1024) / 1e6;
}

const cpuTicksOf = (pid: number): number => {
  const fields =
    readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
      .split(') ')
      .at(-1)
      ?.split(' ') ?? [];
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
};

/** Twelve seconds that rise and fall like speech, and a pause, again and again. */
const someAudio = (seconds: number): Buffer => {
  const rate = 16_000;
  return wavOf({ rate, frames: seconds * rate }, (at) => {
    const second = at / rate;
    const syllable = second % 13 < 12 ? 0.5 - 0.5 * Math.cos(2 * Math.PI * 4 * second) : 0;
    return 0.3 * syllable * Math.sin(2 * Math.PI * (180 + 400 * ((second * 1.7) % 1)) * second);
  });
};

async function order(service: Service, seconds: number): Promise<string> {
  const { status, body } = await submit(service, '', {
    content: someAudio(seconds),
    fileName: 'bench.wav',
    fields: { language: 'en' },
  });
  if (status !== 202) throw new Error(`the recording was answered with ${String(status)}`);
  return String(body['id']);
}

const read = (service: Service, id: string) => call(service, 'GET', `/v1/stt/transcriptions/${id}`);

async function until(service: Service, id: string, isSo: (body: Record<string, unknown>) => boolean): Promise<void> {
  for (;;) {
    const { body } = await read(service, id);
    if (isSo(body)) return;
    if (body['status'] === 'failed') throw new Error(`the recording failed: ${JSON.stringify(body['error'])}`);
    await wait(100);
  }
}

/** How late timers of this process are, which stands for the window, for a while. */
async function lateness(ms: number) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await wait(ms);
  delay.disable();
  return { p99: delay.percentile(99) / 1e6 - 5, max: delay.max / 1e6 - 5 };
}

/** Milliseconds until a process takes no processor time any more. */
async function untilQuiet(pid: number): Promise<number> {
  const beganAt = performance.now();
  let [ticks, quietAt] = [cpuTicksOf(pid), beganAt];
  while (performance.now() - quietAt < 150) {
    await wait(5);
    const now = cpuTicksOf(pid);
    if (now !== ticks) [ticks, quietAt] = [now, performance.now()];
  }
  return quietAt - beganAt;
}

async function measure(folder: string, model: string, minutes: number): Promise<void> {
  const loadBefore = loadavg()[0] ?? 0;
  const stateDir = join(folder, 'state');
  const service = await startService(stateDir, model);
  const before = memoryOf(service.pid, 'VmRSS');
  const calm = await lateness(warmMs);

  const beganAt = performance.now();
  const id = await order(service, minutes * 60);
  await until(service, id, ({ progress }) => progress !== undefined);
  const busy = await lateness(warmMs);
  const askedAt = performance.now();
  await read(service, id);
  const answerMs = performance.now() - askedAt;
  await until(service, id, ({ status }) => status === 'completed');
  const workMs = performance.now() - beganAt;

  const canceled = await order(service, 120);
  await until(service, canceled, ({ progress }) => progress !== undefined);
  const quiet = untilQuiet(service.pid);
  await call(service, 'DELETE', `/v1/stt/transcriptions/${canceled}`);
  const cancelMs = await quiet;
  const peak = memoryOf(service.pid, 'VmHWM');
  process.stderr.write('five minutes without work begin\n');
  await service.ended;
  const next = await startService(stateDir, model);
  const after = memoryOf(next.pid, 'VmRSS');
  next.kill();
  await next.ended;

  const threads = `load ${loadBefore.toFixed(1)} to ${(loadavg()[0] ?? 0).toFixed(1)} on ${String(cpus().length)} cores`;
  const goals = goalTable([
    { name: 'work for a second of audio', is: workMs / 60_000 / minutes, limit: 0.25, unit: 's' },
    { name: 'memory of the service at most', is: peak, limit: 1300, unit: 'MB' },
    { name: 'when idle again, more than before', is: after - before, limit: 350, unit: 'MB' },
    { name: 'from cancel to a quiet processor', is: cancelMs, limit: 300, unit: 'ms' },
    { name: 'timers of another process late (p99)', is: busy.p99, limit: Math.max(20, 2 * calm.p99), unit: 'ms' },
    { name: 'an answer of the service meanwhile', is: answerMs, limit: 100, unit: 'ms' },
  ]);
  process.stdout.write(
    `Recognition of ${String(minutes)} minutes by a model of 217 M weights that mean nothing, ${threads}\n\n${goals}\n`,
  );
}

/** `npm run bench -- local [MINUTES]`: recognition on this computer, beside the goals, and what it costs at the start. */
export async function benchLocal(): Promise<void> {
  const minutes = Number(process.argv[3] ?? usualMinutes);
  if (!(minutes >= 1 && minutes <= 60)) throw new Error('a number of minutes from 1 to 60');
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-bench-local-'));
  try {
    writeConformer(folder);
    await measure(folder, folder, minutes);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  await compareStarts({
    title: 'Start in the modes of this computer',
    names: ['local', 'practice'],
    figures: startFigures.slice(0, 5),
    pairs: 3,
    idlePairs: 1,
    prepare: (into) => {
      const inMode = (mode: ModeId) => {
        const app = appIn(into, mode, root, 'main section > h2');
        writeFileSync(join(app.dataDir, 'settings.json'), JSON.stringify({ mode, interfaceLanguage: 'en' }), {
          mode: 0o600,
        });
        return app;
      };
      return [inMode('local'), inMode('practice')];
    },
  });
}
