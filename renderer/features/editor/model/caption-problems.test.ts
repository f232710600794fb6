import { expect, it } from 'vitest';
import { checkSubtitles } from '../../../../shared/domain/exports/check-subtitles.ts';
import { exporters } from '../../../../shared/domain/exports/exporters.ts';
import type { GivenOptions } from '../../../../shared/domain/exports/options.ts';
import { toTranscript } from '../../../../shared/domain/transcript/from-received.ts';
import { applyChange } from '../../../../shared/domain/transcript/change.ts';
import { findViolations } from '../../../../shared/domain/transcript/find-violations.ts';
import type { Segment, TimeSpan, Transcript } from '../../../../shared/domain/transcript/transcript.ts';
import { captionProblems, mendCaptions, type CaptionFile } from './caption-problems.ts';

const writing = {
  title: '',
  date: '',
  media: null,
  nameSpeaker: (_: string, number: number) => `${String(number)}-soʻzlovchi`,
};
const fileOf = (given: GivenOptions = {}): CaptionFile => ({ format: 'srt', given, writing });

const said = (text: string, startMs: number, endMs: number) => ({ text, startMs, endMs, words: [] });

it('a segment too fast to read is reported with its speed and the limit of the profile; others are not', () => {
  const transcript = toTranscript(
    {
      text: '',
      segments: [
        said('Adras naqsh boʻyoq.', 0, 4000),
        said('Bu gapni oʻqib ulgurish uchun vaqt juda ham kam berilgan.', 5000, 6000),
        said('Rahmat katta.', 9000, 11_000),
      ],
    },
    { language: 'uz', durationMs: 12_000 },
  );
  const problems = captionProblems(transcript, fileOf());
  expect([...problems.keys()]).toEqual(['s2']);
  const tooFast = problems.get('s2')?.find(({ kind }) => kind === 'too-fast');
  expect(tooFast?.limit).toBe(17);
  expect(tooFast?.is).toBeGreaterThan(17);
});

it('the name that the file puts before a caption is told apart from its text, and both are counted', () => {
  const segments = [
    { ...said('Bu gapni oʻqib ulgurish qiyin.', 0, 1700), speaker: 'a' },
    { ...said('Rahmat.', 1800, 6000), speaker: 'b' },
  ];
  const transcript = toTranscript({ text: '', segments }, { language: 'uz', durationMs: 8000 });
  const [problem] = captionProblems(transcript, fileOf({ speakers: 'change' })).get('s1') ?? [];
  expect(problem?.caption).toMatchObject({
    text: '1-soʻzlovchi: Bu gapni oʻqib ulgurish qiyin.',
    letters: 44,
    name: '1-soʻzlovchi:',
    lettersWithoutName: 30,
  });
  const [own] = captionProblems(transcript, fileOf({ speakers: 'change', cuesFrom: 'segments' })).get('s1') ?? [];
  expect(own?.caption).toMatchObject({ letters: 44, name: '1-soʻzlovchi:', lettersWithoutName: 30 });
  const [alone] = captionProblems(transcript, fileOf({ speakers: 'none', charactersPerSecond: 8 })).get('s1') ?? [];
  expect(alone?.caption).toMatchObject({ letters: 30, name: '', lettersWithoutName: 30 });
});

it('a caption too short to read gets the silence before it, and its other words keep their times', () => {
  const transcript = toTranscript(
    {
      text: '',
      segments: [
        said('Adras naqsh boʻyoq.', 0, 4000),
        said('Bu gap tez oʻqiladi.', 5200, 6200),
        said('Rahmat katta.', 6300, 8000),
      ],
    },
    { language: 'uz', durationMs: 12_000 },
  );
  const change = mendCaptions(transcript, captionProblems(transcript, fileOf()).get('s2') ?? []);
  const applied = change.ok ? applyChange(transcript, change.value) : change;
  if (!applied.ok) throw new Error(applied.error);
  const { transcript: after } = applied.value;
  expect(captionProblems(after, fileOf()).size).toBe(0);
  expect(after.segments[1]?.words.slice(1, -1)).toEqual(transcript.segments[1]?.words.slice(1, -1));
  expect(after.segments[0]).toEqual(transcript.segments[0]);
});

