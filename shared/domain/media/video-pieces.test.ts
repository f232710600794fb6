import { expect, it } from 'vitest';
import { lengthOf, planPieces, heardOf, type Picture } from './video-pieces.ts';

const frameMs = 40;

/** In the order of decoding: each picture is where it is shown, a key frame is negative. */
const decoded = (...shown: readonly number[]): Picture[] =>
  shown.map((place) => ({ atMs: Math.abs(place) * frameMs, isKey: place < 0 || Object.is(place, -0) }));

// Two groups of eight; the last of each three is decoded before those that are shown before it.
const pictures = decoded(-0, 3, 1, 2, 6, 4, 5, 7, -8, 11, 9, 10, 14, 12, 13, 15);
const end = 16 * frameMs;

const planned = (...spans: readonly (readonly [number, number])[]) =>
  planPieces(
    pictures,
    spans.map(([startMs, endMs]) => ({ startMs, endMs })),
    end,
  );

it('a piece begins at the key frame before it', () => {
  expect(planned([500, 640])).toEqual([{ startMs: 320, endMs: 640, from: 8, to: 16 }]);
  expect(planned([320, 640])).toEqual([{ startMs: 320, endMs: 640, from: 8, to: 16 }]);
});

it('a piece ends with its span where pictures allow it, and with the pictures that others need where not', () => {
  expect(planned([0, 160])).toEqual([{ startMs: 0, endMs: 160, from: 0, to: 4 }]);
  // A picture is shown to its end, unless that is long.
  expect(planned([0, 135])).toEqual([{ startMs: 0, endMs: 160, from: 0, to: 4 }]);
  const still = [0, 5000].map((atMs) => ({ atMs, isKey: true }));
  expect(planPieces(still, [{ startMs: 0, endMs: 135 }], 6000)).toEqual([{ startMs: 0, endMs: 135, from: 0, to: 1 }]);
  // The second one needs the fourth, and between them is the third.
  expect(planned([0, 80])).toEqual([{ startMs: 0, endMs: 160, from: 0, to: 4 }]);
});

it('spans without a key frame between them are one piece', () => {
  expect(planned([0, 160], [240, 280])).toEqual([{ startMs: 0, endMs: 280, from: 0, to: 7 }]);
  expect(planned([0, 160], [400, 640])).toEqual([
    { startMs: 0, endMs: 160, from: 0, to: 4 },
    { startMs: 320, endMs: 640, from: 8, to: 16 },
  ]);
});

it('pictures that are shown before the key frame they follow belong to what comes before it', () => {
  const open = decoded(-0, 3, 1, 2, -6, 4, 5, 9, 7, 8);
  expect(planPieces(open, [{ startMs: 240, endMs: 400 }], 400)).toEqual([
    { startMs: 240, endMs: 400, from: 4, to: 10 },
  ]);
  expect(planPieces(open, [{ startMs: 0, endMs: 240 }], 400)).toEqual([{ startMs: 0, endMs: 280, from: 0, to: 7 }]);
});

it('audio before the first picture and after the last one is kept', () => {
  const late = pictures.map(({ atMs, isKey }) => ({ atMs: atMs + 1000, isKey }));
  const endMs = Number.MAX_SAFE_INTEGER;
  expect(planPieces(late, [{ startMs: 200, endMs }], 1640)).toEqual([{ startMs: 200, endMs, from: 0, to: 16 }]);
  expect(lengthOf([{ startMs: 200, endMs }], 1640)).toBe(1440);
});

it('what is covered stays covered where a key frame brings it back', () => {
  const covered = [
    { startMs: 100, endMs: 200, cover: 'silence' as const },
    { startMs: 400, endMs: 900, cover: 'silence' as const },
  ];
  expect(heardOf([{ startMs: 0, endMs: 500 }], covered)).toEqual([
    { startMs: 0, endMs: 100 },
    { startMs: 100, endMs: 200, cover: 'silence' },
    { startMs: 200, endMs: 400 },
    { startMs: 400, endMs: 500, cover: 'silence' },
  ]);
});
