import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Segment, Transcript, Word } from '../transcript/transcript.ts';
import { cleanLine } from './clean-line.ts';
import { charactersPerLine, longestCueMs, shortestCueMs, toCues } from './cues.ts';
import { exporters } from './exporters.ts';
import { plainForSrt } from './srt.ts';

const facts = { title: 'Suhbat', speakerName: (id: string) => `Soʻzlovchi ${id.slice(1)}` };
const runs = process.env['OVOZ_LONG'] ? 20_000 : 2_000;

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

const transcripts: fc.Arbitrary<Transcript> = fc
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

/** Parsers of our own, after the formats' definitions and not after the writers. */
interface Parsed {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  readonly voice: string | null;
}
const toMs = (time: string): number => {
  const [h = '0', m = '0', s = '0', ms = '0'] = time.split(/[:,.]/);
  return ((Number(h) * 60 + Number(m)) * 60 + Number(s)) * 1000 + Number(ms);
};
function parseBlocks(blocks: readonly string[], arrow: RegExp): Parsed[] {
  return blocks.map((block) => {
    const [number, times = '', ...lines] = block.split('\n');
    expect(number).toMatch(/^\d+$/);
    const [, start = '', end = ''] = arrow.exec(times) ?? [];
    expect(start).not.toBe('');
    const voice = /^<v ([^>]*)>/.exec(lines[0] ?? '')?.[1] ?? null;
    return { startMs: toMs(start), endMs: toMs(end), text: lines.join(' ').replace(/^<v [^>]*>/, ''), voice };
  });
}
const parseSrt = (text: string) =>
  parseBlocks(
    text
      .split(/\n\n/)
      .map((block) => block.replace(/\n$/, ''))
      .filter((block) => block !== ''),
    /^(\d{2,}:\d\d:\d\d,\d{3}) --> (\d{2,}:\d\d:\d\d,\d{3})$/,
  );
const parseVtt = (text: string) => {
  const [head, ...blocks] = text
    .split(/\n\n/)
    .map((block) => block.replace(/\n$/, ''))
    .filter((block) => block !== '');
  expect(head).toBe('WEBVTT');
  const unescape = (value: string) => value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return parseBlocks(blocks, /^(\d{2,}:\d\d:\d\d\.\d{3}) --> (\d{2,}:\d\d:\d\d\.\d{3})$/).map((cue) => ({
    ...cue,
    text: unescape(cue.text),
  }));
};

const spoken = (transcript: Transcript): string =>
  transcript.segments
    .flatMap(({ words }) => words.map(({ text }) => cleanLine(text)))
    .filter((text) => text !== '')
    .join(' ');
const times = (cues: readonly { readonly startMs: number; readonly endMs: number }[]) =>
  cues.map(({ startMs, endMs }) => [startMs, endMs]);

