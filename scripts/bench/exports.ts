import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSystemBrowser, printByBrowser } from '../../electron/platform/node/print-by-browser.ts';
import { createAudioCutter } from '../../electron/platform/node/audio/audio-cutter.ts';
import { writeDocx } from '../../electron/services/exports/write-docx.ts';
import { exporters } from '../../shared/domain/exports/exporters.ts';
import { textFormats, type ExportFormat } from '../../shared/domain/exports/formats.ts';
import { keptSpans } from '../../shared/domain/exports/prepare.ts';
import { writeBeginning, writeDocument } from '../../shared/domain/exports/write-export.ts';
import type { Segment, Transcript } from '../../shared/domain/transcript/transcript.ts';
import { columns, figure, median, spread } from './figures.ts';

/** The app is measured with warm code; another program starts anew each time. */
const [rounds, warmingRounds, programRounds] = [15, 5, 5];
const audioRounds = 3;
const [longMinutes, middleMinutes, shortMinutes] = [60, 20, 3];
const sentences = [
  'Avval pilladan ip tortiladi, keyin naqsh chiziladi, bogʻlanadi va boʻyaladi.',
  'Сегодня мы поговорим о том, как в старой мастерской на окраине города красили шёлк.',
  'We came here in 1995, and about 20 people worked from morning until late at night.',
  'Boʻyoqni biz hali ham anor poʻstidan, roʻyandan va isparakdan olamiz, chunki u oʻngimaydi.',
];

/** A three-hour interview in three languages, with a time for each word. */
function interview(wordCount: number): Transcript {
  const segments: Segment[] = [];
  let atMs = 0;
  for (let words = 0; words < wordCount;) {
    const text = `${sentences[segments.length % 4] ?? ''} ${sentences[(segments.length + 1) % 4] ?? ''}`;
    const startMs = atMs;
    const made = text.split(' ').map((word) => {
      const begin = atMs;
      atMs += 80 + word.length * 45;
      return { text: word, startMs: begin, endMs: atMs };
    });
    words += made.length;
    segments.push({
      id: `s${String(segments.length + 1)}`,
      speakerId: `p${String((segments.length % 3) + 1)}`,
      startMs,
      endMs: atMs,
      text,
      words: made,
    });
    atMs += 350;
  }
  return {
    language: 'uz',
    durationMs: atMs,
    speakers: [1, 2, 3].map((id) => ({ id: `p${String(id)}`, name: null })),
    segments,
  };
}

const facts = {
  title: 'Suhbat',
  date: '2026-11-22',
  media: { name: 'suhbat.mp3', url: 'file:///suhbat.mp3' },
  nameSpeaker: (_: string, at: number) => `Soʻzlovchi ${String(at)}`,
};

async function timed(work: () => unknown, count = rounds, warming = warmingRounds): Promise<number[]> {
  const took: number[] = [];
  for (let round = 0; round < warming; round += 1) await work();
  for (let round = 0; round < count; round += 1) {
    const startedMs = performance.now();
    await work();
    took.push(performance.now() - startedMs);
  }
  return took;
}

const hasProgram = (program: string): boolean => spawnSync(program, ['-version']).error === undefined;

const audioWorker = new URL('../../electron/entries/audio-worker.ts', import.meta.url);

