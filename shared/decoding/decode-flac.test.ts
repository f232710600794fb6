import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { BufferSource, EncodedPacketSink, FLAC, Input } from 'mediabunny';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sourceOf } from '../../tests/support/byte-source-of.ts';
import { partsOf } from '../../tests/support/parts-of.ts';
import { decodeFlac } from './decode-flac.ts';
import { whole as allOfIt, type Part } from './decoded-audio.ts';
import { flacFrames } from './flac-frames.ts';
import { joined } from './byte-source.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const canMake = spawnSync('ffmpeg', ['-version']).status === 0;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ovoz-flac-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const ffmpeg = (...given: string[]) => spawnSync('ffmpeg', ['-v', 'error', '-y', ...given], { cwd: folder });
const fixture = (): Bytes => Uint8Array.from(readFileSync('tests/fixtures/audio/two-sentences.flac'));

/** Two different channels of noise and tones of 24 bits. */
const stereo = 'aevalsrc=0.4*sin(300*t*t)+0.1*random(0)|0.3*sin(2000*t):s=44100:d=6';
/** A made recording, and its channels as ffmpeg decodes them. */
function make(name: string, ...encode: string[]): { readonly bytes: Bytes; readonly channels: readonly Int32Array[] } {
  ffmpeg('-f', 'lavfi', '-i', stereo, '-sample_fmt', 's32', '-c:a', 'flac', ...encode, name);
  ffmpeg('-i', name, '-f', 's32le', 'samples');
  const { buffer, byteOffset, length } = readFileSync(join(folder, 'samples'));
  const samples = new Int32Array(buffer, byteOffset, length / 4).map((sample) => sample >> 8);
  const channels = [0, 1].map((channel) => samples.filter((_, index) => index % 2 === channel));
  return { bytes: Uint8Array.from(readFileSync(join(folder, name))), channels };
}

async function framesOf(bytes: Bytes, pieceBytes = bytes.length): Promise<string[]> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.slice(index * pieceBytes, (index + 1) * pieceBytes),
  );
  const found: string[] = [];
  for await (const frame of flacFrames(pieces)) found.push(Buffer.from(frame).toString('base64'));
  return found;
}
const bytesOf = (frame: string | undefined): Bytes => Uint8Array.from(Buffer.from(frame ?? '', 'base64'));

async function framesOfDemuxer(bytes: Bytes): Promise<string[]> {
  const input = new Input({ formats: [FLAC], source: new BufferSource(bytes) });
  const track = (await input.getPrimaryAudioTrack())!;
  const found: string[] = [];
  for await (const { data } of new EncodedPacketSink(track).packets()) found.push(Buffer.from(data).toString('base64'));
  return found;
}

/** The channels of a recording as numbers of so many bits. */
async function decode(bytes: Bytes, bits: number, parts: readonly Part[] = [allOfIt]): Promise<Int32Array[]> {
  const found: number[][] = [];
  // Full scale is the largest number.
  const scale = 2 ** (bits - 1) - 1;
  const source = sourceOf(bytes);
  for (const part of parts)
    for await (const { channels, frames } of decodeFlac(source, part))
      for (const [index, samples] of channels.entries())
        for (const sample of samples.subarray(0, frames)) (found[index] ??= []).push(Math.round(sample * scale));
  return found.map((samples) => Int32Array.from(samples));
}

/** Told in numbers, because a list of half a million differences helps nobody. */
function expectSame(found: readonly Int32Array[], expected: readonly Int32Array[]): void {
  expect(found.map(({ length }) => length)).toEqual(expected.map(({ length }) => length));
  expect(found.map((samples, index) => samples.findIndex((sample, at) => sample !== expected[index]?.[at]))).toEqual(
    found.map(() => -1),
  );
}

test('frames are those that the demuxer finds, whatever pieces they come in', async () => {
  const expected = await framesOfDemuxer(fixture());
  expect(expected.length).toBeGreaterThan(20);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 10, max: 40_000 }), async (pieceBytes) => {
      expect(await framesOf(fixture(), pieceBytes)).toEqual(expected);
    }),
    { numRuns: 20, endOnFailure: true, examples: [[15], [16]] },
  );
});

