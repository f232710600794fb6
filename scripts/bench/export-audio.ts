import { spawnSync } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { createAudioCutter } from '../../electron/platform/node/audio/audio-cutter.ts';
import { keptSpans } from '../../shared/domain/exports/prepare.ts';
import { wavHeaderBytes } from '../../shared/domain/media/wav-header.ts';
import { columns, figure, median, type Goal } from './figures.ts';

const [longMinutes, middleMinutes, shortMinutes] = [60, 20, 3];
const [sampleRate, frameBytes] = [44_100, 4];
const audioWorker = new URL('../../electron/entries/audio-worker.ts', import.meta.url);

export const hasProgram = (program: string): boolean => spawnSync(program, ['-version']).error === undefined;

/** Pink noise in stereo at 44.1 kHz; the shortest file is repeated to make the longer ones. */
function makeNoise(folder: string, minutes: number): string {
  const [name, short] = [`in-${String(minutes)}.wav`, `in-${String(shortMinutes)}.wav`];
  const noise = `anoisesrc=d=${String(shortMinutes * 60)}:c=pink:r=${String(sampleRate)}:a=0.3`;
  const from =
    minutes === shortMinutes
      ? ['-f', 'lavfi', '-i', noise, '-ac', '2']
      : ['-stream_loop', '-1', '-i', short, '-t', String(minutes * 60), '-c', 'copy'];
  spawnSync('ffmpeg', ['-v', 'error', '-y', ...from, name], { cwd: folder });
  return name;
}

/** What remains when three seconds out of every eighteen are cut. */
function keptOf(minutes: number): ReturnType<typeof keptSpans> {
  const cuts = Array.from({ length: Math.floor((minutes * 60) / 18) }, (_, at) => ({
    startMs: 9000 + at * 18_000,
    endMs: 12_000 + at * 18_000,
  }));
  return keptSpans(minutes * 60_000, cuts);
}

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly grownMb: number;
}

/** The processor time of another program, as the shell reports it. */
function costOf(program: string, args: readonly string[], cwd: string): Cost {
  const startedMs = performance.now();
  const ran = spawnSync('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1', 'x', program, ...args], {
    cwd,
    encoding: 'utf8',
  });
  const [user = 0, system = 0] = ran.stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? [];
  return { wallMs: performance.now() - startedMs, cpuMs: (user + system) * 1000, grownMb: 0 };
}

async function costOfOurs(work: () => Promise<void>): Promise<Cost> {
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  clearInterval(watch);
  return {
    wallMs: performance.now() - startedMs,
    cpuMs: (user + system) / 1000,
    grownMb: (most - before) / 1_000_000,
  };
}

/** The way ffmpeg has for the same cuts: each part by itself, then joined. */
function joinedBy(minutes: number): string {
  const parts = keptOf(minutes).map(
    ({ startMs, endMs }, at) => `[0]atrim=${String(startMs / 1000)}:${String(endMs / 1000)}[p${String(at)}]`,
  );
  return `${parts.join(';')};${parts.map((_, at) => `[p${String(at)}]`).join('')}concat=n=${String(parts.length)}:v=0:a=1`;
}

/** How many samples of each channel a file has more or less than what was kept. */
function wrongSamples(path: string, minutes: number): number {
  const place = (ms: number) => Math.round((ms * sampleRate) / 1000);
  const kept = keptOf(minutes).reduce((sum, { startMs, endMs }) => sum + place(endMs) - place(startMs), 0);
  return Math.abs((statSync(path).size - wavHeaderBytes) / frameBytes - kept);
}

/**
 * Cuts in turns with another program, so that both have the same computer; processor time stays true on a busy one. An
 * hour as WAV against copying it; other formats against ffmpeg, which encodes them uncut, long enough for the start of a
 * thread to matter little; and the cuts of an hour against the way ffmpeg has for them, once, because that takes minutes.
 */
