import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSystemBrowser, printByBrowser } from '../../electron/platform/node/print-by-browser.ts';
import { createAudioCutter } from '../../electron/platform/node/sound/audio-cutter.ts';
import { writeDocx } from '../../electron/services/exports/write-docx.ts';
import { exporters } from '../../shared/domain/exports/exporters.ts';
import { audioFormats, textFormats, type ExportFormat } from '../../shared/domain/exports/formats.ts';
import { keptSpans } from '../../shared/domain/exports/prepare.ts';
import { writeBeginning, writeDocument } from '../../shared/domain/exports/write-export.ts';
import type { Segment, Transcript } from '../../shared/domain/transcript/transcript.ts';
import { columns, figure, median, spread } from './figures.ts';

const rounds = 7;
const sentences = [
  'Avval pilladan ip tortiladi, keyin naqsh chiziladi, bogʻlanadi va boʻyaladi.',
  'Сегодня мы поговорим о том, как в старой мастерской на окраине города красили шёлк.',
  'We came here in 1995, and about 20 people worked from morning until late at night.',
  'Boʻyoqni biz hali ham anor poʻstidan, roʻyandan va isparakdan olamiz, chunki u oʻngimaydi.',
];

/** Three hours of an interview in three languages, with a time for each word. */
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

async function timed(work: () => unknown): Promise<number[]> {
  const took: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedMs = performance.now();
    await work();
    took.push(performance.now() - startedMs);
  }
  return took;
}

const hasProgram = (program: string): boolean => spawnSync(program, ['-version']).error === undefined;

const soundWorker = new URL('../../electron/entries/audio-worker.ts', import.meta.url);
const soundMinutes = 10;

/**
 * Ten minutes of stereo without thirty-three parts of three seconds: what is kept as WAV against copying the recording,
 * and in other formats against ffmpeg, which encodes the same length uncut.
 */
async function benchAudio(folder: string): Promise<void> {
  const from = join(folder, 'in.wav');
  const noise = `anoisesrc=d=${String(soundMinutes * 60)}:c=pink:r=44100:a=0.3`;
  spawnSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', noise, '-ac', '2', from]);
  const durationMs = soundMinutes * 60_000;
  const cuts = Array.from({ length: 33 }, (_, at) => ({ startMs: 9000 + at * 18_000, endMs: 12_000 + at * 18_000 }));
  const spans = keptSpans(durationMs, cuts);
  const cut = createAudioCutter(soundWorker);
  const watch = { signal: new AbortController().signal, onShare: () => undefined };
  const lines = [['', 'ours ms', 'range', 'other ms', 'ratio', 'other']];
  const peers = {
    wav: ['cp', ['in.wav', 'copy.wav']],
    flac: ['ffmpeg', ['-v', 'error', '-y', '-i', 'in.wav', 'out.flac']],
    mp3: ['ffmpeg', ['-v', 'error', '-y', '-i', 'in.wav', '-c:a', 'libmp3lame', '-b:a', '128k', 'out.mp3']],
    ogg: ['ffmpeg', ['-v', 'error', '-y', '-i', 'in.wav', '-c:a', 'libvorbis', 'out.ogg']],
    m4a: ['ffmpeg', ['-v', 'error', '-y', '-i', 'in.wav', '-c:a', 'aac', 'out.m4a']],
  } as const;
  for (const format of audioFormats) {
    const [program, args] = peers[format];
    const ours: number[] = [];
    const others: number[] = [];
    // In turns: both have the same computer.
    for (let round = 0; round < 3; round += 1) {
      let startedMs = performance.now();
      const made = await cut({ from, to: join(folder, `ours.${format}`), format, spans, durationMs }, watch);
      if (!made.ok) throw new Error(made.error.code);
      ours.push(performance.now() - startedMs);
      startedMs = performance.now();
      spawnSync(program, [...args], { cwd: folder, stdio: 'ignore' });
      others.push(performance.now() - startedMs);
    }
    const ratio = `${(median(ours) / median(others)).toFixed(2)}x`;
    lines.push([format, figure(median(ours)), spread(ours), figure(median(others)), ratio, program]);
  }
  process.stdout.write(`\n${String(soundMinutes)} minutes of stereo, 33 parts cut out\n${columns(lines, 16)}\n`);
}

/** 30,000 words in each format, against what else makes such a file on this computer, in one run. */
export async function benchExports(): Promise<void> {
  const transcript = interview(30_000);
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-bench-'));
  const made = (format: ExportFormat): string => {
    const document = writeDocument(exporters[format], transcript, {}, facts);
    return document.kind === 'text' ? document.text : document.kind === 'page' ? document.html : '';
  };
  const peer = async (program: string, args: readonly string[]): Promise<number[] | null> =>
    hasProgram(program) ? timed(() => spawnSync(program, [...args], { cwd: folder, stdio: 'ignore' })) : null;
  try {
    for (const format of ['srt', 'md', 'html'] as const) writeFileSync(join(folder, `in.${format}`), made(format));
    const lines = [['', 'ours ms', 'range', 'preview ms', 'other ms', 'ratio', 'other']];
    for (const format of textFormats) {
      const document = writeDocument(exporters[format], transcript, {}, facts);
      const outline = document.kind === 'outline' ? document.outline : null;
      const ours = await timed(async () => {
        if (outline !== null) await writeDocx(outline);
        else writeDocument(exporters[format], transcript, {}, facts);
      });
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
        figure(median(preview)),
        other === null ? '' : figure(median(other)),
        ratio,
        other === null ? '' : name,
      ]);
    }
    if (findSystemBrowser() !== null) {
      const html = made('pdf');
      const printed = await timed(() => printByBrowser(html));
      lines.push(['pdf, printed', figure(median(printed)), spread(printed), '', '', '', 'a new browser each time']);
    }
    process.stdout.write(
      `${String(transcript.segments.length)} segments, load ${loadavg()[0]?.toFixed(1) ?? ''}; others are whole programs with their start\n${columns(lines, 16)}\n`,
    );
    if (hasProgram('ffmpeg')) await benchAudio(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
