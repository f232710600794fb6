/** What is needed to notice that time went by unseen. */
export interface WakeClock {
  /** Unix milliseconds of this computer. */
  now(): number;
  /** Milliseconds that only ever grow; on some systems they stand still in sleep, on others not. */
  monotonic(): number;
  /** Calls back once after `ms`; the returned function takes it back. */
  after(ms: number, callback: () => void): () => void;
}

/** Tells whenever the computer has woken up; the returned function ends that. */
export type WakeSource = (listener: () => void) => () => void;

const everyMs = 5000;
/** What a busy computer is late by is no sleep. */
const slackMs = 10_000;
/** The system and the watch may both tell of one waking. */
const sameWakingMs = 15_000;

/**
 * Notices sleep where the system does not tell of it: the clock went on while the machine's own time stood still, or a
 * timer came much later than it was due. A clock that somebody puts forward looks the same, and the same is done then:
 * a second look, which costs nothing.
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

/** Several sources as one: what they tell of the same waking is reported once. */
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

/** Whether the computer has a network at all; says nothing of the service. */
export interface NetworkStatus {
  isOnline(): boolean;
  /** The addresses of this computer, as they are now. */
  addresses(): ReadonlySet<string>;
  /** Tells that the network came or went, or that an address did. */
  onChanged(listener: () => void): () => void;
}
