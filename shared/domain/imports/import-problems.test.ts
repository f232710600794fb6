import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toTranscript } from '../transcript/from-received.ts';
import { reportProblems, type ImportProblem } from './import-problems.ts';
import { readTranscriptFile } from './read-transcript-file.ts';

const problemsOf = (file: string): readonly Pick<ImportProblem, 'kind' | 'place'>[] | undefined =>
  readTranscriptFile(file)?.problems.map(({ kind, place }) => ({ kind, place }));

const time = (ms: number): string => new Date(ms).toISOString().slice(11, 23).replace('.', ',');
/** Every cue has words of its own, by which it is found again. */
const anyCues = fc.array(
  fc.record({
    times: fc.oneof(
      { weight: 4, arbitrary: fc.tuple(fc.nat(20_000), fc.nat(20_000)) },
      { weight: 1, arbitrary: fc.constantFrom('soon', '00:00:xx,000 --> 00:00:02,000', '--> 00:00:04,000') },
    ),
    mark: fc.constantFrom('', '', 'i', 'b'),
    isEmpty: fc.integer({ max: 9, min: 0 }).map((one) => one === 0),
    hasGap: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

describe('the report of an import', () => {
  it('names the line of every caption that was changed or left out', () => {
    const file = [
      ['1', '00:00:01,000 --> 00:00:03,000', '<i>bir</i>', ''],
      ['2', '00:00:02,000 --> 00:00:01,000', 'ikki', ''],
      ['3', 'whenever', 'uch', ''],
      ['4', '00:00:09,000 --> 00:00:10,000', ''],
    ]
      .flat()
      .join('\n');
    expect(problemsOf(file)).toEqual([
      { kind: 'overlap', place: 2 },
      { kind: 'marks', place: 2 },
      { kind: 'end', place: 6 },
      { kind: 'unreadable', place: 9 },
      { kind: 'empty', place: 14 },
    ]);
  });

  it('has the number of a caption, and its times in the file and in the transcript', () => {
    const file = [
      ['1', '00:00:01,000 --> 00:00:03,000', '<i>bir</i>', ''],
      ['2', '00:00:02,500 --> 00:00:04,000', 'ikki', ''],
      ['3', 'whenever', 'uch', ''],
      ['4', '00:00:06,000 --> 00:00:05,000', 'toʻrt', ''],
    ];
    const problems = readTranscriptFile(file.flat().join('\n'))?.problems ?? [];
    const span = (startMs: number, endMs: number) => ({ startMs, endMs });
    expect(problems).toEqual([
      { kind: 'overlap', place: 2, caption: 1, times: { before: span(1000, 3000), after: span(1000, 2500) } },
      { kind: 'marks', place: 2, caption: 1 },
      { kind: 'unreadable', place: 9 },
      {
        kind: 'end',
        place: 14,
        caption: 4,
        times: { before: span(6000, 5000), after: { startMs: 6000, endMs: expect.any(Number) as number } },
      },
    ]);
    expect(reportProblems(problems, 'lines')?.kinds).toMatchObject([
      { kind: 'unreadable', captions: [], changes: [] },
      { kind: 'end', captions: [4], changes: [{ before: span(6000, 5000) }] },
      { kind: 'overlap', captions: [1], changes: [{ before: span(1000, 3000), after: span(1000, 2500) }] },
      { kind: 'marks', captions: [1], changes: [] },
    ]);
  });

  it('names every caption that begins before the one above it, because the transcript has them by time', () => {
    const file = ['05', '01', '03', '04', '02', '09']
      .map((at, place) => `${String(place + 1)}\n00:00:${at},000 --> 00:00:${at},900\nsoʻz${String(place)}\n`)
      .join('\n');
    expect(readTranscriptFile(file)?.problems).toEqual([
      { kind: 'order', place: 6, caption: 2 },
      { kind: 'order', place: 18, caption: 5 },
    ]);
    const segments = [{ start: 4, end: 5, text: 'bir' }, { text: 'ikki' }, { start: 1, end: 2, text: 'uch' }];
    expect(problemsOf(JSON.stringify({ segments }))).toContainEqual({ kind: 'order', place: 3 });
  });

  it('has every caption of the file that is not in the transcript with its times and words', () => {
    fc.assert(
      fc.property(anyCues, (given) => {
        const lines: string[] = [];
        const cues = given.map(({ times, mark, isEmpty, hasGap }, at) => {
          const words = isEmpty ? '' : `soʻz${String(at)}`;
          const from = lines.length + 1;
          lines.push(String(at + 1), typeof times === 'string' ? times : times.map(time).join(' --> '));
          if (!isEmpty) lines.push(mark === '' ? words : `<${mark}>${words}</${mark}>`);
          // A block without times and an empty line after it can't be told from the words of the one before.
          if (hasGap || typeof times === 'string' || typeof given[at + 1]?.times === 'string') lines.push('');
          return { times, mark, words, lines: [from, from + 1] };
        });
        const timed = cues.filter(({ times, words }) => typeof times !== 'string' && words !== '');
        const moved = new Set(timed.filter(({ times }, at) => Number(times[0]) < Number(timed[at - 1]?.times[0] ?? 0)));
        const read = readTranscriptFile(lines.join('\n'));
        if (read?.kind !== 'subtitles') return;
        const { segments } = toTranscript(read.received, { language: 'uz', keepsLines: true });
        for (const cue of cues) {
          const { times, mark, words, lines: own } = cue;
          const isTaken = segments.some(
            ({ text, startMs, endMs }) => text === words && startMs === times[0] && endMs === times[1],
          );
          const isNamed = read.problems.some(({ place }) => own.includes(place));
          expect(isNamed, lines.join('\n')).toBe(!isTaken || mark !== '' || moved.has(cue));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('names words after an empty line inside a caption, and a time line that is broken among the words of another', () => {
    expect(problemsOf('1\n00:00:01,000 --> 00:00:02,000\nbir\n\nikki')).toEqual([{ kind: 'unreadable', place: 5 }]);
    const file =
      '1\n00:00:01,000 --> 00:00:02,000\nbir\n2\n00:00:0x,000 --> ?\nikki\n3\n00:00:03,000 --> 00:00:04,000\nuch';
    expect(readTranscriptFile(file)?.received.segments.map(({ text }) => text)).toEqual(['bir', 'uch']);
    expect(problemsOf(file)).toEqual([{ kind: 'unreadable', place: 5 }]);
  });

  it('has nothing of headers, notes, styles, identifiers, voices and text that is no markup', () => {
    expect(
      problemsOf(
        'WEBVTT - x\nKind: captions\n\nNOTE\nignored\n\nSTYLE\n::cue{}\n\nid\n00:01.000 --> 00:02.000\n<v Aziz>bir</v>\n\nintro\n00:03.000 --> 00:04.000\n3 < 5',
      ),
    ).toEqual([]);
    expect(problemsOf('{"segments": [{"start": 1, "end": 2, "text": "bir"}]}')).toEqual([]);
    expect(reportProblems([], 'lines')).toBe(null);
  });

  it('names captions whose position on the picture was left out', () => {
    expect(
      problemsOf(
        'WEBVTT\n\n00:01.000 --> 00:02.000 align:start position:0%\nbir\n\n00:03.000 --> 00:04.000\nikki\n\n00:05.000 --> 00:06.000 line:0\n<i>uch</i>',
      ),
    ).toEqual([
      { kind: 'position', place: 3 },
      { kind: 'marks', place: 9 },
      { kind: 'position', place: 9 },
    ]);
    expect(
      problemsOf(
        '1\n00:00:01,000 --> 00:00:02,000 X1:40 X2:600 Y1:20 Y2:50\nbir\n\n2\n00:00:03,000 --> 00:00:04,000\nikki',
      ),
    ).toEqual([{ kind: 'position', place: 2 }]);
  });

  it('names the position of the only caption of a file, which is no usual one', () => {
    expect(problemsOf('WEBVTT\n\n00:01.000 --> 00:02.000 line:0\nbir')).toEqual([{ kind: 'position', place: 3 }]);
  });

  it('says nothing of a position that all captions of a file share', () => {
    const usual = 'align:start position:0%';
    expect(
      problemsOf(`WEBVTT\n\n00:01.000 --> 00:02.000 ${usual}\nbir\n\n00:03.000 --> 00:04.000 ${usual}\nikki`),
    ).toEqual([]);
  });

  it('only captions that differ from the usual place are named', () => {
    const usual = 'align:start position:0%';
    const captions = [usual, usual, `${usual} line:0`, '', usual, usual].map(
      (position, at) => `00:0${String(at)}.000 --> 00:0${String(at)}.900 ${position}\nsoʻz${String(at)}`,
    );
    expect(problemsOf(['WEBVTT', ...captions].join('\n\n'))).toEqual([{ kind: 'position', place: 9 }]);
    expect(problemsOf(['WEBVTT', ...captions.slice(0, 2), '00:03.000 --> 00:03.900'].join('\n\n'))).toEqual([
      { kind: 'empty', place: 9 },
    ]);
    // Where no position is more frequent, having none is the usual one.
    expect(problemsOf(['WEBVTT', ...captions.slice(2, 4)].join('\n\n'))).toEqual([{ kind: 'position', place: 3 }]);
  });

  it('names the segments of another program’s JSON that were changed or left out, by their numbers', () => {
    const segments = [
      { start: 0, end: 4, text: 'bir' },
      { start: 3, end: 5, text: 'ikki' },
      { start: 7, end: 6, text: 'uch' },
      { start: 8, end: 9, text: ' ' },
      { text: 'toʻrt' },
      { text: 'besh', words: [{ word: 'besh', start: 12, end: 13 }] },
    ];
    expect(problemsOf(JSON.stringify({ segments }))).toEqual([
      { kind: 'overlap', place: 1 },
      { kind: 'end', place: 3 },
      { kind: 'empty', place: 4 },
      { kind: 'untimed', place: 5 },
    ]);
    expect(problemsOf('{"segments": [{"text": "bir"}, {"text": "ikki"}]}')).toEqual([]);
  });

  it('tells a segment with one time from a segment without any', () => {
    const segments = [
      { start: 0, end: 1, text: 'bir' },
      { start: 2, text: 'ikki' },
      { end: 5, text: 'uch' },
      { text: 'toʻrt' },
    ];
    expect(problemsOf(JSON.stringify({ segments }))).toEqual([
      { kind: 'half-timed', place: 2 },
      { kind: 'half-timed', place: 3 },
      { kind: 'untimed', place: 4 },
    ]);
  });

  it('counts every caption once, and has the first places of each kind', () => {
    const marks = Array.from({ length: 30 }, (_, at) => ({ kind: 'marks', place: at * 4 + 2 }) as const);
    const report = reportProblems(
      [...marks, { kind: 'overlap', place: 2 }, { kind: 'unreadable', place: 200 }],
      'lines',
    );
    expect(report).toMatchObject({
      changedCount: 31,
      kinds: [
        { kind: 'unreadable', count: 1, places: [200] },
        { kind: 'overlap', count: 1, places: [2] },
        { kind: 'marks', count: 30, places: { length: 20 } },
      ],
    });
  });
});
