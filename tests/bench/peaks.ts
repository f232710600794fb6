import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import { createDecoder } from '../../electron/platform/node/audio/decoder-threads.ts';
import { figure, median, type Goal } from '../../scripts/bench/figures.ts';
import { scriptOf } from './script-of.ts';
import { openEditor } from '../page-editor/support/editor-page.ts';
import type { PageServer } from '../page-editor/support/serve-built-page.ts';
import { packPeaks } from '../../shared/domain/audio/peak-builder.ts';
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
  /** Of the time that ffmpeg takes to decode it and do nothing with it. */
  readonly limit: number;
}
const formats: readonly Format[] = [
  { name: 'MP3', file: 'long.mp3', encode: ['-b:a', '64k'], limit: 1.15 },
  { name: 'WAV', file: 'long.wav', encode: [], limit: 1.2 },
  { name: 'FLAC', file: 'long.flac', encode: [], limit: 1 },
  { name: 'Opus', file: 'long.opus', encode: ['-c:a', 'libopus', '-b:a', '24k'], limit: 0.7 },
  { name: 'Vorbis', file: 'long.ogg', encode: ['-c:a', 'libvorbis'], limit: 1.3 },
  { name: 'AAC', file: 'long.m4a', encode: ['-c:a', 'aac', '-b:a', '64k'], limit: 3 },
];

const rounds = 5;

