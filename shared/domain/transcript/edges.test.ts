import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { applied, edited } from '../../../tests/support/edited.ts';
import { ok, type Result } from '../../result/result.ts';
import type { Change, EditRefusal } from './change.ts';
import {
  moveEdge,
  moveEdgeRippling,
  moveSharedEdge,
  splitSegment,
  splitSegmentAt,
  stretchCaption,
} from './edit-segments.ts';
import { findViolations } from './find-violations.ts';
import { toTranscript } from './from-received.ts';
import { estimatedWords } from './lean-transcript.ts';
import { moveEdgeOf, type EdgeMove } from './open-end.ts';
import { silenceEdges, snapTo, snapToGap, targetsOf } from './snap-edge.ts';
import type { Segment, Transcript } from './transcript.ts';

const silent = (...spans: readonly (readonly [id: string, speakerId: string, startMs: number, endMs: number])[]) => {
  const segments = spans.map(([id, speakerId, startMs, endMs]) => ({
    id,
    speakerId,
    startMs,
    endMs,
    text: '',
    words: [],
  }));
  return { language: 'en', durationMs: 10_000, speakers: [], segments } as const satisfies Transcript;
};
const timesOf = ({ segments }: Transcript) => segments.map(({ startMs, endMs }) => [startMs, endMs]);
const timesAfter = (transcript: Transcript, change: Result<Change, EditRefusal>) =>
  timesOf(change.ok ? edited(transcript, change) : transcript);

test('an edge stops at the neighbour, whoever speaks there', () => {
  const apart = silent(['a', 'p', 1000, 2000], ['b', 'q', 3000, 4000], ['c', 'p', 5000, 6000]);
  expect(timesAfter(apart, moveEdge(apart, 'b', 'start', 500))[1]).toEqual([2000, 4000]);
  expect(timesAfter(apart, moveEdge(apart, 'b', 'end', 9000))[1]).toEqual([3000, 5000]);
  expect(timesAfter(apart, moveEdge(apart, 'a', 'end', 2500))[0]).toEqual([1000, 2500]);
});

test('two edges that are moved together keep what is between them, and stop where either has no room', () => {
  const transcript = silent(['a', 'p', 1000, 2000], ['b', 'q', 2100, 4000], ['c', 'p', 5000, 6000]);
  const after = (id: string, toMs: number) => timesAfter(transcript, moveSharedEdge(transcript, id, toMs)).flat();
  expect(after('a', 2500)).toEqual([1000, 2500, 2600, 4000, 5000, 6000]);
  expect(after('a', 0)).toEqual([1000, 1050, 1150, 4000, 5000, 6000]);
  expect(after('a', 9000)).toEqual([1000, 3850, 3950, 4000, 5000, 6000]);
  expect(after('b', 2000)).toEqual([1000, 2000, 2100, 2150, 3150, 6000]);
  expect(moveSharedEdge(transcript, 'c', 100)).toEqual({ ok: false, error: 'unknown-segment' });
});

describe('captions', () => {
  const captions = toTranscript(
    {
      text: '',
      segments: [
        { text: 'Dilnoza: Assalomu alaykum.\nUsta: Vaalaykum assalom.', startMs: 1000, endMs: 2000, words: [] },
        { text: 'Xush kelibsiz.', startMs: 6000, endMs: 8000, words: [] },
      ],
    },
    { language: 'uz', durationMs: 20_000, keepsLines: true },
  );

  const moves = fc.record({
    segmentId: fc.constantFrom('s1', 's2'),
    edge: fc.constantFrom('start' as const, 'end' as const),
    toMs: fc.nat(20_000),
    by: fc.constantFrom('edge' as const, 'ripple' as const, 'shared' as const, 'stretch' as const),
  });

  test('moved edges take words along that are all estimated, and leave marked ones and those that were heard', () => {
    forAll(moves, fc.constantFrom('none', 'heard', 'marked'), ({ segmentId, edge, toMs, by }, kept) => {
      const keeping = (segment: Segment): Segment => ({
        ...segment,
        words: segment.words.map(({ isEstimated: _isEstimated, ...word }, at) => {
          if (at === 0 && kept === 'heard') return word;
          return { ...word, isEstimated: true, ...(at === 0 && kept === 'marked' && { mark: 'cut' as const }) };
        }),
      });
      const before = { ...captions, segments: captions.segments.map(keeping) };
      const own = before.segments.find(({ id }) => id === segmentId)!;
      const wanted = edge === 'start' ? { ...own, startMs: toMs } : { ...own, endMs: toMs };
      const change = {
        edge: () => moveEdge(before, segmentId, edge, toMs),
        ripple: () => moveEdgeRippling(before, segmentId, edge, toMs),
        shared: () => moveSharedEdge(before, 's1', toMs),
        stretch: () => stretchCaption(before, [segmentId], own, wanted),
      }[by]();
      if (!change.ok) return;
      const { transcript, inverse } = applied(before, change);
      expect(findViolations(transcript)).toEqual([]);
      expect(edited(transcript, ok(inverse))).toEqual(before);
      for (const [at, segment] of transcript.segments.entries()) {
        if (kept === 'none') expect(segment.words).toEqual(estimatedWords(segment));
        const [was, first] = [before.segments[at]?.words[0], segment.words[0]];
        const hasRoom = segment.startMs <= (was?.startMs ?? 0) && segment.endMs >= (was?.endMs ?? 0);
        if (kept !== 'none' && hasRoom && by !== 'ripple') expect(first).toEqual(was);
      }
    });
  });
});

