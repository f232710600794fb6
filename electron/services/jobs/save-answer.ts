import type { AnswerFacts } from '../../../shared/domain/jobs/job-state.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import { baseName } from '../../../shared/domain/exports/safe-file-name.ts';
import type { ReceivedTranscript } from '../../../shared/domain/transcript/received.ts';
import type { RemoteTranscription } from '../../api/stt-api.ts';
import type { RawAnswer, StoredJob, StoredTranscript } from '../library/store.ts';
import { markPrepared } from '../media/sound-port.ts';
import type { QueuePorts } from './ports.ts';

/** What an answer means for the machine, and the text that has to be stored with that event. */
export interface SavedAnswer {
  readonly facts: AnswerFacts;
  readonly text: StoredTranscript | null;
}

type Ports = Pick<QueuePorts, 'store' | 'clock' | 'newId' | 'toTranscript'>;

/** Receipts and "still working" say nothing that would be lost. */
const isWorthKeeping = (answer: RemoteTranscription): boolean =>
  answer.raw.trim() !== '' &&
  (answer.transcript !== null ||
    answer.remoteId === null ||
    answer.status === 'completed' ||
    answer.status === 'failed' ||
    answer.status === 'unknown');

/**
 * Keeps the body first and reads it afterwards: an answer that was paid for survives whatever the reading does. The
 * transcript is only built here; it becomes durable together with the event that ends the job.
 */
export function saveAnswer(
  ports: Ports,
  job: StoredJob,
  answer: RemoteTranscription,
  source: RawAnswer['source'],
): Result<SavedAnswer> {
  let rawAnswerId: number | null = null;
  if (isWorthKeeping(answer)) {
    const kept = ports.store.saveRawAnswer({
      jobId: job.id,
      atMs: ports.clock.now(),
      source,
      requestId: answer.requestId,
      body: answer.raw,
    });
    if (!kept.ok) return kept;
    rawAnswerId = kept.value;
  }
  const text =
    answer.transcript === null ? null : buildText(ports, job, answer.transcript, answer.remoteId, rawAnswerId);
  return ok({
    text,
    facts: {
      remoteId: answer.remoteId,
      status: answer.status,
      rawStatus: answer.rawStatus,
      hasRawAnswer: rawAnswerId !== null,
      errorCode: answer.errorCode,
      requestId: answer.requestId,
      text: text === null ? null : { transcriptId: text.id, speakerCount: text.transcript.speakers.length },
    },
  });
}

/** What is played with the text: what the service heard. */
export const mediaPathOf = ({ path, memory }: StoredJob): string =>
  memory.intent?.preparedName === undefined ? path : markPrepared(memory.intent.preparedName);

/** A transcript of this job as it will be stored. */
export function buildText(
  ports: Ports,
  job: StoredJob,
  received: ReceivedTranscript,
  remoteId: string | null,
  rawAnswerId: number | null,
): StoredTranscript {
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
    transcript: ports.toTranscript(received, { language: job.language, durationMs: job.durationMs }),
  };
}
