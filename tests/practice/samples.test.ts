import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { analyse } from '../../electron/practice/analysis/analyse.ts';
import { findSample } from '../../electron/practice/samples.ts';

const folder = fileURLToPath(new URL('../../assets/samples/', import.meta.url));
const sounds = readdirSync(folder).filter((name) => /\.(mp3|ogg|flac)$/.test(name));

describe('bundled sample recordings', () => {
  it('are three, in the three languages, one with two speakers, below 1.5 MB together', () => {
    const samples = sounds.map((name) =>
      findSample(
        createHash('sha256')
          .update(readFileSync(folder + name))
          .digest('hex'),
      ),
    );
    expect(samples.map((sample) => sample?.language).toSorted((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1))).toEqual([
      'en',
      'ru',
      'uz',
    ]);
    const speakers = samples.map((sample) => new Set(sample?.segments.map((segment) => segment.speaker)).size);
    expect(speakers.toSorted((a, b) => a - b)).toEqual([1, 1, 2]);
    expect(sounds.reduce((sum, name) => sum + readFileSync(folder + name).length, 0)).toBeLessThan(1_500_000);
  });

  it.each(sounds)('%s has its words in order, and speech at their times', async (name) => {
    const sample = findSample(
      createHash('sha256')
        .update(readFileSync(folder + name))
        .digest('hex'),
    );
    const outcome = await analyse(folder + name);
    if (sample === null || outcome.kind !== 'measured') throw new Error('not a sample');
    let free = 0;
    for (const segment of sample.segments) {
      expect(segment.words.map((word) => word.text).join(' ')).toBe(segment.text);
      expect([segment.words[0]?.startMs, segment.words.at(-1)?.endMs]).toEqual([segment.startMs, segment.endMs]);
      for (const word of segment.words) {
        expect(word.startMs).toBeGreaterThanOrEqual(free);
        expect(word.endMs).toBeGreaterThan(word.startMs);
        free = word.endMs;
      }
      const heard = outcome.sound.speech.some(
        ({ startMs, endMs }) => startMs <= segment.startMs + 100 && endMs >= segment.startMs + 300,
      );
      expect([segment.text, heard]).toEqual([segment.text, true]);
    }
    expect(free).toBeLessThan(outcome.sound.durationMs);
  });

  it('writes Uzbek with its own letters', () => {
    const text = readFileSync(`${folder}interview-uz.json`, 'utf8');
    expect(text).toContain('oʻrgana');
    expect(text).not.toMatch(/[og]['’‘`]/);
  });
});