it('as many problems are found as the export counts, with any options, each where its caption begins', () => {
  const segments = [
    { ...said('Agar hammasi', 0, 500), speaker: 'a' },
    { ...said('qoʻlda qilinsa, bir oydan qirq kungacha.', 500, 2000), speaker: 'a' },
    { ...said('Va oddiy ip', 2500, 3400), speaker: 'a' },
    { ...said('bilan.', 3400, 3500), speaker: 'a' },
    { ...said('Qachon?', 3600, 3900), speaker: 'b' },
    { ...said('Bu gapni oʻqib ulgurish uchun vaqt juda ham kam.', 4000, 5000), speaker: 'a' },
  ];
  const made = toTranscript({ text: '', segments }, { language: 'uz', durationMs: 12_000 });
  const transcript = {
    ...made,
    segments: made.segments.map((segment) => ({
      ...segment,
      words: segment.words.map((word) => (word.text === 'oddiy' ? { ...word, mark: 'cut' as const } : word)),
    })),
  };
  for (const given of [
    {},
    { speakers: 'none' },
    { speakers: 'every' },
    { cuesFrom: 'segments' },
    { cuesFrom: 'segments', mends: true },
    { charactersPerLine: 20, linesPerCue: 1, script: 'cyrillic' },
  ]) {
    const problems = captionProblems(transcript, fileOf(given));
    const check = checkSubtitles(exporters.srt, transcript, given, writing);
    const found = [...problems.values()].flat();
    expect(found.map(({ kind, is, caption }) => [kind, is, caption.startMs])).toEqual(
      check?.problems.map(({ kind, is, startMs }) => [kind, is, startMs]),
    );
    expect(found.length).toBeGreaterThan(0);
    for (const [id, own] of problems)
      for (const { caption } of own) {
        const { startMs = 0, endMs = 0 } = transcript.segments.find((segment) => segment.id === id) ?? {};
        expect(caption.startMs).toBeGreaterThanOrEqual(startMs);
        expect(caption.startMs).toBeLessThan(endMs);
      }
  }
  const joined = [...captionProblems(transcript, fileOf({ speakers: 'none' })).values()].flat();
  expect(joined.some(({ caption }) => caption.segmentCount > 1)).toBe(true);
});

const mended = (transcript: Transcript, given: GivenOptions, id: string): Transcript => {
  const change = mendCaptions(transcript, captionProblems(transcript, fileOf(given)).get(id) ?? []);
  const applied = change.ok ? applyChange(transcript, change.value) : change;
  if (!applied.ok) throw new Error(applied.error);
  return applied.value.transcript;
};

it('a caption too short to read gets the silence before it too that only closed the gap to the one before', () => {
  const transcript = toTranscript(
    {
      text: '',
      segments: [said('Adras naqsh boʻyoq.', 0, 4000), said('Bu gap qisqa.', 4450, 5000)],
    },
    { language: 'uz', durationMs: 5000 },
  );
  expect(
    captionProblems(transcript, fileOf())
      .get('s2')
      ?.map(({ kind }) => kind),
  ).toEqual(['too-fast', 'too-short']);
  const after = mended(transcript, {}, 's2');
  expect(captionProblems(after, fileOf()).size).toBe(0);
  expect(after.segments[0]).toEqual(transcript.segments[0]);
  expect(after.segments[1]?.startMs).toBeLessThanOrEqual(5000 - 833);
});

it.each([
  ['', { startMs: 7000, endMs: 9000 }, 9600],
  [', up to the next cut', { startMs: 7000, endMs: 9900 }, 9900],
])('with times without the cuts a caption gets the silence beside it%s', (_name, silence, startMs) => {
  const made = toTranscript(
    {
      text: '',
      segments: [
        said('Adras naqsh boʻyoq.', 0, 4000),
        said('Olib tashlanadi.', 4500, 6500),
        said('Bu gap tez oʻtdi.', 10_000, 10_600),
        { ...said('Rahmat katta.', 10_683, 13_000), speaker: 'b' },
      ],
    },
    { language: 'uz', durationMs: 20_000 },
  );
  const cut = {
    ...made,
    segments: made.segments.map((segment) =>
      segment.id === 's2'
        ? { ...segment, words: segment.words.map((word) => ({ ...word, mark: 'cut' as const })) }
        : segment,
    ),
    cuts: [silence],
  };
  const given = { followsCuts: true, speakers: 'none' };
  expect(mended(cut, given, 's3').segments[2]).toMatchObject({ startMs, endMs: 10_600 });
  // Without cuts the times are those of the recording.
  expect(mended(made, given, 's3').segments[2]).toMatchObject({ startMs: 9600, endMs: 10_600 });
});

