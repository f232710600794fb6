import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from '@playwright/test';
import { figure, median, type Goal } from '../../scripts/bench/figures.ts';
import { openEditor } from '../page-editor/support/editor-page.ts';
import type { PageServer } from '../page-editor/support/serve-built-page.ts';
import { packPeaks } from '../../shared/domain/audio/packed-peaks.ts';
import { writeSilentWav } from '../support/wav-files.ts';
import { detailOf, longTranscript } from '../page-editor/support/transcripts.ts';

/** What a bench tells: aims with what was measured of them, and other figures. */
export interface Figures {
  readonly goals: Goal[];
  readonly seen: string[][];
}

interface Format {
  readonly name: string;
  readonly file: string;
  readonly encode: readonly string[];
  readonly hours: number;
  /** Of the time that ffmpeg takes to decode it and do nothing with it. */
  readonly limit: number;
}
const formats: readonly Format[] = [
  { name: 'MP3', file: 'long.mp3', encode: ['-b:a', '64k'], hours: 3, limit: 1.15 },
  { name: 'WAV', file: 'long.wav', encode: [], hours: 3, limit: 1.2 },
  { name: 'FLAC', file: 'long.flac', encode: [], hours: 1, limit: 1 },
  { name: 'Opus', file: 'long.opus', encode: ['-c:a', 'libopus', '-b:a', '24k'], hours: 1, limit: 0.7 },
  { name: 'Vorbis', file: 'long.ogg', encode: ['-c:a', 'libvorbis'], hours: 1, limit: 1.3 },
  { name: 'AAC', file: 'long.m4a', encode: ['-c:a', 'aac', '-b:a', '64k'], hours: 1, limit: 3 },
];

const rounds = 5;

/** The length of a long recording. */
export const hours = 3;

/** A recording of three hours whose waveform is known; returns its token. */
export function addKnown(server: PageServer, folder: string): string {
  const path = join(folder, 'three-hours.wav');
  writeSilentWav(path, hours * 3600);
  const token = server.addRecording(path);
  server.peaks.set(token, speechPeaks());
  return token;
}

function speechPeaks(): Uint8Array {
  const count = hours * 3600 * 100;
  const loud = (at: number) => Math.round(60 * Math.abs(Math.sin(at / 37) * Math.sin(at / 911))) + (at % 11);
  return packPeaks({
    min: Int8Array.from({ length: count }, (_, at) => -loud(at)),
    max: Int8Array.from({ length: count }, (_, at) => loud(at)),
    rms: Uint8Array.from({ length: count }, (_, at) => loud(at)),
  });
}

const samples = [
  'samples/interview-uz.mp3',
  'samples/lecture-ru.ogg',
  'samples/podcast-en.flac',
  'noisy/street-uz.mp3',
];

/**
 * Speech in three languages, and noise, over and over. What is compressed is encoded for ten minutes and repeated as it
 * is, because encoding hours would take longer than measuring them; FLAC counts its frames, so it is encoded whole.
 */
function encodeLong({ file, encode, hours }: Format, folder: string): string {
  const run = (...given: string[]) => spawnSync('ffmpeg', ['-v', 'error', ...given], { cwd: folder });
  const inputs = samples.flatMap((name) => ['-i', fileURLToPath(new URL(`../../assets/${name}`, import.meta.url))]);
  const alike = samples.map((_, at) => `[${String(at)}:a]aresample=16000,aformat=channel_layouts=mono[a${String(at)}]`);
  const joined = `${samples.map((_, at) => `[a${String(at)}]`).join('')}concat=n=${String(samples.length)}:v=0:a=1`;
  run(...inputs, '-filter_complex', [...alike, joined].join(';'), '-y', 'speech.wav');
  const repeated = (from: string, seconds: number) => ['-stream_loop', '-1', '-i', from, '-t', String(seconds)];
  if (/\.(?:wav|flac)$/u.test(file)) run(...repeated('speech.wav', hours * 3600), ...encode, '-y', file);
  else {
    run(...repeated('speech.wav', 600), ...encode, '-y', `part-${file}`);
    run(...repeated(`part-${file}`, hours * 3600), '-c', 'copy', '-y', file);
  }
  return join(folder, file);
}

/** Reads the waveform of long recordings as on first opening, compared with ffmpeg, which only decodes them. */
export async function measurePeaks(
  browser: Browser,
  server: PageServer,
  { goals, seen }: Figures,
  only: readonly string[] = [],
): Promise<void> {
  if (spawnSync('ffmpeg', ['-version']).error !== undefined) return;
  seen.push(['peaks on first opening, ms', 'here', 'ffmpeg', 'first pixels', 'the first one']);
  for (const format of formats) {
    if (only.length > 0 && !only.includes(format.name)) continue;
    const folder = mkdtempSync(join(tmpdir(), 'ovoz-bench-'));
    try {
      const path = encodeLong(format, folder);
      const took = { ffmpeg: [] as number[], ours: [] as number[], first: [] as number[] };
      for (let round = 0; round < rounds; round += 1) {
        const from = performance.now();
        spawnSync('ffmpeg', ['-v', 'error', '-i', path, '-vn', '-f', 'null', '-']);
        took.ffmpeg.push(performance.now() - from);
        const states = await openUnread(browser, server, path, format.hours);
        took.ours.push(states['ready'] ?? 0);
        took.first.push(states['drawing'] ?? states['ready'] ?? 0);
      }
      const [ours, anchor, first] = [median(took.ours), median(took.ffmpeg), median(took.first)];
      const name = `${String(format.hours)} h of ${format.name}`;
      seen.push([`  ${name}`, figure(ours), figure(anchor), figure(first), figure(took.first[0] ?? 0)]);
      goals.push(
        { name: `peaks of ${name}, to ffmpeg`, is: ours / anchor, limit: format.limit, unit: 'x' },
        { name: `first pixels of ${name}`, is: first, limit: 150, unit: 'ms' },
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/**
 * When each state of the waveform came, in milliseconds after a recording that was never read was opened in an app that
 * had another transcript open before.
 */
async function openUnread(
  browser: Browser,
  server: PageServer,
  path: string,
  hours: number,
): Promise<Record<string, number>> {
  const { page, close } = await openEditor(browser, server, { detail: detailOf(longTranscript(3), null) });
  await page.evaluate(() => (location.hash = '#/transcribe'));
  await page.locator('[data-pane="text"]').waitFor({ state: 'detached' });
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => requestAnimationFrame(resolve))));
  const transcript = { ...longTranscript(3), id: 'never-opened', durationMs: hours * 3_600_000 };
  const states = page.evaluate(
    (detail) =>
      new Promise<Record<string, number>>((resolve) => {
        window.fakeStudio.setAnswer('transcripts.open', detail);
        const came: Record<string, number> = {};
        const from = performance.now();
        const watch = new MutationObserver(() => {
          const state = document.querySelector<HTMLElement>('[data-peaks]')?.dataset['peaks'];
          if (state === undefined) return;
          came[state] ??= performance.now() - from;
          if (state !== 'ready') return;
          watch.disconnect();
          resolve(came);
        });
        watch.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['data-peaks'] });
        location.hash = `#/transcripts/${detail.id}`;
      }),
    detailOf(transcript, server.addRecording(path)),
  );
  try {
    return await states;
  } finally {
    await close();
  }
}
