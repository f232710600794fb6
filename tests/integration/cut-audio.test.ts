import { execFile } from 'node:child_process';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { copySamples, plainSamplesOf } from '../../electron/audio/cut-samples.ts';
import { monoWav } from '../../electron/audio/encode/audio-writer.ts';
import { createAudioCutter } from '../../electron/platform/node/audio/audio-cutter.ts';
import { heardSpans } from '../../shared/domain/exports/audio-formats.ts';
import { audioFormats } from '../../shared/domain/exports/formats.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { folderOfFile } from '../support/test-folders.ts';

const run = promisify(execFile);
const cut = createAudioCutter(new URL('../../electron/entries/audio-worker.ts', import.meta.url));
const rate = 16_000;

let folder = '';
let recording = '';
/** Six seconds, each with a tone of its own that identifies it. */
beforeAll(async () => {
  folder = folderOfFile();
  recording = join(folder, 'yozuv.wav');
  const samples = Float32Array.from(
    { length: 6 * rate },
    (_sample, at) => 0.4 * Math.sin((2 * Math.PI * tones[Math.floor(at / rate)]! * at) / rate),
  );
  await writeFile(recording, monoWav(samples, rate));
});
const tones = [300, 500, 700, 900, 1100, 1300];

/** Six words of a second: the second is struck, the fourth redacted; a silence in the fifth was cut. */
const transcript: Transcript = {
  language: 'uz',
  durationMs: 6000,
  speakers: [],
  cuts: [{ startMs: 4000, endMs: 4500 }],
  segments: [
    {
      id: 's1',
      speakerId: null,
      startMs: 0,
      endMs: 6000,
      text: 'bir ikki uch toʻrt besh olti',
      words: ['bir', 'ikki', 'uch', 'toʻrt', 'besh', 'olti'].map((text, at) => ({
        text,
        startMs: at * 1000,
        endMs: (at + 1) * 1000,
        ...(at === 1 ? { mark: 'cut' as const } : at === 3 ? { mark: 'redacted' as const } : {}),
      })),
    },
  ],
};

const watch = () => ({ signal: new AbortController().signal, onShare: () => undefined });

/** The tone of each tenth of a second, as another program decodes it. */
async function tonesOf(path: string): Promise<number[]> {
  const options = { encoding: 'buffer', maxBuffer: 1e8 } as const;
  const { stdout } = await run(
    'ffmpeg',
    ['-v', 'error', '-i', path, '-ac', '1', '-ar', String(rate), '-f', 'f32le', '-'],
    options,
  );
  const samples = new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length));
  return Array.from({ length: Math.floor(samples.length / 1600) }, (_part, at) => {
    const part = samples.subarray(at * 1600, (at + 1) * 1600);
    const crossings = part.reduce(
      (sum, value, place) => sum + (place > 0 && value >= 0 !== (part[place - 1] ?? 0) >= 0 ? 1 : 0),
      0,
    );
    return Math.round((crossings * 5) / 100) * 100;
  });
}

test.each(audioFormats)(
  '%s contains what is kept, in its order, and nothing that was cut, struck or redacted',
  async (format) => {
    const to = join(folder, `kept.${format}`);
    const spans = heardSpans(transcript, 0, 0);
    const made = await cut({ from: recording, to, format, spans, durationMs: 6000 }, watch());
    expect(made).toMatchObject({ ok: true, value: { durationMs: 3500 } });
    const heard = await tonesOf(to);
    // MP3 adds a moment at both ends; an error would last for half a second or more.
    for (const tone of [500, 900])
      expect(heard.filter((value) => value === tone).length, `${format} ${String(tone)}`).toBeLessThan(2);
    for (const tone of [300, 700, 1300])
      expect(heard.filter((value) => value === tone).length).toBeGreaterThanOrEqual(8);
    expect(heard.filter((value) => value === 1100).length).toBeGreaterThanOrEqual(3);
  },
);

test('redacted words are covered for as long as they took, by silence or a tone; cut ones are gone', async () => {
  for (const cover of ['silence', 'bleep'] as const) {
    const to = join(folder, `${cover}.wav`);
    const spans = heardSpans(transcript, 0, 0, cover);
    const made = await cut({ from: recording, to, format: 'wav', spans, durationMs: 6000 }, watch());
    const whole = spans.reduce((sum, { startMs, endMs }) => sum + Math.min(endMs, 6000) - startMs, 0);
    expect(made).toMatchObject({ ok: true, value: { durationMs: whole } });
    const heard = await tonesOf(to);
    for (const tone of [500, 900]) expect(heard.filter((value) => value === tone).length).toBeLessThan(2);
    expect(heard.filter((value) => value === (cover === 'bleep' ? 1000 : 0)).length).toBeGreaterThanOrEqual(8);
  }
});

test('a selection has its exact length in samples, even across a cut', async () => {
  const to = join(folder, 'selection.wav');
  const spans = heardSpans(transcript, 500, 2250);
  expect(spans).toEqual([
    { startMs: 500, endMs: 1000 },
    { startMs: 2000, endMs: 2250 },
  ]);
  const made = await cut({ from: recording, to, format: 'wav', spans, durationMs: 6000 }, watch());
  expect(made).toMatchObject({ ok: true, value: { durationMs: 750, sizeBytes: 44 + 0.75 * rate * 2 } });
  // Except for the fades of five milliseconds at the cuts the samples are those of the recording, to the bit.
  const [whole, kept] = [await readFile(recording), await readFile(to)];
  const samples = (file: Buffer, fromMs: number, toMs: number) =>
    file.subarray(44 + fromMs * (rate / 1000) * 2, 44 + toMs * (rate / 1000) * 2);
  expect(samples(kept, 5, 495).equals(samples(whole, 505, 995))).toBe(true);
  expect(samples(kept, 505, 745).equals(samples(whole, 2005, 2245))).toBe(true);
  expect(Math.abs(kept.readInt16LE(44))).toBeLessThan(400);
});

test('a part of a few milliseconds is faded once, and stays to be heard', async () => {
  const level = 0.5;
  const path = join(folder, 'level.wav');
  await writeFile(path, monoWav(new Float32Array(rate).fill(level), rate));
  const [from, to] = await Promise.all([open(path), open(join(folder, 'part.wav'), 'w')]);
  const plain = await plainSamplesOf(from);
  if (plain === null) throw new Error('a plain WAV');
  await copySamples(from, to, plain, [{ startMs: 500, endMs: 506 }], () => true);
  await Promise.all([from.close(), to.close()]);
  const part = await readFile(join(folder, 'part.wav'));
  const samples = Array.from({ length: (part.length - 44) / 2 }, (_, at) => part.readInt16LE(44 + at * 2) / 32_768);
  expect(samples).toHaveLength(96);
  // Five of its six milliseconds are a fade, so that it rises to 0.6 of its level at least.
  expect(Math.max(...samples) / level).toBeGreaterThan(0.59);
});
