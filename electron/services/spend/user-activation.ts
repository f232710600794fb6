const freshMs = 5_000;
/** Clocks of a page and of main are the same one, read in two processes. */
const skewMs = 250;

/**
 * Whether a person asked for a call: the preload adds the time of the last real click, key press or drop to it, which no
 * script of a page can make or read (S-15). Each counts once and for five seconds.
 */
export function createUserActivations(now: () => number) {
  const lastUsed = new Map<number, number>();
  return {
    /** Consumes the activation (Unix ms); false when there is none, it is too old, or it was consumed before. */
    take(windowId: number, activation: number | null): boolean {
      if (activation === null || activation > now() + skewMs || activation < now() - freshMs) return false;
      if (activation <= (lastUsed.get(windowId) ?? 0)) return false;
      lastUsed.set(windowId, activation);
      return true;
    },
    forget: (windowId: number): void => void lastUsed.delete(windowId),
  };
}

export type UserActivations = ReturnType<typeof createUserActivations>;
