import fc from 'fast-check';
import { BufferSource, EncodedPacketSink, FLAC, Input } from 'mediabunny';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sourceOf } from '../../tests/support/byte-source-of.ts';
import { partsOf } from '../../tests/support/parts-of.ts';
import { whole as allOfIt, type Part } from './decoded-audio.ts';
import { decodeFlac } from './choose-engine.ts';
import { flacFrames } from './stream-cuts.ts';

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
function make(name: string): { readonly bytes: Bytes; readonly channels: readonly Int32Array[] } {
  ffmpeg('-f', 'lavfi', '-i', stereo, '-sample_fmt', 's32', '-c:a', 'flac', name);
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

test.skipIf(!canMake).each(['flac', 'ogg'])(
  'stereo of 24 bits in %s is the same to the last bit, also in two halves',
  async (kind) => {
    const { bytes, channels } = make(`stereo.${kind}`);
    expectSame(await decode(bytes, 24), channels);
    expectSame(await decode(bytes, 24, partsOf(2)), channels);
    expect((await decode(bytes, 24, partsOf(2).slice(1)))[0]?.length).toBeGreaterThan(channels[0]!.length / 3);
  },
);
