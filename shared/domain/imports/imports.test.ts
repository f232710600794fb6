import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edited } from '../../../tests/support/edited.ts';
import { anyTranscript } from '../../../tests/support/any-transcript.ts';
import { exporters } from '../exports/exporters.ts';
import { writeDocument } from '../exports/write-export.ts';
import { markWords, withoutStruckWords } from '../transcript/edit-marks.ts';
import { findViolations } from '../transcript/find-violations.ts';
import { toTranscript } from '../transcript/from-received.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { guessLanguage, languageInName } from './guess-language.ts';
import { decodeText, readSubtitles } from './read-subtitles.ts';
import { readTranscriptFile } from './read-transcript-file.ts';

const facts = { title: 'Suhbat', media: null };

describe('text of other programs', () => {
  it('is read in every encoding they write', () => {
    const text = 'Salom, oʻzbek! Привет, мир.\r\n2';
    const little = Buffer.from(text, 'utf16le');
    const big = Buffer.from(text, 'utf16le').swap16();
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\ufeff${text}`),
      Buffer.concat([Buffer.from([0xff, 0xfe]), little]),
      Buffer.concat([Buffer.from([0xfe, 0xff]), big]),
    ])
      expect(decodeText(bytes)).toBe(text);
    expect(decodeText(Buffer.from('1\r\n00:00:01,000 --> 00:00:02,000\r\nHello', 'utf16le'))).toContain('Hello');
    // "Привет" as Windows writes it.
    expect(decodeText(new Uint8Array([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]))).toBe('Привет');
  });

  it.each([
    ['odd and missing numbers', '7\n00:00:01,000 --> 00:00:02,000\nbir\n\n00:00:03,000 --> 00:00:04,000\nikki\n'],
    [
      'WebVTT without hours, with settings, notes and marks',
      'WEBVTT - x\n\nNOTE\nignored\n\nSTYLE\n::cue{}\n\nid\n00:01.000 --> 00:02.000 align:start\n<v Aziz><c.a>bir</c>\n\n00:03.000 --> 00:04.000\n<00:03.500>ikki',
    ],
    [
      'marks of SRT',
      '1\n00:00:01,000 --> 00:00:02,000 X1:1\n{\\an8}<i>bir</i>\n\n2\n00:00:03,000 -> 00:00:04,000\n<font color="red">ikki</font>',
    ],
  ])('subtitles with %s are read', (_, text) => {
    expect(readSubtitles(text).map(({ startMs, endMs, lines }) => [startMs, endMs, lines.join(' ')])).toEqual([
      [1000, 2000, 'bir'],
      [3000, 4000, 'ikki'],
    ]);
  });

  it('reads the letters that programs write as entities, in SRT too', () => {
    const caption = '00:00:01.000 --> 00:00:02.000\nQ&amp;A &gt;&gt; it&#39;s AT&T &copy;\n';
    for (const text of [`1\n${caption}`, `WEBVTT\n\n${caption}`])
      expect(readSubtitles(text).map(({ lines }) => lines)).toEqual([["Q&A >> it's AT&T &copy;"]]);
  });

  it('keeps the line breaks of subtitles, also where words of a line are struck or left out', () => {
    const read = readTranscriptFile(
      '1\n00:00:01,000 --> 00:00:03,000\n- Told us about  the bridge?\n- Yes, of course.\n',
    );
    const made = toTranscript(read!.received, { language: 'en', keepsLines: true });
    expect(made.segments[0]?.text).toBe('- Told us about the bridge?\n- Yes, of course.');
    const struck = [2, 6].reduce((now: Transcript, at) => {
      const change = markWords(now, [{ segmentId: 's1', from: at, to: at + 1 }], 'cut');
      return edited(now, change);
    }, made);
    expect(withoutStruckWords(struck).segments[0]?.text).toBe('- Told about the bridge?\nYes, of course.');
  });

  it('is read from the JSON of other programs, and from paragraphs with times and names', () => {
    const words = [
      { word: ' Hello', start: 1, end: 1.4 },
      { word: ' there.', start: 1.5, end: 2.5 },
    ];
    const whisper = { language: 'en', segments: [{ start: 1, end: 2.5, text: ' Hello there.', words }] };
    expect(readTranscriptFile(JSON.stringify(whisper))).toMatchObject({
      language: 'en',
      received: {
        segments: [{ startMs: 1000, endMs: 2500, text: 'Hello there.', words: [{ text: 'Hello', endMs: 1400 }, {}] }],
      },
    });
    expect(readTranscriptFile('[00:01:05] Dilnoza: Salom.\n\nUsta: Vaalaykum assalom.')?.received.segments).toEqual([
      { text: 'Salom.', startMs: 65_000, speaker: 'Dilnoza', words: [] },
      { text: 'Vaalaykum assalom.', speaker: 'Usta', words: [] },
    ]);
  });

  it('our own TXT and Markdown give every word back to its speaker without a question', () => {
    const saidBy = ({ segments }: Transcript) => {
      const speakers = [...new Set(segments.map(({ speakerId }) => speakerId))];
      return segments.flatMap((one) => one.text.split(' ').map((word) => [speakers.indexOf(one.speakerId), word]));
    };
    const options = fc
      .record({
        speakers: fc.constantFrom('change', 'every'),
        timestamps: fc.constantFrom('none', 'paragraph', 'segment'),
        paragraphs: fc.constantFrom('speaker', 'segment', 'pause'),
        header: fc.boolean(),
      })
      // Where neither times nor a header say that it is a transcript, a name before each paragraph has to.
      .filter(
        (one) => one.header || one.timestamps !== 'none' || one.paragraphs === 'speaker' || one.speakers === 'every',
      );
    const names = fc.nat(3).map((count) => ['ANNA', 'Usta Rahmatillo Karimov', 'Олег'].slice(0, count));
    const nameSpeaker = (_: string, at: number) => `${String(at)}-soʻzlovchi`;
    const known = { ...facts, madeAtMs: Date.UTC(2026, 10, 22, 9), nameSpeaker };
    fc.assert(
      fc.property(anyTranscript, fc.constantFrom('txt', 'md'), options, names, (transcript, format, given, named) => {
        const segments = transcript.segments.flatMap((segment) => {
          const words = segment.words.filter(({ text }) => /^[\p{L}<>&]+[.,!?]?$/u.test(text));
          return words.length === 0 ? [] : [{ ...segment, words, text: words.map(({ text }) => text).join(' ') }];
        });
        const speakers = transcript.speakers.map((one, at) => ({ ...one, name: named[at] ?? null }));
        fc.pre(new Set(segments.map(({ speakerId }) => speakerId)).size > 1);
        const plain = { ...transcript, speakers, segments };
        const document = writeDocument(exporters[format], plain, given, known);
        const read = readTranscriptFile(document.kind === 'text' ? document.text : '');
        const made = toTranscript(read?.received ?? { text: '', segments: [] }, { language: 'uz' });
        expect(saidBy(made)).toEqual(saidBy(plain));
        expect(read?.title).toBe(given.header ? 'Suhbat' : null);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["O'zbekiston bo'yicha g'alaba uchun qo'shiq", 'uz'],
    ['Аввал пилладан ип тортилади, кейин нақш чизилади ва бўялади.', 'uz'],
    ['Сегодня мы поговорим о том, как в старой мастерской красили шёлк.', 'ru'],
    ['12:00 – 13:00', null],
  ] as const)('"%s" is recognized as %s', (text, language) => {
    expect(guessLanguage(text)).toBe(language);
  });

  it('that begins as JSON and is broken is refused, and paragraphs with their times in brackets are not', () => {
    for (const text of ['{broken', '{"segments": [', '[{"start": 1', '[]', '{"settings": {"theme": "dark"}}'])
      expect(readTranscriptFile(text), text).toBe(null);
    expect(readTranscriptFile('[00:01:05] Salom.')?.received.segments).toHaveLength(1);
  });

  it('never throws, whatever is in the file', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 400 }).map(decodeText), fc.json(), fc.string()), (text) => {
        const read = readTranscriptFile(text);
        if (read !== null) expect(findViolations(toTranscript(read.received, { language: 'ru' }))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});

it.each([
  ['Ўқитувчилар.ogg', 'uz'],
  ['Дарс 4.m4a', null],
])('the name %s means %s', (name, language) => {
  expect(languageInName(name)).toBe(language);
});

it('a fraction of a second has one to three digits', () => {
  const startOf = (time: string) => readSubtitles(`1\n00:00:01${time} --> 00:00:03,000\nbir\n`)[0]?.startMs;
  expect([startOf(''), startOf(',5'), startOf('.05'), startOf(',005')]).toEqual([1000, 1500, 1050, 1005]);
});
