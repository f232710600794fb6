import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSystemBrowser, printByBrowser } from '../../electron/platform/node/print-by-browser.ts';
import { writeDocx } from '../../electron/services/exports/write-docx.ts';
import { exporters } from '../../shared/domain/exports/exporters.ts';
import { textFormats, type ExportFormat } from '../../shared/domain/exports/formats.ts';
import { writeBeginning, writeDocument } from '../../shared/domain/exports/write-export.ts';
import type { Segment, Transcript } from '../../shared/domain/transcript/transcript.ts';
import { benchAudio, hasProgram } from './export-audio.ts';
import { columns, figure, goalTable, median, spread, type Goal } from './figures.ts';

/** The app is measured with warm code; another program starts anew each time. */
const [rounds, warmingRounds, programRounds] = [15, 5, 5];
/** As many words as some 300 pages hold. */
const [bookWords, bookRounds] = [87_500, 2];
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
  madeAtMs: Date.UTC(2026, 10, 22, 9),
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

/** Exports 30,000 words in each format and compares that with other programs on this computer in one run. */
export async function benchExports(): Promise<void> {
  const transcript = interview(30_000);
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-bench-'));
  const goals: Goal[] = [];
  const made = (format: ExportFormat, of = transcript): string => {
    const document = writeDocument(exporters[format], of, {}, facts);
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
      // The fastest round is the one that other programs disturbed least.
      if (format === 'srt' || format === 'vtt')
        goals.push({ name: `15 ${format}, cut into cues`, is: Math.min(...ours), limit: 5, unit: 'ms' });
      const preview = await timed(() => writeBeginning(exporters[format], transcript, {}, facts, 6_000));
      const [name, other] =
        format === 'vtt' || format === 'ass' || format === 'ttml'
          ? ['ffmpeg, of our SRT', await peer('ffmpeg', ['-v', 'error', '-y', '-i', 'in.srt', `out.${format}`])]
          : format === 'docx'
            ? ['pandoc, of our Markdown', await peer('pandoc', ['in.md', '-o', 'out.docx'])]
            : format === 'html'
              ? ['pandoc, of our Markdown', await peer('pandoc', ['in.md', '-o', 'out.html', '-s'])]
              : ['', null];
      if (format === 'docx' && other !== null)
        goals.push({ name: '15 docx beside pandoc', is: median(ours) / median(other), limit: 0.5, unit: 'x' });
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
      const book = made('pdf', interview(bookWords));
      let pages = 0;
      const bookMs = await timed(
        async () => {
          const pdf = await printByBrowser(book);
          if (!pdf.ok) throw new Error(pdf.error.code);
          pages =
            Buffer.from(pdf.value)
              .toString('latin1')
              .match(/\/Type\s*\/Page\b/gu)?.length ?? 0;
        },
        bookRounds,
        0,
      );
      const name = `pdf, ${String(pages)} pages`;
      lines.push([name, figure(median(bookMs)), spread(bookMs), '', '', '', '', 'a new browser each time']);
      goals.push({ name: `15 ${name}`, is: median(bookMs) / 1000, limit: 10, unit: 's' });
    }
    process.stdout.write(
      `${String(transcript.segments.length)} segments, load ${loadavg()[0]?.toFixed(1) ?? ''}; others are whole programs with their start\n${columns(lines, 16)}\n`,
    );
    if (hasProgram('ffmpeg')) goals.push(...(await benchAudio(folder)));
    process.stdout.write(`\ngoals, load ${loadavg()[0]?.toFixed(1) ?? ''}\n${goalTable(goals)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
