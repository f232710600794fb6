import fc from 'fast-check';
import { BufferSource, EncodedPacketSink, FLAC, Input } from 'mediabunny';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { flacFrames } from './flac.ts';
import { openAudio } from './open-audio.ts';
import { folderOfFile } from '../../../tests/support/test-folders.ts';

const folder = folderOfFile();
const fixture = (name: string) => join('tests/fixtures/audio', name);
const canMake = spawnSync('ffmpeg', ['-version']).status === 0;

interface Read {
  readonly channels: number[][];
  readonly rate: number;
  readonly seconds: number | null;
}

async function read(path: string, fromSecond = 0): Promise<Read> {
  const file = await open(path);
  try {
    const { blocks, seconds } = await openAudio(file, path, fromSecond);
    const found: number[][] = [];
    let rate = 0;
    for await (const { channels, sampleRate } of blocks) {
      rate = sampleRate;
      for (const [index, samples] of channels.entries()) for (const one of samples) (found[index] ??= []).push(one);
    }
    return { channels: found, rate, seconds: await seconds() };
  } finally {
    await file.close();
  }
}

/** The largest difference, from where decoders have settled, and as far as both go. */
const largest = (part: readonly number[], whole: readonly number[], first: number): number => {
  let most = 0;
  for (let at = 500; at < Math.min(part.length, whole.length - first); at += 1)
    most = Math.max(most, Math.abs((part[at] ?? 9) - (whole[first + at] ?? -9)));
  return most;
};

test.each([
  ['mp3', 1e-4],
  ['no-xing.mp3', 1e-4],
  ['flac', 1e-4],
  ['opus.ogg', 1e-4],
  ['vorbis.ogg', 1e-4],
  ['s16.wav', 1e-4],
  // Decoders of AAC fill in noise by chance; a part at the wrong place differs by ten times as much.
  ['m4a', 0.04],
  ['fragmented.m4a', 0.04],
] as const)('%s read from any second on gives the samples that are there, and knows its length', async (kind, most) => {
  const path = fixture(`two-sentences.${kind}`);
  const whole = await read(path);
  expect(whole.seconds).toBeCloseTo(whole.channels[0]!.length / whole.rate, 5);
  for (const second of [0.5, 1.3, 4, 6.25]) {
    const part = await read(path, second);
    const first = Math.round(second * whole.rate);
    expect(largest(part.channels[0]!, whole.channels[0]!, first), String(second)).toBeLessThan(most);
    expect(part.channels[0]!.length).toBeGreaterThanOrEqual(whole.channels[0]!.length - first);
  }
});

test.skipIf(!canMake)(
  'a long MP3 with a variable bit rate, and a long FLAC, are read from the asked sample on',
  async () => {
    const tone = ['-f', 'lavfi', '-i', 'aevalsrc=0.2*sin(3*t*t)+0.02*random(0):s=22050:d=90'];
    for (const [name, ...encode] of [['made.mp3', '-q:a', '4'], ['made.flac']] as const) {
      spawnSync('ffmpeg', ['-v', 'error', ...tone, ...encode, join(folder, name)]);
      const whole = await read(join(folder, name));
      const part = await read(join(folder, name), 61.5);
      expect(largest(part.channels[0]!, whole.channels[0]!, 61.5 * 22_050), name).toBeLessThan(1e-3);
      expect(whole.seconds).toBeCloseTo(90, 5);
    }
  },
);

async function framesOf(bytes: Uint8Array<ArrayBuffer>, pieceBytes: number): Promise<string[]> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.slice(index * pieceBytes, (index + 1) * pieceBytes),
  );
  const found: string[] = [];
  for await (const frame of flacFrames(pieces)) found.push(Buffer.from(frame).toString('base64'));
  return found;
}

test('frames of FLAC are those that the demuxer finds, whatever pieces they come in', async () => {
  const bytes = Uint8Array.from(readFileSync(fixture('two-sentences.flac')));
  const track = await new Input({ formats: [FLAC], source: new BufferSource(bytes) }).getPrimaryAudioTrack();
  const expected: string[] = [];
  for await (const { data } of new EncodedPacketSink(track!).packets())
    expected.push(Buffer.from(data).toString('base64'));
  expect(expected.length).toBeGreaterThan(20);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 10, max: 40_000 }), async (pieceBytes) => {
      expect(await framesOf(bytes, pieceBytes)).toEqual(expected);
    }),
    { numRuns: 20, endOnFailure: true, examples: [[15], [16]] },
  );
});

