import { setTimeout as pause } from 'node:timers/promises';

/** Waits; false when the person stopped the run meanwhile. */
export async function waitFor(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await pause(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