it('a segment that only needs more time after its words keeps the time of the first, also where it is shown before that', () => {
  const segments = [said('Adras naqsh boʻyoq.', 0, 4000), said('Bu gap tez oʻtdi.', 6000, 6600)];
  const made = toTranscript({ text: '', segments }, { language: 'uz', durationMs: 20_000 });
  const startedEarlier = (segment: Segment) => (segment.id === 's2' ? { ...segment, startMs: 5900 } : segment);
  const transcript = { ...made, segments: made.segments.map(startedEarlier) };
  const after = mended(transcript, { cuesFrom: 'segments' }, 's2');
  expect(captionProblems(after, fileOf({ cuesFrom: 'segments' })).size).toBe(0);
  expect(after.segments[1]?.words[0]).toEqual(transcript.segments[1]?.words[0]);
});

it('no fix is offered where a cut ends the silence at the first word of a caption', () => {
  const segments = [
    said('Adras naqsh boʻyoq.', 0, 4000),
    said('Bu gap tez oʻtdi.', 6000, 6600),
    { ...said('Rahmat katta.', 6683, 9000), speaker: 'b' },
  ];
  const made = toTranscript({ text: '', segments }, { language: 'uz', durationMs: 20_000 });
  const mendsWith = (cuts: readonly TimeSpan[]) => {
    const found = captionProblems({ ...made, cuts }, fileOf({ followsCuts: true, speakers: 'none' })).get('s2') ?? [];
    return found.map(({ kind, mend }) => [kind, mend !== null]);
  };
  const problems = ['too-fast', 'too-short'];
  expect(mendsWith([{ startMs: 4900, endMs: 5900 }])).toEqual(problems.map((kind) => [kind, true]));
  expect(mendsWith([{ startMs: 4900, endMs: 6000 }])).toEqual(problems.map((kind) => [kind, false]));
});

it('a problem says which caption of its segment it is about, and how many captions the segment has', () => {
  const segments = [
    said('Bugun ustaxonaga mehmon boʻlib keldik. Usta bizni kutib oldi.', 0, 3000),
    said('Xush kelibsiz, azizlar, marhamat!', 6100, 6400),
  ];
  const transcript = toTranscript({ text: '', segments }, { language: 'uz', durationMs: 6400 });
  const [alone] = captionProblems(transcript, fileOf({ cuesFrom: 'segments' })).get('s2') ?? [];
  expect(alone?.caption).toMatchObject({ place: 1, count: 1 });
  const one = { ...transcript, segments: transcript.segments.slice(0, 1) };
  const found = captionProblems(one, fileOf({ charactersPerSecond: 8, splitsAtSentences: true })).get('s1') ?? [];
  expect(found.map(({ caption: { place, count } }) => [place, count])).toEqual([
    [1, 2],
    [2, 2],
  ]);
});

it('an end that is too near to the next caption, or too late, is moved back in subtitles that were imported', () => {
  const segments = [
    said('Oʻzbekistonda gʻalla yigʻim-terimi boshlandi.', 0, 2460),
    said('Ha.', 2480, 3500),
    said('Xayr', 15_000, 25_000),
  ];
  const transcript = toTranscript({ text: '', segments }, { language: 'uz', durationMs: 30_000 });
  const given = { cuesFrom: 'segments' };
  const kindsOf = (one: Transcript, id: string) =>
    captionProblems(one, fileOf(given))
      .get(id)
      ?.map(({ kind }) => kind);
  expect([kindsOf(transcript, 's1'), kindsOf(transcript, 's3')]).toEqual([['gap-too-short', 'too-fast'], ['too-long']]);
  const nearer = mended(transcript, given, 's1');
  // It was too fast before, so a moment less of it is no new problem.
  expect([nearer.segments[0]?.endMs, kindsOf(nearer, 's1')]).toEqual([2397, ['too-fast']]);
  const shorter = mended(transcript, given, 's3');
  expect([shorter.segments[2]?.endMs, kindsOf(shorter, 's3')]).toEqual([22_000, undefined]);
  const check = checkSubtitles(exporters.srt, transcript, { ...given, mends: true }, writing);
  expect(check).toMatchObject({ unmendedCount: 3, mendedCount: 1 });
});

