import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { sleep } from '../../service/transport.ts';
import { isGone } from '../../service/http.ts';
import type { IsolationFormat } from '../../service/isolate.ts';
import type { QueueDeps } from '../../queue/effects.ts';
import type { StoredAudio } from '../library/store.ts';
import { verifyAudio } from '../media/audio-extractor.ts';

type Ports = Pick<QueueDeps, 'audio' | 'client' | 'clock' | 'downloader' | 'extractor' | 'files'>;

const firstPauseMs = 500;
const longestPauseMs = 5_000;
/** Conversions of three hours take minutes; after this time the caller can ask again. */
const longestWaitMs = 30 * 60_000;

/** After a lost answer the export may still be under way. */
export async function awaitExport(
  { client, clock }: Pick<Ports, 'client' | 'clock'>,
  remoteId: string,
  format: IsolationFormat,
  { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
): Promise<Result<null>> {
  let found = await client.isolate.readExport(remoteId, format, signal);
  if (found.ok ? found.value.progress === 'failed' : isGone(found.error)) {
    const asked = await client.isolate.createExport(remoteId, format, signal);
    // The answer itself is not needed: the state is polled. A refused MP3 may still be listed by the job.
    if (!asked.ok && asked.error.outcome === 'refused') return asked;
    found = await client.isolate.readExport(remoteId, format, signal);
  }
  const endsAtMs = clock.monotonic() + waitMs;
  for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(longestPauseMs, pauseMs * 1.5)) {
    if (!found.ok) return found;
    if (found.value.progress === 'completed') return ok(null);
    if (found.value.progress === 'failed') return err(localFailure('recording-unprocessable'));
    if (clock.monotonic() > endsAtMs)
      return err(makeFailure('still-processing', { code: 'still_working', outcome: 'accepted' }));
    await sleep(clock, pauseMs, signal);
    found = await client.isolate.readExport(remoteId, format, signal);
  }
  return err(makeFailure('stopped', { code: 'interrupted', outcome: 'accepted' }));
}

/** An expired signed address is requested again and never stored. */
export const addressOfExport =
  (client: Ports['client'], remoteId: string, format: IsolationFormat) => async (signal: AbortSignal | undefined) => {
    const read = await client.isolate.readExport(remoteId, format, signal);
    if (!read.ok) return read;
    return read.value.audio === null ? err(localFailure('result-missing')) : ok(read.value.audio);
  };

const nameOf = (audioId: string, format: IsolationFormat): string => `${audioId}-${format}`;

/** The folder itself records what exists: a file gets its name only after it was verified. */
export function createKeptExports(ports: Ports) {
  const { audio, client, downloader } = ports;
  const running = new Map<string, { readonly stop: AbortController; readonly ended: Promise<Result<null>> }>();

  const receive = async (
    { id, remoteId }: StoredAudio,
    format: IsolationFormat,
    signal: AbortSignal,
  ): Promise<Result<null>> => {
    if (remoteId === null) return err(localFailure('deleted-at-service', { code: 'no_audio' }));
    const made = await awaitExport(ports, remoteId, format, { waitMs: longestWaitMs, signal });
    if (!made.ok) return made;
    const name = nameOf(id, format);
    const target = await audio.prepare(name);
    if (!target.ok) return target;
    const received = await downloader.download({
      target: target.value,
      signal,
      freshUrl: addressOfExport(client, remoteId, format),
    });
    if (!received.ok) return received;
    const verified = await verifyAudio(ports, target.value);
    if (!verified.ok) return verified;
    const kept = await audio.keep(name, verified.value.format);
    return kept.ok ? ok(null) : kept;
  };

  const find = async (
    { id, format: own, fileName, sizeBytes }: StoredAudio,
    format: IsolationFormat,
  ): Promise<{ readonly fileName: string; readonly sizeBytes: number } | null> => {
    if (format !== own) return audio.find(nameOf(id, format));
    const found = await audio.find(fileName.replace(/[.][^.]+$/u, ''));
    return found === null ? audio.find(nameOf(id, format)) : { fileName, sizeBytes };
  };

  return {
    find,
    /** Starts. A format that is under way or here already is left alone. */
    async prepare(result: StoredAudio, format: IsolationFormat): Promise<{ readonly ended: Promise<Result<null>> }> {
      const name = nameOf(result.id, format);
      const isHere = (await find(result, format)) !== null;
      const known = running.get(name);
      if (isHere || known !== undefined) return known ?? { ended: Promise.resolve(ok(null)) };
      const stop = new AbortController();
      const ended = receive(result, format, stop.signal).finally(() => running.delete(name));
      running.set(name, { stop, ended });
      return { ended };
    },
    close(): void {
      for (const { stop } of running.values()) stop.abort();
    },
  };
}
