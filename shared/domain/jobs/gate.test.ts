import { expect, it } from 'vitest';
import { admit, openGate, recordSuccess, pause, recordTrouble } from './gate.ts';

const isAdmitted = (gate: typeof openGate, now: number): boolean => admit(gate, 'any', now).isAdmitted;

it('a service that reports trouble once blocks nobody else; twice in a row, everybody until the later time', () => {
  const once = recordTrouble(openGate, 5_000);
  expect(isAdmitted(once, 0)).toBe(true);
  const twice = recordTrouble(once, 2_000);
  expect(isAdmitted(twice, 4_999)).toBe(false);
  expect(isAdmitted(twice, 5_000)).toBe(true);
});

it('an accepted upload between two troubles resets the count; a free read does not', () => {
  const once = recordTrouble(openGate, 5_000);
  expect(isAdmitted(recordTrouble(recordSuccess(once, 'send'), 5_000), 0)).toBe(true);
  expect(isAdmitted(recordTrouble(recordSuccess(once, 'read'), 5_000), 0)).toBe(false);
});

it('a pause requested of everybody lasts to its end, whatever gets through meanwhile', () => {
  const paused = pause(recordTrouble(openGate, 9_000), 3_000);
  for (const proof of ['send', 'read'] as const) {
    expect(isAdmitted(recordSuccess(paused, proof), 2_999)).toBe(false);
    expect(isAdmitted(recordSuccess(paused, proof), 3_000)).toBe(true);
  }
});
