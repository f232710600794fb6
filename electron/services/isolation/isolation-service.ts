import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { IsolationFormat } from '../../api/resources/isolate.ts';
import type { QueuePorts } from '../jobs/ports.ts';
import type { StoredAudio } from '../library/store.ts';

const firstPauseMs = 500;
const longestPauseMs = 5_000;

/** Audio that the queue produced, as files of the person. */
export interface IsolationService {
  /** E-040 when there is none. */
  find(audioId: string): Result<StoredAudio, Failure>;
  /** Newest first. */
  list(): Result<readonly StoredAudio[], Failure>;
  /** Where it lies in the library; for main only. */
  pathOf(audio: StoredAudio): string;
  /**
   * Writes it to a path where nothing is yet. The format it is kept in is copied from the library; others are made by the
   * service, for free and without another run of its models. E-023 after `waitMs`.
   */
  save(
    audioId: string,
    format: IsolationFormat,
    target: string,
    options: { readonly waitMs: number; readonly signal: AbortSignal },
  ): Promise<Result<null, Failure>>;
}

type Ports = Pick<QueuePorts, 'store' | 'audio' | 'client' | 'downloader' | 'clock'>;

export function createIsolationService({ store, audio, client, downloader, clock }: Ports): IsolationService {
  const pause = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const stop = clock.after(ms, resolve);
      signal.addEventListener('abort', () => (stop(), resolve()), { once: true });
    });

  /** Asks for an export and waits until it is made. After a lost answer it may be on its way all the same. */
  const awaitExport = async (
    remoteId: string,
    format: IsolationFormat,
    { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
  ): Promise<Result<null, Failure>> => {
    const asked = await client.isolate.createExport(remoteId, format, signal);
    // Nothing is needed of this answer: the state is read. A refused MP3 may be told of by the job all the same.
    if (!asked.ok && asked.error.outcome === 'refused') return asked;
    const endsAtMs = clock.monotonic() + waitMs;
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(longestPauseMs, pauseMs * 1.5)) {
      const found = await client.isolate.readExport(remoteId, format, signal);
      if (!found.ok) return found;
      if (found.value.progress === 'completed') return ok(null);
      if (found.value.progress === 'failed') return err(localFailure('E-160'));
      if (clock.monotonic() > endsAtMs)
        return err(makeFailure('E-023', { code: 'still_working', outcome: 'accepted' }));
      await pause(pauseMs, signal);
    }
    return err(makeFailure('E-107', { code: 'interrupted', outcome: 'accepted' }));
  };

  const find: IsolationService['find'] = (audioId) => {
    const found = store.audio(audioId);
    if (!found.ok) return found;
    return found.value === null ? err(localFailure('E-040', { code: 'no_audio' })) : ok(found.value);
  };

  return {
    find,
    list: () => store.listAudio(),
    pathOf: ({ fileName }) => audio.pathOf(fileName),
    async save(audioId, format, target, options) {
      const found = find(audioId);
      if (!found.ok) return found;
      const { fileName, remoteId } = found.value;
      if (format === found.value.format) {
        // The file may be gone from the library's folder; the service still has it then.
        if (await audio.copyTo(fileName, target)) return ok(null);
      }
      if (remoteId === null) return err(localFailure('E-040', { code: 'no_audio' }));
      const made = await awaitExport(remoteId, format, options);
      if (!made.ok) {
        // Where the answer about an export tells nothing, the job's own audio is what there is, and that is MP3.
        const isUntold = made.error.code === 'unreadable_answer' || made.error.outcome === 'refused';
        const isCopied = format === 'mp3' && isUntold && (await audio.copyTo(fileName, target));
        return isCopied ? ok(null) : made;
      }
      const received = await downloader.download({
        target,
        signal: options.signal,
        freshUrl: async (signal) => {
          const read = await client.isolate.readExport(remoteId, format, signal);
          if (!read.ok) return read;
          return read.value.audio === null ? err(localFailure('E-028')) : ok(read.value.audio);
        },
      });
      return received.ok ? ok(null) : received;
    },
  };
}
