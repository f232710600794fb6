import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../../tests/support/for-all.ts';
import { checkSubtitles } from '../../../../shared/domain/exports/subtitles.ts';
import { exporters } from '../../../../shared/domain/exports/exporters.ts';
import type { GivenOptions } from '../../../../shared/domain/exports/exporter.ts';
import { toTranscript } from '../../../../shared/domain/transcript/from-received.ts';
import { applyChange, type Change, type EditRefusal } from '../../../../shared/domain/transcript/change.ts';
import { findViolations } from '../../../../shared/domain/transcript/find-violations.ts';
import type { ReceivedSegment } from '../../../../shared/domain/transcript/received.ts';
import type { Transcript } from '../../../../shared/domain/transcript/transcript.ts';
import type { Result } from '../../../../shared/result/result.ts';
import { mendCaptions, spanInRecording } from './caption-fixes.ts';
import { captionProblems } from './caption-problems.ts';
import { fileOf, said, writing } from '../../../../tests/support/caption-files.ts';

const made = (segments: readonly ReceivedSegment[], durationMs = 20_000, keepsLines = false): Transcript =>
  toTranscript({ text: '', segments }, { language: 'uz', durationMs, keepsLines });

const applied = (transcript: Transcript, change: Result<Change, EditRefusal>) => {
  const done = change.ok ? applyChange(transcript, change.value) : change;
  if (!done.ok) throw new Error(done.error);
  return done.value;
};
const changeFor = (transcript: Transcript, given: GivenOptions, id: string) =>
  mendCaptions(transcript, captionProblems(transcript, fileOf(given)).get(id) ?? []);
const mended = (transcript: Transcript, given: GivenOptions, id: string): Transcript =>
  applied(transcript, changeFor(transcript, given, id)).transcript;
const kindsOf = (transcript: Transcript, given: GivenOptions, id: string) =>
  captionProblems(transcript, fileOf(given))
    .get(id)
    ?.map(({ kind }) => kind);

/** The same, with times of its words. */
const heard = (text: string, startMs: number, endMs: number): ReceivedSegment => {
  const words = text.split(' ').map((word, at, { length }) => ({
    text: word,
    startMs: Math.round(startMs + ((endMs - startMs) * at) / length),
    endMs: Math.round(startMs + ((endMs - startMs) * (at + 1)) / length),
  }));
  return { ...said(text, startMs, endMs), words };
};
const byCue = { cuesFrom: 'segments' };

it('a caption too short to read gets the silence before it, and its words keep the times in which they were heard', () => {
  const transcript = made(
    [
      said('Adras naqsh boʻyoq.', 0, 4000),
      heard('Bu gap tez oʻqiladi.', 5200, 6200),
      said('Rahmat katta.', 6300, 8000),
    ],
    12_000,
  );
  const after = mended(transcript, {}, 's2');
  expect(captionProblems(after, fileOf()).size).toBe(0);
  expect(after.segments[1]?.words).toEqual(transcript.segments[1]?.words);
  expect(after.segments[0]).toEqual(transcript.segments[0]);
});

it('a fix leaves a valid text, changes no time of a heard word and no other segment, and undo takes it back', () => {
  const text = fc.constantFrom('Ha.', 'Bu gap tez oʻtdi.', 'Men ham shunday deb oʻylayman, azizim.');
  const part = fc.record({
    text,
    gap: fc.integer({ min: -300, max: 1500 }),
    length: fc.integer({ min: 100, max: 9000 }),
    speaker: fc.constantFrom('a', 'b'),
  });
  forAll(fc.array(part, { minLength: 1, maxLength: 6 }), fc.boolean(), (parts, isByCue) => {
    let at = 300;
    const segments = parts.map(({ text: words, gap, length, speaker }) => {
      const startMs = Math.max(0, at + gap);
      at = startMs + length;
      return { ...heard(words, startMs, at), speaker };
    });
    const transcript = made(segments, at + 2000);
    const given = { speakers: 'none', ...(isByCue ? byCue : {}) };
    for (const [id, problems] of captionProblems(transcript, fileOf(given))) {
      const change = mendCaptions(transcript, problems);
      if (!change.ok) continue;
      const { transcript: after, inverse } = applied(transcript, change);
      expect(findViolations(after)).toEqual([]);
      expect(after.segments.map(({ words }) => words)).toEqual(transcript.segments.map(({ words }) => words));
      if (isByCue)
        expect(after.segments.filter((one) => one.id !== id)).toEqual(
          transcript.segments.filter((one) => one.id !== id),
        );
      expect(applied(after, { ok: true, value: inverse }).transcript).toEqual(transcript);
    }
  });
});

