import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createDecoder } from '../../electron/platform/node/audio/decoder-threads.ts';
import { joinPeaks, packedLength, unpackPeaks, type PeakChunk } from '../../shared/domain/audio/peak-builder.ts';
import { fixture } from '../page-editor/support/transcripts.ts';
import { createMediaTokens, type MediaTokens, type PlayableMedia } from '../../electron/services/media/tokens.ts';
import { createWaveforms } from '../../electron/services/media/waveforms.ts';

const worker = new URL('../../electron/entries/decoder-worker.ts', import.meta.url);

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

const readByThreads = async (path: string, splitFrom: number): Promise<PeakChunk> =>
  joinPeaks(await all(createDecoder(worker, { splitFrom }).readPeaks(path, new AbortController().signal)));
/** Which tenths of a second are loud. */
const loudTenths = ({ rms }: PeakChunk) =>
  Array.from({ length: 80 }, (_, at) => Math.max(0, ...rms.subarray(at * 10, at * 10 + 10)) > 10);
const recordings = (await readdir(fixture(''))).filter((name) => name.startsWith('two-sentences.'));

const reference = readByThreads(fixture('two-sentences.s16.wav'), Infinity).then(loudTenths);

test.each(recordings)('%s gives the same waveform as the others, whole and in halves, at its time', async (name) => {
  const spoken = await reference;
  expect(new Set(spoken).size).toBe(2);
  for (const splitFrom of [Infinity, 1]) {
    // oxlint-disable-next-line no-await-in-loop -- decoding takes all of a processor
    const peaks = await readByThreads(fixture(name), splitFrom);
    expect(Math.abs(peaks.min.length - 800)).toBeLessThanOrEqual(12);
    const alike = loudTenths(peaks).filter((isLoud, at) => isLoud === spoken[at]);
    expect(alike.length, `${name} split from ${splitFrom} s`).toBeGreaterThanOrEqual(68);
  }
});

/** Everything that an opened waveform says, as peaks that end with empty ones. */
async function received(stream: ReadableStream<Uint8Array>): Promise<PeakChunk[]> {
  let rest = new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
  const chunks: PeakChunk[] = [];
  for (let length = packedLength(rest); length !== null; length = packedLength(rest)) {
    const chunk = unpackPeaks(rest.subarray(0, length));
    if (!chunk.ok) throw new Error(`The peaks do not read back: ${chunk.error}`);
    chunks.push(chunk.value);
    rest = rest.subarray(length);
  }
  return chunks;
}

/** Recordings with waveforms in memory; `onWrite` is called when one was written. */
function keptWaveforms(onWrite: (tokens: MediaTokens) => void = () => {}) {
  const kept = new Map<string, Uint8Array>();
  const tokens = createMediaTokens();
  const read = createDecoder(worker).readPeaks;
  let readings = 0;
  const waveforms = createWaveforms({
    store: {
      read: async (sha256) => kept.get(sha256) ?? null,
      write: async (sha256, peaks) => {
        kept.set(sha256, peaks);
        onWrite(tokens);
        return true;
      },
      remove: async (sha256) => void kept.delete(sha256),
    },
    tokens,
    read: (path, signal) => {
      readings += 1;
      return read(path, signal);
    },
  });
  const add = (name: string, sha256: string): PlayableMedia => {
    const media = { path: fixture(name), sha256 };
    tokens.issue(media);
    return media;
  };
  return { kept, tokens, add, waveforms, readings: () => readings };
}

test('a waveform is kept when it is complete, and is not computed again', async () => {
  const { kept, add, waveforms, readings } = keptWaveforms();
  const media = add('two-sentences.mp3', 'a');
  const first = await received(await waveforms.open(media));
  expect(first.at(-1)?.min.length).toBe(0);
  const again = await received(await waveforms.open(media));
  expect([joinPeaks(again), again.length, readings()]).toEqual([joinPeaks(first), 2, 1]);
  expect(unpackPeaks(new Uint8Array(kept.get('a') ?? []))).toEqual({ ok: true, value: joinPeaks(first) });
});

const someChunk: PeakChunk = { min: new Int8Array(9), max: new Int8Array(9), rms: new Uint8Array(9) };

test('the waveform of a recording that was erased while it was read, or while it was written, is not kept', async () => {
  const erasedEarly = keptWaveforms();
  const media = erasedEarly.add('two-sentences.mp3', 'a');
  const stream = await erasedEarly.waveforms.open(media);
  erasedEarly.tokens.forget(['a']);
  await received(stream);
  expect([...erasedEarly.kept.keys()]).toEqual([]);

  const erasedLate = keptWaveforms((tokens) => tokens.forget(['a']));
  expect(await erasedLate.waveforms.keep(erasedLate.add('two-sentences.mp3', 'a'), someChunk)).toBe(false);
  expect([...erasedLate.kept.keys()]).toEqual([]);
});
