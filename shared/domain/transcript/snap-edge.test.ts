import { expect, it } from 'vitest';
import { toTranscript } from './from-received.ts';
import { silenceEdges, snapTo, snapToGap, targetsOf } from './snap-edge.ts';

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

it('an edge snaps to the nearest word, neighbour or silence within reach, and nowhere beyond it', () => {
  const targets = targetsOf(transcript, 1);
  expect(snapTo(1370, targets, 80)).toEqual({ timeMs: 1400, kind: 'word' });
  expect(snapTo(2290, targets, 80)).toEqual({ timeMs: 2300, kind: 'neighbour' });
  expect(snapTo(1700, targets, 80)).toBeNull();
  const silence = silenceEdges([0.5, 0.5, 0.01, 0.01, 0.6], { startMs: 2000, endMs: 2100 }, 0.05);
  expect(silence).toEqual([
    { timeMs: 2040, kind: 'silence' },
    { timeMs: 2080, kind: 'silence' },
  ]);
  expect(snapTo(2050, [...targets, ...silence], 80)).toEqual({ timeMs: 2040, kind: 'silence' });
});

it('an edge beside its neighbour, or dragged beyond, stays at the least gap, and cuts no word off', () => {
  const gap = (timeMs: number, edge: 'start' | 'end', gapMs = 83) =>
    snapToGap(timeMs, transcript, { at: 1, edge, gapMs, reachMs: 20 })?.timeMs ?? null;
  expect([2190, 2210, 2290, 2310, 2330].map((timeMs) => gap(timeMs, 'end'))).toEqual([null, 2217, 2217, 2217, 2217]);
  expect([1010, 990, 890, 870].map((timeMs) => gap(timeMs, 'start'))).toEqual([null, 983, 983, 983]);
  expect(gap(2290, 'end', 0)).toBeNull();
  // The last word ends at 2000.
  expect(gap(2290, 'end', 400)).toBeNull();
});
