import { expect, it } from 'vitest';
import { dayOf, sumUsed } from './used-today.ts';

it('adds exactly what the service reported, and counts what it did not report', () => {
  expect(
    sumUsed([
      { state: 'accepted', report: { credits: '0.1' } },
      { state: 'accepted', report: { credits: '0.2' } },
      { state: 'accepted', report: { credits: null } },
      { state: 'unknown', report: null },
      { state: 'open', report: null },
    ]),
  ).toEqual({ credits: '0.3', actionCount: 5, unreportedCount: 3 });
});

it('leaves out what cost nothing', () => {
  expect(
    sumUsed([
      { state: 'refused', report: null },
      { state: 'not-sent', report: { credits: '7' } },
    ]),
  ).toEqual({ credits: '0', actionCount: 0, unreportedCount: 0 });
});

it('a day lasts from one local midnight to the next, even when a clock is put forward', () => {
  const now = new Date(2026, 2, 29, 13, 5).getTime();
  const { fromMs, toMs } = dayOf(now);
  expect([new Date(fromMs).getHours(), new Date(toMs).getHours()]).toEqual([0, 0]);
  expect(new Date(toMs).getDate()).toBe(30);
  expect(fromMs <= now && now < toMs).toBe(true);
});
