const spanMs = 5 * 60_000;
const maxRestarts = 3;

/** How often a failing page is loaded again: three times in five minutes, then it is left alone (E-206). */
export function createRestartLimit(now: () => number) {
  let restarts: readonly number[] = [];
  return {
    mayRestart(): boolean {
      const atMs = now();
      restarts = restarts.filter((earlier) => atMs - earlier < spanMs);
      if (restarts.length >= maxRestarts) return false;
      restarts = [...restarts, atMs];
      return true;
    },
  };
}
