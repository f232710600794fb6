import type { Page } from '@playwright/test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packPeaks, unpackPeaks } from '../../shared/domain/audio/packed-peaks.ts';
import { partsOfPeaks, type PeakChunk } from '../../shared/domain/audio/peak-builder.ts';
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

const wholeBuckets = 800;

const somePeaks: PeakChunk = {
  min: new Int8Array(wholeBuckets).fill(-60),
  max: new Int8Array(wholeBuckets).fill(60),
  rms: new Uint8Array(wholeBuckets).fill(70),
};

test('stored peaks are shown', async () => {
  const token = rig.server.addRecording(fixture('two-sentences.flac'));
  rig.server.peaks.set(token, packPeaks(somePeaks));
  const before = rig.server.asked.length;
  const { page, complaints, close } = await open(token);
  await page.locator('[data-peaks="ready"]').waitFor();
  expect(rig.server.asked.slice(before).filter((path) => path.includes('worker'))).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

/** `somePeaks` in two parts. */
const someParts = () => new Uint8Array(Buffer.concat([...partsOfPeaks(somePeaks, wholeBuckets / 2)].map(packPeaks)));

test('stored peaks in parts are shown as one waveform', async () => {
  const token = rig.server.addRecording(fixture('two-sentences.flac'));
  rig.server.peaks.set(token, someParts());
  const { page, complaints, close } = await open(token);
  await page.locator('[data-peaks="ready"]').waitFor();
  expect(rig.server.peaks.get(token)).toEqual(someParts());
  expect(await keptByPage(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test('stored peaks with a damaged part are replaced by what the page decodes', async () => {
  const token = rig.server.addRecording(fixture('two-sentences.flac'));
  rig.server.peaks.set(token, someParts().fill(7, -10));
  const { page, complaints, close } = await open(token);
  await page.locator('[data-peaks="ready"]').waitFor();
  const [packed] = await keptByPage(page);
  const kept = unpackPeaks(Uint8Array.from(packed ?? []));
  expect(kept.ok && kept.value.min.length).toBe(wholeBuckets);
  expect(rig.server.peaks.has(token)).toBe(false);
  expect(complaints).toEqual([]);
  await close();
});

const keptByPage = (page: Page) =>
  page.evaluate(() =>
    window.fakeStudio.calls.flatMap(({ method, input }) =>
      method === 'peaks.store' ? [Array.from((input as { peaks: Uint8Array }).peaks)] : [],
    ),
  );

test('a recording that main can decode is not read by the page', async () => {
  const token = rig.server.addRecording(fixture('two-sentences.mp3'));
  const { page, complaints, close } = await open(token);
  await page.locator('[data-peaks="ready"]').waitFor();
  const kept = unpackPeaks(new Uint8Array(rig.server.peaks.get(token) ?? []));
  expect(kept.ok && kept.value.min.length).toBe(wholeBuckets);
  expect(await keptByPage(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test('a recording that only the browser decodes is drawn by the page, and kept', async () => {
  const { page, complaints, close } = await open(rig.server.addRecording(fixture('two-sentences.vorbis.webm')));
  await page.locator('[data-peaks="ready"]').waitFor();
  const [packed] = await keptByPage(page);
  const kept = unpackPeaks(Uint8Array.from(packed ?? []));
  expect(kept.ok && Math.abs(kept.value.min.length - wholeBuckets)).toBeLessThan(8);
  expect(kept.ok && Math.max(...kept.value.rms)).toBeGreaterThan(30);
  expect(complaints).toEqual([]);
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

test('WebAssembly does not run in the page', async () => {
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
