import type { Clock } from './ports.ts';

/** Waits for the work, but not longer than this; the work goes on. */
export async function within(limitMs: number, work: Promise<unknown>, clock: Pick<Clock, 'after'>): Promise<void> {
  let cancel = (): void => undefined;
  const limit = new Promise<void>((resolve) => {
    cancel = clock.after(limitMs, resolve);
  });
  await Promise.race([work, limit]);
  cancel();
}
