import { expect, test } from 'vitest';
import { applyChange } from './change.ts';
import { moveEdge } from './edit-segments.ts';
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
