import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import { anyTranscript } from '../../../tests/support/any-transcript.ts';
import { exporters } from '../exports/exporters.ts';
import type { GivenOptions } from '../exports/exporter.ts';
import { writeDocument } from '../exports/write-export.ts';
import { readSubtitles, type ReadCue } from '../imports/read-subtitles.ts';
import { readTranscriptFile } from '../imports/read-transcript-file.ts';
import { toTranscript } from '../transcript/from-received.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { standardProfile } from './profiles.ts';
import { segmentCues } from './segment-cues.ts';

const names = ['Anna', 'Boris', 'Usta Rahmatillo'];
const shortLine = fc
  .array(fc.constantFrom(...'- — Told us when? Yes, of course. R&D 1995 bridge… oʻn'.split(' ')), {
    minLength: 1,
    maxLength: 6,
  })
  .map((words) => words.join(' '))
  .filter((line) => /\p{L}/u.test(line) && line.length <= 42);
const anyCues = fc
  .array(
    fc.record({
      gapMs: fc.nat(3000),
      lengthMs: fc.integer({ min: 1, max: 9000 }),
      lines: fc.array(shortLine, { minLength: 1, maxLength: 2 }),
      speaker: fc.option(fc.constantFrom(...names)),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((cues) => {
    let clock = 0;
    return cues.map(({ gapMs, lengthMs, lines, speaker }): ReadCue => {
      const startMs = clock + gapMs;
      clock = startMs + lengthMs;
      return { startMs, endMs: clock, lines, speaker };
    });
  });

const time = (ms: number, mark: string): string => new Date(ms).toISOString().slice(11, 23).replace('.', mark);
const written = {
  srt: (cues: readonly ReadCue[]) =>
    cues
      .map(({ startMs, endMs, lines }, at) =>
        [String(at + 1), `${time(startMs, ',')} --> ${time(endMs, ',')}`, ...lines, ''].join('\n'),
      )
      .join('\n'),
  vtt: (cues: readonly ReadCue[]) =>
    [
      'WEBVTT\n',
      ...cues.map(({ startMs, endMs, lines, speaker }) => {
        const voice = speaker === null ? '' : `<v ${speaker}>`;
        const said = lines.join('\n').replaceAll('&', '&amp;');
        return `${time(startMs, '.')} --> ${time(endMs, '.')}\n${voice}${said}\n`;
      }),
    ].join('\n'),
};

/** A file of subtitles after its import and the export with these options. */
function exported(file: string, format: 'srt' | 'vtt', options: GivenOptions = {}): string {
  const received = readTranscriptFile(file)?.received ?? { text: '', segments: [] };
  const found = [...new Set(received.segments.flatMap(({ speaker }) => speaker ?? []))];
  const nameSpeaker = (_: string, at: number) => found[at - 1] ?? '';
  const facts = { title: 'talk', madeAtMs: 0, sourceName: `talk.${format}`, media: null, nameSpeaker };
  const transcript = toTranscript(received, { language: 'en', keepsLines: true });
  const document = writeDocument(exporters[format], transcript, options, facts);
  return document.kind === 'text' ? document.text : '';
}

const talk = (...said: readonly (readonly [startMs: number, endMs: number, text: string])[]): Transcript =>
  toTranscript(
    { text: '', segments: said.map(([startMs, endMs, text]) => ({ startMs, endMs, text, words: [] })) },
    { language: 'en', durationMs: 60_000, keepsLines: true },
  );

describe('captions by segment', () => {
  it('go in and out unchanged where they were well-formed SRT or VTT', () => {
    forAllIn(400, anyCues, fc.constantFrom('srt', 'vtt'), (cues, format) => {
      const file = written[format](cues);
      // One who says everything is not named.
      const isVoiced = format === 'vtt' && new Set(cues.map(({ speaker }) => speaker)).size > 1;
      const expected = cues.map((cue) => (isVoiced ? cue : { ...cue, speaker: null }));
      expect(readSubtitles(exported(file, format))).toEqual(expected);
    });
  });

  it('leave SRT byte for byte as it was: italics, overlaps and three lines too', () => {
    const anyItalic = fc.record({ startMs: fc.nat(20_000), lengthMs: fc.integer({ min: 1, max: 9000 }) });
    const line = fc.array(fc.tuple(fc.constantFrom('bir', 'ikki,', 'uch'), fc.boolean()), {
      minLength: 1,
      maxLength: 4,
    });
    forAllIn(300, fc.array(fc.tuple(anyItalic, fc.array(line, { minLength: 1, maxLength: 3 }))), (given) => {
      const cues = given
        .toSorted(([a], [b]) => a.startMs - b.startMs)
        .map(([{ startMs, lengthMs }, lines]): ReadCue => {
          const marked = lines.map((words) => words.map(([text, isItalic]) => (isItalic ? `<i>${text}</i>` : text)));
          const whole = marked.map((words) => words.join(' ')).join('\n');
          const joined = whole.replaceAll(/<\/i>(\s)<i>/gu, '$1');
          return { startMs, endMs: startMs + lengthMs, lines: [joined], speaker: null };
        });
      const file = written.srt(cues);
      expect(exported(file, 'srt')).toBe(file);
      expect(readTranscriptFile(file)?.problems ?? []).toEqual([]);
    });
  });

  it('come back from ASS and TTML with their times, lines, italics and speakers', () => {
    const line = fc.array(fc.tuple(fc.constantFrom('bir', 'ikki,', 'R&D', '<b>', "a'b", '&amp;', '№'), fc.boolean()), {
      minLength: 1,
      maxLength: 4,
    });
    const anyStyled = fc.array(
      fc.record({
        // As fine as ASS has them.
        hundredths: fc.tuple(fc.nat(300), fc.integer({ min: 1, max: 900 })),
        lines: fc.array(line, { minLength: 1, maxLength: 2 }),
        speaker: fc.constantFrom(...names),
      }),
      { minLength: 1, maxLength: 12 },
    );
    forAllIn(300, anyStyled, fc.constantFrom('ass', 'ttml'), (given, format) => {
      fc.pre(new Set(given.map(({ speaker }) => speaker)).size > 1);
      let clock = 0;
      const segments = given.map(({ hundredths: [gap, length], lines, speaker }) => {
        const startMs = clock + gap * 10;
        clock = startMs + length * 10;
        const text = lines.map((words) => words.map(([word]) => word).join(' ')).join('\n');
        const italics = new Set(lines.flat().flatMap(([, isItalic], at) => (isItalic ? [at] : [])));
        return { text, startMs, endMs: clock, words: [], speaker, ...(italics.size > 0 && { italics }) };
      });
      const found = [...new Set(given.map(({ speaker }) => speaker))];
      const nameSpeaker = (_: string, at: number) => found[at - 1] ?? '';
      const facts = { title: 'talk', madeAtMs: 0, sourceName: `talk.${format}`, media: null, nameSpeaker };
      const transcript = toTranscript({ text: '', segments }, { language: 'en', keepsLines: true });
      const document = writeDocument(exporters[format], transcript, { speakers: 'colour' }, facts);
      const read = readTranscriptFile(document.kind === 'text' ? document.text : '');
      expect(read).toMatchObject({ kind: 'subtitles', problems: [] });
      expect(read?.received.segments).toEqual(segments);
    });
  });

  it('are broken anew only where a line is too long, and split only where there are too many lines', () => {
    const long =
      'There was a bridge here once, and people came from the other bank every day.\nNobody remembers who built it, or when it fell.';
    const transcript = talk(
      [1000, 1400, 'Told us\nwhen it fell?'],
      [2000, 5000, '- Nobody remembers any more who built it or why.'],
      [6000, 15_000, long],
      // No dialogue: one line has a dash, or there is only one line.
      [16_000, 25_000, '- There was a bridge here once, and people came.\nNobody remembers who built it, or when.'],
      [
        26_000,
        35_000,
        '- There was a bridge here once, and people came. Nobody remembers who built it, or when it fell.',
      ],
    );
    const cues = segmentCues(transcript, standardProfile('en'));
    expect(cues.map(({ startMs, endMs, lines }) => [startMs, endMs, lines])).toEqual([
      [1000, 1400, ['Told us', 'when it fell?']],
      [2000, 5000, ['- Nobody remembers any', 'more who built it or why.']],
      [6000, expect.any(Number), expect.any(Array)],
      [expect.any(Number), 15_000, ['Nobody remembers who built', 'it, or when it fell.']],
      [16_000, expect.any(Number), ['- There was a bridge here', 'once, and people came.']],
      [expect.any(Number), 25_000, ['Nobody remembers who built it, or when.']],
      [26_000, expect.any(Number), ['- There was a bridge here', 'once, and people came.']],
      [expect.any(Number), 35_000, ['Nobody remembers who built', 'it, or when it fell.']],
    ]);
  });

  it('are not cut into pieces shorter than the shortest time', () => {
    forAllIn(300, anyTranscript, (transcript) => {
      const rules = standardProfile(transcript.language);
      const pieces = Map.groupBy(segmentCues(transcript, rules), ({ segmentIds: [id] }) => id);
      for (const own of pieces.values())
        if (own.length > 1) for (const { startMs, endMs } of own) expect(endMs - startMs).toBeGreaterThan(831);
    });
  });
});
