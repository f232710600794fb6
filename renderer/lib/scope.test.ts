import { describe, expect, it, vi } from 'vitest';
import { Scope } from './scope.ts';

describe('a scope', () => {
  it('releases everything once, last acquired first', () => {
    const scope = new Scope();
    const order: string[] = [];
    scope.add(() => order.push('first'));
    scope.add(() => order.push('second'));
    scope.dispose();
    scope.dispose();
    expect(order).toEqual(['second', 'first']);
  });

  it('releases at once what is added after its end', () => {
    const scope = new Scope();
    scope.dispose();
    const late = vi.fn<() => void>();
    scope.add(late);
    expect(late).toHaveBeenCalledOnce();
  });

  it('receives no events after its end', () => {
    const scope = new Scope();
    const target = new EventTarget();
    const heard: string[] = [];
    scope.listen(target, 'ping', (event) => heard.push(event.type));
    target.dispatchEvent(new Event('ping'));
    scope.dispose();
    target.dispatchEvent(new Event('ping'));
    expect(heard).toEqual(['ping']);
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

  it('keeps nothing of timers that are over', () => {
    vi.useFakeTimers();
    const scope = new Scope();
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    scope.after(10, () => undefined);
    scope.after(1000, () => undefined)();
    vi.advanceTimersByTime(25);
    cleared.mockClear();
    scope.dispose();
    expect(cleared).not.toHaveBeenCalled();
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
});
