import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sourceOf } from '../../tests/support/byte-source-of.ts';
import { partsOf } from '../../tests/support/parts-of.ts';
import type { ByteSource } from './byte-source.ts';
import { chooseEngine } from './choose-engine.ts';
import { openAacInOrder } from './decode-aac-in-order.ts';
import { whole as allOfIt, type Part } from './decoded-audio.ts';

const canMake = spawnSync('ffmpeg', ['-version']).status === 0;
const rate = 22_050;

async function read(source: ByteSource, part: Part): Promise<number[]> {
  const decode = await openAacInOrder(source);
  const samples: number[] = [];
  for await (const { channels } of decode!(source, part)) for (const sample of channels[0]!) samples.push(sample);
  return samples;
}

test.skipIf(!canMake).each([[[]], [['-movflags', 'faststart']]])(
  'parts of a plain MP4 meet at whole seconds, and are the whole sample by sample',
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
    const whole = await read(source, allOfIt);
    const [first, second, third] = await Promise.all(partsOf(3).map((part) => read(source, part)));
    expect(whole.length / rate).toBeCloseTo(21.3, 0);
    expect([first!.length % rate, second!.length % rate]).toEqual([0, 0]);
    expect(third!.length / rate).toBeGreaterThan(6);
    expect(first!.length + second!.length + third!.length).toBe(whole.length);
    expect([...first!, ...second!, ...third!].findIndex((sample, at) => sample !== whole[at])).toBe(-1);
  },
);

test('what is shorter than its parts is read once', async () => {
  const source = sourceOf(Uint8Array.from(readFileSync('tests/fixtures/audio/clicks-stereo.m4a')));
  const parts = await Promise.all(partsOf(16).map((part) => read(source, part)));
  expect(parts.flat()).toEqual(await read(source, allOfIt));
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
