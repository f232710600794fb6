import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyTranscript } from '../../../tests/support/any-transcript.ts';
import { checkCue, findProblems, isTooFast } from './check-cues.ts';
import { cleanSpokenText } from '../transcript/spoken-text.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { Cue } from './cue.ts';
import { fixCues, giveTime } from './fix-cues.ts';
import { makeCues } from './make-cues.ts';
import { segmentCues } from './segment-cues.ts';
import { presets, standardProfile } from './profiles.ts';

const runs = process.env['OVOZ_LONG'] ? 20_000 : 600;

const anyCue: fc.Arbitrary<Cue> = fc.record({
  startMs: fc.nat(60_000),
  endMs: fc.nat(70_000),
  lines: fc.array(
    fc.constantFrom(
      'Ha.',
      'Salom dunyo',
      '',
      'bir juda uzun qator, unga hech narsa sigʻmaydi va u yana davom etadi',
      'men ham',
    ),
    { maxLength: 4 },
  ),
  speakerId: fc.constant(null),
});

describe('the checker', () => {
  const profile = standardProfile('uz');
  const facts = { profile, language: 'uz', durationMs: 60_000 } as const;

  it('finds each possible problem', () => {
    const cue = (more: Partial<Cue>): Cue => ({
      startMs: 0,
      endMs: 2000,
      lines: ['Salom, dunyo.'],
      speakerId: null,
      ...more,
    });
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

  it('reports a break in a bad place only where the same words could be broken better', () => {
    const english = { profile: standardProfile('en'), language: 'en', durationMs: 60_000 } as const;
    const isReported = (lines: readonly string[], profileNow = english.profile, prefix = '') =>
      checkCue({ startMs: 0, endMs: 7000, lines, speakerId: null, prefix }, null, {
        ...english,
        profile: profileNow,
      }).some(({ kind }) => kind === 'bad-line-break');
    const unavoidable = ['Welcome to Clay and Fire, a podcast about', 'people who still make things by hand.'];
    expect(isReported(unavoidable)).toBe(false);
    expect(isReported(['Welcome to Clay and Fire, a', 'podcast about people.'])).toBe(true);
    expect(isReported(unavoidable, { ...english.profile, linesPerCue: 3 })).toBe(true);
    // A name stays with the word after it.
    expect(isReported(['Anna: a', 'b'.repeat(40)], english.profile, 'Anna:')).toBe(false);
    expect(isReported(['Anna: a', 'b'.repeat(40)])).toBe(true);
  });

  it('takes the beginning of a turn for a good place to break, and the dash inside a sentence for none', () => {
    const isReported = (lines: readonly string[], language: 'en' | 'ru' = 'en') =>
      checkCue({ startMs: 0, endMs: 7000, lines, speakerId: null }, null, {
        ...facts,
        profile: standardProfile(language),
        language,
      }).some(({ kind }) => kind === 'bad-line-break');
    for (const turns of [
      ['- Hi and welcome', '- Thank you'],
      ['- I came', '- And then?'],
      ['-I came and', '-and what?'],
      ['I came', '– And then?'],
      ['— я пришёл и', '— а потом?'],
    ])
      expect(isReported(turns), turns.join(' / ')).toBe(false);
    expect(isReported(['- Hi and', 'welcome', '- Thank you'])).toBe(true);
    expect(isReported(['Москва', '— столица России.'], 'ru')).toBe(true);
    const dialogue = { startMs: 0, endMs: 4000, lines: ['- I came', '- And then?'], speakerId: null };
    expect(fixCues([dialogue], { ...facts, profile: standardProfile('en'), language: 'en' })).toEqual([dialogue]);
  });

  it('a speed that is written like the limit is not too fast', () => {
    expect([17, 17.04, 17.06].map((speed) => isTooFast(speed, 17))).toEqual([false, false, true]);
  });

  it('finds no bad break in captions of the app, however long their lines may be', () => {
    fc.assert(
      fc.property(
        anyTranscript,
        fc.record({ charactersPerLine: fc.integer({ min: 12, max: 42 }), linesPerCue: fc.integer({ min: 1, max: 3 }) }),
        fc.boolean(),
        (transcript, limits, isBySegment) => {
          const own = { ...standardProfile(transcript.language), ...limits };
          const naming = { when: 'change', prefixOf: () => 'Dilnoza:' } as const;
          // Captions by segment keep the line breaks of its text, wherever they are.
          const segments = transcript.segments.map((one) => ({ ...one, text: cleanSpokenText(one.text) }));
          const cues = (isBySegment ? segmentCues : makeCues)({ ...transcript, segments }, own, naming);
          const { language, durationMs } = transcript;
          const found = findProblems(cues, { profile: own, language, durationMs });
          expect(found.filter(({ kind }) => kind === 'bad-line-break')).toEqual([]);
        },
      ),
      { numRuns: runs / 2 },
    );
  });

  it('finds none where one word of the transcript is two on the page', () => {
    const words = ['и', 'a\r\nb'].map((text, at) => ({ text, startMs: at * 500, endMs: at * 500 + 400 }));
    const segment = { id: 's1', speakerId: 'p1', startMs: 0, endMs: 900, text: 'и a\r\nb', words };
    const speakers = [{ id: 'p1', name: null }];
    const transcript: Transcript = { language: 'ru', durationMs: 2000, speakers, segments: [segment] };
    const narrow = { ...standardProfile('ru'), charactersPerLine: 12 };
    const naming = { when: 'change', prefixOf: () => 'Dilnoza:' } as const;
    for (const cuesOf of [makeCues, segmentCues])
      expect(cuesOf(transcript, narrow, naming).map(({ lines }) => lines)).toEqual([['Dilnoza: и a', 'b']]);
  });

  it('reports captions without any gap by the guides that want two frames between all of them, and by no other', () => {
    const first: Cue = { startMs: 0, endMs: 2000, lines: ['Salom, dunyo.'], speakerId: null };
    const next = { ...first, startMs: 2000, endMs: 4000 };
    const reporting = Object.entries({ standard: profile, ...presets }).flatMap(([name, guide]) =>
      checkCue(first, next, { ...facts, profile: guide }).length > 0 ? [name] : [],
    );
    expect(reporting).toEqual(['standard', 'netflix-en', 'netflix-ru']);
  });

  it('fixes everything except speech that is too fast or too dense, and keeps the words', () => {
    fc.assert(
      fc.property(fc.array(anyCue, { maxLength: 20 }), (cues) => {
        const fixed = fixCues(cues, facts);
        const left = new Set(findProblems(fixed, facts).map(({ kind }) => kind));
        for (const kind of [
          'not-in-order',
          'no-duration',
          'overlap',
          'after-the-end',
          'empty',
          'too-many-lines',
          'line-too-long',
          'too-long',
          'bad-line-break',
        ] as const)
          expect(left.has(kind), kind).toBe(false);
        const wordsOf = (list: readonly Cue[]) =>
          list
            .flatMap(({ lines }) => lines.flatMap((line) => line.split(/\s+/u)))
            .filter((word) => word !== '')
            .toSorted();
        expect(wordsOf(fixed)).toEqual(wordsOf(cues));
      }),
      { numRuns: runs },
    );
  });
});

describe('more time for cues that need it', () => {
  it('changes no word and no line, keeps the order and the gaps, and makes nothing worse, with any guide', () => {
    fc.assert(
      fc.property(anyTranscript, fc.constantFrom(...Object.values(presets)), (transcript, profile) => {
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
      }),
      { numRuns: runs / 3 },
    );
  });

  it('uses the silence after a fast cue first, and that before it only when the first is not enough', () => {
    const profile = standardProfile('uz');
    const cue = (startMs: number, endMs: number, letters: number): Cue => ({
      startMs,
      endMs,
      lines: ['x'.repeat(letters)],
      speakerId: null,
    });
    const facts = { profile, language: 'uz', durationMs: 60_000 } as const;
    const times = (...cues: readonly Cue[]) => giveTime(cues, facts).map(({ startMs, endMs }) => [startMs, endMs]);
    expect(times(cue(5000, 6000, 34))).toEqual([[5000, 7000]]);
    expect(times(cue(1000, 2000, 5), cue(5000, 6000, 34), cue(6583, 9000, 5))).toEqual([
      [1000, 2000],
      [4500, 6500],
      [6583, 9000],
    ]);
  });
});
