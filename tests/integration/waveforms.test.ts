import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createPeaksReader } from '../../electron/platform/node/audio/read-peaks.ts';
import { createMediaTokens, type MediaTokens, type PlayableMedia } from '../../electron/services/media/media-tokens.ts';
import { createWaveforms } from '../../electron/services/media/waveforms.ts';
import { packedLength, packPeaks, unpackPeaks } from '../../shared/domain/audio/packed-peaks.ts';
import { joinPeaks, type PeakChunk } from '../../shared/domain/audio/peak-builder.ts';
import { fixture } from '../page-editor/support/transcripts.ts';

const worker = new URL('../../electron/entries/peaks-worker.ts', import.meta.url);

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
  const read = createPeaksReader(worker);
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

test.each([
  ['before the first peaks', () => new Promise<PeakChunk>(() => undefined)],
  ['between two peaks', () => someChunk],
])('a reader that leaves %s ends the reading', async (_when, nextPeaks) => {
  let isOver = false;
  const waveforms = createWaveforms({
    store: { read: async () => null, write: async () => true, remove: async () => undefined },
    tokens: { isIssued: () => true },
    async *read(_path, signal) {
      const stopped = once(signal, 'abort').then((): never => {
        throw new Error('stopped');
      });
      try {
        // oxlint-disable-next-line no-await-in-loop -- one follows the other
        for (;;) yield await Promise.race([nextPeaks(), stopped]);
      } finally {
        isOver = true;
      }
    },
  });
  const stream = await waveforms.open({ path: '', sha256: 'a' });
  await stream.cancel();
  expect(isOver).toBe(true);
});

test('a damaged waveform is computed again', async () => {
  const { kept, add, waveforms, readings } = keptWaveforms();
  const media = add('two-sentences.s16.wav', 'a');
  const first = joinPeaks(await received(await waveforms.open(media)));
  kept.set('a', packPeaks(first).subarray(0, 500));
  expect(joinPeaks(await received(await waveforms.open(media)))).toEqual(first);
  expect(readings()).toBe(2);
});

test('a long waveform is kept and sent in parts, and one with a damaged part is computed again the next time', async () => {
  const long: PeakChunk = {
    min: Int8Array.from({ length: 300_000 }, (_, at) => -(at % 100)),
    max: Int8Array.from({ length: 300_000 }, (_, at) => at % 101),
    rms: Uint8Array.from({ length: 300_000 }, (_, at) => at % 103),
  };
  const kept = new Map<string, Uint8Array>();
  let readings = 0;
  const waveforms = createWaveforms({
    store: {
      read: async (sha256) => kept.get(sha256) ?? null,
      write: async (sha256, peaks) => kept.set(sha256, peaks) === kept,
      remove: async (sha256) => void kept.delete(sha256),
    },
    tokens: { isIssued: () => true },
    async *read() {
      readings += 1;
      yield long;
    },
  });
  const media = { path: '', sha256: 'a' };
  await received(await waveforms.open(media));
  const again = await received(await waveforms.open(media));
  expect(again.map(({ min }) => min.length)).toEqual([12_000, 120_000, 120_000, 48_000, 0]);
  expect([joinPeaks(again), readings]).toEqual([long, 1]);
  kept.get('a')?.fill(7, 700_000, 700_010);
  const damaged = await received(await waveforms.open(media));
  expect(damaged.map(({ min }) => min.length)).toEqual([12_000, 120_000]);
  expect(joinPeaks(await received(await waveforms.open(media)))).toEqual(long);
  expect(readings).toBe(2);
});

test('what can’t be decoded ends without the empty peaks of a whole waveform', async () => {
  const { kept, add, waveforms } = keptWaveforms();
  expect(await received(await waveforms.open(add('lossless.alac.m4a', 'a')))).toEqual([]);
  expect(kept.size).toBe(0);
});

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
