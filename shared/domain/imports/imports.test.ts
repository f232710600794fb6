import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import { edited } from '../../../tests/support/edited.ts';
import { anyTranscript } from '../../../tests/support/any-transcript.ts';
import { writeDocx } from '../../../electron/services/exports/write-request.ts';
import type { ExportDocument } from '../exports/exporter.ts';
import { exporters } from '../exports/exporters.ts';
import { writeDocument } from '../exports/write-export.ts';
import { textOfWordXml } from '../speech/import-text.ts';
import { markWords, withoutStruckWords } from '../transcript/edit-marks.ts';
import { findViolations } from '../transcript/find-violations.ts';
import { toTranscript } from '../transcript/from-received.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { guessLanguage, languageInName } from './guess-language.ts';
import { decodeText, readSubtitles } from './read-subtitles.ts';
import { readTranscriptFile } from './read-transcript-file.ts';

const facts = { title: 'Suhbat', media: null };
async function textIn(document: ExportDocument): Promise<string> {
  if (document.kind !== 'outline') return document.kind === 'text' ? document.text : '';
  const { 'word/document.xml': xml } = unzipSync(await writeDocx(document.outline));
  return textOfWordXml(strFromU8(xml ?? new Uint8Array()));
}

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

  it('ASS of other programs is read: styles in italics, commas, line breaks, hard spaces; no comments and drawings', () => {
    const file = [
      '\ufeff[Script Info]',
      '[V4+ Styles]',
      'Format: Name, Fontname, Italic',
      'Style: Song,Arial,-1',
      '[Events]',
      'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
      'Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,nobody says this',
      String.raw`Dialogue: 0,0:00:01.00,0:00:02.50,Default,Anna,0,0,0,,{\an8}Bir, {\i1}ikki{\i0}\Nuch\htoʻrt{aside}`,
      'Dialogue: 0,soon,0:00:04.00,Default,,0,0,0,,besh',
      String.raw`Dialogue: 0,0:00:05.00,0:00:06.00,Song,,0,0,0,,olti {\i0}yetti{\r}{\p1}m 0 0 l 1 1{\p0}`,
    ].join('\r\n');
    const read = readTranscriptFile(file);
    expect(read?.received.segments).toEqual([
      {
        text: 'Bir, ikki\nuch toʻrt',
        startMs: 1000,
        endMs: 2500,
        words: [],
        speaker: 'Anna',
        italics: new Set([1]),
      },
      { text: 'olti yetti', startMs: 5000, endMs: 6000, words: [], italics: new Set([0]) },
    ]);
    expect(read?.problems.map(({ kind, place }) => `${kind} ${String(place)}`)).toEqual([
      'marks 8',
      'unreadable 9',
      'marks 10',
    ]);
  });

  it.each([
    ['begin="00:00:01.5" end="00:00:02:05"', 1500, 2200],
    ['begin="1.5s" dur="700ms"', 1500, 2200],
    ["begin='15t' end='55f'", 1500, 2200],
    ['begin="0.025m" end="0.001h"', 1500, 3600],
  ])('TTML with the times %s is read', (times, startMs, endMs) => {
    const file = `<?xml version="1.0"?>
<!-- <p begin="1s" end="2s">no</p>
-->
<tt:tt xmlns:tt="http://www.w3.org/ns/ttml" ttp:frameRate="25" ttp:tickRate="10"><tt:head>
<tt:style xml:id="i" tts:fontStyle="italic"/><ttm:agent xml:id="a"><ttm:name type="full">Anna</ttm:name></ttm:agent>
</tt:head><tt:body begin="10s"><tt:div>
<tt:p ${times} ttm:agent="a">Bir &lt;&#8217;&gt;
  <tt:span style="i">ikki<tt:br/>uch</tt:span></tt:p>
<tt:p begin="1s">to'rt</tt:p>
<tt:p begin="x" end="1s">besh</tt:p>
</tt:div></tt:body></tt:tt>`;
    const read = readTranscriptFile(file);
    const times10 = { startMs: startMs + 10_000, endMs: endMs + 10_000 };
    expect(read?.received.segments).toEqual([
      { text: 'Bir <’> ikki\nuch', ...times10, words: [], speaker: 'Anna', italics: new Set([2, 3]) },
    ]);
    expect(read?.problems.map(({ kind, place }) => `${kind} ${String(place)}`)).toEqual([
      'unreadable 9',
      'unreadable 10',
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

  it.each([
    ['txt', 250],
    ['md', 250],
    ['docx', 50],
  ] as const)('our own %s gives every word back to its speaker without a question', async (format, numRuns) => {
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
    await fc.assert(
      fc.asyncProperty(anyTranscript, options, names, async (transcript, given, named) => {
        const segments = transcript.segments.flatMap((segment) => {
          const words = segment.words.filter(({ text }) => /^[\p{L}<>&]+[.,!?]?$/u.test(text));
          return words.length === 0 ? [] : [{ ...segment, words, text: words.map(({ text }) => text).join(' ') }];
        });
        const speakers = transcript.speakers.map((one, at) => ({ ...one, name: named[at] ?? null }));
        fc.pre(new Set(segments.map(({ speakerId }) => speakerId)).size > 1);
        const plain = { ...transcript, speakers, segments };
        const document = writeDocument(exporters[format], plain, given, known);
        const read = readTranscriptFile(await textIn(document));
        const made = toTranscript(read?.received ?? { text: '', segments: [] }, { language: 'uz' });
        expect(saidBy(made)).toEqual(saidBy(plain));
        expect(read?.title).toBe(given.header ? 'Suhbat' : null);
      }),
      { numRuns },
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
    const anyPart = fc.constantFrom(
      '<p begin="1s" end="2s">',
      '<p begin="1f" end="2f">',
      '<span tts:fontStyle="italic">',
      '</p>',
      '</span>',
      '<br/>',
      '<',
      '<!--',
      '-->',
      'Dialogue: 0,0:00:01.00,0:00:02.00,,,,,,,a',
      'Format: Start, End',
      '{',
      String.raw`{\i1}`,
      ',',
      '\n',
      'bir',
      '&#0;',
    );
    const styled = fc
      .tuple(fc.constantFrom('[Events]\n', '<tt>', '<tt ttp:frameRate="0">'), fc.array(anyPart, { maxLength: 30 }))
      .map(([head, parts]) => head + parts.join(''));
    const bytes = fc.uint8Array({ maxLength: 400 }).map(decodeText);
    forAllIn(1000, fc.oneof(bytes, fc.json(), fc.string(), styled), (text) => {
      const read = readTranscriptFile(text);
      if (read !== null) expect(findViolations(toTranscript(read.received, { language: 'ru' }))).toEqual([]);
    });
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
