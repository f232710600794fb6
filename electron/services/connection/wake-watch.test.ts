import { expect, test } from 'vitest';
import { watchWake } from './wake-watch.ts';
import type { ClientClock } from '../../service/transport.ts';

/** A computer whose two clocks and timers the test controls. */
function computer() {
  const at = { now: 1_700_000_000_000, monotonic: 0 };
  let timer: { readonly dueMs: number; readonly callback: () => void } | null = null;
  const clock: ClientClock = {
    now: () => at.now,
    monotonic: () => at.monotonic,
    after: (ms, callback) => {
      timer = { dueMs: at.monotonic + ms, callback };
      return () => void (timer = null);
    },
  };
  const fire = (): void => {
    if (timer === null || timer.dueMs > at.monotonic) return;
    const { callback } = timer;
    timer = null;
    callback();
  };
  return {
    clock,
    hasTimer: () => timer !== null,
    runFor(ms: number): void {
      for (let passed = 0; passed < ms; passed += 100) {
        at.now += 100;
        at.monotonic += 100;
        fire();
      }
    },
    /** Only the clock moves, as in sleep on most systems, or when it is set by hand. */
    moveClock: (ms: number) => void (at.now += ms),
    /** Both clocks move and no timer runs, as in sleep on other systems or when the process is stopped. */
    stopProcess(ms: number): void {
      at.now += ms;
      at.monotonic += ms;
      fire();
    },
  };
}

const watched = () => {
  const machine = computer();
  const wakes = { count: 0 };
  const stop = watchWake(machine.clock)(() => (wakes.count += 1));
  return { machine, wakes, stop };
};

test('F-36: sleep is noticed within five seconds of waking, whether the monotonic clock stood still or not', () => {
  for (const sleep of ['moveClock', 'stopProcess'] as const) {
    const { machine, wakes } = watched();
    machine.runFor(12_000);
    machine[sleep](8 * 3_600_000);
    machine.runFor(5000);
    expect([sleep, wakes.count]).toEqual([sleep, 1]);
    machine.runFor(60_000);
    expect(wakes.count).toBe(1);
  }
});

test('a day without sleep, late timers, a clock that is put back and what comes after the end are no waking', () => {
  const { machine, wakes, stop } = watched();
  machine.runFor(600_000);
  machine.stopProcess(9000);
  machine.runFor(60_000);
  machine.moveClock(-86_400_000);
  machine.runFor(60_000);
  stop();
  expect(machine.hasTimer()).toBe(false);
  machine.moveClock(3_600_000);
  machine.runFor(20_000);
  expect(wakes.count).toBe(0);
});
