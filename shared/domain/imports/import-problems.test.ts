import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll, forAllIn } from '../../../tests/support/for-all.ts';
import { toTranscript } from '../transcript/from-received.ts';
import { reportProblems } from './import-problems.ts';
import { readTranscriptFile } from './read-transcript-file.ts';

/** The kind and the place of everything that a file lost or had changed. */
const problemsOf = (file: string) => readTranscriptFile(file)?.problems.map(({ kind, place }) => `${kind} ${place}`);
const ofSegments = (...segments: readonly unknown[]) => problemsOf(JSON.stringify({ segments }));
const time = (ms: number): string => new Date(ms).toISOString().slice(11, 23).replace('.', ',');
/** Every cue has words of its own, by which it is found again. */
const anyCues = fc.array(
  fc.record({
    times: fc.oneof(
      { weight: 4, arbitrary: fc.tuple(fc.nat(20_000), fc.nat(20_000)) },
      // Often at the same moment as another.
      { weight: 4, arbitrary: fc.tuple(fc.nat(3), fc.nat(3)) },
      { weight: 1, arbitrary: fc.constantFrom('soon', '00:00:xx,000 --> 00:00:02,000', '--> 00:00:04,000') },
    ),
    mark: fc.constantFrom('', '', 'u', 'b'),
    isEmpty: fc.integer({ max: 9, min: 0 }).map((one) => one === 0),
    hasGap: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

describe('the report of an import', () => {
  it('has the line and number of a caption, and its times in the file and in the transcript', () => {
    const file = [
      ['1', '00:00:01,000 --> 00:00:03,000', '<b>bir</b>', ''],
      ['2', '00:00:02,500 --> 00:00:04,000', 'ikki', ''],
      ['3', 'whenever', 'uch', ''],
      ['4', '00:00:06,000 --> 00:00:05,000', 'toʻrt', ''],
      ['5', '00:00:09,000 --> 00:00:10,000', ''],
    ];
    const problems = readTranscriptFile(file.flat().join('\n'))?.problems ?? [];
    const span = (startMs: number, endMs: number) => ({ startMs, endMs });
    expect(problems.map(({ kind, place }) => `${kind} ${place}`)).toEqual([
      'marks 2',
      'unreadable 9',
      'end 14',
      'empty 18',
    ]);
    expect(problems[2]).toMatchObject({ caption: 4, times: { before: span(6000, 5000) } });
    expect(reportProblems(problems, 'lines')?.kinds).toMatchObject([
      { kind: 'unreadable', captions: [], changes: [] },
      { kind: 'empty' },
      { kind: 'end', captions: [4], changes: [{ before: span(6000, 5000) }] },
      { kind: 'marks', captions: [1], changes: [] },
    ]);
    expect(reportProblems([], 'lines')).toBe(null);
  });

  it('has every caption of the file that is not in the transcript with its times and words', () => {
    forAllIn(1000, anyCues, (given) => {
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
    });
  });

  it('has every caption of ASS and TTML that can not be read, and no other', () => {
    const clock = (ms: number) => new Date(ms).toISOString().slice(11, 22);
    const formats = {
      ass: { head: '[Events]', write: (times: readonly string[]) => `Dialogue: 0,${times.join(',')},,,0,0,0,,bir` },
      ttml: { head: '<tt>', write: ([begin, end]: readonly string[]) => `<p begin="${begin}" end="${end}">bir</p>` },
    };
    const anyTimes = fc.oneof(
      fc.tuple(fc.nat(9000), fc.nat(9000)).map(([start, length]) => [start, start + length].map(clock)),
      fc.constantFrom(['soon', '0:00:02.00'], ['0:00:02.00', ''], ['0;00;01.00', '0:00:02.00']),
    );
    forAll(fc.constantFrom('ass', 'ttml'), fc.array(anyTimes, { minLength: 1 }), (format, given) => {
      const isRead = given.map((times) => times.every((one) => /^\d+:\d\d:\d\d\.\d\d$/u.test(one)));
      fc.pre(isRead.includes(true));
      const read = readTranscriptFile([formats[format].head, ...given.map(formats[format].write)].join('\n'));
      expect(read?.received.segments).toHaveLength(isRead.filter(Boolean).length);
      const unread = read?.problems.filter(({ kind }) => kind === 'unreadable').map(({ place }) => place);
      expect(unread).toEqual(isRead.flatMap((one, at) => (one ? [] : [at + 2])));
    });
  });

  it('names words after an empty line inside a caption, and a time line that is broken among the words of another', () => {
    expect(problemsOf('1\n00:00:01,000 --> 00:00:02,000\nbir\n\nikki')).toEqual(['unreadable 5']);
    const file =
      '1\n00:00:01,000 --> 00:00:02,000\nbir\n2\n00:00:0x,000 --> ?\nikki\n3\n00:00:03,000 --> 00:00:04,000\nuch';
    expect(readTranscriptFile(file)?.received.segments.map(({ text }) => text)).toEqual(['bir', 'uch']);
    expect(problemsOf(file)).toEqual(['unreadable 5']);
  });

  it('has nothing of headers, notes, styles, identifiers, voices and text that is no markup', () => {
    const head = 'WEBVTT - x\nKind: captions\n\nNOTE\nignored\n\nSTYLE\n::cue{}\n\nid\n00:01.000 --> 00:02.000\n';
    expect(problemsOf(`${head}<v Aziz>bir</v>\n\nintro\n00:03.000 --> 00:04.000\n3 < 5`)).toEqual([]);
    expect(ofSegments({ start: 1, end: 2, text: 'bir' })).toEqual([]);
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
    expect(ofSegments(...segments)).toEqual(['end 3', 'empty 4', 'untimed 5']);
    expect(ofSegments({ text: 'bir' }, { text: 'ikki' })).toEqual([]);
    const [whole, started, ended] = [{ start: 0, end: 1 }, { start: 2 }, { end: 5 }];
    expect(ofSegments(...[whole, started, ended].map((one) => ({ ...one, text: 'bir' })))).toEqual([
      'half-timed 2',
      'half-timed 3',
    ]);
  });
});
