import { expect, it } from 'vitest';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { gaveUp } from './dictation-dialer.ts';

it('dictation that ends for good says what only the user can mend, and otherwise that it was lost', () => {
  const rowAfter = (row: Parameters<typeof makeFailure>[0]) => gaveUp(makeFailure(row, { code: 'x' })).row;
  expect((['E-250', 'E-251', 'E-253'] as const).map(rowAfter)).toEqual(['E-250', 'E-251', 'E-253']);
  expect(rowAfter('E-121')).toBe('E-139');
});
