import { expect, it } from 'vitest';
import { checkSubtitles } from '../../../../shared/domain/exports/check-subtitles.ts';
import { exporters } from '../../../../shared/domain/exports/exporters.ts';
import { toTranscript } from '../../../../shared/domain/transcript/from-received.ts';
import { captionProblems, placeOfCaption, problemPlaces, textSpeed } from './caption-problems.ts';
import { fileOf, said, writing } from '../../../../tests/support/caption-files.ts';

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
    { followsCuts: false },
    { followsCuts: false, speakers: 'none' },
    { followsCuts: false, speakers: 'every' },
    { followsCuts: false, cuesFrom: 'segments' },
    { cuesFrom: 'segments', mends: true },
    { charactersPerLine: 20, linesPerCue: 1, script: 'cyrillic' },
    { followsCuts: true },
    { followsCuts: true, charactersPerLine: 20, linesPerCue: 1 },
  ]) {
    const problems = captionProblems(transcript, fileOf(given));
    const check = checkSubtitles(exporters.srt, transcript, given, writing);
    const found = [...problems.values()].flat();
    expect(found.map(({ kind, is, caption }) => [kind, is, caption.startMs])).toEqual(
      check?.problems.map(({ kind, is, startMs }) => [kind, is, startMs]),
    );
    expect(found.length).toBeGreaterThan(0);
    // The place that the export leads to is the one that the text goes to.
    const places = (check?.problems ?? []).map(({ cue }) => placeOfCaption(transcript, fileOf(given), cue));
    const distinct = [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
    expect(distinct).toEqual(problemPlaces(transcript.segments, problems));
    if (!('followsCuts' in given) || given.followsCuts) continue;
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

it('the speed of a segment is that of its own text and length, whatever the name and the time of its caption', () => {
  const segments = [
    { ...said('Bu gap', 0, 1000), speaker: 'a' },
    { ...said('Ikkinchi boʻlakda\ntugaydi', 1000, 1050), speaker: 'b' },
  ];
  const transcript = toTranscript({ text: '', segments }, { language: 'uz', durationMs: 4000, keepsLines: true });
  expect(transcript.segments.map(textSpeed)).toEqual([6, 25 / 0.05]);
  const [tooFast] = captionProblems(transcript, fileOf({ speakers: 'every' })).get('s2') ?? [];
  expect(tooFast?.is).toBeLessThan(25 / 0.05);
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

it('a caption after a redacted word begins with its own first word, not with the one that is left out', () => {
  const segments = [said('Adras Aliyev naqsh juda tez oʻtib ketdi.', 0, 700)];
  const made = toTranscript({ text: '', segments }, { language: 'uz', durationMs: 6000 });
  const marked = {
    ...made,
    segments: made.segments.map((segment) => ({
      ...segment,
      words: segment.words.map((word, at) => (at === 1 ? { ...word, mark: 'redacted' as const } : word)),
    })),
  };
  const given = { followsCuts: true, linesPerCue: 1, charactersPerLine: 12 };
  const places = (captionProblems(marked, fileOf(given)).get('s1') ?? []).map(({ caption }) => [
    caption.text.split(' ')[0],
    caption.word,
  ]);
  const words = marked.segments[0]?.words.map(({ text }) => text) ?? [];
  expect(places.length).toBeGreaterThan(0);
  for (const [first, word] of places)
    expect(word, String(first)).toBe(first === '█████' ? 1 : words.indexOf(String(first)));
  expect(places).toContainEqual(['naqsh', 2]);
});

it('imported captions whose lines the file does not keep say so, with the lines of the file; kept ones do not', () => {
  const segments = [
    said('Maktabda\nnecha yildan beri\nishlaysiz?', 0, 4000),
    said('Oʻn yildan\nbuyon.', 4200, 6500),
    said('Bu satr oʻzi juda ham uzun, lekin ikkita satrga boʻlinsa sigʻadi.', 7000, 12_000),
    said(`${'Adras naqsh boʻyoq usta ipak. '.repeat(4)}Rahmat.`, 12_200, 24_000),
  ];
  const transcript = toTranscript({ text: '', segments }, { language: 'uz', durationMs: 30_000, keepsLines: true });
  const file = fileOf();
  const changed = (sourceName: string) =>
    [...captionProblems(transcript, { ...file, writing: { ...writing, sourceName } })].flatMap(([id, found]) =>
      found.flatMap(({ kind, is, limit, caption, split }) =>
        kind === 'lines-changed' ? [{ id, is, limit, inFile: caption.inFile, split }] : [],
      ),
    );
  const [rewrapped, divided, ...others] = changed('talk.srt');
  expect(rewrapped).toEqual({
    id: 's1',
    is: 3,
    limit: 2,
    // Of its line breaks, the one that can stay does.
    inFile: [['Maktabda necha yildan beri', 'ishlaysiz?']],
    split: { segmentId: 's1', offset: 'Maktabda\nnecha yildan beri\n'.length },
  });
  expect([divided?.id, divided?.is, divided?.inFile.length]).toEqual(['s4', 1, 2]);
  expect(others).toEqual([]);
  const check = checkSubtitles(exporters.srt, transcript, {}, { ...writing, sourceName: 'talk.srt' });
  expect(check?.problems.filter(({ kind }) => kind === 'lines-changed')).toHaveLength(2);
  // By sentence, nobody expects the lines of the text.
  expect(changed('talk.mp3')).toEqual([]);
});

it('the times of a check are those of the file, with its start offset', () => {
  const segments = [said('Bu gapni oʻqib ulgurish uchun vaqt juda ham kam berilgan.', 5000, 6000)];
  const transcript = toTranscript({ text: '', segments }, { language: 'uz', durationMs: 12_000 });
  const [problem] = checkSubtitles(exporters.srt, transcript, {}, writing)?.problems ?? [];
  const [later] = checkSubtitles(exporters.srt, transcript, { offsetMs: 3_600_000 }, writing)?.problems ?? [];
  expect(problem?.startMs).toBe(5000);
  expect(later).toEqual({ ...problem, startMs: 3_605_000, endMs: 3_600_000 + (problem?.endMs ?? 0) });
});

it('no caption of the file, no place in the text', () => {
  const transcript = toTranscript(
    { text: '', segments: [said('Rahmat.', 0, 900)] },
    { language: 'uz', durationMs: 900 },
  );
  expect(placeOfCaption(transcript, fileOf(), 0)).toEqual({ segment: 0, offset: 0, startMs: 0 });
  expect(placeOfCaption(transcript, fileOf(), 1)).toBeNull();
});