describe('subtitles (P-07)', () => {
  it('read back with the same text, order and times in SRT and VTT, whatever was said', () => {
    fc.assert(
      fc.property(transcripts, (transcript) => {
        const cues = toCues(transcript);
        const fromVtt = parseVtt(exporters.vtt.write(transcript, facts));
        expect(times(fromVtt)).toEqual(times(cues));
        const fromSrt = parseSrt(exporters.srt.write(transcript, facts));
        const ordered = cues.map(({ lines }) => lines.join(' ')).join(' ');
        expect(fromVtt.map(({ text }) => text).join(' ')).toBe(ordered);
        expect(ordered).toBe(spoken(transcript));
        if (transcript.speakers.length < 2) {
          expect(times(fromSrt)).toEqual(times(cues));
          expect(fromSrt.map(({ text }) => text).join(' ')).toBe(
            cues.map(({ lines }) => lines.map(plainForSrt).join(' ')).join(' '),
          );
          expect(fromVtt.every(({ voice }) => voice === null)).toBe(true);
        } else {
          const names = /Soʻzlovchi \d: /g;
          expect(
            fromSrt
              .map(({ text }) => text)
              .join(' ')
              .replaceAll(names, '')
              .replaceAll('→', '-->'),
          ).toBe(
            ordered
              .replaceAll(/<(?=[a-z/!?])/gi, '‹')
              .replaceAll('{\\', '(\\')
              .replaceAll('→', '-->'),
          );
          expect(fromVtt.map(({ voice }) => voice)).toEqual(
            cues.map(({ speakerId }) => facts.speakerName(speakerId ?? '')),
          );
        }
      }),
      { numRuns: runs },
    );
  });

  it('follow one another without overlap, each of some length, at most seven seconds and never beyond the recording', () => {
    fc.assert(
      fc.property(transcripts, (transcript) => {
        const cues = toCues(transcript);
        let before = 0;
        expect(cues.at(-1)?.endMs ?? 0).toBeLessThanOrEqual(Math.max(transcript.durationMs, cues.length));
        for (const { startMs, endMs, lines } of cues) {
          expect(Number.isInteger(startMs) && Number.isInteger(endMs)).toBe(true);
          expect(startMs).toBeGreaterThanOrEqual(before);
          expect(endMs).toBeGreaterThan(startMs);
          expect(endMs - startMs).toBeLessThanOrEqual(longestCueMs);
          expect(lines.length === 1 || lines.length === 2).toBe(true);
          const limit = charactersPerLine[transcript.language];
          for (const line of lines)
            expect(line.length <= limit || !line.includes(' ') || lines.length === 1).toBe(true);
          before = endMs;
        }
      }),
      { numRuns: runs / 2 },
    );
  });

  it('stay long enough to be seen where the speaker leaves room', () => {
    const one = (text: string, startMs: number, endMs: number, at: number): Segment => ({
      id: `s${at}`,
      speakerId: null,
      startMs,
      endMs,
      text,
      words: [{ text, startMs, endMs }],
    });
    const transcript: Transcript = {
      language: 'uz',
      durationMs: 5000,
      speakers: [],
      segments: [one('Ha.', 0, 200, 1), one('Yoʻq.', 3000, 3100, 2)],
    };
    expect(toCues(transcript).map(({ startMs, endMs }) => endMs - startMs)).toEqual([shortestCueMs, shortestCueMs]);
  });

  it('leave the screen a second after the last word, however long they take to read', () => {
    const text = 'Yigirma ikki kishi qatnashgan yigʻilish bayonnomasi tasdiqlandi.';
    const segment: Segment = { id: 's1', speakerId: null, startMs: 0, endMs: 1000, text, words: [] };
    const transcript: Transcript = { language: 'uz', durationMs: 60_000, speakers: [], segments: [segment] };
    expect(toCues(transcript).at(-1)?.endMs).toBe(2000);
    expect(toCues({ ...transcript, durationMs: 1200 }).at(-1)?.endMs).toBe(1200);
  });

  it('break where a sentence ends and keep lines within 42 or 39 characters', () => {
    const text =
      'Bugun biz yangi loyiha haqida gaplashamiz. Avval uning maqsadini aytaman, keyin savollaringizga javob beraman.';
    const words = text
      .split(' ')
      .map((word, index): Word => ({ text: word, startMs: index * 400, endMs: index * 400 + 380 }));
    const transcript: Transcript = {
      language: 'uz',
      durationMs: 6000,
      speakers: [],
      segments: [{ id: 's1', speakerId: null, startMs: 0, endMs: words.at(-1)?.endMs ?? 0, text, words }],
    };
    const cues = toCues(transcript);
    expect(cues[0]?.lines.join(' ')).toBe('Bugun biz yangi loyiha haqida gaplashamiz.');
    for (const { lines } of cues) for (const line of lines) expect(line.length).toBeLessThanOrEqual(42);
  });
});

describe('plain text and JSON', () => {
  const sample: Transcript = {
    language: 'en',
    durationMs: 3000,
    speakers: [
      { id: 'p1', name: null },
      { id: 'p2', name: null },
    ],
    segments: [
      { id: 's1', speakerId: 'p1', startMs: 0, endMs: 1000, text: 'Hello\u001b[31m there.', words: [] },
      { id: 's2', speakerId: 'p1', startMs: 1000, endMs: 2000, text: 'How are you?', words: [] },
      { id: 's3', speakerId: 'p2', startMs: 2000, endMs: 3000, text: 'Fine\u0000 <b>.', words: [] },
    ],
  };

  it('TXT has a paragraph for each turn and nothing a terminal would obey', () => {
    expect(exporters.txt.write(sample, facts)).toBe(
      'Soʻzlovchi 1: Hello there. How are you?\n\nSoʻzlovchi 2: Fine <b>.\n',
    );
  });

  it('JSON reads back as the same transcript and holds no raw angle bracket', () => {
    fc.assert(
      fc.property(transcripts, (transcript) => {
        const text = exporters.json.write(transcript, facts);
        expect(text).not.toMatch(/[<\u2028\u2029]/);
        expect(JSON.parse(text)).toMatchObject({
          ...transcript,
          title: 'Suhbat',
          speakers: transcript.speakers.map(({ id }) => ({ id, name: facts.speakerName(id) })),
        });
      }),
      { numRuns: runs / 4 },
    );
  });
});
