import { expect, it } from 'vitest';
import { checkSubtitles } from '../../../../shared/domain/exports/check-subtitles.ts';
import { exporters } from '../../../../shared/domain/exports/exporters.ts';
import type { GivenOptions } from '../../../../shared/domain/exports/options.ts';
import { toTranscript } from '../../../../shared/domain/transcript/from-received.ts';
import { applyChange } from '../../../../shared/domain/transcript/change.ts';
import { findViolations } from '../../../../shared/domain/transcript/find-violations.ts';
import type { Segment, TimeSpan, Transcript } from '../../../../shared/domain/transcript/transcript.ts';
import { mendCaptions } from './caption-fixes.ts';
import { captionProblems } from './caption-problems.ts';
import { fileOf, said, writing } from '../../../../tests/support/caption-files.ts';

const mended = (transcript: Transcript, given: GivenOptions, id: string): Transcript => {
  const change = mendCaptions(transcript, captionProblems(transcript, fileOf(given)).get(id) ?? []);
  const applied = change.ok ? applyChange(transcript, change.value) : change;
  if (!applied.ok) throw new Error(applied.error);
  return applied.value.transcript;
};

/** The same, with times of its words. */
const heard = (text: string, startMs: number, endMs: number) => {
  const words = text.split(' ').map((word, at, { length }) => ({
    text: word,
    startMs: Math.round(startMs + ((endMs - startMs) * at) / length),
    endMs: Math.round(startMs + ((endMs - startMs) * (at + 1)) / length),
  }));
  return { ...said(text, startMs, endMs), words };
};

it('a caption too short to read gets the silence before it, and its words keep the times in which they were heard', () => {
  const transcript = toTranscript(
    {
      text: '',
      segments: [
        said('Adras naqsh boʻyoq.', 0, 4000),
        heard('Bu gap tez oʻqiladi.', 5200, 6200),
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
  expect(after.segments[1]?.words).toEqual(transcript.segments[1]?.words);
  expect(after.segments[0]).toEqual(transcript.segments[0]);
});

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
  const segments = [said('Adras naqsh boʻyoq.', 0, 4000), heard('Bu gap tez oʻtdi.', 6000, 6600)];
  const made = toTranscript({ text: '', segments }, { language: 'uz', durationMs: 20_000 });
  const startedEarlier = (segment: Segment) => (segment.id === 's2' ? { ...segment, startMs: 5900 } : segment);
  const transcript = { ...made, segments: made.segments.map(startedEarlier) };
  const after = mended(transcript, { cuesFrom: 'segments' }, 's2');
  expect(captionProblems(after, fileOf({ cuesFrom: 'segments' })).size).toBe(0);
  expect(after.segments[1]?.words[0]).toEqual(transcript.segments[1]?.words[0]);
});

it('captions without the cuts are fixed after a redacted word too, and the word itself never gets longer', () => {
  const segments = [
    said('Adras naqsh boʻyoq.', 0, 4000),
    said('Bu gap tez oʻtdi.', 6000, 6600),
    { ...said('Rahmat katta.', 6683, 9000), speaker: 'b' },
  ];
  const made = toTranscript({ text: '', segments }, { language: 'uz', durationMs: 20_000 });
  const redacted = (...secret: string[]) => ({
    ...made,
    segments: made.segments.map((segment) => ({
      ...segment,
      words: segment.words.map((word) => (secret.includes(word.text) ? { ...word, mark: 'redacted' as const } : word)),
    })),
  });
  const given = { followsCuts: true, speakers: 'none' };
  const before = redacted('naqsh');
  const [plain, after] = [mended(made, given, 's2'), mended(before, given, 's2')];
  expect(after.segments[1]).toEqual(plain.segments[1]);
  const secretEdge = redacted('Bu');
  const mend = captionProblems(secretEdge, fileOf(given)).get('s2')?.[0]?.mend;
  const startMs = made.segments[1]?.startMs ?? 0;
  expect(mend?.wanted.startMs ?? startMs).toBe(startMs);
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
  const heardUntil = (text: string, startMs: number, endMs: number, wordEndMs: number) => ({
    ...said(text, startMs, endMs),
    words: [{ text, startMs, endMs: wordEndMs }],
  });
  const segments = [
    heardUntil('Assalom.', 0, 2000, 1990),
    heardUntil('Salom.', 2020, 4000, 3000),
    said('Ha.', 4020, 4860),
    said('Bu gap tez oʻqiladi.', 4900, 6000),
    heardUntil('Xayr', 15_000, 25_000, 24_000),
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

it('a caption begins before its words only as far as it is read then, and not at all where that is too little', () => {
  const fixed = (text: string) => {
    const segments = [said('Adras naqsh boʻyoq.', 0, 2000), said(text, 6000, 7000), said('Rahmat.', 7083, 9000)];
    const transcript = toTranscript({ text: '', segments }, { language: 'uz', durationMs: 12_000 });
    const change = mendCaptions(
      transcript,
      captionProblems(transcript, fileOf({ cuesFrom: 'segments' })).get('s2') ?? [],
    );
    const applied = change.ok ? applyChange(transcript, change.value) : change;
    return applied.ok ? applied.value.transcript.segments[1]?.startMs : applied.error;
  };
  expect(fixed('Bu gap tez aytilgan edi.')).toBeGreaterThan(5500);
  expect(fixed('Bu gap tez aytilgan edi.')).toBeLessThan(6000);
  expect(fixed('Bu gapni oʻqib ulgurish uchun vaqt juda ham kam berilgan, lekin baribir aytilgan.')).toBe('no-room');
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

it('of two people who begin at once, the one whose caption is fixed gets the time', () => {
  const segments = [
    { ...said('Bu gap sekin aytildi, shoshilmasdan.', 2000, 8000), speaker: 'a' },
    { ...said('Men ham shunday deb oʻylayman.', 2000, 2600), speaker: 'b' },
  ];
  const transcript = toTranscript({ text: '', segments }, { language: 'uz', durationMs: 20_000 });
  const given = { cuesFrom: 'segments', speakers: 'none' };
  expect(
    captionProblems(transcript, fileOf(given))
      .get('s2')
      ?.map(({ kind }) => kind),
  ).toContain('too-fast');
  const after = mended(transcript, given, 's2');
  expect(after.segments[0]).toEqual(transcript.segments[0]);
  expect(after.segments[1]?.endMs).toBeGreaterThan(2600);
});
