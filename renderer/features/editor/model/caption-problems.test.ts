import { expect, it } from 'vitest';
import { checkSubtitles } from '../../../../shared/domain/exports/subtitles.ts';
import { exporters } from '../../../../shared/domain/exports/exporters.ts';
import { toTranscript } from '../../../../shared/domain/transcript/from-received.ts';
import { captionProblems, placeOfCaption, problemPlaces } from './caption-problems.ts';
import { fileOf, said, writing } from '../../../../tests/support/caption-files.ts';

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
    { followsCuts: false, speakers: 'every' },
    { followsCuts: false, cuesFrom: 'segments' },
    { cuesFrom: 'segments', mends: true },
    { charactersPerLine: 20, linesPerCue: 1, script: 'cyrillic' },
    { followsCuts: true, charactersPerLine: 20, linesPerCue: 1 },
  ]) {
    const problems = captionProblems(transcript, fileOf(given));
    const check = checkSubtitles(exporters.srt, transcript, given, writing);
    const found = [...problems.values()].flat();
    expect(found.map(({ kind, is, caption }) => [kind, is, caption.startMs])).toEqual(
      check?.problems.map(({ kind, is, startMs }) => [kind, is, startMs]),
    );
    expect(found.length).toBeGreaterThan(0);
    for (const { kind, is, limit } of found) if (kind === 'too-fast') expect([limit, is > limit]).toEqual([17, true]);
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

it('imported captions whose lines the file does not keep say so, with the lines of the file; kept ones do not', () => {
  const segments = [
    said('Maktabda necha yildan beri ishlaysiz, nima deb?\nAyting.', 0, 4000),
    said('Oʻn\nyildan\nbuyon.', 4200, 6500),
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
  expect([rewrapped?.id, rewrapped?.inFile.flat().length]).toEqual(['s1', 2]);
  expect([divided?.id, divided?.is, divided?.inFile.length]).toEqual(['s4', 1, 2]);
  expect(others).toEqual([]);
  const check = checkSubtitles(exporters.srt, transcript, {}, { ...writing, sourceName: 'talk.srt' });
  expect(check?.problems.filter(({ kind }) => kind === 'lines-changed')).toHaveLength(2);
  // By sentence, nobody expects the lines of the text.
  expect(changed('talk.mp3')).toEqual([]);
});
