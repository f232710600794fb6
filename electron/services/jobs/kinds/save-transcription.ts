import { ok, type Result } from '../../../../shared/result/result.ts';
import { baseName } from '../../../../shared/domain/exports/safe-file-name.ts';
import type { RemoteTranscription } from '../../../api/stt-api.ts';
import type { NewTranscript, RawAnswer, StoredJob, WrittenText } from '../../library/store.ts';
import { writeReceived } from '../../library/write-text.ts';
import { markPrepared } from '../../media/sound-port.ts';
import type { KnownRecording, QueuePorts } from '../ports.ts';
import type { JobOf, SavedAnswer } from './job-kind.ts';

type TranscriptionJob = JobOf<'transcribe'>;
type Ports = Pick<QueuePorts, 'store' | 'clock' | 'newId'>;

/** An answer as far as it was read, its text as it will be stored, and the id of the stored raw answer. */
export interface WholeAnswer {
  readonly answer: RemoteTranscription;
  readonly written: WrittenText | null;
  readonly rawAnswerId: number | null;
}

/** Receipts and "still working" say nothing that would be lost. */
const isWorthKeeping = ({ answer, written }: WholeAnswer): boolean =>
  answer.raw.trim() !== '' &&
  (written !== null ||
    answer.transcript !== null ||
    answer.remoteId === null ||
    answer.status === 'completed' ||
    answer.status === 'failed' ||
    answer.status === 'unknown');

/** Keeps an answer as it came; returns the id of its row. */
export const keepRaw = (
  { store, clock }: Pick<QueuePorts, 'store' | 'clock'>,
  job: StoredJob,
  { raw, requestId }: Pick<RemoteTranscription, 'raw' | 'requestId'>,
  source: RawAnswer['source'],
): Result<number> => store.saveRawAnswer({ jobId: job.id, atMs: clock.now(), source, requestId, body: raw });

/**
 * Keeps the body first and reads it afterwards: an answer that was paid for survives whatever the reading does. The
 * transcript is only built here; it becomes durable together with the event that ends the job.
 */
export function saveAnswer(
  ports: Ports,
  job: TranscriptionJob,
  whole: WholeAnswer,
  source: RawAnswer['source'],
): Result<SavedAnswer> {
  const { answer } = whole;
  let { rawAnswerId } = whole;
  if (rawAnswerId === null && isWorthKeeping(whole)) {
    const kept = keepRaw(ports, job, answer, source);
    if (!kept.ok) return kept;
    rawAnswerId = kept.value;
  }
  const written = whole.written ?? (answer.transcript === null ? null : writeReceived(answer.transcript, knownOf(job)));
  const text = written === null ? null : newTranscript(ports, job, written, answer.remoteId, rawAnswerId);
  return ok({
    output: text === null ? null : { transcript: text },
    facts: {
      remoteId: answer.remoteId,
      status: answer.status,
      rawStatus: answer.rawStatus,
      hasRawAnswer: rawAnswerId !== null,
      errorCode: answer.errorCode,
      requestId: answer.requestId,
      result: text === null ? null : { transcriptId: text.id, speakerCount: text.written.speakers.length },
    },
  });
}

/** What helps to read the words of a row's recording. */
export const knownOf = ({ language, durationMs }: TranscriptionJob): KnownRecording => ({ language, durationMs });

/** What is played with the text: what the service heard. */
export const mediaPathOf = ({ path, memory }: StoredJob): string =>
  memory.intent?.preparedName === undefined ? path : markPrepared(memory.intent.preparedName);

/** The transcript of this job as it will be stored. */
export function newTranscript(
  ports: Pick<QueuePorts, 'clock' | 'newId'>,
  job: StoredJob,
  written: WrittenText,
  remoteId: string | null,
  rawAnswerId: number | null,
): NewTranscript {
  return {
    id: ports.newId(),
    jobId: job.id,
    title: baseName(job.name),
    sourceName: job.name,
    createdAtMs: ports.clock.now(),
    mediaPath: mediaPathOf(job),
    mediaSha256: job.memory.intent?.sha256 ?? '',
    remoteId: remoteId ?? job.memory.intent?.remoteId ?? null,
    rawAnswerId,
    written,
  };
}
