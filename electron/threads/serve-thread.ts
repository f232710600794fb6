import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import type { ThreadReply } from './work-thread.ts';

/** A sign of life at most this often. */
const signMs = 250;

/** Whether this module runs in a worker that was started for the role. */
export const isInRole = (role: string): boolean =>
  !isMainThread && z.object({ role: z.literal(role) }).safeParse(workerData).success;

/**
 * Answers each request of the thread's owner with an outcome. `work` calls `sign` along the way, with the share that is
 * done. `movable` names the parts of an outcome that are transferred instead of copied.
 */
export function serveThread<Outcome>(
  work: (message: unknown, sign: (share?: number) => void) => Promise<Outcome>,
  movable: (outcome: Outcome) => readonly ArrayBuffer[] = () => [],
): void {
  const port = parentPort;
  if (port === null) throw new Error('a worker was started outside a worker thread');
  const answer = async (message: unknown): Promise<void> => {
    let lastSign = performance.now();
    const sign = (share?: number): void => {
      if (performance.now() - lastSign < signMs) return;
      lastSign = performance.now();
      port.postMessage({ outcome: null, ...(share === undefined ? {} : { share }) } satisfies ThreadReply<Outcome>);
    };
    const outcome = await work(message, sign);
    port.postMessage({ outcome } satisfies ThreadReply<Outcome>, movable(outcome));
  };
  port.on('message', (message: unknown) => void answer(message));
}
