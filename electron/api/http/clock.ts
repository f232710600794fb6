/** Time as the client needs it; tests may bring their own. */
export interface ClientClock {
  /** Unix milliseconds of this computer; may be wrong and may jump. */
  now(): number;
  /** Milliseconds that only ever grow: for waits and timeouts. */
  monotonic(): number;
  /** Calls back once after `ms`; the returned function cancels that. */
  after(ms: number, callback: () => void): () => void;
}

/** The clock of this computer. */
export const systemClientClock: ClientClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(Math.max(0, ms), 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};

/** Waits; resolves early with false when the signal is aborted. */
export function sleep(clock: ClientClock, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const finish = (isWaited: boolean): void => {
      takeBack();
      signal?.removeEventListener('abort', onAbort);
      resolve(isWaited);
    };
    const onAbort = (): void => finish(false);
    const takeBack = clock.after(ms, () => finish(true));
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Tolerated difference between the clocks of the service and this computer. */
export const clockSlackMs = 60_000;
