import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyTranscript } from '../../../tests/support/any-transcript.ts';
import { exporters } from '../exports/exporters.ts';
import type { GivenOptions } from '../exports/options.ts';
import { writeDocument } from '../exports/write-export.ts';
import { readSubtitles, type ReadCue } from '../imports/read-subtitles.ts';
import { readTranscriptFile } from '../imports/read-transcript-file.ts';
import { toTranscript } from '../transcript/from-received.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { standardProfile } from './profiles.ts';
import { segmentCues } from './segment-cues.ts';

const names = ['Anna', 'Boris', 'Usta Rahmatillo'];
const shortLine = fc
  .array(fc.constantFrom('-', '—', 'Told', 'us', 'when?', 'Yes,', 'of', 'course.', 'R&D', '1995', 'bridge…', 'oʻn'), {
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
  const document = writeDocument(
    exporters[format],
    toTranscript(received, { language: 'en', keepsLines: true }),
    options,
    {
      title: 'talk',
      madeAtMs: 0,
      sourceName: `talk.${format}`,
      media: null,
      nameSpeaker: (_, at) => found[at - 1] ?? '',
    },
  );
  return document.kind === 'text' ? document.text : '';
}

const segment = (id: string, startMs: number, endMs: number, text: string, speakerId: string | null = null) => ({
  id,
  speakerId,
  startMs,
  endMs,
  text,
  words: [],
});
const talk = (...segments: Transcript['segments']): Transcript => ({
  language: 'en',
  durationMs: 60_000,
  speakers: [],
  segments: toTranscript(
    { text: '', segments: segments.map(({ text, startMs, endMs }) => ({ text, startMs, endMs, words: [] })) },
    { language: 'en', keepsLines: true },
  ).segments,
});

describe('captions by segment', () => {
  it('go in and out unchanged where they were well-formed SRT or VTT', () => {
    fc.assert(
      fc.property(anyCues, fc.constantFrom('srt', 'vtt'), (cues, format) => {
        const file = written[format](cues);
        const isVoiced = format === 'vtt' && new Set(cues.flatMap(({ speaker }) => speaker ?? [])).size > 1;
        const expected = cues.map((cue) => (isVoiced ? cue : { ...cue, speaker: null }));
        expect(readSubtitles(exported(file, format))).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });

  it('have every word in the cue of its segment, and only a segment with too many lines becomes several', () => {
    fc.assert(
      fc.property(anyTranscript, (transcript) => {
        const profile = standardProfile(transcript.language);
        for (const cue of segmentCues(transcript, profile)) {
          expect(cue.segmentIds).toHaveLength(1);
          expect(cue.rows.map((row) => row.map(({ text }) => text).join(' '))).toEqual(cue.lines);
          const own = transcript.segments.find(({ id }) => id === cue.segmentIds[0]);
          expect(cue.startMs).toBeGreaterThanOrEqual(own?.startMs ?? 0);
          expect(cue.endMs).toBeGreaterThan(cue.startMs);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are broken anew only where a line is too long, and split only where there are too many lines', () => {
    const profile = standardProfile('en');
    const fits = segment('s1', 1000, 1400, 'Told us\nwhen it fell?');
    const long = segment('s2', 2000, 5000, '- Nobody remembers any more who built it or why.');
    const tooMany = segment(
      's3',
      6000,
      15_000,
      'There was a bridge here once, and people came from the other bank every day.\nNobody remembers who built it, or when it fell.',
    );
    const cues = segmentCues(talk(fits, long, tooMany), profile);
    expect(cues.map(({ startMs, endMs, lines }) => [startMs, endMs, lines])).toEqual([
      [1000, 1400, ['Told us', 'when it fell?']],
      [2000, 5000, ['- Nobody remembers any', 'more who built it or why.']],
      [6000, expect.any(Number), expect.any(Array)],
      [expect.any(Number), 15_000, ['Nobody remembers who built', 'it, or when it fell.']],
    ]);
  });

  it('are split no further at the ends of sentences, whatever the rules say of captions by sentence', () => {
    const text = 'We came at noon. Nobody was at home. The door stood open, and the dog slept in the sun outside.';
    const counts = [true, false].map(
      (splitsAtSentences) =>
        segmentCues(talk(segment('s1', 1000, 8000, text)), { ...standardProfile('en'), splitsAtSentences }).length,
    );
    expect(counts).toEqual([2, 2]);
  });

  it('are not cut into pieces shorter than the shortest time, and are cut at a comma where they can be', () => {
    const fast = 'Good evening and welcome to the very latest news from the capital city of Tashkent.';
    const slow =
      'It rained for a whole week in March, so the farmers sowed their fields in time and the prices will not rise.';
    const profile = standardProfile('en');
    const cues = segmentCues(talk(segment('s1', 500, 1000, fast), segment('s2', 2000, 9000, slow)), profile);
    expect(cues.map(({ startMs, endMs, lines }) => [startMs, endMs, lines])).toEqual([
      [500, 1000, ['Good evening and welcome', 'to the very latest news', 'from the capital city of Tashkent.']],
      [2000, expect.any(Number), ['It rained for a whole week in March,']],
      [expect.any(Number), 9000, ['so the farmers sowed their fields', 'in time and the prices will not rise.']],
    ]);
    fc.assert(
      fc.property(anyTranscript, (transcript) => {
        const rules = standardProfile(transcript.language);
        const pieces = Map.groupBy(segmentCues(transcript, rules), ({ segmentIds: [id] }) => id);
        for (const own of pieces.values())
          if (own.length > 1) for (const { startMs, endMs } of own) expect(endMs - startMs).toBeGreaterThan(831);
      }),
      { numRuns: 300 },
    );
  });

  it('are broken quickly where a caption of hundreds of words can not be divided', () => {
    const text = Array.from({ length: 300 }, (_, at) => `the${at % 7 === 0 ? ',' : ''}`).join(' ');
    const [cue, ...others] = segmentCues(talk(segment('s1', 500, 1000, text)), standardProfile('en'));
    expect(others).toEqual([]);
    expect(cue?.lines.length).toBeGreaterThan(20);
    expect(Math.max(...(cue?.lines ?? []).map(({ length }) => length))).toBeLessThan(43);
  });

  it('keep a dialogue whole, and every speaker of it at the beginning of a line', () => {
    const long = segment(
      's1',
      4000,
      12_500,
      '- Did they decide anything at all?\n- No, they postponed it until the spring session of the council.',
    );
    const short = segment('s2', 13_000, 16_000, '– Have they decided anything at all about it yet?\n– No.');
    expect(segmentCues(talk(long, short), standardProfile('en')).map(({ lines }) => lines)).toEqual([
      ['- Did they decide anything at all?', '- No, they postponed it until', 'the spring session of the council.'],
      ['– Have they decided anything', 'at all about it yet?', '– No.'],
    ]);
  });

  it('take lines that begin with a minus for no dialogue', () => {
    const frost = segment(
      's1',
      0,
      8000,
      '-5 degrees in the morning and a wind from the north,\n-12 at night in the mountains and the valleys beside them.',
    );
    const cues = segmentCues(talk(frost), standardProfile('en'));
    expect(cues.every(({ lines }) => lines.length <= 2)).toBe(true);
    expect(cues.length).toBeGreaterThan(1);
  });

  it('keep a word that was typed at the end of a segment in the caption of that segment', () => {
    const file = written.srt([
      { startMs: 3880, endMs: 7180, lines: ['There was a bridge once but. hello world'], speaker: null },
      { startMs: 7180, endMs: 8087, lines: ['When it fell?'], speaker: null },
    ]);
    expect(exported(file, 'srt')).toBe(file);
    expect(exported(file, 'srt', { cuesFrom: 'sentences' })).not.toBe(file);
  });
});