it('an end that is too near to the next caption, or too late, is moved back in subtitles that were imported', () => {
  const transcript = made(
    [
      said('Oʻzbekistonda gʻalla yigʻim-terimi boshlandi.', 0, 2460),
      said('Ha.', 2480, 3500),
      said('Xayr', 15_000, 25_000),
    ],
    30_000,
  );
  const kinds = (one: Transcript, id: string) => kindsOf(one, byCue, id);
  expect([kinds(transcript, 's1'), kinds(transcript, 's3')]).toEqual([['gap-too-short', 'too-fast'], ['too-long']]);
  const nearer = mended(transcript, byCue, 's1');
  // It was too fast before, so a moment less of it is no new problem.
  expect([nearer.segments[0]?.endMs, kinds(nearer, 's1')]).toEqual([2397, ['too-fast']]);
  const shorter = mended(transcript, byCue, 's3');
  expect([shorter.segments[2]?.endMs, kinds(shorter, 's3')]).toEqual([22_000, undefined]);
  const check = checkSubtitles(exporters.srt, transcript, { ...byCue, mends: true }, writing);
  expect(check).toMatchObject({ unmendedCount: 3, mendedCount: 1 });
});

it('the last caption gets the time it needs, and with a recording it does not grow beyond its end', () => {
  const segments = [said('Rahmat.', 0, 3000), said('Maktabda necha yildan beri ishlaysiz?', 4000, 4500)];
  const transcript = toTranscript({ text: '', segments }, { language: 'uz', keepsLines: true });
  const file = { ...fileOf(byCue), writing: { ...writing, isOpenEnded: true } };
  const problems = captionProblems(transcript, file).get('s2') ?? [];
  expect(problems.map(({ kind, mend }) => [kind, mend === null])).toEqual([
    ['too-fast', false],
    ['too-short', false],
  ]);
  const after = applied(transcript, mendCaptions(transcript, problems)).transcript;
  expect(findViolations(after)).toEqual([]);
  expect(captionProblems(after, file).size).toBe(0);
  const check = checkSubtitles(exporters.srt, transcript, { ...byCue, mends: true }, file.writing);
  expect(check).toMatchObject({ unmendedCount: 2, mendedCount: 0 });
  const withRecording = toTranscript({ text: '', segments }, { language: 'uz' });
  expect(mended(withRecording, byCue, 's2')).toMatchObject({ durationMs: 4500, segments: [{}, { endMs: 4500 }] });
});

it('no split is offered for one word, nor for a caption of several segments', () => {
  const of = (given: GivenOptions, ...segments: readonly ReceivedSegment[]) =>
    [...captionProblems(made(segments, 60_000), fileOf(given)).values()]
      .flat()
      .map(({ kind, split }) => [kind, split === null]);
  expect(of(byCue, said('Xayr', 0, 20_000))).toEqual([['too-long', true]]);
  const both = [said('Bu gap', 0, 9000), said('uzun.', 9000, 20_000)];
  expect(of({ maximumMs: 6000 }, ...both).every(([, isNone]) => isNone)).toBe(true);
});

it('a redacted word is not made longer: the caption grows only at the end where another word stands', () => {
  const plain = made([heard('bir ikki', 1000, 3000), heard('uch', 6000, 7000)]);
  const [first, ...others] = plain.segments;
  const cuts = [{ startMs: 9000, endMs: 9500 }];
  const grown = (redacted: number) => {
    const words = first!.words.map((word, at) => (at === redacted ? { ...word, mark: 'redacted' as const } : word));
    const transcript = { ...plain, segments: [{ ...first!, words }, ...others] };
    const wanted = { startMs: 800, endMs: 3400 };
    return spanInRecording(transcript, cuts)([first!.id], { startMs: 1000, endMs: 3000 }, wanted, null)?.wanted;
  };
  expect(grown(0)).toEqual({ startMs: 1000, endMs: 3400 });
  expect(grown(1)).toEqual({ startMs: 800, endMs: 3000 });
});