/** Pink noise in stereo at 44.1 kHz; the shortest file is repeated to make the longer ones. */
function makeNoise(folder: string, minutes: number): string {
  const [name, short] = [`in-${String(minutes)}.wav`, `in-${String(shortMinutes)}.wav`];
  const noise = `anoisesrc=d=${String(shortMinutes * 60)}:c=pink:r=44100:a=0.3`;
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

/**
 * Cuts alternately with another program, so that both run under the same load; processor time is comparable even on a
 * busy machine. An hour as WAV is compared with copying the file, other formats with ffmpeg encoding the whole file,
 * long enough to make the start of a thread negligible, and the cuts themselves with ffmpeg's own way to cut.
 */
async function benchAudio(folder: string): Promise<void> {
  const cut = createAudioCutter(audioWorker);
  const watch = { signal: new AbortController().signal, onShare: () => undefined };
  const short = makeNoise(folder, shortMinutes);
  const [hour, middle] = [makeNoise(folder, longMinutes), makeNoise(folder, middleMinutes)];
  const parts = keptOf(shortMinutes).map(
    ({ startMs, endMs }, at) => `[0]atrim=${String(startMs / 1000)}:${String(endMs / 1000)}[p${String(at)}]`,
  );
  const joined = `${parts.join(';')};${parts.map((_, at) => `[p${String(at)}]`).join('')}concat=n=${String(parts.length)}:v=0:a=1`;
  const uncut = (from: string, ...to: string[]) => ['ffmpeg', ['-v', 'error', '-y', '-i', from, ...to]] as const;
  const rows = [
    { format: 'wav', minutes: longMinutes, from: hour, other: ['cp', [hour, 'copy.wav']] },
    {
      format: 'wav',
      minutes: shortMinutes,
      from: short,
      other: uncut(short, '-filter_complex', joined, 'o.wav'),
    },
    { format: 'flac', minutes: longMinutes, from: hour, other: uncut(hour, 'o.flac') },
    {
      format: 'mp3',
      minutes: middleMinutes,
      from: middle,
      other: uncut(middle, '-c:a', 'libmp3lame', '-b:a', '160k', 'o.mp3'),
    },
    { format: 'ogg', minutes: middleMinutes, from: middle, other: uncut(middle, '-c:a', 'libvorbis', 'o.ogg') },
    { format: 'm4a', minutes: shortMinutes, from: short, other: uncut(short, '-c:a', 'aac', '-b:a', '192k', 'o.m4a') },
  ] as const;
  const lines = [
    [
      '',
      'minutes',
      'ours CPU ms',
      'wall ms',
      'grown MB',
      'other CPU ms',
      'wall ms',
      'CPU ratio',
      'wall ratio',
      'other',
    ],
  ];
  for (const { format, minutes, from, other } of rows) {
    const [program, args] = other;
    const ours: Cost[] = [];
    const others: Cost[] = [];
    for (let round = 0; round < audioRounds; round += 1) {
      // Delete our previous file as well, because the file system first frees the space of a file that is overwritten.
      rmSync(join(folder, `ours.${format}`), { force: true });
      ours.push(
        await costOfOurs(async () => {
          const to = join(folder, `ours.${format}`);
          const spans = keptOf(minutes);
          const made = await cut({ from: join(folder, from), to, format, spans, durationMs: minutes * 60_000 }, watch);
          if (!made.ok) throw new Error(made.error.code);
        }),
      );
      others.push(costOf(program, args, folder));
    }
    const of = (costs: readonly Cost[], name: keyof Cost) => median(costs.map((cost) => cost[name]));
    const ratio = (name: keyof Cost) => `${(of(ours, name) / of(others, name)).toFixed(2)}x`;
    lines.push([
      format,
      String(minutes),
      figure(of(ours, 'cpuMs')),
      figure(of(ours, 'wallMs')),
      figure(of(ours, 'grownMb')),
      figure(of(others, 'cpuMs')),
      figure(of(others, 'wallMs')),
      ratio('cpuMs'),
      ratio('wallMs'),
      program,
    ]);
  }
  process.stdout.write(
    `\nparts of three seconds cut out of stereo, load ${loadavg()[0]?.toFixed(1) ?? ''}\n${columns(lines, 14)}\n`,
  );
}

/** Exports 30,000 words in each format and compares that with other programs on this computer in one run. */
export async function benchExports(): Promise<void> {
  const transcript = interview(30_000);
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-bench-'));
  const made = (format: ExportFormat): string => {
    const document = writeDocument(exporters[format], transcript, {}, facts);
    return document.kind === 'text' ? document.text : document.kind === 'page' ? document.html : '';
  };
  const peer = async (program: string, args: readonly string[]): Promise<number[] | null> =>
    hasProgram(program)
      ? timed(() => spawnSync(program, [...args], { cwd: folder, stdio: 'ignore' }), programRounds, 0)
      : null;
  try {
    for (const format of ['srt', 'md', 'html'] as const) writeFileSync(join(folder, `in.${format}`), made(format));
    const lines = [['', 'ours ms', 'range', 'CPU ms', 'preview ms', 'other ms', 'ratio', 'other']];
    for (const format of textFormats) {
      const document = writeDocument(exporters[format], transcript, {}, facts);
      const outline = document.kind === 'outline' ? document.outline : null;
      const cpu = process.cpuUsage();
      const ours = await timed(async () => {
        if (outline !== null) await writeDocx(outline);
        else writeDocument(exporters[format], transcript, {}, facts);
      });
      const spent = process.cpuUsage(cpu);
      const preview = await timed(() => writeBeginning(exporters[format], transcript, {}, facts, 6_000));
      const [name, other] =
        format === 'vtt' || format === 'ass' || format === 'ttml'
          ? ['ffmpeg, of our SRT', await peer('ffmpeg', ['-v', 'error', '-y', '-i', 'in.srt', `out.${format}`])]
          : format === 'docx'
            ? ['pandoc, of our Markdown', await peer('pandoc', ['in.md', '-o', 'out.docx'])]
            : format === 'html'
              ? ['pandoc, of our Markdown', await peer('pandoc', ['in.md', '-o', 'out.html', '-s'])]
              : ['', null];
      const ratio = other === null ? '' : `${(median(ours) / median(other)).toFixed(2)}x`;
      lines.push([
        format,
        figure(median(ours)),
        spread(ours),
        figure((spent.user + spent.system) / 1000 / (rounds + warmingRounds)),
        figure(median(preview)),
        other === null ? '' : figure(median(other)),
        ratio,
        other === null ? '' : name,
      ]);
    }
    if (findSystemBrowser() !== null) {
      const html = made('pdf');
      const printed = await timed(() => printByBrowser(html), programRounds, 0);
      lines.push(['pdf, printed', figure(median(printed)), spread(printed), '', '', '', '', 'a new browser each time']);
    }
    process.stdout.write(
      `${String(transcript.segments.length)} segments, load ${loadavg()[0]?.toFixed(1) ?? ''}; others are whole programs with their start\n${columns(lines, 16)}\n`,
    );
    if (hasProgram('ffmpeg')) await benchAudio(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
