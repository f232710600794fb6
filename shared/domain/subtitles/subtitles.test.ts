import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import { anyTranscript } from '../../../tests/support/any-transcript.ts';
import { toTranscript } from '../transcript/from-received.ts';
import { breakIntoLines, breakRules, neverBreak } from './line-breaks.ts';
import { makeCues } from './make-cues.ts';
import { presets, profileBounds, standardProfile, type SubtitleProfile } from './profiles.ts';
import { readProfile, writeProfile } from './profile-file.ts';

const runs = process.env['OVOZ_LONG'] ? 20_000 : 600;
const bounded = (name: keyof typeof profileBounds) =>
  fc.integer({ min: profileBounds[name].min, max: profileBounds[name].max });
const anyProfile: fc.Arbitrary<SubtitleProfile> = fc.oneof(
  fc.constantFrom(...Object.values(presets), standardProfile('uz')),
  fc.record({
    charactersPerLine: bounded('charactersPerLine'),
    linesPerCue: bounded('linesPerCue'),
    charactersPerSecond: bounded('charactersPerSecond'),
    minimumMs: fc.integer({ min: 200, max: 1000 }),
    maximumMs: bounded('maximumMs'),
    gapMs: bounded('gapMs'),
    chainMs: bounded('chainMs'),
    splitsAtSentences: fc.boolean(),
  }),
);

describe('cues made of words', () => {
  it('keep every word in order, never overlap, and end with the recording, by any profile', () => {
    forAllIn(runs, anyTranscript, anyProfile, (transcript, profile) => {
      const cues = makeCues(transcript, profile);
      let before = 0;
      for (const { startMs, endMs, lines, rows } of cues) {
        expect(Number.isInteger(startMs) && Number.isInteger(endMs)).toBe(true);
        expect(startMs).toBeGreaterThanOrEqual(before);
        expect(endMs).toBeGreaterThan(startMs);
        expect(endMs - startMs).toBeLessThanOrEqual(profile.maximumMs);
        expect(rows.map((row) => row.map(({ text }) => text).join(' '))).toEqual(lines);
        // Only a word that fits nowhere makes a line too long or one line too many.
        const isFit =
          lines.every((line) => line.length <= profile.charactersPerLine) && lines.length <= profile.linesPerCue;
        if (!isFit) expect(rows.flat()).toHaveLength(1);
        before = endMs;
      }
      expect(before).toBeLessThanOrEqual(Math.max(transcript.durationMs, cues.length));
    });
  });

  it('are chained over a silence of at most the chain, of which the gap is a part', () => {
    const profile = { ...standardProfile('uz'), minimumMs: 800, gapMs: 100, chainMs: 500 };
    const endBefore = (nextMs: number) => {
      const segments = [0, nextMs].map((startMs) => ({
        text: 'Salom.',
        speaker: String(startMs),
        words: [{ text: 'Salom.', startMs, endMs: startMs + 1000 }],
      }));
      return makeCues(toTranscript({ text: '', segments }, { language: 'uz', durationMs: 9000 }), profile)[0]?.endMs;
    };
    expect([endBefore(1500), endBefore(1501)]).toEqual([1400, 1000]);
  });

  it('leave no word of a sentence alone that is too long for one cue, whatever its words', () => {
    const anyWord = fc.constantFrom(...'daʼvogar tomon zararni qoplashni soʻraydi javobgar shartnoma'.split(' '));
    forAllIn(
      200,
      fc.array(anyWord, { minLength: 4, maxLength: 6 }),
      fc.integer({ min: 7500, max: 8500 }),
      (said, endMs) => {
        const text = `${said.join(' ')}.`;
        const step = endMs / said.length;
        const words = text.split(' ').map((word, at) => ({ text: word, startMs: at * step, endMs: (at + 1) * step }));
        const segments = [{ text, words }];
        const transcript = toTranscript({ text: '', segments }, { language: 'uz', durationMs: endMs });
        for (const { rows } of makeCues(transcript, standardProfile('uz')))
          expect(rows.flat().length).toBeGreaterThan(1);
      },
    );
  });
});

describe('line breaks', () => {
  it('are placed where the language allows them, if there is such a place', () => {
    const anyWord = fc.constantFrom(...'в Москве не пришёл же 25 километров и дома, лес. — столица из-за'.split(' '));
    forAllIn(runs, fc.array(anyWord, { minLength: 2, maxLength: 14 }), (words) => {
      const cost = breakRules('ru');
      const costs = words.map((word, at) => (words[at + 1] === undefined ? 0 : cost(word, words[at + 1] ?? '')));
      const fits = (at: number) => [words.slice(0, at), words.slice(at)].every((line) => line.join(' ').length <= 39);
      const isPossible = words.some((_, at) => at > 0 && fits(at) && (costs[at - 1] ?? 0) < neverBreak);
      const lines = breakIntoLines(words, costs, 39, 2);
      if (words.join(' ').length > 39 && isPossible) {
        expect(lines).toHaveLength(2);
        expect(costs[(lines[0]?.[1] ?? 0) - 1]).toBeLessThan(neverBreak);
      }
      expect(lines.flatMap(([from, to]) => words.slice(from, to))).toEqual(words);
    });
  });
});

it('a profile is read back from its file, and an invalid file is rejected', () => {
  forAllIn(
    200,
    anyProfile,
    fc.string({ minLength: 1, maxLength: 80 }).filter((name) => name.trim() === name),
    (profile, name) => {
      expect(readProfile(writeProfile({ name, profile }))).toEqual({ name, profile });
    },
  );
  expect(readProfile(writeProfile({ name: 'x', profile: { ...standardProfile('uz'), linesPerCue: 9 } }))).toBe(null);
});
