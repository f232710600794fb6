import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { RemoteTranscription } from '../../api/stt-api.ts';
import type { RawAnswer, StoredJob } from '../library/store.ts';
import type { QueuePorts } from './ports.ts';
import { keepRaw, knownOf, type WholeAnswer } from './save-answer.ts';

/**
 * An answer with all that it says. One that is too long for the client is kept and then read elsewhere, which takes
 * seconds; it stays `unread` when that came to nothing.
 */
export async function readLongAnswer(
  ports: QueuePorts,
  job: StoredJob,
  answer: RemoteTranscription,
  source: RawAnswer['source'],
  signal: AbortSignal,
): Promise<WholeAnswer> {
  const { unread, ...known } = answer;
  if (unread === undefined) return { answer, written: null, rawAnswerId: null };
  // A disk that refuses is told of when the job is: the answer is offered to it again then.
  const kept = keepRaw(ports, job, answer, source);
  const rawAnswerId = kept.ok ? kept.value : null;
  const read = await ports.reader.answer(unread, knownOf(job), signal);
  if (read === null) return { answer, written: null, rawAnswerId };
  return { answer: { ...known, ...read.answer }, written: read.written, rawAnswerId };
}

/** Nobody could read the answer; the service has done its work, and what it said is kept. */
export const notRead = (requestId: string | null): Failure =>
  makeFailure('E-024', {
    code: 'unreadable_answer',
    outcome: 'accepted',
    ...(requestId === null ? {} : { requestId }),
  });
