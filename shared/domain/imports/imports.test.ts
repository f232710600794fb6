import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyTranscript } from '../../../tests/support/any-transcript.ts';
import { cleanLine } from '../exports/format-text.ts';
import { exporters } from '../exports/exporters.ts';
import { writeDocument } from '../exports/write-export.ts';
import { withoutStruckWords } from '../transcript/edit-marks.ts';
import { findViolations } from '../transcript/find-violations.ts';
import { toTranscript } from '../transcript/from-received.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { guessLanguage, languageInName } from './guess-language.ts';
import { decodeText, isTextName, readSubtitles } from './read-subtitles.ts';
import { readTranscriptFile } from './read-transcript-file.ts';

const facts = {
  title: 'Suhbat',
  madeAtMs: 0,
  media: null,
  nameSpeaker: (_: string, at: number) => `Soʻzlovchi ${String(at)}`,
};
const written = (format: 'srt' | 'vtt' | 'json' | 'txt', transcript: Transcript): string => {
  const document = writeDocument(exporters[format], transcript, { speakers: 'none' }, facts);
  return document.kind === 'text' ? document.text : '';
};

describe('text of other programs', () => {
  it('is read in every encoding they write', () => {
    const text = 'Salom, oʻzbek! Привет, мир.\r\n2';
    const utf16 = (isBig: boolean) => {
      const buffer = Buffer.from(text, 'utf16le');
      return isBig ? buffer.swap16() : buffer;
    };
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\ufeff${text}`),
      Buffer.concat([Buffer.from([0xff, 0xfe]), utf16(false)]),
      Buffer.concat([Buffer.from([0xfe, 0xff]), utf16(true)]),
    ])
      expect(decodeText(bytes)).toBe(text);
    expect(decodeText(Buffer.from('1\r\n00:00:01,000 --> 00:00:02,000\r\nHello', 'utf16le'))).toContain('Hello');
    // "Привет" as Windows writes it.
    expect(decodeText(new Uint8Array([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]))).toBe('Привет');
  });

  it.each([
    ['odd and missing numbers', '7\n00:00:01,000 --> 00:00:02,000\nbir\n\n00:00:03,000 --> 00:00:04,000\nikki\n'],
    ['no empty lines between cues', '1\n00:00:01,000 --> 00:00:02,000\nbir\n2\n00:00:03,000 --> 00:00:04,000\nikki'],
    [
      'CRLF, full stops and one-digit hours',
      '1\r\n0:00:01.0 --> 0:00:02.000\r\nbir\r\n\r\n2\r\n0:00:03.000 --> 0:00:04.000\r\nikki\r\n',
    ],
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

  it('restores the words of our own SRT, VTT and JSON, with their times', () => {
    fc.assert(
      fc.property(anyTranscript, fc.constantFrom('srt', 'vtt', 'json'), (transcript, format) => {
        const plain: Transcript = {
          ...transcript,
          segments: transcript.segments
            .map((segment) => {
              const words = segment.words
                .map((word) => ({ ...word, text: cleanLine(word.text).replaceAll(/[<>{}&-]/gu, '') }))
                .filter(({ text }) => /\p{L}/u.test(text));
              return { ...segment, words, text: words.map(({ text }) => text).join(' ') };
            })
            .filter(({ words }) => words.length > 0),
        };
        fc.pre(plain.segments.length > 0);
        const read = readTranscriptFile(written(format, plain));
        const made = toTranscript(read?.received ?? { text: '', segments: [] }, { language: 'uz' });
        const wordsOf = ({ segments }: Transcript) => segments.flatMap(({ text }) => text.split(' ')).toSorted();
        expect(wordsOf(made)).toEqual(wordsOf(plain));
        expect(findViolations(made)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps the line breaks of subtitles, also where words of a line are struck or left out', () => {
    const read = readTranscriptFile(
      '1\n00:00:01,000 --> 00:00:03,000\n- Told us about  the bridge?\n- Yes, of course.\n',
    );
    const facts = { language: 'en', keepsLines: true } as const;
    const made = toTranscript(read?.received ?? { text: '', segments: [] }, facts);
    expect(made.segments[0]?.text).toBe('- Told us about the bridge?\n- Yes, of course.');
    const lineWithout = (...struck: number[]) => {
      const segments = made.segments.map((segment) => ({
        ...segment,
        words: segment.words.map((word, at) => (struck.includes(at) ? { ...word, mark: 'cut' as const } : word)),
      }));
      return withoutStruckWords({ ...made, segments }).segments[0]?.text;
    };
    expect(lineWithout(2, 6)).toBe('- Told about the bridge?\nYes, of course.');
    expect(lineWithout(0, 1, 2, 3, 4, 5)).toBe('- Yes, of course.');
  });

  it('is read from the JSON of other programs, and from paragraphs with times and names', () => {
    const whisper = {
      language: 'en',
      segments: [
        {
          start: 1,
          end: 2.5,
          text: ' Hello there.',
          words: [
            { word: ' Hello', start: 1, end: 1.4 },
            { word: ' there.', start: 1.5, end: 2.5 },
          ],
        },
      ],
    };
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

  it.each([
    ['a question and a note', ['Question: what is silk?', 'A thread.', 'Note: ask again.']],
    ['one name', ['Note: ask Anna.']],
    ['notes with times', ['[00:00:01] Silk is a thread.', '[00:00:05] Note: ask.', '[00:00:09] Question: what is it?']],
  ])('paragraphs keep what stands before a colon where they are no transcript: %s', (_, paragraphs) => {
    const said = readTranscriptFile(paragraphs.join('\n\n'))?.received.segments ?? [];
    expect(said.map(({ speaker, text }) => [speaker, text])).toEqual(
      paragraphs.map((text) => [undefined, text.replace(/^\[.*?\] /u, '')]),
    );
  });

  it('our own TXT and Markdown give every word back to its speaker without a question', () => {
    const saidBy = ({ segments }: Transcript) => {
      const speakers = [...new Set(segments.map(({ speakerId }) => speakerId))];
      return segments.flatMap(({ speakerId, text }) =>
        text.split(' ').map((word) => [speakers.indexOf(speakerId), word]),
      );
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
    fc.assert(
      fc.property(
        anyTranscript,
        fc.constantFrom('txt', 'md'),
        options,
        fc.nat(3),
        (transcript, format, given, count) => {
          const names = ['ANNA', 'Usta Rahmatillo Karimov', 'Олег'].slice(0, count);
          const plain: Transcript = {
            ...transcript,
            speakers: transcript.speakers.map((one, at) => ({ ...one, name: names[at] ?? null })),
            segments: transcript.segments.flatMap((segment) => {
              const words = segment.words.filter(({ text }) => /^[\p{L}<>&]+[.,!?]?$/u.test(text));
              return words.length === 0 ? [] : [{ ...segment, words, text: words.map(({ text }) => text).join(' ') }];
            }),
          };
          fc.pre(new Set(plain.segments.map(({ speakerId }) => speakerId)).size > 1);
          const nameSpeaker = (_: string, at: number) => `${String(at)}-soʻzlovchi`;
          const known = { ...facts, madeAtMs: Date.UTC(2026, 10, 22, 9), nameSpeaker };
          const document = writeDocument(exporters[format], plain, given, known);
          const read = readTranscriptFile(document.kind === 'text' ? document.text : '');
          const made = toTranscript(read?.received ?? { text: '', segments: [] }, { language: 'uz' });
          expect(saidBy(made)).toEqual(saidBy(plain));
          expect(read?.title).toBe(given.header ? 'Suhbat' : null);
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each(['2026-yil 22-noyabr', '2026-йил 2-ноябрь', '22 ноября 2026 г.', '2 November 2026', '2026-11-22'])(
    'a header of the day %s is no part of the text',
    (day) => {
      const read = readTranscriptFile(`Suhbat\n${day} · 0:19 · suhbat.mp3\n\nSalom.\n`);
      expect(read?.title).toBe('Suhbat');
      expect(read?.received.segments?.map(({ text }) => text)).toEqual(['Salom.']);
    },
  );

  it.each([
    ['Avval pilladan ip tortiladi, keyin naqsh chiziladi va boʻyaladi.', 'uz'],
    ["O'zbekiston bo'yicha g'alaba uchun qo'shiq", 'uz'],
    ['Аввал пилладан ип тортилади, кейин нақш чизилади ва бўялади.', 'uz'],
    ['Сегодня мы поговорим о том, как в старой мастерской красили шёлк.', 'ru'],
    ['We came here in 1995, and about 20 people worked from morning.', 'en'],
    ['Ha.', null],
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
  ['interview-uz.mp3', 'uz'],
  ['RU_совет 3.wav', 'ru'],
  ['Lesson (en) 2.m4a', 'en'],
  ['Margʻilon bozori.wav', 'uz'],
  ["O'zbekiston 2024.mp3", 'uz'],
  ['Ўқитувчилар.ogg', 'uz'],
  ['Выборы.flac', 'ru'],
  ['Дарс 4.m4a', null],
  ['Peru trip.mp3', null],
  ['Majlis 4.wav', null],
])('the name %s means %s', (name, language) => {
  expect(languageInName(name)).toBe(language);
});

it('a text that was imported is known by the name of its file; a dictated or transcribed one has none of a text', () => {
  expect(['suhbat.srt', 'Talk.VTT', 'a.b.json', 'notes.txt', 'notes.md'].filter((name) => !isTextName(name))).toEqual(
    [],
  );
  expect(['Dictation', 'suhbat.mp3', 'srt', 'talk.srt.wav'].filter(isTextName)).toEqual([]);
});
