import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import { anyTranscript } from '../../../tests/support/any-transcript.ts';
import { checkCue, findProblems } from './check-cues.ts';
import type { Cue } from './cue.ts';
import { giveTime } from './fix-cues.ts';
import { makeCues } from './make-cues.ts';
import { presets, standardProfile } from './profiles.ts';

const runs = process.env['OVOZ_LONG'] ? 20_000 : 600;

describe('the checker', () => {
  const profile = standardProfile('uz');
  const facts = { profile, language: 'uz', durationMs: 60_000 } as const;

  it('finds each possible problem', () => {
    const first = { startMs: 0, endMs: 2000, lines: ['Salom, dunyo.'], speakerId: null };
    const cue = (more: Partial<Cue>): Cue => ({ ...first, ...more });
    const kinds = (one: Cue, next: Cue | null = null) => checkCue(one, next, facts).map(({ kind }) => kind);
    expect(kinds(cue({}))).toEqual([]);
    expect(kinds(cue({ endMs: 0 }))).toContain('no-duration');
    expect(kinds(cue({ endMs: 300, lines: ['Ha.'] }))).toEqual(['too-short']);
    expect(kinds(cue({ endMs: 9000 }))).toEqual(['too-long']);
    expect(kinds(cue({ lines: ['x'.repeat(43)], endMs: 5000 }))).toEqual(['line-too-long']);
    expect(kinds(cue({ lines: ['a', 'b', 'c'] }))).toEqual(['too-many-lines']);
    expect(kinds(cue({ lines: ['juda tez aytilgan gap bu yerda', 'oʻqib boʻlmaydi'] }))).toEqual(['too-fast']);
    expect(kinds(cue({}), cue({ startMs: 1500, endMs: 3000 }))).toEqual(['overlap']);
    expect(kinds(cue({}), cue({ startMs: 2020, endMs: 4000 }))).toEqual(['gap-too-short']);
    expect(kinds(cue({ startMs: 10, endMs: 2010 }), cue({ startMs: 0 }))).toContain('not-in-order');
    expect(kinds(cue({ startMs: 59_000, endMs: 61_000 }))).toEqual(['after-the-end']);
    expect(kinds(cue({ lines: [' '] }))).toEqual(['empty']);
    expect(kinds(cue({ lines: ['Men', 'ham boraman.'] }))).toEqual(['bad-line-break']);
  });
});

describe('more time for cues that need it', () => {
  it('shortens the cue before, where silence closed the gap, and leaves the gap', () => {
    const facts = { profile: { ...standardProfile('uz'), gapMs: 83 }, language: 'uz', durationMs: 9000 } as const;
    const spans = [
      [0, 3000],
      [3083, 3683],
      [3766, 6000],
    ] as const;
    const cues = spans.map(([startMs, endMs]) => ({ startMs, endMs, lines: ['Ha.'], speakerId: null }));
    const given = giveTime(cues, facts, { spokenUntil: ({ startMs }) => startMs + 500 });
    expect(given.map(({ startMs, endMs }) => [startMs, endMs]).slice(0, 2)).toEqual([
      [0, 2767],
      [2850, 3683],
    ]);
  });

  it('changes no word and no line, keeps the order and the gaps, and makes nothing worse, with any guide', () => {
    forAllIn(runs / 3, anyTranscript, fc.constantFrom(...Object.values(presets)), (transcript, profile) => {
      const facts = { profile, language: transcript.language, durationMs: transcript.durationMs };
      const cues = makeCues(transcript, profile);
      const spokenUntil = ({ rows, endMs }: (typeof cues)[number]) => rows.at(-1)?.at(-1)?.endMs ?? endMs;
      const given = giveTime(cues, facts, { spokenUntil });
      expect(given.map(({ lines, rows }) => ({ lines, rows }))).toEqual(
        cues.map(({ lines, rows }) => ({ lines, rows })),
      );
      for (const [at, cue] of given.entries()) {
        const [before, own] = [given[at - 1], cues[at]];
        if (own === undefined) throw new Error('as many cues as before');
        expect(cue.startMs).toBeLessThanOrEqual(own.startMs);
        expect(cue.startMs).toBeGreaterThanOrEqual(Math.max(0, own.startMs - 500, before?.endMs ?? 0));
        expect(cue.endMs).toBeGreaterThanOrEqual(Math.min(own.endMs, spokenUntil(own)));
        expect(cue.endMs - cue.startMs).toBeLessThanOrEqual(Math.max(profile.maximumMs, own.endMs - own.startMs));
      }
      const left = findProblems(given, facts);
      const were = findProblems(cues, facts);
      for (const kind of ['too-fast', 'too-short', 'overlap', 'gap-too-short', 'after-the-end'] as const)
        expect(left.filter((one) => one.kind === kind).length, kind).toBeLessThanOrEqual(
          were.filter((one) => one.kind === kind).length,
        );
    });
  });
});
