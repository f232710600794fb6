import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exporters } from '../../shared/domain/exports/exporters.ts';
import { textFormats } from '../../shared/domain/exports/formats.ts';
import type { GivenOptions } from '../../shared/domain/exports/options.ts';
import { checkSubtitles } from '../../shared/domain/exports/check-subtitles.ts';
import { writeDocument } from '../../shared/domain/exports/write-export.ts';
import type { Segment, Transcript } from '../../shared/domain/transcript/transcript.ts';
import { control, readers } from '../support/strict-readers.ts';

/** Everything with a meaning in one of the formats, and anything else that may be said or be a name. */
const signs =
  String.raw`--> 00:00:01,000 </v> NOTE <c.red> <00:00:01.000> <i> &amp; &#10; {\an8} \N \ { } ,, Dialogue: [Events] [ti:x] [00:01.00] <00:01.00> LOC: ]]> <!-- <script> </p> " ' </title> =1+1 +1 -1 @SUM(A1) ; # - 1. ![a](javascript:1) ** __ | ~~~ $$ http://a.uz <a@b.uz> salom dunyo. мир, oʻzbek`.split(
    ' ',
  );
const hostile = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...signs, '`', '<v Eve>', '<img src=x onerror=alert(1)>', '" onload="x') },
  fc.constantFrom(
    '\t',
    '\r\n',
    '\u2028',
    '\u0085',
    '\nTITLE: x',
    '\n002  AX',
    '\n\n2\n00:00:00,000 --> 00:00:01,000\nx',
  ),
  fc.constantFrom('\u0000', '\u001b[31m', '\ud800', '\ufffe', '\u202e', '\ufeff'),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const line = fc.array(hostile, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' '));

/** A conversation of two in which every word, name and title is hostile. */
const conversations = fc
  .record({
    said: fc.array(fc.array(hostile, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 }),
    names: fc.tuple(line, line),
  })
  .map(({ said, names }): Transcript => {
    const segments = said.map((words, at): Segment => {
      const startMs = at * 20_000;
      const timed = words.map((text, place) => ({
        text,
        startMs: startMs + place * 900,
        endMs: startMs + place * 900 + 700,
      }));
      const endMs = startMs + words.length * 900;
      return {
        id: `s${String(at)}`,
        speakerId: `p${String((at % 2) + 1)}`,
        startMs,
        endMs,
        text: words.join(' '),
        words: timed,
      };
    });
    const speakers = names.map((name, at) => ({ id: `p${String(at + 1)}`, name }));
    return { language: 'uz', durationMs: said.length * 20_000, speakers, segments };
  });

const options: GivenOptions = {
  paragraphs: 'segment',
  timestamps: 'segment',
  speakers: 'every',
  header: true,
  linksAudio: true,
  clips: 'turns',
  hasWordTimes: true,
};

it.each(textFormats)(
  '%s: spoken text, names and file names stay text and change nothing of the file around them',
  async (format) => {
    await fc.assert(
      fc.asyncProperty(conversations, line, line, async (transcript, title, media) => {
        const name = `${media}.mp3`;
        const facts = {
          title,
          madeAtMs: Date.UTC(2026, 10, 22, 9),
          media: { name, url: `file:///${encodeURIComponent(name.toWellFormed())}` },
          nameSpeaker: (_: string, at: number) => `Soʻzlovchi ${String(at)}`,
        };
        const document = writeDocument(
          exporters[format],
          transcript,
          { ...options, ...(format === 'docx' && { header: false }) },
          facts,
        );
        const text = document.kind === 'text' ? document.text : document.kind === 'page' ? document.html : '';
        if (!['json', 'csv', 'tsv'].includes(format)) expect(text).not.toMatch(control);
        await readers[format]({
          text,
          outline: document.kind === 'outline' ? document.outline : null,
          transcript,
          cueCount: checkSubtitles(exporters[format], transcript, options, facts)?.cueCount ?? 0,
        });
      }),
      { numRuns: process.env['OVOZ_LONG'] === undefined ? (format === 'docx' ? 60 : 200) : 3_000 },
    );
  },
  60_000,
);
