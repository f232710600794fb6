import { randomBytes } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { err, ok } from '../../../shared/result/result.ts';
import type { SaveSpeech } from '../../services/speech/speech-file.ts';
import { WorkThread } from '../../threads/work-thread.ts';
import { asUsersFile, asUsersFolder } from './users-files.ts';
import { filePort } from './file-port.ts';
import { placeFile, unfinishedBeside } from './place-file.ts';
import { audioWorkerRole, type AudioOutcome, type AudioRequest } from './audio/audio-work.ts';
import { systemCode, writeFailure } from './storage-failure.ts';

/**
 * Joins and encodes in a thread of its own that ends with the file. `workerUrl`: a module that serves
 * `audioWorkerRole`.
 */
export const createSpeechSaver =
  (workerUrl: URL): SaveSpeech =>
  async (path, parts, { withSubtitles, ...options }) => {
    const part = join(dirname(path), `.${randomBytes(6).toString('hex')}.part`);
    const thread = new WorkThread<AudioRequest, AudioOutcome>({
      workerUrl,
      workerData: audioWorkerRole,
      silenceLimitMs: 60_000,
      triesOnce: true,
      lost: () => ({ kind: 'failed', system: null }),
    });
    try {
      const outcome = await thread.run({ kind: 'speech', parts, to: part, ...options });
      if (outcome.kind === 'failed' && outcome.system !== null && outcome.system !== 'ENOENT')
        return err(writeFailure({ code: outcome.system }));
      if (outcome.kind !== 'spoken') return err(makeFailure('E-010', { code: 'file_unreadable' }));
      const { quietestLufs } = outcome;
      if (options.as === 'files') {
        for (const name of await readdir(part)) await asUsersFile(join(part, name));
        await asUsersFolder(part);
        return ok({ path: await renameFolder(part, path), subtitlesPath: null, quietestLufs });
      }
      await asUsersFile(part);
      await rename(part, path);
      if (!withSubtitles || options.as !== 'one') return ok({ path, subtitlesPath: null, quietestLufs });
      // The dialog asked about the name of the audio only.
      const subtitles = `${path.replace(/\.[^.\\/]+$/u, '')}.srt`;
      const unfinished = unfinishedBeside(subtitles);
      try {
        const written = await filePort.writeWhole(unfinished, outcome.subtitles);
        const placed = written.ok ? await placeFile(unfinished, subtitles, false) : written;
        return placed.ok ? ok({ path, subtitlesPath: placed.value, quietestLufs }) : placed;
      } finally {
        await rm(unfinished, { force: true }).catch(() => undefined);
      }
    } catch (error) {
      return err(writeFailure(error));
    } finally {
      await thread.close();
      await rm(part, { force: true, recursive: true }).catch(() => undefined);
    }
  };

const mostNumbers = 999;

/** A non-empty folder is never written into. */
async function renameFolder(from: string, path: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const to = number === 1 ? path : `${path} ${String(number)}`;
    try {
      await rename(from, to);
      return to;
    } catch (error) {
      const isTaken = ['ENOTEMPTY', 'EEXIST', 'EPERM', 'ENOTDIR'].includes(systemCode(error));
      if (!isTaken || number === mostNumbers) throw error;
    }
  }
}
