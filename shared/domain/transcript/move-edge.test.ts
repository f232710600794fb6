import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ok, type Result } from '../../result/result.ts';
import { applyChange, type Change, type EditRefusal } from './change.ts';
import { moveEdge, moveEdgeRippling, moveSharedEdge, replaceText, stretchCaption } from './edit-segments.ts';
import { findViolations } from './find-violations.ts';
import { toTranscript } from './from-received.ts';
import { estimatedWords } from './lean-transcript.ts';
import { splitSegment } from './split-segment.ts';
import type { Segment, Transcript } from './transcript.ts';

const segment = (id: string, speakerId: string, startMs: number, endMs: number): Segment => ({
  id,
  speakerId,
  startMs,
  endMs,
  text: '',
  words: [],
});
const timesAfter = (segments: readonly Segment[], id: string, edge: 'start' | 'end', toMs: number) => {
  const transcript: Transcript = { language: 'en', durationMs: 10_000, speakers: [], segments };
  const change = moveEdge(transcript, id, edge, toMs);
  const applied = change.ok ? applyChange(transcript, change.value) : null;
  return (applied?.ok === true ? applied.value.transcript : transcript).segments.map((one) => [one.startMs, one.endMs]);
};

test('an edge stops at the neighbour, whoever speaks there', () => {
  const apart = [segment('a', 'p', 1000, 2000), segment('b', 'q', 3000, 4000), segment('c', 'p', 5000, 6000)];
  expect(timesAfter(apart, 'b', 'start', 500)[1]).toEqual([2000, 4000]);
  expect(timesAfter(apart, 'b', 'end', 9000)[1]).toEqual([3000, 5000]);
  expect(timesAfter(apart, 'a', 'end', 2500)[0]).toEqual([1000, 2500]);
});

test('two people at once can become less, but not more', () => {
  const together = [segment('a', 'p', 1000, 3000), segment('b', 'q', 2000, 4000)];
  expect(timesAfter(together, 'b', 'start', 1500)[1]).toEqual([2000, 4000]);
  expect(timesAfter(together, 'b', 'start', 2600)[1]).toEqual([2600, 4000]);
  expect(timesAfter(together, 'a', 'end', 3500)[0]).toEqual([1000, 3000]);
});

test('two edges that are moved together keep what is between them, and stop where either has no room', () => {
  const transcript: Transcript = {
    language: 'en',
    durationMs: 10_000,
    speakers: [],
    segments: [segment('a', 'p', 1000, 2000), segment('b', 'q', 2100, 4000), segment('c', 'p', 5000, 6000)],
  };
  const after = (id: string, toMs: number) => {
    const change = moveSharedEdge(transcript, id, toMs);
    const made = change.ok ? applyChange(transcript, change.value) : null;
    return made?.ok === true
      ? made.value.transcript.segments.flatMap(({ startMs, endMs }) => [startMs, endMs])
      : change.ok || change.error;
  };
  expect(after('a', 2500)).toEqual([1000, 2500, 2600, 4000, 5000, 6000]);
  expect(after('a', 0)).toEqual([1000, 1050, 1150, 4000, 5000, 6000]);
  expect(after('a', 9000)).toEqual([1000, 3850, 3950, 4000, 5000, 6000]);
  expect(after('b', 2000)).toEqual([1000, 2000, 2100, 2150, 3150, 6000]);
  expect(after('c', 100)).toBe('unknown-segment');
});

const twoLines = 'Dilnoza: Assalomu alaykum.\nUsta: Vaalaykum assalom.';
const captions = toTranscript(
  {
    text: '',
    segments: [
      { text: twoLines, startMs: 1000, endMs: 2000, words: [] },
      { text: 'Xush kelibsiz.', startMs: 6000, endMs: 8000, words: [] },
    ],
  },
  { language: 'uz', durationMs: 20_000, keepsLines: true },
);
const applied = (transcript: Transcript, change: Result<Change, EditRefusal>) => {
  const made = change.ok ? applyChange(transcript, change.value) : change;
  if (!made.ok) throw new Error(made.error);
  return made.value;
};

