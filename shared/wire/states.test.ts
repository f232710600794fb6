import { expect, test } from 'vitest';
import { readState } from './states.ts';

test('a documented word is a state, in any case; another word is kept as it is', () => {
  expect(readState('delivery', 'Retrying')).toEqual({ known: true, state: 'retrying' });
  expect(readState('legacy-task', 'success')).toEqual({ known: true, state: 'SUCCESS' });
  expect(readState('enrollment', 'cooling_down')).toEqual({ known: false, raw: 'cooling_down' });
  expect(readState('enrollment', 7)).toBe(null);
  expect(readState('enrollment', ' ')).toBe(null);
});
