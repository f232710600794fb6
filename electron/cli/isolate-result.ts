import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { IsolateCommand, IsolationFormat } from './command.ts';
import type { PaidRun } from './speak.ts';
import { waitFor } from './pause.ts';

export type IsolateRun = PaidRun<IsolateCommand>;

type Job = Extract<
  Awaited<ReturnType<IsolateRun['session']['client']['isolate']['read']>>,
  { readonly ok: true }
>['value'];
type Read<T> = (signal?: AbortSignal) => Promise<Result<T, Failure>>;

type Progressing = Pick<Job, 'progress'>;

const firstPauseMs = 500;
const longestPauseMs = 5000;

const interrupted = (): Failure => makeFailure('E-107', { code: 'interrupted', outcome: 'accepted' });

/** Reads until the work is over, ever more slowly. E-160 when it failed, E-023 when the time is over. */
async function readUntilOver<T extends Progressing>(
  { command, signal }: Pick<IsolateRun, 'command' | 'signal'>,
  read: Read<T>,
): Promise<Result<T, Failure>> {
  const beganAt = performance.now();
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 1.5)) {
    const found = await read(signal);
    if (!found.ok) return signal.aborted ? err(interrupted()) : found;
    if (found.value.progress === 'completed') return found;
    if (found.value.progress === 'failed') return err(makeFailure('E-160', { code: 'service_failed' }));
    if (performance.now() - beganAt > command.waitMs) {
      return err(makeFailure('E-023', { code: 'still_working', outcome: 'accepted' }));
    }
    if (!(await waitFor(pauseMs, signal))) return err(interrupted());
  }
}

/** Waits until the cleaned sound can be fetched. */
export async function waitUntilClean(run: IsolateRun, id: string, name: string) {
  const { session, teller } = run;
  teller.status(teller.words('cli.isolate.working', { file: name }), { step: 'working', file: name });
  const over = await readUntilOver(run, (signal) => session.client.isolate.read(id, signal));
  if (over.ok) return over;
  // Not found: it is not sent again by itself, because that could cost twice.
  const isLost = over.error.status === 404 || over.error.status === 410;
  return isLost ? err({ ...over.error, row: 'E-041' as const, code: 'job_lost' }) : over;
}

/**
 * Puts the sound in one format where nothing stands yet. An export is free and runs no model again. Nothing is needed of
 * the answer to asking for one: its state is read. Where that tells nothing either, the job itself has the MP3.
 */
export async function fetchSound(
  run: IsolateRun,
  id: string,
  format: IsolationFormat,
  target: string,
): Promise<Result<null, Failure>> {
  const { isolate } = run.session.client;
  const asked = await isolate.createExport(id, format, run.signal);
  const hasJobsSound = format === 'mp3';
  if (!asked.ok && asked.error.outcome === 'refused' && !hasJobsSound) return asked;
  const readExport: Read<WithAudio> = (signal) => isolate.readExport(id, format, signal);
  const over = await readUntilOver(run, readExport);
  if (over.ok) return download(run, readExport, target);
  const isUntold = over.error.code === 'unreadable_answer' || over.error.outcome === 'refused';
  return hasJobsSound && isUntold ? download(run, (signal) => isolate.read(id, signal), target) : over;
}

type WithAudio = Pick<Job, 'progress' | 'audio'>;

/** An address that has expired is asked for anew. */
async function download(run: IsolateRun, read: Read<WithAudio>, target: string): Promise<Result<null, Failure>> {
  const downloaded = await run.session.downloader.download({
    target,
    signal: run.signal,
    freshUrl: async (signal) => {
      const found = await read(signal);
      if (!found.ok) return found;
      const { audio } = found.value;
      return audio === null ? err(makeFailure('E-028', { code: 'result_missing' })) : ok(audio);
    },
  });
  return downloaded.ok ? ok(null) : downloaded;
}
