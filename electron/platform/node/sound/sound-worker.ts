import { isMainThread } from 'node:worker_threads';
import { z } from 'zod';
import { isInRole, serveThread } from '../../../threads/serve-thread.ts';
import { systemCode } from '../storage-failure.ts';
import { copySound } from './copy-sound.ts';
import { probeSound } from './probe-sound.ts';
import { audioWorkerRole, type SoundOutcome } from './sound-work.ts';

const request = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('probe'), path: z.string() }),
  z.object({
    kind: z.literal('copy'),
    from: z.string(),
    to: z.string(),
    extension: z.enum(['m4a', 'ogg', 'mp3', 'flac', 'wav']),
  }),
]);

async function work(message: unknown, sign: (share?: number) => void): Promise<SoundOutcome> {
  try {
    const task = request.parse(message);
    if (task.kind === 'probe') return { kind: 'probed', media: await probeSound(task.path) };
    await copySound(task.from, task.to, task.extension, sign);
    return { kind: 'copied' };
  } catch (error) {
    return { kind: 'failed', system: systemCode(error) || null };
  }
}

/**
 * Headers hold the time of writing and a random number. Here both stand still, so that the same recording always gives
 * the same bytes: the key under which they are sent is bound to them.
 */
function stopClockAndChance(): void {
  Date.now = () => 0;
  Math.random = () => 0.5;
}

if (!isMainThread && isInRole(audioWorkerRole.role)) {
  serveThread(work);
  stopClockAndChance();
}
