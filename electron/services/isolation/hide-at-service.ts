import { z } from 'zod';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import type { QueuePorts } from '../jobs/ports.ts';

/** Until then a hidden job can be shown again, because the service offers no way to unhide it. */
export const hiddenAfterMs = 20_000;

const noted = lazySchema(() => z.array(z.strictObject({ jobId: z.string(), remoteId: z.string() })));
const mostNoted = 500;

/**
 * Hides jobs in the list of the service some seconds after they were hidden here. What is left to hide is noted in the
 * library, so that the next start does what a quit or a lost network left undone.
 */
export function createHidingAtService({ store, client, clock }: Pick<QueuePorts, 'store' | 'client' | 'clock'>) {
  const left = new Map(read(store).map(({ jobId, remoteId }) => [jobId, remoteId]));
  const timers = new Map<string, () => void>();
  // A job that stays in the list of the service costs nothing, so failures are not reported; the next start tries again.
  const save = () =>
    store.saveNote(
      'hiding',
      JSON.stringify([...left].slice(-mostNoted).map(([jobId, remoteId]) => ({ jobId, remoteId }))),
    );
  const schedule = (jobId: string, remoteId: string, afterMs: number) => {
    const hideNow = async () => {
      timers.delete(jobId);
      const done = await client.isolate.remove(remoteId);
      if (done.ok && left.delete(jobId)) save();
    };
    timers.set(
      jobId,
      clock.after(afterMs, () => void hideNow()),
    );
  };
  for (const [jobId, remoteId] of left) schedule(jobId, remoteId, 0);
  return {
    add(jobId: string, remoteId: string) {
      left.set(jobId, remoteId);
      save();
      schedule(jobId, remoteId, hiddenAfterMs);
    },
    cancel(jobId: string) {
      timers.get(jobId)?.();
      timers.delete(jobId);
      if (left.delete(jobId)) save();
    },
    /** What is left stays noted. */
    close() {
      for (const stop of timers.values()) stop();
    },
  };
}

function read(store: Pick<QueuePorts['store'], 'note'>): z.output<ReturnType<typeof noted>> {
  const note = store.note('hiding');
  if (!note.ok || note.value === null) return [];
  try {
    return noted().safeParse(JSON.parse(note.value)).data ?? [];
  } catch {
    return [];
  }
}
