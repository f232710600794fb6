import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packPeaks, partsOfPeaks, unpackPeaks, type PeakChunk } from '../../shared/domain/audio/peak-builder.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, fixture, longTranscript } from './support/transcripts.ts';

const rig = editorRig();
const wholeBuckets = 800;
const somePeaks: PeakChunk = {
  min: new Int8Array(wholeBuckets).fill(-60),
  max: new Int8Array(wholeBuckets).fill(60),
  rms: new Uint8Array(wholeBuckets).fill(70),
};
/** `somePeaks` in two parts. */
const someParts = () => new Uint8Array(Buffer.concat([...partsOfPeaks(somePeaks, wholeBuckets / 2)].map(packPeaks)));

const open = (token: string) => rig.open({ detail: detailOf(longTranscript(2), token) });

test.each([
  ['as a whole', () => packPeaks(somePeaks)],
  ['in parts', someParts],
])('peaks that are stored %s are shown, and nothing is decoded', async (_how, stored) => {
  const token = rig.server.addRecording(fixture('two-sentences.flac'));
  rig.server.peaks.set(token, stored());
  const before = rig.server.asked.length;
  const { page } = await open(token);
  await page.locator('[data-peaks="ready"]').waitFor();
  expect(rig.server.asked.slice(before).filter((path) => path.includes('worker'))).toEqual([]);
  expect(rig.server.peaks.get(token)).toEqual(stored());
});

test('stored peaks with a damaged part are replaced', async () => {
  const token = rig.server.addRecording(fixture('two-sentences.flac'));
  rig.server.peaks.set(token, someParts().fill(7, -10));
  const { page } = await open(token);
  await page.locator('[data-peaks="ready"]').waitFor();
  const kept = unpackPeaks(new Uint8Array(rig.server.peaks.get(token) ?? []));
  expect(kept.ok && kept.value.min.length).toBe(wholeBuckets);
});

test.each(['mp3', 'vorbis.webm'])('the waveform of %s comes from main and is kept', async (kind) => {
  const token = rig.server.addRecording(fixture(`two-sentences.${kind}`));
  const { page } = await open(token);
  await page.locator('[data-peaks="ready"]').waitFor();
  const made = unpackPeaks(new Uint8Array(rig.server.peaks.get(token) ?? []));
  if (!made.ok) throw new Error('nothing was kept');
  expect(Math.abs(made.value.min.length - wholeBuckets)).toBeLessThan(8);
  expect(Math.max(...made.value.rms)).toBeGreaterThan(30);
});

test('a text file named mp3 leaves a readable editor that says what is missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ovoz-peaks-'));
  try {
    const path = join(folder, 'letter.mp3');
    await writeFile(path, 'Assalomu alaykum! '.repeat(400));
    const { page, complaints } = await open(rig.server.addRecording(path));
    await page.locator('[data-peaks="none"]').waitFor();
    await page.getByText('The waveform could not be drawn').waitFor();
    await page.getByText('can’t be played.').waitFor();
    await expect.poll(() => page.locator('article').count()).toBe(2);
    // The browser complains about the audio; nothing was forbidden.
    expect(complaints.splice(0).filter((text) => text.includes('Content Security Policy'))).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
