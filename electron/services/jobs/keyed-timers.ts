import type { Clock } from './ports.ts';

/** Timers by key: setting one again cancels the earlier one. None fires once the queue has stopped. */
export class KeyedTimers {
  readonly #clock: Clock;
  readonly #isWanted: () => boolean;
  readonly #cancels = new Map<string, () => void>();

  constructor(clock: Clock, isWanted: () => boolean) {
    this.#clock = clock;
    this.#isWanted = isWanted;
  }

  /** Whether the work they belong to is still running. */
  get isWanted(): boolean {
    return this.#isWanted();
  }

  has(name: string): boolean {
    return this.#cancels.has(name);
  }

  /** Calls back once after `ms` milliseconds; after the end of the work no timer is started. */
  set(name: string, ms: number, callback: () => void): void {
    this.cancel(name);
    if (!this.#isWanted()) return;
    const cancel = this.#clock.after(ms, () => {
      this.#cancels.delete(name);
      if (this.#isWanted()) callback();
    });
    this.#cancels.set(name, cancel);
  }

  cancel(name: string): void {
    this.#cancels.get(name)?.();
    this.#cancels.delete(name);
  }

  clear(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
  }
}

/** Waits for the work, but no longer than this. The work itself is not cancelled. */
export async function waitAtMost(limitMs: number, work: Promise<unknown>, clock: Pick<Clock, 'after'>): Promise<void> {
  let cancel = (): void => undefined;
  const limit = new Promise<void>((resolve) => {
    cancel = clock.after(limitMs, resolve);
  });
  await Promise.race([work, limit]);
  cancel();
}
