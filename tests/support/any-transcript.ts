import fc from 'fast-check';
import type { Segment, Transcript, Word } from '../../shared/domain/transcript/transcript.ts';

const hostile = fc.constantFrom(
  '-->',
  '<c>',
  '</v>',
  'NOTE',
  'STYLE',
  '1',
  '00:00:01,000',
  '&amp;',
  '&',
  '{\\an8}',
  '\u202Eabc',
  '\u001b[31m',
  '\n\n',
  '\ufeff',
  'a\r\nb',
  '\u2028',
  '<script>',
);
const plain = fc.constantFrom(
  'salom',
  'dunyo,',
  'yaxshi.',
  'oʻzbekcha',
  'gʻalaba!',
  'привет,',
  'мир.',
  'the',
  'end?',
  'и',
  'a',
);
const wordText = fc.oneof(
  { weight: 6, arbitrary: plain },
  { weight: 1, arbitrary: hostile },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
);

/** Transcripts with anything in their words, pauses, and up to three speakers. */
export const anyTranscript: fc.Arbitrary<Transcript> = fc
  .record({
    language: fc.constantFrom('uz', 'ru', 'en'),
    speakerCount: fc.constantFrom(0, 1, 2, 3),
    segments: fc.array(
      fc.record({
        gapMs: fc.nat(4000),
        speaker: fc.nat(2),
        words: fc.array(fc.tuple(wordText, fc.nat(900), fc.nat(1500)), { maxLength: 40 }),
      }),
      { maxLength: 8 },
    ),
  })
  .map(({ language, speakerCount, segments }) => {
    let clock = 0;
    const made = segments.map(({ gapMs, speaker, words }, at): Segment => {
      clock += gapMs;
      const startMs = clock;
      const timed = words.map(([text, lengthMs, pauseMs], index): Word => {
        const word = { text, startMs: clock, endMs: clock + lengthMs };
        clock += lengthMs + (index % 7 === 6 ? pauseMs : 0);
        return word;
      });
      return {
        id: `s${at}`,
        speakerId: speakerCount === 0 ? null : `p${(speaker % speakerCount) + 1}`,
        startMs,
        endMs: clock,
        text: timed.map(({ text }) => text).join(' '),
        words: timed,
      };
    });
    const speakers = Array.from({ length: speakerCount }, (_, index) => ({ id: `p${index + 1}`, name: null }));
    return { language, durationMs: clock, speakers, segments: made };
  });