/** What bare wavesurfer took where the goals in milliseconds were set; they are the same on every machine as ratios to it. */
const usualBareMs = 42;

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
function encodeLong({ file, encode }: Format, folder: string): string {
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

/**
 * Reads the peaks of long recordings by themselves, and as on first opening, compared with ffmpeg, which only decodes them.
 * The app has just started when the first one is opened, and goes on with the others.
 */
export async function measurePeaks(
  browser: Browser,
  server: PageServer,
  { goals, seen }: Figures,
  only: readonly string[] = [],
): Promise<void> {
  if (spawnSync('ffmpeg', ['-version']).error !== undefined) return;
  const fromTheClick = ['from the click', 'first pixels', 'the first one', 'text'];
  seen.push(['peaks of three hours, ms', 'ffmpeg', 'read here', ...fromTheClick]);
  const kept = { pixels: [] as number[], text: [] as number[] };
  const bare = await bareWaveform(browser);
  for (const format of formats) {
    if (only.length > 0 && !only.includes(format.name)) continue;
    const folder = mkdtempSync(join(tmpdir(), 'ovoz-bench-'));
    try {
      const path = encodeLong(format, folder);
      const { page, close } = await openEditor(browser, server, { detail: detailOf(longTranscript(3), null) });
      const took = {
        ffmpeg: [] as number[],
        alone: [] as number[],
        all: [] as number[],
        first: [] as number[],
        text: [] as number[],
      };
      const decoder = createDecoder(new URL('../../electron/entries/decoder-worker.ts', import.meta.url));
      for (let round = 0; round < rounds; round += 1) {
        const from = performance.now();
        spawnSync('ffmpeg', ['-v', 'error', '-i', path, '-vn', '-f', 'null', '-']);
        took.ffmpeg.push(performance.now() - from);
        took.alone.push(await timeOf(decoder.readPeaks(path, new AbortController().signal)));
        const { unread, again } = await openTwice(page, server.addRecording(path));
        took.all.push(unread.all);
        took.first.push(unread.pixels);
        took.text.push(unread.text);
        kept.pixels.push(again.pixels);
        kept.text.push(again.text);
      }
      await close();
      const [alone, anchor, first] = [median(took.alone), median(took.ffmpeg), median(took.first)];
      const each = [anchor, alone, median(took.all), first, took.first[0] ?? 0, median(took.text)];
      seen.push([`  ${format.name}`, ...each.map(figure)]);
      goals.push(
        { name: `peaks of ${format.name}, to ffmpeg`, is: alone / anchor, limit: format.limit, unit: 'x' },
        { name: `first pixels of ${format.name}`, is: first, limit: 150, unit: 'ms' },
        { name: 'the same, to bare wavesurfer', is: first / bare, limit: 150 / usualBareMs, unit: 'x' },
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  seen.push(['  a kept waveform', '', '', '', figure(median(kept.pixels)), '', figure(median(kept.text))]);
  seen.push(['  bare wavesurfer without any text, from its creation', '', '', '', figure(bare)]);
  const after = median(kept.pixels.map((pixels, at) => pixels - (kept.text[at] ?? 0)));
  goals.push(
    { name: 'first pixels of a kept waveform, after the text', is: after, limit: 50, unit: 'ms' },
    { name: 'the same, to bare wavesurfer', is: after / bare, limit: 1, unit: 'x' },
  );
}

/** How long peaks take to come, in milliseconds. */
async function timeOf(peaks: AsyncIterable<unknown>): Promise<number> {
  const from = performance.now();
  // oxlint-disable-next-line no-empty -- they are only waited for
  for await (const _chunk of peaks);
  return performance.now() - from;
}

/** When text and waveform were painted and the waveform was complete, in milliseconds after the click. */
interface Opening {
  readonly text: number;
  readonly pixels: number;
  readonly all: number;
}

/** Opens a recording that was never read, leaves it, and opens it again. */
async function openTwice(page: Page, token: string): Promise<{ readonly unread: Opening; readonly again: Opening }> {
  const transcript = { ...longTranscript(3), id: token, durationMs: hours * 3_600_000 };
  await page.evaluate(
    (answer) => {
      window.fakeStudio.setAnswer('transcripts.open', answer);
    },
    detailOf(transcript, token),
  );
  await leave(page);
  const unread = await page.evaluate(open, token);
  await leave(page);
  return { unread, again: await page.evaluate(open, token) };
}

/** Goes to another screen and waits until it has come to rest. */
async function leave(page: Page): Promise<void> {
  await page.evaluate(() => (location.hash = '#/transcribe'));
  await page.locator('[data-pane="text"]').waitFor({ state: 'detached' });
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => requestAnimationFrame(resolve))));
  await page.waitForTimeout(250);
}

/** Runs in the page. The wave is the only thing in the lane that is filled as a path, within the frame that shows it. */
const open = (id: string) =>
  new Promise<Opening>((resolve) => {
    const came: { text?: number; pixels?: number; all?: number } = {};
    const from = performance.now();
    const note = (name: 'text' | 'pixels' | 'all') => {
      came[name] = 0;
      const channel = new MessageChannel();
      channel.port1.addEventListener('message', () => {
        came[name] = performance.now() - from;
        const { text, pixels, all } = came;
        if (text && pixels && all) resolve({ text, pixels, all });
      });
      channel.port1.start();
      channel.port2.postMessage(null);
    };
    const drawing = CanvasRenderingContext2D.prototype;
    const fill = Object.getOwnPropertyDescriptor(drawing, 'fill');
    if (fill === undefined) throw new Error('Nothing can be filled');
    drawing.fill = function watched(this: CanvasRenderingContext2D, ...given: unknown[]) {
      if (this.canvas.closest('[data-pane="lane"]') !== null) {
        Object.defineProperty(drawing, 'fill', fill);
        note('pixels');
      }
      Reflect.apply(fill.value as () => void, this, given);
    };
    const watch = new MutationObserver(() => {
      if (came.text === undefined && document.querySelector('article') !== null) {
        came.text = 0;
        requestAnimationFrame(() => {
          note('text');
        });
      }
      if (document.querySelector('[data-peaks="ready"]') === null) return;
      watch.disconnect();
      note('all');
    });
    watch.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['data-peaks'] });
    location.hash = `#/transcripts/${id}`;
  });

/** How long wavesurfer takes to draw three hours of peaks that it is given, in an empty page. */
async function bareWaveform(browser: Browser): Promise<number> {
  const code = await scriptOf(new URL('./wavesurfer-page.ts', import.meta.url));
  const took: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.addScriptTag({ content: code });
    took.push(await page.evaluate((seconds) => window.showWaveform(seconds), hours * 3600));
    await page.close();
  }
  return median(took);
}
