import { ReadableStream } from 'node:stream/web';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sourceOf } from '../../tests/support/byte-source-of.ts';
import { partsOf } from '../../tests/support/parts-of.ts';
import { decodeInBlocks, whole, type ByteSource, type Engine, type Part } from './decoded-audio.ts';
import { engines } from './choose-engine.ts';

const canMake = spawnSync('ffmpeg', ['-version']).status === 0;

/** A tone that rises all the time: no stretch of it is like another. */
function make(name: string, encode: readonly string[]): ByteSource {
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-parts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const tone = ['-f', 'lavfi', '-i', 'aevalsrc=0.2*sin(3*t*t)+0.02*random(0):s=22050:d=31.7'];
  spawnSync('ffmpeg', ['-v', 'error', ...tone, ...encode, name], { cwd: folder });
  return sourceOf(Uint8Array.from(readFileSync(join(folder, name))));
}

function joined(blocks: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    all.set(block, at);
    at += block.length;
  }
  return all;
}

async function samplesOf(source: ByteSource, engine: Engine, part: Part): Promise<Float32Array> {
  const blocks: Float32Array[] = [];
  for await (const { channels, frames } of engines[engine](source, part)) blocks.push(channels[0]!.slice(0, frames));
  return joined(blocks);
}

/** An MP3 says at its beginning how many samples at its end do not count. */
const endPadding = 2400;
/** Some containers round times to it. */
const millisecond = 48;

test.skipIf(!canMake).each([
  ['MP3', 'mp3', 'made.mp3', ['-b:a', '64k'], endPadding],
  ['WAV', 'wav', 'made.wav', [], 0],
  ['FLAC', 'flac', 'made.flac', [], 0],
  ['Vorbis', 'vorbis', 'made.ogg', ['-c:a', 'libvorbis'], 0],
  ['Opus', 'opus', 'made.opus', ['-c:a', 'libopus'], 0],
  ['Opus in WebM', 'opus', 'made.webm', ['-c:a', 'libopus'], millisecond],
  ['AAC', 'aac', 'made.m4a', ['-c:a', 'aac'], 0],
  ['AAC in Matroska', 'aac', 'made.mka', ['-c:a', 'aac'], millisecond],
] as const)(
  'parts of %s follow each other without a gap or an overlap',
  async (_format, engine, name, encode, excess) => {
    const source = make(name, encode);
    const all = await samplesOf(source, engine, whole);
    expect(all.length).toBeGreaterThan(490_000);
    const parts: Float32Array[] = [];
    // oxlint-disable-next-line no-await-in-loop -- decoding takes all of a processor
    for (const part of partsOf(5)) parts.push(await samplesOf(source, engine, part));
    // Each worker has something to do.
    expect(Math.min(...parts.map(({ length }) => length / all.length))).toBeGreaterThan(0.1);
    const together = joined(parts);
    expect(together.length).toBeGreaterThanOrEqual(all.length);
    expect(together.length).toBeLessThanOrEqual(all.length + excess);
    const far = all.subarray(0, -1000).findIndex((sample, at) => Math.abs(sample - (together[at] ?? 0)) > 0.1);
    expect(far).toBe(-1);
  },
);

test('packets that only prepare the decoder are not given, even if the recording ends before the part begins', async () => {
  const decode = (packets: readonly Uint8Array[]) => ({ channels: [], frames: packets.length, sampleRate: 1 });
  const given = async (count: number) => {
    const packets = ReadableStream.from(Array.from({ length: count }, () => new Uint8Array()));
    const blocks: number[] = [];
    for await (const { frames } of decodeInBlocks(packets, 2, decode, 3)) blocks.push(frames);
    return blocks;
  };
  expect(await given(6)).toEqual([2, 1]);
  expect(await given(3)).toEqual([]);
  expect(await given(2)).toEqual([]);
});
