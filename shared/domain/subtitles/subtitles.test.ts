import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyTranscript } from '../../../tests/support/any-transcript.ts';
import type { SpeechLanguage } from '../languages.ts';
import type { Segment, Transcript } from '../transcript/transcript.ts';
import { findProblems } from './check-cues.ts';
import { estimatedWords } from '../transcript/lean-transcript.ts';
import { realignWords } from '../transcript/realign-words.ts';
import { breakIntoLines, breakRules, neverBreak } from './line-breaks.ts';
import { makeCues } from './make-cues.ts';
import { readProfile, writeProfile } from './profile-file.ts';
import { presets, profileBounds, standardProfile, type SubtitleProfile } from './profiles.ts';

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

/** Speech at an even pace, with the text as given. */
function spoken(text: string, language: SpeechLanguage, msPerLetter = 60): Transcript {
  let at = 0;
  const words = text.split(' ').map((word) => {
    const startMs = at;
    at += word.length * msPerLetter;
    return { text: word, startMs, endMs: at };
  });
  const segment: Segment = { id: 's1', speakerId: null, startMs: 0, endMs: at, text, words };
  return { language, durationMs: at, speakers: [], segments: [segment] };
}

describe('cues made of words', () => {
  it.each([0, 30_000])(
    'keep few words together from %i ms on, where nobody knows when they are said until 57 s',
    (ms) => {
      const said = spoken('Birinchi gap. Ikkinchi gap.', 'uz');
      const segments = said.segments.map((segment) => ({
        ...segment,
        endMs: 57_000,
        words: realignWords([], segment.text, { startMs: ms, endMs: 57_000 }),
      }));
      const cues = makeCues({ ...said, durationMs: 57_000, segments }, standardProfile('uz'));
      expect(cues.map(({ lines }) => lines.join(' '))).toEqual(['Birinchi gap.', 'Ikkinchi gap.']);
      // The first caption is shown from the start of its segment on.
      expect(cues.map(({ startMs }) => startMs)).toEqual([0, expect.closeTo(ms + 5_200, -3)]);
    },
  );

  it('keep every word in order, never overlap, and end with the recording, by any profile', () => {
    fc.assert(
      fc.property(anyTranscript, anyProfile, (transcript, profile) => {
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
      }),
      { numRuns: runs },
    );
  });

  it('follow the presets if the speaker leaves time to read', () => {
    const text =
      'Avval pilladan ip tortiladi, keyin naqsh chiziladi, bogʻlanadi va boʻyaladi. Boʻyoqni biz hali ham anor poʻstidan, roʻyandan va isparakdan olamiz. Bu ish bir oydan qirq kungacha davom etadi.';
    for (const [name, profile] of Object.entries(presets)) {
      const transcript = spoken(text, 'uz', 75);
      const problems = findProblems(makeCues(transcript, profile), {
        profile,
        language: 'uz',
        durationMs: transcript.durationMs,
      });
      expect(problems, name).toEqual([]);
    }
  });

  it('never contain the end of one sentence and the start of the next, if each is long enough to be read alone', () => {
    const text =
      'Bugun biz Rishtonda, kulolchilik ustaxonasidamiz. Bu hunarni qachon oʻrgana boshlagansiz? Sirni choʻl oʻsimliklarining kulidan tayyorlaymiz. Kulni elaymiz, keyin uni qum bilan aralashtirib, olovda eritamiz. Yoshlar bu ishga qiziqyaptimi?';
    for (const [name, profile] of Object.entries(presets)) {
      const lines = makeCues(spoken(text, 'uz', 75), profile).map((cue) => cue.lines.join(' '));
      for (const line of lines) expect(line, name).not.toMatch(/[.?!] /u);
      const whole = makeCues(spoken(text, 'uz', 20), { ...profile, splitsAtSentences: false });
      expect(
        whole.some((cue) => /[.?!] /u.test(cue.lines.join(' '))),
        name,
      ).toBe(true);
    }
  });

  it('give a sentence typed behind the recognised ones, which has no time, a cue that can be read', () => {
    const sample = new URL('../../../assets/samples/podcast-en.json', import.meta.url);
    const { segments, durationMs } = JSON.parse(readFileSync(sample, 'utf8')) as {
      readonly segments: readonly Segment[];
      readonly durationMs: number;
    };
    const [first, ...others] = segments.map((segment, at) => ({ ...segment, id: `s${String(at)}`, speakerId: 'p1' }));
    if (first === undefined) throw new Error('the sample is empty');
    const text = `${first.text} Thiss is rong speling ok.`;
    const typed = { ...first, text, words: realignWords(first.words, text, first) };
    expect(typed.words.at(-1)).toMatchObject({ startMs: first.endMs, endMs: first.endMs });
    const transcript: Transcript = { language: 'en', durationMs, speakers: [], segments: [typed, ...others] };
    const profile = standardProfile('en');
    const cues = makeCues(transcript, profile);
    expect(cues.slice(0, 3).map(({ lines }) => lines.join(' '))).toEqual([
      'Welcome to Clay and Fire,',
      'a podcast about people who still make things by hand.',
      'Thiss is rong speling ok.',
    ]);
    expect(findProblems(cues, { profile, language: 'en', durationMs })).toEqual([]);
  });

  it.each(['given', 'estimated'])(
    'begin before the segment has ended in which their first word was typed, beside words with %s times',
    (times) => {
      const text = 'Man told us that there was a bridge once but.';
      const next = { id: 's2', speakerId: null, startMs: 7180, endMs: 8087, text: 'When it fell?' };
      const first = { id: 's1', speakerId: null, startMs: 3880, endMs: 7180, text };
      const guessed = estimatedWords(first);
      const words = times === 'given' ? guessed.map(({ isEstimated: _guess, ...word }) => word) : guessed;
      const typed = `${text} hello world`;
      const segments = [
        { ...first, text: typed, words: realignWords(words, typed, first) },
        { ...next, words: estimatedWords(next) },
      ];
      const cues = makeCues({ language: 'en', durationMs: 9000, speakers: [], segments }, standardProfile('en'));
      const own = cues.find(({ rows }) => rows.flat().some((word) => word.text === 'hello'));
      expect(own?.startMs).toBeLessThan(7180);
      const said = cues.flatMap(({ rows }) => rows.flat());
      expect(said.map((word) => word.text).join(' ')).toBe(`${typed} ${next.text}`);
      for (const word of said.slice(0, -3)) {
        expect(word.endMs).toBeLessThanOrEqual(7180);
        expect(word.endMs).toBeGreaterThan(word.startMs);
      }
    },
  );

  it('stay until the end that somebody gave to their segment, if no other cue and no rule is in the way', () => {
    const profile = standardProfile('en');
    const text = 'Welcome to Clay and Fire.';
    const first = { id: 's1', speakerId: null, startMs: 700, endMs: 3700, text };
    const second = { ...first, id: 's2', startMs: 9000, endMs: 11_000 };
    const endWith = (heldMs: number) => {
      const segments = [first, second].map((segment) => ({ ...segment, words: estimatedWords(segment) }));
      segments[0] = { ...(segments[0] ?? { ...first, words: [] }), endMs: heldMs };
      return makeCues({ language: 'en', durationMs: 20_000, speakers: [], segments }, profile)[0]?.endMs;
    };
    expect([3700, 6420, 8800, 12_000].map(endWith)).toEqual([3700, 6420, 7700, 7700]);
  });

  it('begin with the start that somebody gave to their segment, where that is before its first word', () => {
    const first = { id: 's1', speakerId: null, startMs: 1000, endMs: 3700, text: 'Welcome to Clay and Fire.' };
    const second = { ...first, id: 's2', startMs: 6000, endMs: 9000 };
    const startsWith = (startMs: number) => {
      const segments = [first, second].map((segment) => ({ ...segment, words: estimatedWords(segment) }));
      segments[1] = { ...(segments[1] ?? { ...first, words: [] }), startMs };
      const cues = makeCues({ language: 'en', durationMs: 20_000, speakers: [], segments }, standardProfile('en'));
      return cues.map((cue) => cue.startMs);
    };
    expect([6000, 5200].map(startsWith)).toEqual([
      [1000, 6000],
      [1000, 5200],
    ]);
  });

  it('stay a second after the last word at most, unless they would be too short to read', () => {
    const transcript: Transcript = {
      ...spoken('Ha.', 'uz'),
      durationMs: 60_000,
      segments: [
        { id: 's1', speakerId: null, startMs: 0, endMs: 200, text: 'Ha.', words: [] },
        {
          id: 's2',
          speakerId: null,
          startMs: 10_000,
          endMs: 11_000,
          words: [],
          text: 'Yigirma ikki kishi qatnashgan yigʻilish bayonnomasi tasdiqlandi.',
        },
      ],
    };
    expect(makeCues(transcript, standardProfile('uz')).map(({ startMs, endMs }) => endMs - startMs)).toEqual([
      833, 2000,
    ]);
  });

  it('leave gaps of exactly two frames, or gaps that are visible', () => {
    fc.assert(
      fc.property(anyTranscript, (transcript) => {
        const profile = presets['netflix-en'];
        const cues = makeCues(transcript, profile);
        for (const [at, cue] of cues.entries()) {
          const next = cues[at + 1];
          if (
            next === undefined ||
            next.startMs - profile.gapMs - cue.startMs > profile.maximumMs ||
            next.startMs - cue.startMs <= profile.gapMs
          )
            continue;
          const gapMs = next.startMs - cue.endMs;
          expect(gapMs === profile.gapMs || gapMs > profile.chainMs).toBe(true);
        }
      }),
      { numRuns: runs / 3 },
    );
  });
});

