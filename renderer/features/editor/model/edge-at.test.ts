import { expect, it } from 'vitest';
import { draggedTo, edgeAt, isSharedEdge } from './edge-at.ts';

const segment = (startMs: number, endMs: number) => ({
  id: String(startMs),
  speakerId: null,
  startMs,
  endMs,
  text: '',
  words: [],
});
/** One pixel is 10 ms. */
const span = { fromMs: 0, toMs: 10_000 };
const at = (segments: Parameters<typeof edgeAt>[0], x: number, current = -1) => {
  const found = edgeAt(segments, span, { width: 1000, x }, current);
  return found === null ? null : `${String(found.index)} ${found.edge}`;
};

it('an edge is taken within a few pixels of it, and the current segment’s from further away', () => {
  const segments = [segment(1000, 3000), segment(5000, 8000)];
  expect([94, 95, 100, 105, 106].map((x) => at(segments, x))).toEqual([null, '0 start', '0 start', '0 start', null]);
  expect([487, 488, 812, 813].map((x) => at(segments, x, 1))).toEqual([null, '1 start', '1 end', null]);
});

it('a dragged edge leaves enough of its segment to be taken again, or as much as there was', () => {
  const segments = [segment(1000, 3000), segment(3000, 3200), segment(6000, 8000)];
  const drag = (index: number, edge: 'start' | 'end', toMs: number) =>
    draggedTo(segments, { index, edge }, toMs, false);
  expect([drag(0, 'start', 5000), drag(0, 'start', 2650), drag(0, 'start', 0)]).toEqual([2700, 2650, 0]);
  expect([drag(0, 'end', 0), drag(0, 'end', 1350), drag(0, 'end', 9000)]).toEqual([1300, 1350, 9000]);
  expect([drag(1, 'start', 3100), drag(1, 'end', 3100), drag(1, 'end', 3400)]).toEqual([3000, 3200, 3400]);
});

it('beside a neighbour that nearly touches, an edge of the current segment is taken from as far as elsewhere', () => {
  const segments = [segment(1000, 3000), segment(3050, 6000)];
  const taken = [293, 297, 300, 304, 308, 316].map((x) => at(segments, x, 1));
  expect(taken.every((one) => one !== null)).toBe(true);
  expect([293, 316].map((x) => at(segments, x, 1))).toEqual(['1 start', '1 start']);
});

it('edges that nearly touch, in time and on the screen, are one', () => {
  const segments = [segment(1000, 3000), segment(3050, 5000), segment(5300, 6000), segment(5900, 7000)];
  const shared = (index: number, edge: 'start' | 'end', width = 1000) =>
    isSharedEdge(segments, { index, edge }, span, width);
  expect([shared(0, 'end'), shared(1, 'start'), shared(1, 'end'), shared(2, 'end'), shared(0, 'start')]).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  // Zoomed in, there is room between them.
  expect(shared(0, 'end', 10_000)).toBe(false);
});
