import type { Page } from '@playwright/test';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packPeaks, unpackPeaks } from '../../renderer/audio/peaks/packed-peaks.ts';
import type { PeakChunk } from '../../renderer/audio/peaks/peak-builder.ts';
import type { EditorPage } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, fixture, longTranscript } from './support/transcripts.ts';

const rig = editorRig();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ovoz-peaks-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const open = (token: string): Promise<EditorPage> => rig.open({ detail: detailOf(longTranscript(2), token) });

/** The peaks that the page sent to main to be stored for a recording. */
async function storedPeaks(page: Page, mediaToken: string): Promise<PeakChunk> {
  const handle = await page.waitForFunction((token) => {
    const call = window.fakeStudio.calls.find(
      ({ method, input }) => method === 'peaks.store' && (input as { mediaToken: string }).mediaToken === token,
    );
    return call === undefined ? null : Array.from((call.input as { peaks: Uint8Array }).peaks);
  }, mediaToken);
  const read = unpackPeaks(Uint8Array.from((await handle.jsonValue()) ?? []));
  if (!read.ok) throw new Error(`The page stored peaks that do not read back: ${read.error}`);
  return read.value;
}

/** The similarity of two loudness curves when one is shifted by `lag` buckets, -1 to 1. */
function likeness(a: Uint8Array, b: Uint8Array, lag: number): number {
  const pairs: (readonly [number, number])[] = [];
  for (let i = Math.max(0, -lag); i < a.length && i + lag < b.length; i += 1) pairs.push([a[i] ?? 0, b[i + lag] ?? 0]);
  const mean = (at: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[at], 0) / pairs.length;
  const [meanA, meanB] = [mean(0), mean(1)];
  let [both, onlyA, onlyB] = [0, 0, 0];
  for (const [x, y] of pairs) {
    both += (x - meanA) * (y - meanB);
    onlyA += (x - meanA) ** 2;
    onlyB += (y - meanB) ** 2;
  }
  return both / Math.sqrt(onlyA * onlyB);
}

const lags = Array.from({ length: 41 }, (_, index) => index - 20);
/** By how many milliseconds a curve is later than the reference. */
const delayMs = (a: Uint8Array, b: Uint8Array) =>
  (lags.toSorted((x, y) => likeness(b, a, y) - likeness(b, a, x))[0] ?? 0) * 10;

const wholeBuckets = 800;
/** Encoders add up to 2 frames of silence in front; if the file does not say so, players play it too. */
const withoutGaplessTag: Readonly<Record<string, number>> = {
  'two-sentences.no-xing.mp3': 80,
  'two-sentences.fragmented.m4a': 140,
};

