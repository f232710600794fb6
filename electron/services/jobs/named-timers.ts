import type { Clock } from './ports.ts';

/** Timers that exist once each: setting one again takes the earlier one back. None calls back after the work ended. */
export class NamedTimers {
  readonly #clock: Clock;
  readonly #isWanted: () => boolean;
  readonly #cancels = new Map<string, () => void>();

  constructor(clock: Clock, isWanted: () => boolean) {
    this.#clock = clock;
    this.#isWanted = isWanted;
  }

  has(name: string): boolean {
    return this.#cancels.has(name);
  }

  /** Calls back once after `ms` milliseconds. */
  set(name: string, ms: number, callback: () => void): void {
    this.#cancels.get(name)?.();
    const cancel = this.#clock.after(ms, () => {
      this.#cancels.delete(name);
      if (this.#isWanted()) callback();
    });
    this.#cancels.set(name, cancel);
  }

  clear(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
  }
}
