import type { ClientClock } from '../../service/transport.ts';

export type WakeSource = (listener: () => void) => () => void;

const everyMs = 5000;
/** A busy computer may be this late without having slept. */
const slackMs = 10_000;
/** The system and the watch may both report the same wake-up. */
const sameWakingMs = 15_000;

/** For systems that don't report sleep: one clock stood still, or a timer fired much too late. */
export function watchWake(clock: ClientClock): WakeSource {
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

export function eitherWakes(clock: Pick<ClientClock, 'monotonic'>, ...sources: readonly WakeSource[]): WakeSource {
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

export interface NetworkStatus {
  isOnline(): boolean;
  addresses(): ReadonlySet<string>;
  onChanged(listener: () => void): () => void;
}
