import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import { applied } from '../../../tests/support/edited.ts';
import { convertScript, inScript, scriptOf, writtenLanguage } from './in-script.ts';
import { packChange, unpackChange } from './packed.ts';
import type { Segment, Transcript, WordMark } from './transcript.ts';

const sample = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../../assets/samples/interview-uz.json', import.meta.url)), 'utf8'),
) as {
  readonly segments: readonly (Pick<Segment, 'text' | 'startMs' | 'endMs'> & { readonly words: Segment['words'] })[];
};

const segmentOf = (text: string, words: readonly string[] = text.split(' ')): Segment => ({
  id: 's1',
  speakerId: 'a',
  startMs: 0,
  endMs: words.length * 100,
  text,
  words: words.map((word, at) => ({ text: word, startMs: at * 100, endMs: at * 100 + 90 })),
});
const transcriptOf = (segments: readonly Segment[], language: Transcript['language'] = 'uz'): Transcript => ({
  language,
  durationMs: 60_000,
  speakers: [{ id: 'a', name: 'Dilnoza Karimova' }],
  segments,
});
const real = transcriptOf(sample.segments.map((segment, at) => ({ ...segment, id: `s${String(at)}`, speakerId: 'a' })));

describe('a transcript in the other alphabet', () => {
  it('leaves the stored transcript unchanged, and converts back to it', () => {
    const before = structuredClone(real);
    const there = inScript(real, 'cyrillic');
    expect(real).toEqual(before);
    expect(inScript(there, 'latin').segments.map(({ text }) => text)).toEqual(real.segments.map(({ text }) => text));
    expect(inScript(real, 'as-written')).toBe(real);
  });

  it('recognizes its alphabet by most of its letters', () => {
    expect(scriptOf(real)).toBe('latin');
    expect(scriptOf(transcriptOf([segmentOf('Бугун Google ҳақида гаплашамиз')]))).toBe('cyrillic');
    expect(writtenLanguage(inScript(real, 'cyrillic'))).toBe('uz-Cyrl');
    expect(writtenLanguage(real)).toBe('uz');
  });
});

describe('converting a text to its other alphabet', () => {
  const convert = (transcript: Transcript) => applied(transcript, convertScript(transcript));
  const written = fc.oneof(
    fc.constantFrom(
      ..."Salom dunyo, Oʻzbekiston 'maʼno' Щётка съезд. Google 25 «kitob» ь ъ Ь, Iʼ c w 😀 — va".split(' '),
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).map((text) => text.replaceAll(/\s/gu, '_')),
  );
  const anyUzbek = fc
    .record({
      names: fc.array(fc.option(fc.constantFrom('Dilnoza', 'Ҳамид', "G'ani", '25')), { minLength: 1, maxLength: 3 }),
      segments: fc.array(
        fc.array(
          fc.record({
            text: written,
            separator: fc.constantFrom(' ', '\n'),
            mark: fc.constantFrom<WordMark | undefined>(undefined, 'cut', 'redacted', 'cut-redacted'),
          }),
          { maxLength: 8 },
        ),
        { maxLength: 5 },
      ),
    })
    .map(({ names, segments }): Transcript => ({
      language: 'uz',
      durationMs: 60_000,
      cuts: [{ startMs: 100, endMs: 300 }],
      speakers: names.map((name, at) => ({ id: `p${String(at)}`, name })),
      segments: segments.map((words, at): Segment => ({
        id: `s${String(at)}`,
        speakerId: `p${String(at % names.length)}`,
        startMs: at * 1000,
        endMs: at * 1000 + 900,
        text: words.map(({ text, separator }, place) => (place === 0 ? text : separator + text)).join(''),
        words: words.map(({ text, mark }, place) => ({
          text,
          startMs: at * 1000 + place * 100,
          endMs: at * 1000 + place * 100 + 90,
          ...(mark && { mark }),
        })),
      })),
    }));

  it('changes letters alone: ids, times, speakers, marks and cuts are the same, and what reads the same is not touched', () => {
    forAllIn(1000, anyUzbek, (before) => {
      const made = convertScript(before);
      fc.pre(made.ok);
      const { transcript: after } = convert(before);
      const bare = ({ speakers, segments, ...rest }: Transcript) => ({
        ...rest,
        speakers: speakers.map(({ name: _name, ...speaker }) => speaker),
        segments: segments.map(({ text: _whole, words, ...segment }) => ({
          ...segment,
          words: words.map(({ text: _text, ...word }) => word),
        })),
      });
      expect(bare(after)).toEqual(bare(before));
      for (const [at, segment] of after.segments.entries()) {
        const old = before.segments[at];
        if (segment.text === old?.text) expect(segment).toBe(old);
        for (const [place, word] of segment.words.entries())
          if (word.text === old?.words[place]?.text) expect(word).toBe(old.words[place]);
      }
      // The text alone is stored, and says where its words are.
      expect(unpackChange(packChange(made.value))).toEqual(made.value);
    });
  });
});
