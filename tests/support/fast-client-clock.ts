import { systemClientClock, type ClientClock } from '../../electron/api/http/clock.ts';

/** The client's time `speed` times as fast, so that waits of seconds take milliseconds; its timeouts shrink as well. */
export function fastClientClock(speed: number): ClientClock {
  const startedAtMs = Date.now();
  const started = performance.now();
  const since = (): number => (performance.now() - started) * speed;
  return {
    now: () => startedAtMs + since(),
    monotonic: since,
    after: (ms, callback) => systemClientClock.after(ms / speed, callback),
  };
}
