import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { decodePeaks } from '../../electron/platform/node/audio/decode-peaks.ts';
import { createPeaksReader, type PeaksReport } from '../../electron/platform/node/audio/read-peaks.ts';
import { whole } from '../../shared/decoding/decoded-audio.ts';
import { joinPeaks, type PeakChunk } from '../../shared/domain/audio/peak-builder.ts';
import { fixture } from '../page-editor/support/transcripts.ts';
import { writeSilentWav } from '../support/wav-files.ts';

const worker = new URL('../../electron/entries/peaks-worker.ts', import.meta.url);

async function decoded(path: string): Promise<PeakChunk> {
  const chunks: PeakChunk[] = [];
  const { rest } = await decodePeaks(path, whole, (chunk) => chunks.push(chunk));
  return joinPeaks([...chunks, rest]);
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

async function readByThreads(path: string, parts: number): Promise<PeakChunk> {
  const { signal } = new AbortController();
  const partBytes = Math.floor((await stat(path)).size / parts);
  return joinPeaks(await all(createPeaksReader(worker, { partBytes })(path, signal)));
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
const delayMs = (a: Uint8Array, b: Uint8Array) => {
  const likenesses = lags.map((lag) => likeness(b, a, lag));
  return (lags[likenesses.indexOf(Math.max(...likenesses))] ?? 0) * 10;
};

const wholeBuckets = 800;
/** Encoders add up to 2 frames of silence in front; if the file does not say so, players play it too. */
const withoutGaplessTag: Readonly<Record<string, number>> = {
  'two-sentences.no-xing.mp3': 80,
  'two-sentences.fragmented.m4a': 140,
};

const readable = ['.s16.wav', '.mp3', '.flac', '.vorbis.ogg', '.opus.ogg', '.opus.webm', '.m4a'];
const recordings = (await readdir(fixture(''))).filter(
  // Vorbis in WebM is left to the browser.
  (name) => name.startsWith('two-sentences.') && name !== 'two-sentences.vorbis.webm',
);

test('every format that is read here has a recording', () => {
  expect(readable.filter((ending) => !recordings.some((name) => name.endsWith(ending)))).toEqual([]);
});

test.each(recordings)(
  '%s gives the same waveform as the others, whole and in parts: within 1.5 percent of its length, and at its time',
  async (name) => {
    const reference = (await decoded(fixture('two-sentences.s16.wav'))).rms;
    expect(reference.length).toBe(wholeBuckets);
    expect(Math.max(...reference)).toBeGreaterThan(30);
    for (const parts of [1, 2, 5]) {
      // oxlint-disable-next-line no-await-in-loop -- decoding takes all of a processor
      const { min, rms } = await readByThreads(fixture(name), parts);
      const late = delayMs(rms, reference);
      const label = `${name} in ${parts} parts`;
      expect(Math.abs(min.length - wholeBuckets), `difference of buckets, ${label}`).toBeLessThanOrEqual(12);
      expect(likeness(reference, rms, late / 10), `likeness, ${label}`).toBeGreaterThanOrEqual(0.93);
      expect(Math.abs(late), `delay in ms, ${label}`).toBeLessThanOrEqual(withoutGaplessTag[name] ?? 10);
    }
  },
);

test.each([2, 3, 8])('threads that read %i parts say the same as one that reads the whole', async (parts) => {
  const path = fixture('two-sentences.s16.wav');
  expect(await readByThreads(path, parts)).toEqual(await decoded(path));
});

test('a recording shorter than the whole seconds at which it is split is read once', async () => {
  const path = join(await emptyFolder(), 'short.wav');
  writeSilentWav(path, 1);
  expect((await readByThreads(path, 2)).min.length).toBe(100);
});

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ovoz-peaks-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('what is no sound, or only the browser may decode, is refused before anything is said of it', async () => {
  const letter = join(await emptyFolder(), 'letter.mp3');
  await writeFile(letter, 'Assalomu alaykum! '.repeat(400));
  for (const path of [letter, fixture('lossless.alac.m4a'), fixture('two-sentences.vorbis.webm')])
    // oxlint-disable-next-line no-await-in-loop -- each starts threads
    await expect(readByThreads(path, 1)).rejects.toThrow(/sound|unsupported|decoder/u);
});

test('a recording without any sound is refused, also when it is read in parts', async () => {
  const path = join(await emptyFolder(), 'empty.wav');
  writeSilentWav(path, 0);
  for (const parts of [1, 3])
    // oxlint-disable-next-line no-await-in-loop -- each starts threads
    await expect(readByThreads(path, parts)).rejects.toThrow(/no sound/u);
});

/** Calls back for each thread that is started until the test has finished. */
function watchThreads(onThread: (thread: Worker) => void): void {
  process.on('worker', onThread);
  onTestFinished(() => void process.off('worker', onThread));
}

test('a reader that leaves ends the reading, and its thread reads the next recording', async () => {
  let threads = 0;
  const isDone = Promise.withResolvers<void>();
  watchThreads((thread) => {
    threads += 1;
    thread.on('message', ({ kind }: PeaksReport) => {
      if (kind === 'done') isDone.resolve();
    });
  });
  const left = new AbortController();
  const read = createPeaksReader(worker);
  const chunks = read(fixture('two-sentences.flac'), left.signal);
  await chunks.next();
  left.abort();
  await expect(all(chunks)).rejects.toThrow('aborted');
  await isDone.promise;
  await all(read(fixture('two-sentences.mp3'), new AbortController().signal));
  expect(threads).toBe(1);
});

test('what nobody wants any more is decoded no further', async () => {
  const chunks: PeakChunk[] = [];
  const keep = (chunk: PeakChunk) => void chunks.push(chunk);
  await decodePeaks(fixture('two-sentences.flac'), whole, keep, () => chunks.length > 0);
  expect(joinPeaks(chunks).min.length).toBeLessThan(wholeBuckets / 2);
});

test('a recording that is left before its first sound is no failure, which would end the thread', async () => {
  const none = () => expect.unreachable();
  const { durationMs } = await decodePeaks(fixture('two-sentences.flac'), whole, none, () => true);
  expect(durationMs).toBe(0);
});

test('a thread that does not leave its recording is stuck, and ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const deaf = join(await emptyFolder(), 'deaf.mjs');
  await writeFile(
    deaf,
    `import { parentPort } from 'node:worker_threads';
     parentPort.on('message', () => parentPort.postMessage({ kind: 'peaks', chunk: { min: [0] } }));`,
  );
  let isEnded: Promise<unknown> = Promise.resolve();
  watchThreads((thread) => {
    isEnded = once(thread, 'exit');
  });
  const left = new AbortController();
  const chunks = createPeaksReader(pathToFileURL(deaf))(fixture('two-sentences.flac'), left.signal);
  await chunks.next();
  left.abort();
  await expect(all(chunks)).rejects.toThrow('aborted');
  vi.advanceTimersByTime(2000);
  await isEnded;
});

test('a part that fails ends the reading when its turn comes: what is before it is told', async () => {
  const folder = await emptyFolder();
  const failing = join(folder, 'failing.mjs');
  await writeFile(
    failing,
    `import { parentPort } from 'node:worker_threads';
     const none = { min: [], max: [], rms: [] };
     parentPort.on('message', ({ part: { index } }) => {
       if (index === 1) parentPort.postMessage({ kind: 'failed', reason: 'damaged' });
       else {
         parentPort.postMessage({ kind: 'peaks', chunk: { min: [index], max: [index], rms: [index] } });
         parentPort.postMessage({ kind: 'done', durationMs: 10, rest: none });
       }
     });`,
  );
  const read = createPeaksReader(pathToFileURL(failing), { partBytes: 100_000 });
  const chunks = read(fixture('two-sentences.s16.wav'), new AbortController().signal);
  expect((await chunks.next()).value?.min).toEqual([0]);
  await expect(chunks.next()).rejects.toThrow('damaged');
});

test('a reader may take its time: only a thread that reports nothing is stuck', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const bothHalves = Promise.withResolvers<void>();
  let done = 0;
  watchThreads((thread) => {
    thread.on('message', ({ kind }: PeaksReport) => {
      if (kind === 'done') done += 1;
      if (done === 2) bothHalves.resolve();
    });
  });
  const path = fixture('two-sentences.s16.wav');
  const chunks = createPeaksReader(worker, { partBytes: 100_000 })(path, new AbortController().signal);
  const { value: first } = await chunks.next();
  await bothHalves.promise;
  vi.advanceTimersByTime(40_000);
  expect(joinPeaks([...(first === undefined ? [] : [first]), ...(await all(chunks))])).toEqual(await decoded(path));
});

test('threads that wait for the next recording do not keep their process alive', async () => {
  const reader = new URL('../../electron/platform/node/audio/read-peaks.ts', import.meta.url).href;
  const script = `
    const { createPeaksReader } = await import(${JSON.stringify(reader)});
    const read = createPeaksReader(new URL(${JSON.stringify(worker.href)}), { partBytes: 10_000 });
    for await (const _ of read(${JSON.stringify(fixture('two-sentences.mp3'))}, new AbortController().signal));
    console.log('read');`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 8000,
  });
  expect(stdout).toBe('read\n');
});
