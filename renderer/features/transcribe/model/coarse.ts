/** A guess in seconds would only flicker: whole minutes, or tens of seconds of a short time. Milliseconds. */
export const coarse = (ms: number): number =>
  ms > 90_000 ? Math.ceil(ms / 60_000) * 60_000 : Math.ceil(ms / 10_000) * 10_000;