it('no end is moved back over a word that was heard, nor so far that the caption becomes too short or too fast', () => {
  const heard = (text: string, startMs: number, endMs: number, wordEndMs: number) => ({
    ...said(text, startMs, endMs),
    words: [{ text, startMs, endMs: wordEndMs }],
  });
  const segments = [
    heard('Assalom.', 0, 2000, 1990),
    heard('Salom.', 2020, 4000, 3000),
    said('Ha.', 4020, 4860),
    said('Bu gap tez oʻqiladi.', 4900, 6000),
    heard('Xayr', 15_000, 25_000, 24_000),
  ];
  const transcript = toTranscript({ text: '', segments }, { language: 'uz', durationMs: 30_000 });
  const given = { cuesFrom: 'segments', charactersPerSecond: 20 };
  const change = mendCaptions(transcript, [...captionProblems(transcript, fileOf(given)).values()].flat());
  const applied = change.ok ? applyChange(transcript, change.value) : change;
  if (!applied.ok) throw new Error(applied.error);
  const { segments: after } = applied.value.transcript;
  expect(after.map(({ endMs }) => endMs)).toEqual([2000, 3937, 4860, 6000, 24_000]);
  expect(after.map(({ words }) => words)).toEqual(transcript.segments.map(({ words }) => words));
});

it('a caption that is fixed again does not begin ever earlier before its words', () => {
  const fast = 'Bu gapni oʻqib ulgurish uchun vaqt juda ham kam berilgan, lekin baribir aytilgan.';
  const segments = [said('Adras naqsh boʻyoq.', 0, 2000), said(fast, 6000, 7000), said('Rahmat.', 7083, 9000)];
  const transcript = toTranscript({ text: '', segments }, { language: 'uz', durationMs: 12_000 });
  const once = mended(transcript, { cuesFrom: 'segments' }, 's2');
  expect(once.segments[1]).toMatchObject({ startMs: 5500, words: transcript.segments[1]?.words });
  const again = mendCaptions(once, captionProblems(once, fileOf({ cuesFrom: 'segments' })).get('s2') ?? []);
  expect(again).toEqual({ ok: false, error: 'no-room' });
});

const lastIsFast = [said('Rahmat.', 0, 3000), said('Maktabda necha yildan beri ishlaysiz?', 4000, 4500)];

it('the last caption of subtitles without a recording gets the time it needs, and undoing takes it back', () => {
  const transcript = toTranscript({ text: '', segments: lastIsFast }, { language: 'uz', keepsLines: true });
  const file = { ...fileOf({ cuesFrom: 'segments' }), writing: { ...writing, isOpenEnded: true } };
  const problems = captionProblems(transcript, file).get('s2') ?? [];
  expect(problems.map(({ kind, mend }) => [kind, mend === null])).toEqual([
    ['too-fast', false],
    ['too-short', false],
  ]);
  const change = mendCaptions(transcript, problems);
  const applied = change.ok ? applyChange(transcript, change.value) : change;
  if (!applied.ok) throw new Error(applied.error);
  const { transcript: after, inverse } = applied.value;
  expect(findViolations(after)).toEqual([]);
  expect(captionProblems(after, file).size).toBe(0);
  const undone = applyChange(after, inverse);
  expect(undone.ok && undone.value.transcript).toEqual(transcript);
  const check = checkSubtitles(exporters.srt, transcript, { cuesFrom: 'segments', mends: true }, file.writing);
  expect(check).toMatchObject({ unmendedCount: 2, mendedCount: 0 });
});

it('the last caption of a text with a recording does not grow beyond its end', () => {
  const transcript = toTranscript({ text: '', segments: lastIsFast }, { language: 'uz' });
  const change = mendCaptions(
    transcript,
    captionProblems(transcript, fileOf({ cuesFrom: 'segments' })).get('s2') ?? [],
  );
  const applied = change.ok ? applyChange(transcript, change.value) : change;
  expect(applied.ok && applied.value.transcript).toMatchObject({ durationMs: 4500, segments: [{}, { endMs: 4500 }] });
});
