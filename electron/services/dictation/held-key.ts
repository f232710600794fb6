/** Presses this close together are repeats of a key that is held; nobody taps so fast. */
const repeatMs = 150;
/** The longest time after which a system begins to repeat a held key. */
const firstRepeatMs = 2000;
/** A held key that repeats no more for this long was released; a busy computer repeats it late. */
const releasedAfterMs = 250;

// X11 repeats the press of a held key and reports no release: that is where the repeats end.
// Timers wait one turn more: repeats that queued up on a busy computer are read first.
export function readHeldKey(
  {
    press,
    release,
  }: {
    readonly press: () => void;
    readonly release?: () => void;
  },
  now = () => performance.now(),
): () => void {
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
