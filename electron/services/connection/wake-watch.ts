/** The clocks from which unnoticed time can be detected. */
export interface WakeClock {
  /** Unix milliseconds of this computer. */
  now(): number;
  /** Milliseconds that only ever grow; whether they pause during sleep depends on the system. */
  monotonic(): number;
  /** Calls back once after `ms`; the returned function cancels that. */
  after(ms: number, callback: () => void): () => void;
}

/** Calls the listener whenever the computer has woken up; the returned function unsubscribes. */
export type WakeSource = (listener: () => void) => () => void;

const everyMs = 5000;
/** A busy computer may be this late without having slept. */
const slackMs = 10_000;
/** The system and the watch may both report the same wake-up. */
const sameWakingMs = 15_000;

/**
 * Detects sleep on systems that don't report it: the wall clock went on while the monotonic one stood still, or a timer
 * fired much too late. Setting the clock forward looks the same and has the same effect: one more check, which costs
 * nothing.
 */
export function watchWake(clock: WakeClock): WakeSource {
  return (listener) => {
    let last = { now: clock.now(), monotonic: clock.monotonic() };
    let cancel = (): void => undefined;
    const look = (): void => {
      const seen = { now: clock.now(), monotonic: clock.monotonic() };
      const unseenMs = Math.max(seen.now - last.now, seen.monotonic - last.monotonic) - everyMs;
      last = seen;
      arm();
      if (unseenMs > slackMs) listener();
    };
    const arm = (): void => {
      cancel = clock.after(everyMs, look);
    };
    arm();
    return () => cancel();
  };
}

/** Merges several sources: reports of the same wake-up are passed on once. */
export function eitherWakes(clock: Pick<WakeClock, 'monotonic'>, ...sources: readonly WakeSource[]): WakeSource {
  return (listener) => {
    let toldAtMs = -Infinity;
    const once = (): void => {
      const now = clock.monotonic();
      if (now - toldAtMs < sameWakingMs) return;
      toldAtMs = now;
      listener();
    };
    const stops = sources.map((source) => source(once));
    return () => {
      for (const stop of stops) stop();
    };
  };
}

/** Whether the computer has a network at all; shows nothing about the service. */
export interface NetworkStatus {
  isOnline(): boolean;
  /** The current addresses of this computer. */
  addresses(): ReadonlySet<string>;
  /** Calls the listener when the network or an address came or went. */
  onChanged(listener: () => void): () => void;
}
