const minute = 60_000;

/** After this long since the first send the service may have forgotten the key: search before repeating (3.2). */
export const keyLifeMs = 20 * 60 * minute;

/** Clock differences up to this size are ignored. */
export const clockSlackMs = 5 * minute;

export const missingGraceMs = minute;

/** After this long without an end the user is asked (unusually-long). */
export const patienceMs = 24 * 60 * minute;

/** The longest wait that nobody asked for; what a service asks for (`Retry-After`, at most a day) comes on top. */
export const longestPauseMs = 60 * minute;

const leastMs = 250;
const capMs = minute;

/** Milliseconds: full jitter from 250 ms to 500 ms (throttled: 2 s) x 2^n, at most 60 s; `retryAfterMs` at least. */
export function backoffMs(
  tries: number,
  roll: number,
  options: { readonly retryAfterMs?: number | undefined; readonly isThrottled?: boolean } = {},
): number {
  const { retryAfterMs = 0, isThrottled = false } = options;
  const base = isThrottled ? 2_000 : 500;
  const top = Math.min(capMs, base * 2 ** Math.min(tries, 10));
  const low = isThrottled ? top / 2 : leastMs;
  const asked = retryAfterMs + roll * Math.min(retryAfterMs / 4, 5_000);
  return Math.ceil(Math.max(asked, low + roll * Math.max(0, top - low)));
}

/** Milliseconds: 15 s, 1 min, then 5 min, less up to a fifth; `pages` is 0 for the first that waits alone. */
export function pagePauseMs(pages: number, roll: number): number {
  const longest = [15_000, minute][Math.max(0, pages)] ?? 5 * minute;
  return Math.round(longest * (1 - 0.2 * roll));
}

/** Milliseconds by the time since acceptance: 1 s growing to 15 s, and 60 s after half an hour. */
export function pollDelayMs(elapsedMs: number): number {
  if (elapsedMs >= 30 * minute) return minute;
  return Math.min(15_000, Math.max(1_000, 1_000 + Math.max(0, elapsedMs) / 2));
}

/** Milliseconds until the next poll of a job whose newest words are shown: only a service on this computer tells them. */
export const heardPollMs = 2_000;

export function missingDelayMs(missingForMs: number): number {
  return Math.min(15_000, Math.max(2_000, 2_000 + Math.max(0, missingForMs)));
}

export const spread = (delayMs: number, roll: number): number => Math.round(delayMs * (0.8 + 0.4 * roll));
