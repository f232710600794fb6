import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sourceOf } from '../../tests/support/byte-source-of.ts';
import type { ByteSource } from './byte-source.ts';
import { chooseEngine } from './choose-engine.ts';
import { openAacInOrder } from './decode-aac-in-order.ts';
import type { Part } from './decoded-audio.ts';

const canMake = spawnSync('ffmpeg', ['-version']).status === 0;
const rate = 22_050;

async function read(source: ByteSource, part: Part): Promise<number[]> {
  const decode = await openAacInOrder(source);
  const samples: number[] = [];
  for await (const { channels } of decode!(source, part)) for (const sample of channels[0]!) samples.push(sample);
  return samples;
}

test.skipIf(!canMake).each([[[]], [['-movflags', 'faststart']]])(
  'two halves of a plain MP4 meet at a whole second, and are the whole sample by sample',
  async (more) => {
    const folder = mkdtempSync(join(tmpdir(), 'ovoz-aac-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true, force: true });
    });
    const made = ['-f', 'lavfi', '-i', `aevalsrc=0.4*sin(300*t*t):s=${String(rate)}:d=21.3`];
    // What fills in noise by chance differs each time.
    const encode = ['-c:a', 'aac', '-aac_pns', '0', ...more];
    spawnSync('ffmpeg', ['-v', 'error', ...made, ...encode, 'made.m4a'], { cwd: folder });
    const source = sourceOf(Uint8Array.from(readFileSync(join(folder, 'made.m4a'))));
    expect(await chooseEngine(source)).toBe('aac');
    const [whole, first, second] = [
      await read(source, 'all'),
      await read(source, 'first'),
      await read(source, 'second'),
    ];
    expect(whole.length / rate).toBeCloseTo(21.3, 0);
    expect(first.length % rate).toBe(0);
    expect(second.length / rate).toBeGreaterThan(8);
    expect(first.length + second.length).toBe(whole.length);
    expect([...first, ...second].findIndex((sample, at) => sample !== whole[at])).toBe(-1);
  },
);

test('what is too short to be split is read by the first', async () => {
  const source = sourceOf(Uint8Array.from(readFileSync('tests/fixtures/audio/clicks-stereo.m4a')));
  const [whole, first, second] = [await read(source, 'all'), await read(source, 'first'), await read(source, 'second')];
  expect(first.length).toBe(whole.length);
  expect(second).toEqual([]);
});

test.skipIf(!canMake)(
  'a video is left to the demuxer, which does not read the pictures, unless memory counts more',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ovoz-aac-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true, force: true });
    });
    const sound = ['-f', 'lavfi', '-i', 'sine=d=6'];
    const pictures = ['-f', 'lavfi', '-i', 'testsrc2=d=6:s=320x240'];
    const encode = ['-c:a', 'aac', '-b:a', '64k', '-c:v', 'mpeg4', '-q:v', '2'];
    spawnSync('ffmpeg', ['-v', 'error', ...sound, ...pictures, ...encode, 'made.mp4'], { cwd: folder });
    const source = sourceOf(Uint8Array.from(readFileSync(join(folder, 'made.mp4'))));
    expect(await openAacInOrder(source)).toBeNull();
    expect(await openAacInOrder(source, true)).not.toBeNull();
    expect(await chooseEngine(source)).toBe('aac');
  },
);
