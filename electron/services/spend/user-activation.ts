const freshMs = 5_000;
/** Clocks of a page and of main are the same one, read in two processes. */
const skewMs = 250;

/**
 * Whether a call comes from a hand: the preload puts the time of the last real press, key or drop into it, which no
 * script of a page can make or read (S-15). Each counts once and for five seconds.
 */
export function createUserActivations(now: () => number) {
  const lastUsed = new Map<number, number>();
  return {
    /** Uses the gesture up; false when there is none, it is old, or it was used. `gesture` is Unix ms. */
    take(windowId: number, gesture: number | null): boolean {
      if (gesture === null || gesture > now() + skewMs || gesture < now() - freshMs) return false;
      if (gesture <= (lastUsed.get(windowId) ?? 0)) return false;
      lastUsed.set(windowId, gesture);
      return true;
    },
    forget: (windowId: number): void => void lastUsed.delete(windowId),
  };
}

export type UserActivations = ReturnType<typeof createUserActivations>;
