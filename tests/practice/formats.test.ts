import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyse } from '../../electron/practice/analysis/analyse.ts';
import { LoudnessTrack } from '../../electron/recogniser/loudness-track.ts';
import { openAudio } from '../../electron/audio/decode/open-audio.ts';

const folder = fileURLToPath(new URL('../fixtures/audio/', import.meta.url));
const recordings = (await readdir(folder)).filter((name) => name.startsWith('two-sentences.'));

let temporary = '';
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'practice-formats-'));
});
afterAll(() => rm(temporary, { recursive: true, force: true }));

/** The stream of `fragmented.m4a` has no edit list, so its padding of 64 ms counts as audio everywhere. */
const durationOf = (name: string): number => (name.includes('fragmented') ? 8064 : 8000);

async function loudnessOf(path: string): Promise<Float32Array> {
  const file = await open(path);
  try {
    const track = new LoudnessTrack();
    for await (const block of (await openAudio(file, path)).blocks) track.add(block);
    return track.finish().loudnessDb;
  } finally {
    await file.close();
  }
}

/** Mean level of 100 ms each, so that codecs may differ in detail and not over time. */
const steps = (loudness: Float32Array): number[] =>
  Array.from({ length: Math.floor(loudness.length / 10) }, (_, at) => {
    const part = loudness.subarray(at * 10, at * 10 + 10);
    return 10 * Math.log10(part.reduce((sum, db) => sum + 10 ** (db / 10), 0) / part.length);
  });

describe('the same recording in every format', () => {
  it('exists in WAV, MP3, M4A, OGG, WebM and FLAC', () => {
    const extensions = new Set(recordings.map((name) => name.split('.').at(-1)));
    expect(extensions).toEqual(new Set(['flac', 'm4a', 'mp3', 'ogg', 'wav', 'webm']));
  });

  it.each(recordings)('%s has its length to 50 ms and both sentences at their times', async (name) => {
    const outcome = await analyse(join(folder, name));
    if (outcome.kind !== 'measured') throw new Error(`${outcome.kind}`);
    const { durationMs, speech, peak } = outcome.sound;
    expect(Math.abs(durationMs - durationOf(name))).toBeLessThanOrEqual(50);
    expect(speech).toHaveLength(2);
    const borders = speech.flatMap(({ startMs, endMs }) => [startMs, endMs]);
    const late = name.includes('fragmented') ? 64 : 0;
    for (const [at, expected] of [1000, 3300, 5000, 7050].entries()) {
      expect(
        Math.abs((borders[at] ?? 0) - expected - late),
        `border ${at} of ${borders.join(' ')}`,
      ).toBeLessThanOrEqual(150);
    }
    expect(peak).toBeGreaterThan(0.35);
    expect(peak).toBeLessThan(0.8);
  });

  // Padding shifts these two by a few hundredths of a second, which a stepped loudness would show.
  it.each(recordings.filter((name) => !/no-xing|fragmented/.test(name)))(
    '%s rises and falls as the WAV does',
    async (name) => {
      const expected = steps(await loudnessOf(join(folder, 'two-sentences.s16.wav')));
      const given = steps(await loudnessOf(join(folder, name)));
      const loud = expected.flatMap((db, at) => (db > -35 && at < given.length ? [db - (given[at] ?? 0)] : []));
      const offset = loud.reduce((sum, difference) => sum + difference, 0) / loud.length;
      // FFmpeg makes stereo of mono 3 dB softer per channel.
      expect(Math.abs(offset)).toBeLessThan(4);
      for (const difference of loud) expect(Math.abs(difference - offset)).toBeLessThan(2);
    },
  );
});

describe('AAC', () => {
  it('has the level that FFmpeg measures, channel by channel, also in short windows', async () => {
    const level = JSON.parse(await readFile(join(folder, 'clicks-stereo.level.json'), 'utf8')) as Record<
      'left' | 'right',
      number[]
    >;
    const path = join(folder, 'clicks-stereo.m4a');
    const file = await open(path);
    const sums = [new Float64Array(20), new Float64Array(20)] as const;
    let position = 0;
    for await (const { channels } of (await openAudio(file, path)).blocks) {
      for (const [side, sum] of sums.entries()) {
        for (const [at, sample] of channels[side]?.entries() ?? []) {
          const step = Math.floor((position + at) / 4410);
          sum[step] = (sum[step] ?? 0) + sample * sample;
        }
      }
      position += channels[0]?.length ?? 0;
    }
    await file.close();
    for (const [side, sum] of sums.entries()) {
      const given = [...sum].map((value) => Math.sqrt(value / 4410));
      for (const [at, value] of given.entries())
        expect(value).toBeCloseTo((side === 0 ? level.left : level.right)[at] ?? 0, 4);
    }
  });
});

describe('a file without speech', () => {
  it('is rejected with a reason if it has no audio', async () => {
    expect(await analyse(join(folder, 'only-picture.webm'))).toMatchObject({ kind: 'undecodable', code: 'no_audio' });
    expect(await analyse(join(folder, 'lossless.alac.m4a'))).toMatchObject({
      kind: 'undecodable',
      code: 'unsupported_codec',
    });
    expect(await analyse(join(folder, 'README.md'))).toMatchObject({
      kind: 'undecodable',
      code: 'unsupported_media_type',
    });
  });

  it('is measured and empty if it is silent', async () => {
    expect(await analyse(join(folder, 'silence.opus.ogg'))).toMatchObject({
      kind: 'measured',
      sound: { durationMs: 3000, speech: [] },
    });
  });

  it.each(recordings)('survives %s cut at any place', async (name) => {
    const whole = await readFile(join(folder, name));
    const path = join(temporary, name);
    for (const share of [0, 0.001, 0.01, 0.3, 0.999]) {
      await writeFile(path, whole.subarray(0, Math.floor(whole.length * share)));
      const outcome = await analyse(path);
      expect(['measured', 'undecodable']).toContain(outcome.kind);
      if (outcome.kind === 'measured') expect(outcome.sound.durationMs).toBeLessThanOrEqual(durationOf(name) + 50);
    }
  });

  it.each(recordings)('survives %s with bytes changed', async (name) => {
    const damaged = await readFile(join(folder, name));
    for (let at = 600; at < damaged.length; at += 397) damaged[at] = (damaged[at] ?? 0) ^ 0x5a;
    const path = join(temporary, `damaged-${name}`);
    await writeFile(path, damaged);
    expect(['measured', 'undecodable']).toContain((await analyse(path)).kind);
  });
});
