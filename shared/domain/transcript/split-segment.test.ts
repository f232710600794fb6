import { expect, test } from 'vitest';
import { applyChange } from './change.ts';
import { findViolations } from './find-violations.ts';
import { splitSegment, splitSegmentAt } from './split-segment.ts';
import type { Segment, Transcript } from './transcript.ts';

const words = (['Assalomu', 'alaykum,', 'usta!'] as const).map((text, at) => ({
  text,
  startMs: at * 1000,
  endMs: at * 1000 + 1000,
}));
const segment = (isEstimated: boolean): Segment => ({
  id: 'a',
  speakerId: null,
  startMs: 0,
  endMs: 3000,
  text: 'Assalomu alaykum, usta!',
  words: isEstimated ? words.map((word) => ({ ...word, isEstimated: true })) : words,
});
const partsAfter = (isEstimated: boolean, offset: number, gapMs: number) => {
  const transcript: Transcript = { language: 'uz', durationMs: 3000, speakers: [], segments: [segment(isEstimated)] };
  const change = splitSegment(transcript, 'a', offset, 'b', gapMs);
  const applied = change.ok ? applyChange(transcript, change.value) : change;
  if (!applied.ok) throw new Error(applied.error);
  expect(findViolations(applied.value.transcript)).toEqual([]);
  return applied.value.transcript.segments.map(({ startMs, endMs }) => [startMs, endMs]);
};

test('the parts of a segment whose times are estimated are as far apart as is wanted, as far as there is room', () => {
  expect(partsAfter(true, 17, 83)).toEqual([
    [0, 2203],
    [2286, 3000],
  ]);
  expect(partsAfter(true, 9, 1100)).toEqual([
    [0, 1143],
    [1143, 3000],
  ]);
});

test('a word that was heard is not shortened for a gap', () => {
  expect(partsAfter(false, 17, 83)).toEqual([
    [0, 2000],
    [2000, 3000],
  ]);
});

test('guessed words are split exactly at a time or not at all, where they come nearest to it, and heard ones before the word at it', () => {
  const splitAt = (isEstimated: boolean, timeMs: number, gapMs = 0) => {
    const transcript: Transcript = { language: 'uz', durationMs: 3000, speakers: [], segments: [segment(isEstimated)] };
    const change = splitSegmentAt(transcript, 'a', timeMs, 'b', gapMs);
    if (!change.ok) return change.error;
    const applied = applyChange(transcript, change.value);
    if (!applied.ok) throw new Error(applied.error);
    expect(findViolations(applied.value.transcript)).toEqual([]);
    return applied.value.transcript.segments.map(({ startMs, endMs, text }) => [startMs, endMs, text]);
  };
  expect(splitAt(true, 300)).toEqual([
    [0, 300, 'Assalomu'],
    [300, 3000, 'alaykum, usta!'],
  ]);
  expect(splitAt(true, 2500)).toEqual([
    [0, 2500, 'Assalomu alaykum,'],
    [2500, 3000, 'usta!'],
  ]);
  expect(splitAt(false, 1500)).toEqual([
    [0, 1000, 'Assalomu'],
    [1000, 3000, 'alaykum, usta!'],
  ]);
  // The gap that captions need is taken from the first part, if that has room for it.
  expect([splitAt(true, 2500, 83), splitAt(true, 100, 83)]).toEqual([
    [
      [0, 2417, 'Assalomu alaykum,'],
      [2500, 3000, 'usta!'],
    ],
    [
      [0, 100, 'Assalomu'],
      [100, 3000, 'alaykum, usta!'],
    ],
  ]);
  for (const [isEstimated, timeMs] of [
    [false, 300],
    [true, 49],
    [true, 2951],
    [true, 3000],
  ] as const)
    expect(splitAt(isEstimated, timeMs)).toBe('nothing-to-split');
});
