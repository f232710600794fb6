import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closeRow, liveCodeRow, speechCodeRow } from './live-rows.ts';
import { isKnownRow } from './rows.ts';

test.each([
  ['busy', 'E-129'],
  ['no_speech_detected', 'E-132'],
  ['insufficient_credits', 'E-133'],
  ['model_missing', 'E-250'],
  ['too_little_memory', 'E-253'],
  ['a_new_code', 'E-136'],
  ['constructor', 'E-136'],
] as const)('an error event %s is %s', (code, row) => {
  expect(liveCodeRow(code)).toBe(row);
});

test.each([
  ['insufficient_credits', 'E-034'],
  ['validation_error', 'E-050'],
  ['overloaded', 'E-058'],
  ['service_unavailable', 'E-058'],
  ['timeout', 'E-249'],
  ['a_new_code', 'E-249'],
] as const)('in live speech an error event %s is %s, a row without words of dictation', (code, row) => {
  expect(speechCodeRow(code)).toBe(row);
});

test.each([
  [1000, true, 'E-140'],
  [1000, false, 'E-141'],
  [1001, true, 'E-141'],
  [1005, false, 'E-141'],
  [1006, false, 'E-141'],
  [1007, false, 'E-142'],
  [1008, true, 'E-143'],
  [1011, false, 'E-141'],
  [1015, false, 'E-144'],
  [4999, false, 'E-141'],
] as const)('a socket closed with %i (done: %s) is %s', (code, isDone, row) => {
  expect(closeRow(code, isDone)).toBe(row);
});

test('any close code gives a row', () => {
  fc.assert(fc.property(fc.integer(), fc.boolean(), (code, isDone) => isKnownRow(closeRow(code, isDone))));
});
