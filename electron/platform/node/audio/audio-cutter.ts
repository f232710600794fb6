import { randomBytes } from 'node:crypto';
import { access, chmod, constants, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { localFailure } from '../../../../shared/domain/jobs/job-failures.ts';
import { err, ok } from '../../../../shared/result/result.ts';
import type { AudioCutter } from '../../../services/exports/audio-cutter.ts';
import { WorkThread } from '../../../threads/work-thread.ts';
import { personsFileMode } from '../file-port.ts';
import { readFailure, writeFailure } from '../storage-failure.ts';
import { audioWorkerRole, type AudioOutcome, type AudioRequest } from './audio-work.ts';

/** Cuts in a thread of its own that ends with the cut. `workerUrl`: a module that serves `audioWorkerRole`. */
export function createAudioCutter(workerUrl: URL): AudioCutter {
  return async ({ to, ...cut }, { signal, onShare }) => {
    const params = { name: basename(cut.from) };
    const cancelled = err(localFailure('E-214', { code: 'cancelled' }));
    const trouble = await access(cut.from, constants.R_OK).then(
      () => null,
      (error: unknown) => ({ ...readFailure(error), params }),
    );
    if (trouble !== null) return err(trouble);
    if (signal.aborted) return cancelled;
    const part = join(dirname(to), `.${randomBytes(6).toString('hex')}.part`);
    const thread = new WorkThread<AudioRequest, AudioOutcome>({
      workerUrl,
      workerData: audioWorkerRole,
      silenceLimitMs: 30_000,
      triesOnce: true,
      lost: () => ({ kind: 'failed', system: null }),
    });
    const stop = () => void thread.close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const outcome = await thread.run({ kind: 'cut', ...cut, to: part }, onShare);
      if (signal.aborted) return cancelled;
      if (outcome.kind === 'failed' && outcome.system !== null) return err(writeFailure({ code: outcome.system }));
      if (outcome.kind !== 'cut') return err(localFailure('E-211', { code: 'not_convertible', params }));
      const { size } = await stat(part);
      await chmod(part, personsFileMode);
      await rename(part, to);
      return ok({ sizeBytes: size, durationMs: outcome.durationMs });
    } catch (error) {
      return err(writeFailure(error));
    } finally {
      signal.removeEventListener('abort', stop);
      await thread.close();
      await rm(part, { force: true }).catch(() => undefined);
    }
  };
}