describe('line breaks', () => {
  it.each([
    ['ru', 'мы живём в', 'Москве'],
    ['ru', 'он не', 'пришёл'],
    ['ru', 'пришли', 'же вчера'],
    ['ru', 'всего 25', 'километров'],
    ['ru', 'поэт А.', 'Блок'],
    ['ru', 'Москва', '— столица'],
    ['uz', 'men', 'ham boraman'],
    ['uz', 'u va', 'men'],
    ['uz', 'bola', 'uchun kitob'],
    ['uz', 'u bilar', 'edi deyishdi'],
    ['uz', 'бола', 'учун китоб'],
    ['uz', 'atigi 40', 'ming soʻm'],
    ['en', 'we went to the', 'market'],
    ['en', 'Mr.', 'Brown'],
    ['en', 'about 20', '% of them'],
  ] as const)('in %s never separate "%s" and "%s"', (language, before, after) => {
    const cost = breakRules(language)(before.split(' ').at(-1) ?? '', after.split(' ')[0] ?? '');
    expect(cost).toBeGreaterThanOrEqual(neverBreak);
  });

  it('are placed where the language allows them, if there is such a place', () => {
    const anyWord = fc.constantFrom(
      'в',
      'Москве',
      'не',
      'пришёл',
      'же',
      '25',
      'километров',
      'и',
      'дома,',
      'лес.',
      '—',
      'столица',
      'из-за',
    );
    fc.assert(
      fc.property(fc.array(anyWord, { minLength: 2, maxLength: 14 }), (words) => {
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
      }),
      { numRuns: runs },
    );
  });
});

it('a profile is read back from its file, and an invalid file is rejected', () => {
  fc.assert(
    fc.property(
      anyProfile,
      fc.string({ minLength: 1, maxLength: 80 }).filter((name) => name.trim() === name),
      (profile, name) => {
        expect(readProfile(writeProfile({ name, profile }))).toEqual({ name, profile });
      },
    ),
    { numRuns: 200 },
  );
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => readProfile(text) === null),
    { numRuns: 200 },
  );
  expect(readProfile(writeProfile({ name: 'x', profile: { ...standardProfile('uz'), linesPerCue: 9 } }))).toBe(null);
});