test('a caption that was given more time is split into parts as long as their texts', () => {
  const { transcript } = applied(captions, moveEdge(captions, 's1', 'end', 5000));
  const parts = applied(transcript, splitSegment(transcript, 's1', twoLines.indexOf('\n') + 1, 'new'));
  const [first, second] = parts.transcript.segments;
  expect([first?.startMs, second?.endMs]).toEqual([1000, 5000]);
  expect(first?.endMs).toBeGreaterThan(2900);
  expect(first?.endMs).toBeLessThan(3200);
});

test('so is one that lost words, and the rest of it has all of its time', () => {
  const text = 'Dilnoza: Assalomu alaykum.';
  const typed = applied(captions, replaceText(captions, 's1', text)).transcript;
  const parts = applied(typed, splitSegment(typed, 's1', 'Dilnoza: '.length, 'new')).transcript;
  expect(parts.segments[1]?.startMs).toBe(1000 + Math.round((1000 * 8) / (text.length - 2)));
});

test('a caption that is only a part of its segment takes none of the other words along', () => {
  const [first, ...others] = captions.segments[0]?.words ?? [];
  const span = { startMs: first?.startMs ?? 0, endMs: first?.endMs ?? 0 };
  const { transcript } = applied(captions, stretchCaption(captions, ['s1'], span, { ...span, startMs: 500 }));
  expect(transcript.segments[0]).toMatchObject({ startMs: 500, words: [first, ...others] });
});

const moves = fc.record({
  segmentId: fc.constantFrom('s1', 's2'),
  edge: fc.constantFrom('start' as const, 'end' as const),
  toMs: fc.nat(20_000),
  by: fc.constantFrom('edge', 'ripple', 'shared', 'stretch'),
});

test('moved edges take words along that are all estimated, and leave marked ones and those that were heard', () => {
  fc.assert(
    fc.property(moves, fc.constantFrom('none', 'heard', 'marked'), ({ segmentId, edge, toMs, by }, kept) => {
      const keeping = (segment: Segment): Segment => ({
        ...segment,
        words: segment.words.map(({ isEstimated: _isEstimated, ...word }, at) =>
          at > 0 || kept === 'none'
            ? { ...word, isEstimated: true }
            : kept === 'heard'
              ? word
              : { ...word, isEstimated: true, mark: 'cut' },
        ),
      });
      const before = { ...captions, segments: captions.segments.map(keeping) };
      const own = before.segments.find(({ id }) => id === segmentId) ?? before.segments[0];
      if (own === undefined) return;
      const wanted = edge === 'start' ? { ...own, startMs: toMs } : { ...own, endMs: toMs };
      const change =
        by === 'edge'
          ? moveEdge(before, segmentId, edge, toMs)
          : by === 'ripple'
            ? moveEdgeRippling(before, segmentId, edge, toMs)
            : by === 'shared'
              ? moveSharedEdge(before, 's1', toMs)
              : stretchCaption(before, [segmentId], own, wanted);
      if (!change.ok) return;
      const { transcript, inverse } = applied(before, change);
      expect(findViolations(transcript)).toEqual([]);
      expect(applied(transcript, ok(inverse)).transcript).toEqual(before);
      for (const [at, segment] of transcript.segments.entries()) {
        if (kept === 'none') expect(segment.words).toEqual(estimatedWords(segment));
        const [was, first] = [before.segments[at]?.words[0], segment.words[0]];
        const hasRoom = segment.startMs <= (was?.startMs ?? 0) && segment.endMs >= (was?.endMs ?? 0);
        if (kept !== 'none' && hasRoom && by !== 'ripple') expect(first).toEqual(was);
      }
    }),
  );
});
