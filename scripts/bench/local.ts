import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { PracticeMessage } from '../../electron/services/practice/practice-supervisor.ts';
import type { ModeId } from '../../shared/domain/modes.ts';
import { UtilityProcess } from '../../tests/electron-host/src/api/utility-process.ts';
import { call, submit } from '../../tests/practice/practice-client.ts';
import { wavOf } from '../../tests/support/wav-files.ts';
import { appIn, compareStarts, startFigures } from './compare-starts.ts';
import { goalTable } from './figures.ts';
import { model, node, types, value, weight } from '../../tests/support/onnx-model.ts';

const [layers, width, heads, classes] = [16, 768, 16, 71];
const floats = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);
const longs = (...values: number[]): Uint8Array => new Uint8Array(BigInt64Array.from(values, BigInt).buffer);

/** Writes a Conformer CTC model of 217 M weights that mean nothing, which works as much as the real one. */
function writeConformer(folder: string): void {
  let seed = 1;
  const noise = (count: number): Uint8Array => {
    const bytes = new Uint8Array(count);
    for (let at = 0; at < count; at += 1) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      bytes[at] = seed >>> 24;
    }
    return bytes;
  };
  const nodes: ReturnType<typeof node>[] = [];
  const weights = [
    weight('split', types.int64, [4], longs(1, -1, heads, width / heads)),
    weight('whole', types.int64, [3], longs(1, -1, width)),
    weight('zero', types.uint8, [1], Uint8Array.of(128)),
    weight('scale', types.float, [1], floats(0.0004)),
    weight('ln1', types.float, [width], floats(...Array.from({ length: width }, () => 1))),
    weight('ln0', types.float, [width], new Uint8Array(4 * width)),
    weight('conv', types.float, [256, 64, 4], floats(...Array.from(noise(256 * 64 * 4), (byte) => byte / 51_200))),
  ];
  let last = 0;
  const add = (op: string, inputs: readonly string[], attributes = {}): string => {
    last += 1;
    nodes.push(node(op, inputs, [`v${last}`], attributes));
    return `v${last}`;
  };
  const matmul = (x: string, from: number, to: number): string => {
    last += 1;
    const id = `m${last}`;
    weights.push(weight(`${id}w`, types.uint8, [from, to], noise(from * to)));
    nodes.push(node('DynamicQuantizeLinear', [x], [`${id}q`, `${id}s`, `${id}z`]));
    const whole = add('MatMulInteger', [`${id}q`, `${id}w`, `${id}z`, 'zero']);
    return add('Mul', [add('Cast', [whole], { to: types.float }), add('Mul', [`${id}s`, 'scale'])]);
  };
  const swish = (x: string): string => add('Mul', [x, add('Sigmoid', [x])]);
  const norm = (x: string): string => add('LayerNormalization', [x, 'ln1', 'ln0'], { axis: -1 });

  const steps = add('Conv', ['features', 'conv'], { kernel_shape: [4], strides: [4], pads: [0, 3] });
  let x = matmul(add('Transpose', [steps], { perm: [0, 2, 1] }), 256, width);
  for (let layer = 0; layer < layers; layer += 1) {
    const half = (h: string): string =>
      add('Add', [h, matmul(swish(matmul(norm(h), width, width * 4)), width * 4, width)]);
    x = half(x);
    const h = norm(x);
    const part = (): string =>
      add('Transpose', [add('Reshape', [matmul(h, width, width), 'split'])], { perm: [0, 2, 1, 3] });
    const q = part();
    const k = add('Transpose', [part()], { perm: [0, 1, 3, 2] });
    const seen = add('MatMul', [add('Softmax', [add('MatMul', [q, k])], { axis: -1 }), part()]);
    const joined = add('Reshape', [add('Transpose', [seen], { perm: [0, 2, 1, 3] }), 'whole']);
    x = add('Add', [x, matmul(joined, width, width)]);
    x = add('Add', [x, matmul(swish(matmul(norm(x), width, width * 2)), width * 2, width)]);
    x = half(x);
  }
  nodes.push(node('LogSoftmax', [matmul(norm(x), width, classes)], ['log_probs'], { axis: -1 }));
  writeFileSync(
    join(folder, 'conformer.onnx'),
    model({
      nodes,
      weights,
      inputs: [value('features', types.float, ['b', 64, 't']), value('feature_lengths', types.int64, ['b'])],
      outputs: [value('log_probs', types.float, ['b', 't4', classes])],
    }),
  );
  const letters = Array.from({ length: classes - 1 }, (_, at) => String.fromCodePoint((at < 26 ? 97 : 1046) + at));
  const lines = [...letters, '<blk>'].map((token, at) => `${token} ${at}\n`);
  writeFileSync(join(folder, 'vocabulary.txt'), lines.join(''));
}

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

async function startService(stateDir: string, model: string): Promise<Service> {
  const child = new UtilityProcess(entry, ['--state-dir', stateDir, '--model', model], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const [message] = (await once(child, 'message')) as [PracticeMessage];
  if (message.type === 'failed') throw new Error(message.code);
  return { url: message.url, token: message.token, pid: child.pid ?? 0, ended, kill: () => child.kill() };
}

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
