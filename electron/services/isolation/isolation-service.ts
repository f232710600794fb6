import { basename } from 'node:path';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { sniff } from '../../../shared/domain/media/sniff.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { sleep, systemClientClock } from '../../api/http/clock.ts';
import type { Downloader } from '../../api/http/download-signed.ts';
import type { IsolateApi, IsolationFormat } from '../../api/resources/isolate.ts';
import { closeIfRefused, openPaidRequest, sendUntilTaken, type PaidContext } from '../account/paid-requests.ts';
import type { FilePort } from '../library/store.ts';

type Job = Extract<Awaited<ReturnType<IsolateApi['read']>>, { readonly ok: true }>['value'];
type Read<T> = (signal?: AbortSignal) => Promise<Result<T, Failure>>;
type WithAudio = Pick<Job, 'progress' | 'audio'>;

interface Waiting {
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

export interface IsolationWanted {
  readonly path: string;
  readonly restoresSpeech: boolean;
  /** Makes a new request, which may be charged, where an earlier one of the same recording has an unknown end. */
  readonly sendsAgain: boolean;
  readonly onUpload?: (sentBytes: number, totalBytes: number) => void;
  readonly signal: AbortSignal;
}

/** Takes the noise out of recordings at the service: paid once for the same content. */
export interface IsolationService {
  /** Whether this is a recording that the service may take (E-010, E-211): nothing else is sent or paid for. */
  inspect(path: string): Promise<Result<null, Failure>>;
  /** Sends a recording, or finds the work that an earlier run began with it. Answers with the service's id of the work. */
  submit(wanted: IsolationWanted): Promise<Result<string, Failure>>;
  /** Waits until the clean sound can be fetched. E-160 when the work failed, E-023 when the time is over, E-041 when it is lost. */
  waitUntilClean(id: string, waiting: Waiting): Promise<Result<Job, Failure>>;
  /** Puts the sound in one format where nothing stands yet; free, and runs no model again. */
  downloadExport(id: string, format: IsolationFormat, target: string, waiting: Waiting): Promise<Result<null, Failure>>;
}

export interface IsolationContext extends PaidContext {
  readonly downloader: Downloader;
  readonly files: Pick<FilePort, 'hash' | 'peek'>;
}

const firstPauseMs = 500;
const longestPauseMs = 5000;
const interrupted = (): Failure => makeFailure('E-107', { code: 'interrupted', outcome: 'accepted' });

export function createIsolationService(context: IsolationContext): IsolationService {
  const { client, downloader, ledger, files, clock = systemClientClock } = context;
  const { isolate } = client;

  /** Reads until the work is over, ever more slowly. */
  async function readUntilOver<T extends Pick<Job, 'progress'>>(
    read: Read<T>,
    { waitMs, signal }: Waiting,
  ): Promise<Result<T, Failure>> {
    const beganAtMs = clock.monotonic();
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 1.5)) {
      const found = await read(signal);
      if (!found.ok) return signal.aborted ? err(interrupted()) : found;
      if (found.value.progress === 'completed') return found;
      if (found.value.progress === 'failed') return err(makeFailure('E-160', { code: 'service_failed' }));
      if (clock.monotonic() - beganAtMs > waitMs) {
        return err(makeFailure('E-023', { code: 'still_working', outcome: 'accepted' }));
      }
      if (!(await sleep(clock, pauseMs, signal))) return err(interrupted());
    }
  }

  /** Asks for a fresh address when one has expired. */
  async function download(read: Read<WithAudio>, target: string, signal: AbortSignal): Promise<Result<null, Failure>> {
    const downloaded = await downloader.download({
      target,
      signal,
      freshUrl: async (own) => {
        const found = await read(own);
        if (!found.ok) return found;
        const { audio } = found.value;
        return audio === null ? err(makeFailure('E-028', { code: 'result_missing' })) : ok(audio);
      },
    });
    return downloaded.ok ? ok(null) : downloaded;
  }

  return {
    async inspect(path) {
      const peeked = await files.peek(path);
      if (!peeked.ok) return err({ ...peeked.error, outcome: 'not_sent' });
      const found = sniff(peeked.value.head);
      if (found.kind !== 'not-media') return ok(null);
      return err(localFailure('E-211', { code: found.what === 'empty' ? 'empty_file' : 'not_audio' }));
    },

    async submit({ path, restoresSpeech, sendsAgain, onUpload, signal }) {
      const identity = await files.hash(path, signal);
      if (!identity.ok) return err({ ...identity.error, outcome: 'not_sent' });
      const { sha256, sizeBytes, mtimeMs } = identity.value;
      const opened = openPaidRequest(context, ['isolate', sha256, String(restoresSpeech)], sendsAgain);
      if (!opened.ok) return opened;
      const { wish } = opened.value;
      if (wish.remoteId !== null) return ok(wish.remoteId);
      const reason = await client.whyNotToBegin('isolate', signal);
      if (reason !== null) {
        closeIfRefused(context, opened.value, reason);
        return err(reason);
      }
      const send = () =>
        isolate.submit({
          source: { path, name: basename(path), sizeBytes, mtimeMs },
          speechRestoration: restoresSpeech,
          idempotencyKey: wish.actionId,
          onFileBytes: (sentBytes) => onUpload?.(sentBytes, sizeBytes),
          signal,
        });
      const sent = await sendUntilTaken(context, opened.value, send, { signal });
      if (!sent.ok) return sent;
      ledger.noteRemoteId(wish.fingerprint, sent.value.id);
      return ok(sent.value.id);
    },

    async waitUntilClean(id, waiting) {
      const over = await readUntilOver((signal) => isolate.read(id, signal), waiting);
      if (over.ok) return over;
      // It is not sent again by itself, because that could cost twice.
      const isLost = over.error.status === 404 || over.error.status === 410;
      return isLost ? err({ ...over.error, row: 'E-041' as const, code: 'job_lost' }) : over;
    },

    async downloadExport(id, format, target, waiting) {
      // Nothing is needed of this answer: the state of the export is read. The MP3 is also part of the job itself.
      const asked = await isolate.createExport(id, format, waiting.signal);
      const isInJob = format === 'mp3';
      if (!asked.ok && asked.error.outcome === 'refused' && !isInJob) return asked;
      const readExport: Read<WithAudio> = (signal) => isolate.readExport(id, format, signal);
      const over = await readUntilOver(readExport, waiting);
      if (over.ok) return download(readExport, target, waiting.signal);
      const isUnclear = over.error.code === 'unreadable_answer' || over.error.outcome === 'refused';
      return isInJob && isUnclear ? download((signal) => isolate.read(id, signal), target, waiting.signal) : over;
    },
  };
}