describe('the last end of captions', () => {
  const captions = toTranscript(
    {
      text: '',
      segments: ['Salom.', 'Keling.', 'Rahmat.'].map((text, at) => ({
        text,
        startMs: at * 2000,
        endMs: at * 2000 + 1500,
        words: [],
      })),
    },
    { language: 'uz', durationMs: 5500 },
  );
  const after = (segmentId: string, toMs: number, isRippling: boolean, isOpenEnded: boolean) => {
    const move: EdgeMove = { segmentId, edge: 'end', toMs, isRippling };
    const change = moveEdgeOf(captions, move, isOpenEnded);
    const { durationMs, segments } = change.ok ? edited(captions, change) : captions;
    return [durationMs, ...segments.map(({ endMs }) => endMs)];
  };

  test('without a recording it goes as far as is wanted, also when it is shifted along; with one it stops there', () => {
    expect(after('s3', 9000, false, true)).toEqual([9000, 1500, 3500, 9000]);
    expect(after('s3', 9000, false, false)).toEqual([5500, 1500, 3500, 5500]);
    expect(after('s1', 9000, false, true)).toEqual([5500, 2000, 3500, 5500]);
    expect(after('s1', 4500, true, true)).toEqual([8500, 4500, 6500, 8500]);
    expect(after('s1', 4500, true, false)).toEqual([5500, 2000, 3500, 5500]);
  });
});

describe('an edge that is dragged', () => {
  const transcript = toTranscript(
    {
      text: '',
      segments: [
        { text: 'bir', startMs: 0, endMs: 900, words: [] },
        { text: 'ikki uch', startMs: 1000, endMs: 2000, words: [{ text: 'ikki', startMs: 1000, endMs: 1400 }] },
        { text: 'toʻrt', startMs: 2300, endMs: 3000, words: [] },
      ],
    },
    { language: 'uz', durationMs: 4000 },
  );

  test('snaps to the nearest word, neighbour or silence within reach, and nowhere beyond it', () => {
    const silence = silenceEdges([0.5, 0.5, 0.01, 0.01, 0.6], { startMs: 2000, endMs: 2100 }, 0.05);
    expect(silence.map(({ timeMs }) => timeMs)).toEqual([2040, 2080]);
    const targets = [...targetsOf(transcript, 1), ...silence];
    expect(snapTo(1370, targets, 80)).toEqual({ timeMs: 1400, kind: 'word' });
    expect(snapTo(2290, targets, 80)).toEqual({ timeMs: 2300, kind: 'neighbour' });
    expect(snapTo(2050, targets, 80)).toEqual({ timeMs: 2040, kind: 'silence' });
    expect(snapTo(1700, targets, 80)).toBeNull();
  });

  test('stays at the least gap beside its neighbour, or dragged beyond, and cuts no word off', () => {
    const gap = (timeMs: number, edge: 'start' | 'end', gapMs = 83) =>
      snapToGap(timeMs, transcript, { at: 1, edge, gapMs, reachMs: 20 })?.timeMs ?? null;
    expect([2190, 2210, 2290, 2330].map((timeMs) => gap(timeMs, 'end'))).toEqual([null, 2217, 2217, 2217]);
    expect([1010, 990, 890, 870].map((timeMs) => gap(timeMs, 'start'))).toEqual([null, 983, 983, 983]);
    // The last word ends at 2000.
    expect([gap(2290, 'end', 0), gap(2290, 'end', 400)]).toEqual([null, null]);
  });
});

describe('a segment that is split', () => {
  const split = (isEstimated: boolean, by: (transcript: Transcript) => Result<Change, EditRefusal>) => {
    const words = ['Assalomu', 'alaykum,', 'usta!'].map((text, at) => ({
      text,
      startMs: at * 1000,
      endMs: at * 1000 + 1000,
      ...(isEstimated && { isEstimated }),
    }));
    const segment = { id: 'a', speakerId: null, startMs: 0, endMs: 3000, text: 'Assalomu alaykum, usta!', words };
    const transcript: Transcript = { language: 'uz', durationMs: 3000, speakers: [], segments: [segment] };
    const change = by(transcript);
    if (!change.ok) return change.error;
    const parts = edited(transcript, change);
    expect(findViolations(parts)).toEqual([]);
    return timesOf(parts).flat();
  };
  const atLetter = (isEstimated: boolean, offset: number, gapMs: number) =>
    split(isEstimated, (transcript) => splitSegment(transcript, 'a', offset, 'b', gapMs));
  const atTime = (isEstimated: boolean, timeMs: number, gapMs = 0) =>
    split(isEstimated, (transcript) => splitSegmentAt(transcript, 'a', timeMs, 'b', gapMs));

  test('has parts as far apart as is wanted, as far as there is room, and no heard word is shortened for it', () => {
    expect(atLetter(true, 17, 83)).toEqual([0, 2203, 2286, 3000]);
    expect(atLetter(true, 9, 1100)).toEqual([0, 1143, 1143, 3000]);
    expect(atLetter(false, 17, 83)).toEqual([0, 2000, 2000, 3000]);
    expect([atTime(true, 2500, 83), atTime(true, 100, 83)]).toEqual([
      [0, 2417, 2500, 3000],
      [0, 100, 100, 3000],
    ]);
  });

  test('is split exactly at a time if its words are guessed, before the word at it if they were heard, or not at all', () => {
    expect(atTime(true, 300)).toEqual([0, 300, 300, 3000]);
    expect(atTime(true, 2500)).toEqual([0, 2500, 2500, 3000]);
    expect(atTime(false, 1500)).toEqual([0, 1000, 1000, 3000]);
    expect([atTime(false, 300), atTime(true, 49), atTime(true, 2951), atTime(true, 3000)]).toEqual(
      Array(4).fill('nothing-to-split'),
    );
  });
});