test('every format gives the same waveform: within 1 % of its length, and at its time', async () => {
  const { page, complaints, close } = await open(rig.server.addRecording(fixture('two-sentences.s16.wav')));
  const names = (await readdir(fixture(''))).filter((name) => name.startsWith('two-sentences.'));
  const kinds = ['.wav', '.mp3', '.flac', '.vorbis.ogg', '.opus.ogg', '.webm', '.m4a'];
  expect(kinds.filter((kind) => !names.some((name) => name.endsWith(kind)))).toEqual([]);
  const curves = new Map<string, Uint8Array>();
  const wrong: string[] = [];
  for (const [index, name] of names.entries()) {
    const token = rig.server.addRecording(fixture(name));
    const id = `recording-${String(index)}`;
    await page.evaluate(
      ({ detail }) => {
        window.fakeStudio.setAnswer('transcripts.open', detail);
        location.hash = `#/transcripts/${detail.id}`;
      },
      { detail: detailOf(longTranscript(2), token, { id }) },
    );
    const { min, rms } = await storedPeaks(page, token);
    if (Math.abs(min.length - wholeBuckets) > 8) wrong.push(`${name}: ${String(min.length)} buckets`);
    curves.set(name, rms);
  }
  const reference = curves.get('two-sentences.s16.wav') ?? new Uint8Array();
  expect(reference.length).toBe(wholeBuckets);
  expect(Math.max(...reference)).toBeGreaterThan(30);
  for (const [name, curve] of curves) {
    const late = delayMs(curve, reference);
    if (likeness(reference, curve, late / 10) < 0.93) wrong.push(`${name} looks different`);
    if (Math.abs(late) > (withoutGaplessTag[name] ?? 10)) wrong.push(`${name} is late by ${String(late)} ms`);
  }
  expect(wrong).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test('a long recording is read in two halves that meet exactly in the middle', async () => {
  const whole = rig.server.addRecording(fixture('two-sentences.s16.wav'));
  const { page, complaints, close } = await open(whole);
  const reference = (await storedPeaks(page, whole)).rms;
  const wrong: string[] = [];
  for (const name of ['s16.wav', 'mp3', 'flac', 'vorbis.ogg', 'opus.ogg', 'opus.webm', 'm4a']) {
    const token = rig.server.addRecording(fixture(`two-sentences.${name}`));
    await page.evaluate(
      ({ detail }) => {
        window.fakeStudio.setAnswer('transcripts.open', detail);
        location.hash = `#/transcripts/${detail.id}`;
      },
      { detail: detailOf(longTranscript(120), token, { id: `half-${name.replace('.', '-')}` }) },
    );
    const { min, rms } = await storedPeaks(page, token);
    const late = delayMs(rms, reference);
    if (Math.abs(min.length - wholeBuckets) > 12) wrong.push(`${name}: ${String(min.length)} buckets`);
    if (likeness(reference, rms, late / 10) < 0.93) wrong.push(`${name} looks different`);
  }
  expect(wrong).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

const somePeaks: PeakChunk = {
  min: new Int8Array(wholeBuckets).fill(-60),
  max: new Int8Array(wholeBuckets).fill(60),
  rms: new Uint8Array(wholeBuckets).fill(70),
};

test('stored peaks are shown without reading the recording again', async () => {
  const token = rig.server.addRecording(fixture('two-sentences.flac'));
  rig.server.peaks.set(token, packPeaks(somePeaks));
  const before = rig.server.asked.length;
  const { page, close } = await open(token);
  await page.locator('[data-peaks="ready"]').waitFor();
  await expect
    .poll(() => page.evaluate(() => window.fakeStudio.calls.some(({ method }) => method === 'peaks.store')))
    .toBe(false);
  expect(rig.server.asked.slice(before).filter((path) => path.includes('worker'))).toEqual([]);
  await close();
});

test('damaged stored peaks are computed anew', async () => {
  const token = rig.server.addRecording(fixture('two-sentences.s16.wav'));
  rig.server.peaks.set(token, packPeaks(somePeaks).subarray(0, 500));
  const { page, close } = await open(token);
  await page.locator('[data-peaks="ready"]').waitFor();
  expect((await storedPeaks(page, token)).min.length).toBe(wholeBuckets);
  await close();
});

test('a text file named mp3 leaves a readable editor that says what is missing', async () => {
  const path = join(folder, 'letter.mp3');
  await writeFile(path, 'Assalomu alaykum! '.repeat(400));
  const { page, complaints, close } = await open(rig.server.addRecording(path));
  await page.locator('[data-peaks="none"]').waitFor();
  await page.getByText('The waveform could not be drawn').waitFor();
  await page.getByText('can’t be played.').waitFor();
  await expect.poll(() => page.locator('article').count()).toBe(2);
  expect(complaints.filter((text) => text.includes('Content Security Policy'))).toEqual([]);
  await close();
});

test('WebAssembly runs in the peaks worker and nowhere in the page', async () => {
  const { page, complaints, close } = await open(rig.server.addRecording(fixture('two-sentences.s16.wav')));
  const refused = await page.evaluate(() =>
    WebAssembly.compile(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)).then(
      () => 'compiled',
      (cause: unknown) => String(cause),
    ),
  );
  expect(refused).toContain('Content Security Policy');
  expect(complaints.filter((text) => !text.includes('WebAssembly'))).toEqual([]);
  await close();
});