export async function benchAudio(folder: string): Promise<readonly Goal[]> {
  const cut = createAudioCutter(audioWorker);
  const watch = { signal: new AbortController().signal, onShare: () => undefined };
  const short = makeNoise(folder, shortMinutes);
  const [hour, middle] = [makeNoise(folder, longMinutes), makeNoise(folder, middleMinutes)];
  const uncut = (from: string, ...to: string[]) => ['ffmpeg', ['-v', 'error', '-y', '-i', from, ...to]] as const;
  const rows = [
    { format: 'wav', minutes: longMinutes, turns: 5, from: hour, limit: 1.15, other: ['cp', [hour, 'copy.wav']] },
    { format: 'flac', minutes: longMinutes, turns: 2, from: hour, limit: 4, other: uncut(hour, 'o.flac') },
    {
      format: 'mp3',
      minutes: middleMinutes,
      turns: 2,
      from: middle,
      limit: 1.6,
      other: uncut(middle, '-c:a', 'libmp3lame', '-b:a', '160k', 'o.mp3'),
    },
    {
      format: 'ogg',
      minutes: middleMinutes,
      turns: 2,
      from: middle,
      limit: 1.5,
      other: uncut(middle, '-c:a', 'libvorbis', 'o.ogg'),
    },
    {
      format: 'm4a',
      minutes: shortMinutes,
      turns: 2,
      from: short,
      limit: null,
      other: uncut(short, '-c:a', 'aac', '-b:a', '192k', 'o.m4a'),
    },
  ] as const;
  const goals: Goal[] = [];
  const head = ['minutes', 'ours CPU ms', 'wall ms', 'grown MB', 'other CPU ms', 'wall ms', 'CPU ratio', 'wall ratio'];
  const lines = [['', ...head, 'other']];
  for (const { format, minutes, turns, from, limit, other } of rows) {
    const [program, args] = other;
    const path = join(folder, `ours.${format}`);
    const ours: Cost[] = [];
    const others: Cost[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      // Both begin with an empty file: space that is already taken is freed first, which takes time.
      rmSync(path, { force: true });
      ours.push(
        await costOfOurs(async () => {
          const spans = keptOf(minutes);
          const durationMs = minutes * 60_000;
          const made = await cut({ from: join(folder, from), to: path, format, spans, durationMs }, watch);
          if (!made.ok) throw new Error(made.error.code);
        }),
      );
      others.push(costOf(program, args, folder));
    }
    const of = (costs: readonly Cost[], name: keyof Cost) => median(costs.map((cost) => cost[name]));
    const ratio = (name: keyof Cost) => of(ours, name) / of(others, name);
    const figures = [of(ours, 'cpuMs'), of(ours, 'wallMs'), of(ours, 'grownMb'), of(others, 'cpuMs')].map(figure);
    const ratios = [ratio('cpuMs'), ratio('wallMs')].map((value) => `${value.toFixed(2)}x`);
    lines.push([format, String(minutes), ...figures, figure(of(others, 'wallMs')), ...ratios, program]);
    const aim = format === 'wav' ? 16 : 17;
    const name = `${String(aim)} ${format} of ${String(minutes)} minutes`;
    if (limit !== null) goals.push({ name: `${name} beside ${program}`, is: ratio('cpuMs'), limit, unit: 'x' });
    const mostMb = Math.max(...ours.map(({ grownMb }) => grownMb));
    goals.push({ name: `${name}, memory`, is: mostMb, limit: format === 'wav' ? 60 : 150, unit: 'MB' });
    if (format !== 'wav') continue;
    goals.push({ name: `${name}, wrong length`, is: wrongSamples(path, minutes), limit: 0, unit: 'samples' });
    const joined = costOf(...uncut(from, '-filter_complex', joinedBy(minutes), 'o.wav'), folder);
    const times = joined.cpuMs / of(ours, 'cpuMs');
    goals.push({ name: `${name} beside ffmpeg's cuts`, is: times, limit: 50, unit: 'x', isLeast: true });
  }
  process.stdout.write(
    `\nparts of three seconds cut out of stereo, load ${loadavg()[0]?.toFixed(1) ?? ''}\n${columns(lines, 14)}\n`,
  );
  return goals;
}
