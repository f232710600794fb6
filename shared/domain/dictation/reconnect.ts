/** How long reconnecting goes on before the recording is offered as a file, milliseconds (reliability E-124). */
export const reconnectPatienceMs = 10 * 60_000;

const longestDelayMs = 7000;

/**
 * The wait before a new try, milliseconds: at once, 0.3 s, 1.2 s, 2.7 s, 4.8 s and then every 7 s. `failures`: how many
 * tries have failed in a row, 0 for a connection that was lost.
 */
export const reconnectDelayMs = (failures: number): number =>
  Math.min(300 * Math.max(0, failures) ** 2, longestDelayMs);

/** The wait after a refused ticket (E-121): at once, then 1, 2 and 4 s; null: the fifth refusal ends it. */
export function ticketDelayMs(refusals: number): number | null {
  if (refusals >= 5) return null;
  return refusals <= 1 ? 0 : 1000 * 2 ** (refusals - 2);
}

/** The wait while the service is overloaded (E-134): 1 s doubling to 15 s. */
export const overloadDelayMs = (failures: number): number => Math.min(1000 * 2 ** Math.max(0, failures - 1), 15_000);

/** The wait while an utterance is still being processed (E-129): 0.25 s doubling to 2 s. */
export const busyDelayMs = (tries: number): number => Math.min(250 * 2 ** Math.max(0, tries - 1), 2000);

/** The longest wait for the text of an utterance (E-137): 20 s plus its own length, milliseconds. */
export const finalPatienceMs = (audioMs: number): number => 20_000 + audioMs;
