/** Forwards at most one call in this time: nobody can read numbers that change more often. */
export function every<Args extends readonly unknown[]>(
  ms: number,
  notify: (...args: Args) => void,
): (...args: Args) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (...args) => {
    const now = performance.now();
    if (now - last < ms) return;
    last = now;
    notify(...args);
  };
}
