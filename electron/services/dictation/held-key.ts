/** Presses this close together are repeats of a key that is held; nobody taps so fast. */
const repeatMs = 150;
/** The longest time after which a system begins to repeat a held key. */
const firstRepeatMs = 2000;
/** A held key that repeats no more for this long was released; a busy computer repeats it late. */
const releasedAfterMs = 250;

export interface KeyListener {
  readonly press: () => void;
  /** A key that was held has been released; not called after a tap. */
  readonly release?: () => void;
}

/**
 * Reads the presses that a system reports of a global key. X11 reports no release to a program but repeats the press of
 * a held key, so the release is where the repeats end. Other systems report one press, which is a tap. A second press
 * soon after the first may be the first repeat: it counts when nothing follows it. Both timers wait one turn more, so that
 * repeats that queued up while the computer was busy are read before a second press or a release counts.
 */
export function readHeldKey({ press, release }: KeyListener, now = () => performance.now()): () => void {
  let lastMs = -Infinity;
  let isHeld = false;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    isHeld = false;
    release?.();
  };
  const wait = (ms: number, then: () => void): void => {
    timer = setTimeout(() => (timer = setTimeout(then, 0)), ms);
  };
  return () => {
    const sinceMs = now() - lastMs;
    lastMs = now();
    clearTimeout(timer);
    isHeld ||= sinceMs <= repeatMs;
    if (isHeld) wait(releasedAfterMs, end);
    else if (sinceMs < firstRepeatMs) wait(repeatMs, press);
    else press();
  };
}
