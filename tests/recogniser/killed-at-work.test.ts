import { existsSync, readFileSync } from 'node:fs';
import { link, mkdtemp, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openAudio } from '../../electron/audio/decode/open-audio.ts';
import { Resampler } from '../../shared/domain/media/resample.ts';
import podcastEn from '../../assets/samples/podcast-en.json' with { type: 'json' };
import { seededRandom } from '../../shared/domain/random/seeded-random.ts';
import { call, samplePath, submit } from '../practice/practice-client.ts';
import { startStandAlone, type StandAlone } from '../practice/practice-process.ts';
import { wavOf } from '../support/wav-files.ts';
import { folderOfFile } from '../support/test-folders.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;
const pieceCount = isLong ? 30 : 8;
const kills = isLong ? 5 : 2;
const rate = 16_000;
/** With this much silence on both sides, a sentence is a piece of its own. */
const silenceMs = 24_000;
const seed = Number(process.env['OVOZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const models = fileURLToPath(new URL('../fixtures/recogniser/', import.meta.url));

let folder = '';
let recording = '';
const running: StandAlone[] = [];

beforeAll(async () => {
  folder = folderOfFile();
  recording = join(folder, 'sentences.wav');
  const sentences = await spokenSentences();
  const parts = Array.from({ length: pieceCount }, (_, at) => sentences[at % sentences.length] ?? new Float32Array());
  const gap = (silenceMs * rate) / 1000;
  const audio = new Float32Array(parts.reduce((sum, part) => sum + gap + part.length, gap));
  let at = gap;
  for (const part of parts) {
    audio.set(part, at);
    at += part.length + gap;
  }
  await writeFile(
    recording,
    wavOf({ rate, frames: audio.length }, (frame) => audio[frame] ?? 0),
  );
});
afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL');
});

/** The sentences of a sample as they are spoken there. */
async function spokenSentences(): Promise<readonly Float32Array[]> {
  const file = await open(samplePath('podcast-en.flac'));
  const parts: Float32Array[] = [];
  let resampler: Resampler | null = null;
  for await (const { channels, sampleRate } of (await openAudio(file, 'podcast-en.flac')).blocks) {
    resampler ??= new Resampler(sampleRate, rate);
    parts.push(resampler.push(channels[0] ?? new Float32Array()));
  }
  await file.close();
  const samples = Float32Array.from(parts.flatMap((part) => [...part]));
  return podcastEn.segments.map(({ startMs, endMs }) => samples.slice((startMs * rate) / 1000, (endMs * rate) / 1000));
}

/** Recognises the recording while the process is killed after so many pieces; every delivered piece is counted. */
async function recognise(killsAfter: readonly number[]) {
  const stateDir = await mkdtemp(join(folder, 'state-'));
  const start = async () => {
    const service = await startStandAlone(['--state-dir', stateDir, '--model', models]);
    running.push(service);
    return service;
  };
  let service = await start();
  const { body } = await submit(service, recording, { fields: { language: 'en' } });
  const id = String(body['id']);
  const file = join(stateDir, 'transcripts', `${id}.pieces`);
  await expect.poll(() => existsSync(file), { timeout: 60_000, interval: 5 }).toBe(true);
  // A second name, under which the pieces are still there when the service needs them no longer.
  const delivered = join(stateDir, 'delivered');
  await link(file, delivered);
  const countDelivered = () => readFileSync(delivered, 'utf8').split('\n').length - 1;
  for (const pieces of killsAfter) {
    await expect.poll(countDelivered, { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(pieces);
    service.child.kill('SIGKILL');
    await service.exited;
    service = await start();
  }
  const read = () => call(service, 'GET', `/v1/stt/transcriptions/${id}`);
  await expect.poll(async () => (await read()).body['status'], { timeout: 120_000, interval: 50 }).toBe('completed');
  const { text, segments } = (await read()).body;
  const counted = { delivered: countDelivered(), left: existsSync(file) };
  service.child.kill('SIGTERM');
  await service.exited;
  return { text, segments, ...counted };
}

it(`a recording of ${pieceCount} pieces has the same text after ${kills} kills, and no piece is recognised again (repeat with OVOZ_SEED=${seed})`, async () => {
  const random = seededRandom(seed);
  const undisturbed = await recognise([]);
  expect(String(undisturbed.text).split(' ').length).toBeGreaterThan(pieceCount * 3);
  const places = Array.from({ length: kills }, () => Math.floor(random() * (pieceCount - 1)));
  const killed = await recognise(places.toSorted((one, other) => one - other));
  expect(killed).toEqual(undisturbed);
  expect(killed).toMatchObject({ delivered: pieceCount, left: false });
}, 300_000);
