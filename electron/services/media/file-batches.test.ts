import { expect, it } from 'vitest';
import { createFileBatches } from './file-batches.ts';

it('a batch means something once, and in its own window only', () => {
  const batches = createFileBatches();
  const name = batches.keep(1, ['a', 'b']);
  expect(batches.take(2, name)).toBeNull();
  expect(batches.take(1, name)).toEqual(['a', 'b']);
  expect(batches.take(1, name)).toBeNull();
});

it('holds the last ones only', () => {
  const batches = createFileBatches();
  const names = Array.from({ length: 9 }, (_, at) => batches.keep(1, [String(at)]));
  expect(batches.take(1, names[0] ?? '')).toBeNull();
  expect(batches.take(1, names[8] ?? '')).toEqual(['8']);
});