test('damage costs the frames it lies in and those between, and no other', async () => {
  const whole = await framesOf(fixture());
  await fc.assert(
    fc.asyncProperty(
      fc.nat(fixture().length - 1),
      fc.integer({ min: 1, max: 20_000 }),
      fc.integer(),
      async (at, length, seed) => {
        const bytes = fixture();
        const damage = Uint8Array.from({ length }, (_, index) => Math.imul(seed + index, 0x9e3779b1) >>> 24);
        const head = bytes.length - whole.reduce((sum, frame) => sum + bytesOf(frame).length, 0);
        bytes.set(damage.subarray(0, bytes.length - at), at);
        const isHit = (start: number, end: number) => start < at + length && end > at;
        let place = head;
        const untouched = whole.filter((frame) => {
          const start = place;
          place += bytesOf(frame).length;
          return !isHit(start, place);
        });
        const found = new Set(await framesOf(bytes));
        // The frame before the damage goes on to where the next one is found.
        expect(untouched.filter((frame) => !found.has(frame)).length).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: 60, endOnFailure: true },
  );
});

test('a recording whose numbers do not follow on is read frame by frame nevertheless', async () => {
  const frames = (await framesOf(fixture())).map(bytesOf);
  const apart = joined(frames.filter((_, index) => index % 3 === 0));
  expect((await framesOf(apart)).length).toBe(Math.ceil(frames.length / 3));
});

test('two recordings one after the other are read to the end', async () => {
  const whole = await framesOf(fixture());
  const twice = joined([fixture(), ...whole.map(bytesOf)]);
  expect(await framesOf(twice, 5000)).toEqual([...whole, ...whole]);
});

test.skipIf(!canMake).each(['flac', 'ogg'])(
  'stereo of 24 bits in %s is the same to the last bit, also in two halves',
  async (kind) => {
    const { bytes, channels } = make(`stereo.${kind}`);
    expectSame(await decode(bytes, 24), channels);
    expectSame(await decode(bytes, 24, partsOf(2)), channels);
    expect((await decode(bytes, 24, partsOf(2).slice(1)))[0]?.length).toBeGreaterThan(channels[0]!.length / 3);
  },
);

test('parts smaller than a frame are empty, or have what begins in them', async () => {
  expectSame(await decode(fixture(), 16, partsOf(100)), await decode(fixture(), 16));
});

test.skipIf(!canMake)('sound that looks like a header of the same recording ends no frame', async () => {
  ffmpeg('-f', 'lavfi', '-i', 'anoisesrc=r=16000:d=4', '-f', 's16be', 'noise');
  const noise = Uint8Array.from(readFileSync(join(folder, 'noise')));
  const encode = () => {
    writeFileSync(join(folder, 'noise'), noise);
    ffmpeg('-f', 's16be', '-ar', '16000', '-i', 'noise', '-frame_size', '2000', 'noise.flac');
    return Uint8Array.from(readFileSync(join(folder, 'noise.flac')));
  };
  const header = bytesOf((await framesOf(encode()))[7]).subarray(0, 9);
  // Noise is stored as it is.
  noise.set(header, 3 * 4000 + 1000);
  const bytes = encode();
  const frames = (await framesOf(bytes)).map(bytesOf);
  expect(Buffer.from(frames[3]!).indexOf(header)).toBeGreaterThan(0);
  expect(frames.length).toBe(32);
  const expected = new DataView(noise.buffer);
  expectSame(await decode(bytes, 16), [
    Int32Array.from({ length: noise.length / 2 }, (_, index) => expected.getInt16(index * 2)),
  ]);
});

/** The frame counted by its first sample instead of by frames; UTF-8 leaves out some numbers below. */
function countedInSamples(frame: Bytes, sample: number): Bytes {
  const numberBytes = Math.max(1, Math.clz32(~((frame[4] ?? 0) << 24)));
  const number = Buffer.from(String.fromCodePoint(0x1_0000 + sample));
  const sizeBytes = { 6: 1, 7: 2 }[(frame[2] ?? 0) >> 4] ?? 0;
  const rest = 4 + numberBytes + sizeBytes;
  const header = joined([
    Uint8Array.of(0xff, 0xf9),
    frame.subarray(2, 4),
    number,
    frame.subarray(rest - sizeBytes, rest),
  ]);
  const content = joined([header, Uint8Array.of(checksum(header, 8, 0x07)), frame.subarray(rest + 1, -2)]);
  const sum = checksum(content, 16, 0x8005);
  return joined([content, Uint8Array.of(sum >> 8, sum & 0xff)]);
}

/** A cyclic redundancy check of 8 or 16 bits. */
function checksum(bytes: Bytes, bits: number, polynomial: number): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << (bits - 8);
    for (let bit = 0; bit < 8; bit += 1) sum = ((sum << 1) ^ ((sum >> (bits - 1)) * polynomial)) & (2 ** bits - 1);
  }
  return sum;
}

test.skipIf(!canMake)('frames of different lengths, counted in samples, are the same to the last bit', async () => {
  const [short, long] = [make('short.flac', '-frame_size', '1152'), make('long.flac', '-frame_size', '4608')];
  const [ofShort, ofLong] = [await framesOf(short.bytes), await framesOf(long.bytes)];
  const mixed = [
    ...ofShort.slice(0, 40).map((frame, index) => countedInSamples(bytesOf(frame), index * 1152)),
    ...ofLong.slice(10, 50).map((frame, index) => countedInSamples(bytesOf(frame), (index + 10) * 4608)),
  ];
  expect(await framesOf(joined(mixed), 5000)).toEqual(mixed.map((frame) => Buffer.from(frame).toString('base64')));
  expectSame(
    await decode(joined(mixed), 24),
    short.channels.map((channel) => channel.slice(0, 50 * 4608)),
  );
});

test.skipIf(!canMake).each([
  ['the middle', 100_000, 8],
  ['one header', 4, 2],
])('after damage of %s the sound goes on as it was', async (_what, length, most) => {
  const { bytes, channels } = make('damaged.flac');
  const frames = (await framesOf(bytes)).map(bytesOf);
  const at = Buffer.from(bytes).indexOf(frames[25]!);
  bytes.fill(0x55, at, at + length);
  const found = await decode(bytes, 24);
  const missing = channels[0]!.length - found[0]!.length;
  expect(missing).toBeGreaterThan(0);
  expect(missing).toBeLessThanOrEqual(most * 4608);
  const before = 24 * 4608;
  expectSame(
    found.map((channel) => channel.slice(0, before)),
    channels.map((channel) => channel.slice(0, before)),
  );
  const after = channels[0]!.length - before - most * 4608;
  expectSame(
    found.map((channel) => channel.slice(-after)),
    channels.map((channel) => channel.slice(-after)),
  );
});
