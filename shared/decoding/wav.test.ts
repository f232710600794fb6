import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unpackWav, readWavFormat } from './decode-wav.ts';

interface Options {
  readonly code?: number;
  readonly bits?: number;
  readonly channels?: number;
  readonly sampleRate?: number;
  readonly dataSize?: number;
  readonly before?: readonly (readonly [string, number])[];
}

/** A WAV around raw sample bytes. */
function wav(
  data: Uint8Array,
  { code = 1, bits = 16, channels = 1, sampleRate = 16_000, dataSize, before = [] }: Options = {},
): Uint8Array<ArrayBuffer> {
  const extra = before.reduce((sum, [, size]) => sum + 8 + size + (size % 2), 0);
  const bytes = new Uint8Array(44 + extra + data.length);
  const view = new DataView(bytes.buffer);
  const put = (at: number, text: string) => {
    for (let i = 0; i < text.length; i += 1) view.setUint8(at + i, text.charCodeAt(i));
  };
  put(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  put(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, code, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, (sampleRate * channels * bits) / 8, true);
  view.setUint16(32, (channels * bits) / 8, true);
  view.setUint16(34, bits, true);
  let at = 36;
  for (const [name, size] of before) {
    put(at, name);
    view.setUint32(at + 4, size, true);
    at += 8 + size + (size % 2);
  }
  put(at, 'data');
  view.setUint32(at + 4, dataSize ?? data.length, true);
  bytes.set(data, at + 8);
  return bytes;
}

async function* inPieces(bytes: Uint8Array<ArrayBuffer>, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.slice(at, at + size));
}

async function read(bytes: Uint8Array<ArrayBuffer>, size = bytes.length) {
  const channels: number[][] = [];
  for await (const block of unpackWav(inPieces(bytes, size))) {
    block.channels.forEach((samples, index) => {
      (channels[index] ??= []).push(...samples.subarray(0, block.frames));
    });
  }
  return channels;
}

test('16-bit samples read back exactly, whatever pieces the file arrives in', async () => {
  const anySamples = fc.int16Array({ minLength: 1, maxLength: 400 });
  await fc.assert(
    fc.asyncProperty(anySamples, fc.integer({ min: 1, max: 97 }), async (values, size) => {
      const bytes = wav(new Uint8Array(values.buffer.slice(0)), { before: [['LIST', 7]] });
      const [channel] = await read(bytes, size);
      expect(channel).toEqual(Array.from(values, (value) => value / 32_768));
    }),
    { numRuns: 50 },
  );
});

test('every width of sample gives the same loudness', async () => {
  const half: readonly (readonly [Options, Uint8Array])[] = [
    [{ bits: 8 }, Uint8Array.of(192)],
    [{ bits: 16 }, Uint8Array.of(0, 0x40)],
    [{ bits: 24 }, Uint8Array.of(0, 0, 0x40)],
    [{ bits: 32 }, Uint8Array.of(0, 0, 0, 0x40)],
    [{ bits: 32, code: 3 }, new Uint8Array(Float32Array.of(0.5).buffer)],
    [{ bits: 64, code: 3 }, new Uint8Array(Float64Array.of(0.5).buffer)],
  ];
  for (const [options, data] of half) expect(await read(wav(data, options))).toEqual([[0.5]]);
  const [[quiet, loud] = []] = await read(wav(Uint8Array.of(0xd5, 0xaa), { bits: 8, code: 6 }));
  expect(quiet).toBeCloseTo(0, 2);
  expect(loud).toBeCloseTo(0.98, 1);
  const [[zero, top] = []] = await read(wav(Uint8Array.of(0xff, 0x80), { bits: 8, code: 7 }));
  expect(zero).toBeCloseTo(0, 3);
  expect(top).toBeCloseTo(0.98, 1);
});

test('channels come apart', async () => {
  const data = new Uint8Array(Int16Array.of(1, 2, 3, 4).buffer);
  expect(await read(wav(data, { channels: 2 }))).toEqual([
    [1 / 32_768, 3 / 32_768],
    [2 / 32_768, 4 / 32_768],
  ]);
});

test('a length that was never filled in means: to the end', async () => {
  const data = new Uint8Array(Int16Array.of(5, 6, 7).buffer);
  for (const dataSize of [0, 0xffff_ffff]) expect((await read(wav(data, { dataSize })))[0]).toHaveLength(3);
});

test('data after the audio is not audio', async () => {
  const bytes = wav(new Uint8Array(Int16Array.of(5, 6, 7, 8).buffer), { dataSize: 4 });
  expect((await read(bytes))[0]).toHaveLength(2);
});

test('no first bytes make the reader throw or read out of bounds', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, isDressed) => {
      const input = isDressed ? Uint8Array.of(...wav(new Uint8Array(0)).subarray(0, 12), ...bytes) : bytes;
      const format = readWavFormat(input);
      if (format.ok) expect(format.value.dataOffset).toBeLessThanOrEqual(input.length);
    }),
    { numRuns: 500 },
  );
});

test('compressed audio in a WAV is rejected, not read as noise', () => {
  expect(readWavFormat(wav(new Uint8Array(8), { code: 2, bits: 4 }))).toEqual({ ok: false, error: 'unsupported' });
});
