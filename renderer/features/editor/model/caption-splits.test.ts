import { expect, it } from 'vitest';
import type { GivenOptions } from '../../../../shared/domain/exports/options.ts';
import { applyChange, type Change, type EditRefusal } from '../../../../shared/domain/transcript/change.ts';
import { findViolations } from '../../../../shared/domain/transcript/find-violations.ts';
import { toTranscript } from '../../../../shared/domain/transcript/from-received.ts';
import { splitSegment } from '../../../../shared/domain/transcript/split-segment.ts';
import type { Transcript } from '../../../../shared/domain/transcript/transcript.ts';
import type { Result } from '../../../../shared/result/result.ts';
import { mendCaptions } from './caption-fixes.ts';
import { captionProblems } from './caption-problems.ts';
import { fileOf, said } from '../../../../tests/support/caption-files.ts';

const after = (transcript: Transcript, change: Result<Change, EditRefusal>): Transcript => {
  const applied = change.ok ? applyChange(transcript, change.value) : change;
  if (!applied.ok) throw new Error(applied.error);
  return applied.value.transcript;
};

it.each([
  ['of several people after one of their lines', '— Keldingizmi?\n— Keldim.\n— Xush kelibsiz.', 'Xush kelibsiz.'],
  ['that is shown too long where a sentence ends', 'Bu birinchi gap edi. Bu esa ikkinchisi, xolos.', 'xolos.'],
])('a segment %s can be split, and nothing of the problem is left', (_case, text, end) => {
  const endMs = text.includes('\n') ? 6000 : 12_000;
  const segments = [said('Salom.', 0, 2000), said(text, 3000, 3000 + endMs), said('Rahmat.', 20_000, 22_000)];
  const received = toTranscript({ text: '', segments }, { language: 'uz', durationMs: 30_000 });
  // What is received has no lines of its own.
  const transcript = {
    ...received,
    segments: received.segments.map((one) => (one.id === 's2' ? { ...one, text } : one)),
  };
  const file = fileOf({ cuesFrom: 'segments' });
  const [problem] =
    captionProblems(transcript, file)
      .get('s2')
      ?.filter(({ split }) => split !== null) ?? [];
  const { segmentId, offset } = problem?.split ?? { segmentId: '', offset: 0 };
  const parts = after(transcript, splitSegment(transcript, segmentId, offset, 'new'));
  expect(findViolations(parts)).toEqual([]);
  expect(
    parts.segments
      .slice(1, 3)
      .map((one) => one.text)
      .join(text.includes('\n') ? '\n' : ' '),
  ).toBe(text);
  expect(parts.segments[2]?.text.endsWith(end)).toBe(true);
  expect([...captionProblems(parts, file).values()].flat().filter(({ kind }) => kind === problem?.kind)).toEqual([]);
});

it('a caption that was given more time is split into parts that are read equally fast', () => {
  const lines = ['ANNA: Last winter, after the flood,', 'the council promised, in writing,', 'that every household on'];
  const segments = [
    said('Thank you, Anna.', 2000, 5500),
    said([...lines, 'the river would be paid within', 'sixty days, but many families,'].join('\n'), 5520, 6400),
    said('Did anyone call you?', 8000, 11_000),
  ];
  const given = { cuesFrom: 'segments' };
  let transcript = toTranscript({ text: '', segments }, { language: 'en', durationMs: 20_000, keepsLines: true });
  transcript = after(transcript, mendCaptions(transcript, captionProblems(transcript, fileOf(given)).get('s2') ?? []));
  expect(transcript.segments[1]?.endMs).toBeGreaterThan(7900);
  for (const id of ['a', 'b', 'c']) {
    const found = [...captionProblems(transcript, fileOf(given)).values()].flat();
    const split = found.find((problem) => problem.split !== null)?.split;
    if (split === undefined || split === null) break;
    transcript = after(transcript, splitSegment(transcript, split.segmentId, split.offset, id));
  }
  const parts = transcript.segments.slice(1, -1).map(({ text, startMs, endMs }) => text.length / (endMs - startMs));
  expect(parts.length).toBeGreaterThan(2);
  expect(Math.max(...parts) / Math.min(...parts)).toBeLessThan(1.2);
});

it('no split is offered for one word, nor for a caption of several segments', () => {
  const of = (given: GivenOptions, ...segments: readonly ReturnType<typeof said>[]) =>
    [
      ...captionProblems(
        toTranscript({ text: '', segments }, { language: 'uz', durationMs: 60_000 }),
        fileOf(given),
      ).values(),
    ]
      .flat()
      .map(({ kind, split }) => [kind, split === null]);
  expect(of({ cuesFrom: 'segments' }, said('Xayr', 0, 20_000))).toEqual([['too-long', true]]);
  const both = [said('Bu gap', 0, 9000), said('uzun.', 9000, 20_000)];
  expect(of({ maximumMs: 6000 }, ...both).every(([, isNone]) => isNone)).toBe(true);
});
