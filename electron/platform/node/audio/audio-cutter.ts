import { randomBytes } from 'node:crypto';
import { access, constants, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { localFailure } from '../../../../shared/domain/jobs/job-failures.ts';
import { err, ok } from '../../../../shared/result/result.ts';
import { copySamples, plainSamplesOf } from '../../../audio/cut-samples.ts';
import type { AudioCut, AudioCutter, AudioWatch } from '../../../services/exports/audio-cutter.ts';
import { WorkThread } from '../../../threads/work-thread.ts';
import { asUsersFile } from '../users-files.ts';
import { readFailure, writeFailure } from '../storage-failure.ts';
import { audioWorkerRole, type AudioOutcome, type AudioRequest } from './audio-work.ts';

/**
 * Cuts in a thread of its own, which ends with the cut. What is copied byte by byte needs none: a thread and its decoders
 * take longer to start than minutes of sound take to copy. `workerUrl`: a module that serves `audioWorkerRole`.
 */
export function createAudioCutter(workerUrl: URL): AudioCutter {
  const inThread = async (cut: AudioCut, part: string, { signal, onShare }: AudioWatch): Promise<AudioOutcome> => {
    const thread = new WorkThread<AudioRequest, AudioOutcome>({
      workerUrl,
      workerData: audioWorkerRole,
      silenceLimitMs: 30_000,
      triesOnce: true,
      youngGenerationMb: 4,
      lost: () => ({ kind: 'failed', system: null }),
    });
    const stop = () => void thread.close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await thread.run({ kind: 'cut', ...cut, to: part }, onShare);
    } finally {
      signal.removeEventListener('abort', stop);
      await thread.close();
    }
  };
  return async (cut, watch) => {
    const { from, to } = cut;
    const params = { name: basename(from) };
    const cancelled = err(localFailure('E-214', { code: 'cancelled' }));
    const trouble = await access(from, constants.R_OK).then(
      () => null,
      (error: unknown) => ({ ...readFailure(error), params }),
    );
    if (trouble !== null) return err(trouble);
    if (watch.signal.aborted) return cancelled;
    const part = join(dirname(to), `.${randomBytes(6).toString('hex')}.part`);
    try {
      const outcome = (await copied(cut, part, watch)) ?? (await inThread(cut, part, watch));
      if (watch.signal.aborted) return cancelled;
      if (outcome.kind === 'failed' && outcome.system !== null) return err(writeFailure({ code: outcome.system }));
      if (outcome.kind !== 'cut') return err(localFailure('E-211', { code: 'not_convertible', params }));
      const { size } = await stat(part);
      await asUsersFile(part);
      await rename(part, to);
      return ok({ sizeBytes: size, durationMs: outcome.durationMs });
    } catch (error) {
      return err(writeFailure(error));
    } finally {
      await rm(part, { force: true }).catch(() => undefined);
    }
  };
}

/** A WAV of 16 bits that stays one; null for what has to be decoded. */
async function copied(
  { from, format, isMono = false, spans, durationMs }: AudioCut,
  part: string,
  { signal, onShare }: AudioWatch,
): Promise<AudioOutcome | null> {
  if (format !== 'wav' || isMono) return null;
  const source = await open(from, 'r');
  try {
    const plain = await plainSamplesOf(source);
    if (plain === null) return null;
    const endMs = Math.max(1, Math.min(durationMs, spans.at(-1)?.endMs ?? 0));
    const target = await open(part, 'w', 0o600);
    try {
      const written = await copySamples(source, target, plain, spans, (sample) => {
        onShare(Math.min(1, (sample * 1000) / plain.sampleRate / endMs));
        return !signal.aborted;
      });
      if (written === 0) return { kind: 'failed', system: null };
      await target.sync();
      return { kind: 'cut', durationMs: Math.round((written * 1000) / plain.sampleRate) };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
