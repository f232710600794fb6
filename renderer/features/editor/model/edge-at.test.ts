import { expect, it } from 'vitest';
import { draggedTo, edgeAt } from './edge-at.ts';

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

it('where two segments touch, each side of the line takes the edge of its own segment, whichever is current', () => {
  const segments = [segment(1000, 3000), segment(3000, 5000)];
  for (const current of [-1, 0, 1])
    expect([296, 299, 300, 304].map((x) => at(segments, x, current))).toEqual(['0 end', '0 end', '1 start', '1 start']);
  expect([at(segments, 310, 0), at(segments, 290, 0)]).toEqual([null, '0 end']);
});

it('of two edges close together the nearer one is taken, also in the gap between them', () => {
  const segments = [segment(1000, 3000), segment(3040, 5000)];
  for (const current of [-1, 0, 1])
    expect([300, 301.7, 302.5, 303, 304].map((x) => at(segments, x, current))).toEqual([
      '0 end',
      '0 end',
      '1 start',
      '1 start',
      '1 start',
    ]);
});

it('in a segment that is drawn narrow only the current one has edges, so that a selection can begin there', () => {
  const segments = [segment(1000, 1190), segment(1200, 1390)];
  expect([100, 110, 119].map((x) => at(segments, x))).toEqual([null, null, null]);
  expect([100, 110, 118].map((x) => at(segments, x, 0))).toEqual(['0 start', null, '0 end']);
});

it('of a narrow gap the edges beside it take a third each, so that a selection can begin there', () => {
  const segments = [segment(1000, 3000), segment(3150, 5000)];
  for (const current of [-1, 0, 1])
    expect([305, 306, 307, 309, 310].map((x) => at(segments, x, current))).toEqual([
      '0 end',
      null,
      null,
      null,
      '1 start',
    ]);
  expect([3, 6, 7, 8, 9].map((x) => at([segment(90, 3000)], x, 0))).toEqual([
    null,
    '0 start',
    '0 start',
    '0 start',
    '0 start',
  ]);
  // On its own side of the line there is room.
  expect([at(segments, 289, 0), at(segments, 326, 1)]).toEqual(['0 end', '1 start']);
});

it('of a short segment its edges, and those that touch it, take a third each', () => {
  const short = [segment(1000, 1120), segment(3000, 5000), segment(5000, 5090)];
  expect([104, 105, 107, 108].map((x) => at(short, x, 0))).toEqual(['0 start', null, null, '0 end']);
  expect([503, 504].map((x) => at(short, x, 1))).toEqual(['1 end', null]);
});

it('an edge beside the visible part is not taken', () => {
  const segments = [segment(0, 20_000), segment(20_000, 30_000)];
  expect(edgeAt(segments, { fromMs: 5000, toMs: 15_000 }, { width: 1000, x: 1000 }, 0)).toBeNull();
});

it('a dragged edge leaves enough of its segment to be taken again, or as much as there was', () => {
  const segments = [segment(1000, 3000), segment(3000, 3200), segment(6000, 8000)];
  const drag = (index: number, edge: 'start' | 'end', toMs: number) =>
    draggedTo(segments, { index, edge }, toMs, false);
  expect([drag(0, 'start', 5000), drag(0, 'start', 2650), drag(0, 'start', 0)]).toEqual([2700, 2650, 0]);
  expect([drag(0, 'end', 0), drag(0, 'end', 1350), drag(0, 'end', 9000)]).toEqual([1300, 1350, 9000]);
  expect([drag(1, 'start', 3100), drag(1, 'end', 3100), drag(1, 'end', 3400)]).toEqual([3000, 3200, 3400]);
});

it('an edge that is dragged with that of its neighbour leaves enough of both', () => {
  const segments = [segment(1000, 3000), segment(3000, 5000), segment(5000, 5100)];
  const drag = (index: number, edge: 'start' | 'end', toMs: number) => draggedTo(segments, { index, edge }, toMs, true);
  expect([drag(0, 'end', 0), drag(0, 'end', 9000)]).toEqual([1300, 4700]);
  expect([drag(1, 'start', 0), drag(1, 'start', 9000)]).toEqual([1300, 4700]);
  expect([drag(1, 'end', 5050), drag(1, 'end', 0)]).toEqual([5000, 3300]);
  const apart = [segment(1000, 3000), segment(3100, 5000)];
  const both = (index: number, edge: 'start' | 'end', toMs: number) => draggedTo(apart, { index, edge }, toMs, true);
  expect([both(0, 'end', 0), both(0, 'end', 9000)]).toEqual([1300, 4600]);
  expect([both(1, 'start', 0), both(1, 'start', 9000)]).toEqual([1400, 4700]);
});
