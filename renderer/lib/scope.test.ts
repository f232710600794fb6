import { describe, expect, it, vi } from 'vitest';
import { Scope } from './scope.ts';

describe('a scope', () => {
  it('releases everything once, last acquired first, and at once what is added after its end', () => {
    const scope = new Scope();
    const order: string[] = [];
    scope.add(() => order.push('first'));
    scope.add(() => order.push('second'));
    scope.dispose();
    scope.dispose();
    scope.add(() => order.push('late'));
    expect(order).toEqual(['second', 'first', 'late']);
  });

  it('runs no timer after its end, and no cancelled one', () => {
    vi.useFakeTimers();
    const scope = new Scope();
    const run = vi.fn<() => void>();
    scope.after(10, run)();
    scope.every(10, run);
    vi.advanceTimersByTime(25);
    scope.dispose();
    vi.advanceTimersByTime(100);
    expect(run).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
  });
});