test.skipIf(!canMake)('stereo of 24 bits in FLAC is the same to the last bit', async () => {
  const made = join(folder, 'stereo.flac');
  const stereo = 'aevalsrc=0.4*sin(300*t*t)+0.1*random(0)|0.3*sin(2000*t):s=44100:d=6';
  spawnSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', stereo, '-sample_fmt', 's32', made]);
  spawnSync('ffmpeg', ['-v', 'error', '-i', made, '-f', 's32le', `${made}.samples`]);
  const { buffer, byteOffset, length } = readFileSync(`${made}.samples`);
  const samples = new Int32Array(buffer, byteOffset, length / 4).map((sample) => sample >> 8);
  const { channels } = await read(made);
  const found = channels.map((channel) => channel.map((sample) => Math.round(sample * (2 ** 23 - 1))));
  expect(found.map((channel) => channel.length)).toEqual([samples.length / 2, samples.length / 2]);
  expect(samples.findIndex((sample, at) => found[at % 2]?.[at >> 1] !== sample)).toBe(-1);
});

interface Wav {
  readonly code?: number;
  readonly bits?: number;
  readonly channels?: number;
  readonly dataSize?: number;
  readonly before?: readonly (readonly [string, number])[];
}

/** What is read of a WAV around raw sample bytes. */
async function readWav(data: Uint8Array, { code = 1, bits = 16, channels = 1, dataSize, before = [] }: Wav = {}) {
  const format = Buffer.alloc(16);
  format.writeUInt16LE(code, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(16_000, 4);
  format.writeUInt16LE((channels * bits) / 8, 12);
  format.writeUInt16LE(bits, 14);
  const chunk = (name: string, body: Uint8Array, size = body.length) => {
    const head = Buffer.alloc(8);
    head.write(name, 'latin1');
    head.writeUInt32LE(size, 4);
    return Buffer.concat([head, body, Buffer.alloc(name === 'data' ? 0 : body.length % 2)]);
  };
  const others = before.map(([name, size]) => chunk(name, new Uint8Array(size)));
  const chunks = [Buffer.from('WAVE'), chunk('fmt ', format), ...others, chunk('data', data, dataSize)];
  const path = join(folder, 'made.wav');
  writeFileSync(path, chunk('RIFF', Buffer.concat(chunks)));
  return (await read(path)).channels;
}

const bytesOf = (...samples: number[]) => new Uint8Array(Int16Array.from(samples).buffer);

test('every width of sample in a WAV gives the same loudness', async () => {
  const half: readonly (readonly [Wav, Uint8Array])[] = [
    [{ bits: 8 }, Uint8Array.of(192)],
    [{ bits: 16 }, Uint8Array.of(0, 0x40)],
    [{ bits: 24 }, Uint8Array.of(0, 0, 0x40)],
    [{ bits: 32 }, Uint8Array.of(0, 0, 0, 0x40)],
    [{ bits: 32, code: 3 }, new Uint8Array(Float32Array.of(0.5).buffer)],
    [{ bits: 64, code: 3 }, new Uint8Array(Float64Array.of(0.5).buffer)],
  ];
  for (const [options, data] of half) expect((await readWav(data, options))[0]![0]).toBe(0.5);
  const [[quiet, loud] = []] = await readWav(Uint8Array.of(0xd5, 0xaa), { bits: 8, code: 6 });
  expect([quiet, loud]).toEqual([expect.closeTo(0, 2), expect.closeTo(0.98, 1)]);
  const [[zero, top] = []] = await readWav(Uint8Array.of(0xff, 0x80), { bits: 8, code: 7 });
  expect([zero, top]).toEqual([expect.closeTo(0, 3), expect.closeTo(0.98, 1)]);
});

test('channels of a WAV come apart, and what stands around the samples is not read', async () => {
  const shares = (...samples: number[]) => samples.map((sample) => sample / 32_768);
  expect(await readWav(bytesOf(1, 2, 3, 4), { channels: 2, before: [['LIST', 7]] })).toEqual([
    shares(1, 3),
    shares(2, 4),
  ]);
  expect(await readWav(bytesOf(5, 6, 7, 8), { dataSize: 4 })).toEqual([shares(5, 6)]);
  // A length that was never filled in means: to the end.
  for (const dataSize of [0, 0xffff_ffff])
    expect(await readWav(bytesOf(5, 6, 7), { dataSize })).toEqual([shares(5, 6, 7)]);
  await expect(readWav(new Uint8Array(8), { code: 2, bits: 4 })).rejects.toThrow('encoding 2');
});
