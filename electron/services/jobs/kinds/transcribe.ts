import { makeFailure } from '../../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../../shared/result/result.ts';
import type { RemoteTranscription } from '../../../api/stt-api.ts';
import { writeText } from '../../library/write-text.ts';
import type { QueuePorts } from '../ports.ts';
import { keepRaw, knownOf, newTranscript, saveAnswer, type WholeAnswer } from './save-transcription.ts';
import type { JobKind, JobOf } from './job-kind.ts';

type TranscriptionJob = JobOf<'transcribe'>;

/** Recordings to text (contract 4.6). Short recordings are answered at once, long ones are polled for. */
export const transcription: JobKind<'transcribe', WholeAnswer> = {
  name: 'transcribe',
  check: () => null,
  prepareOptions: () => ({}),

  async send(ports, { job, intent }, source, signal, onProgress) {
    const answer = await ports.api.submit({
      source,
      language: job.language,
      includeSpeakers: job.includeSpeakers,
      idempotencyKey: intent.idempotencyKey,
      sha256: intent.sha256,
      onProgress,
      signal,
    });
    return answer.ok ? ok(await readLongAnswer(ports, job, answer.value, 'submit', signal)) : answer;
  },

  async poll(ports, job, remoteId, signal) {
    const answer = await ports.api.read(remoteId, signal);
    return answer.ok ? ok(await readLongAnswer(ports, job, answer.value, 'read', signal)) : answer;
  },

  save(ports, job, whole, source) {
    const saved = saveAnswer(ports, job, whole, source);
    if (!saved.ok || source === 'submit' || whole.answer.unread === undefined) return saved;
    return ok({ ...saved.value, failure: notRead(whole.answer.requestId) });
  },

  /** The service's own export files, for a record that says completed and shows no text (E-028). */
  async fetchResult(ports, job, remoteId, signal) {
    for (const format of ['json', 'txt'] as const) {
      const file = await ports.api.export(remoteId, format, signal);
      if (!file.ok && format === 'json') continue;
      if (!file.ok) return file;
      const found = await ports.reader.exported(format, file.value, knownOf(job), signal);
      const written = found?.written ?? null;
      if (found !== null && written === null) continue;
      return ok(() => {
        const kept = keepRaw(ports, job, { raw: file.value, requestId: null }, 'export');
        if (!kept.ok) return kept;
        if (written === null) return ok(notRead(null));
        const transcript = newTranscript(ports, job, written, remoteId, kept.value);
        const speakerCount = transcript.written.speakers.length;
        return ok({ result: { transcriptId: transcript.id, speakerCount }, output: { transcript } });
      });
    }
    return ok(null);
  },

  async list(ports, signal) {
    const page = await ports.api.list({ limit: 100 }, signal);
    return page.ok ? ok(page.value.items) : page;
  },

  /** A transcript of its own: editing one leaves the other as it is. */
  copy(ports, job, sha256) {
    const { kind, language, includeSpeakers } = job;
    const earlier = ports.store.findText({ kind, sha256, language, includeSpeakers }, job.id);
    if (!earlier.ok || earlier.value === null) return earlier.ok ? ok(null) : err(earlier.error);
    const known = ports.store.transcript(earlier.value);
    if (!known.ok || known.value === null) return known.ok ? ok(null) : err(known.error);
    const { remoteId, transcript: text } = known.value;
    const transcript = newTranscript(ports, job, writeText(text), remoteId, null);
    return ok({
      result: { transcriptId: transcript.id, speakerCount: text.speakers.length },
      output: { transcript },
    });
  },
};

/**
 * An answer with all that it says. One that is too long for the client is stored first and then read on a thread, which
 * takes seconds; it stays `unread` when that failed.
 */
async function readLongAnswer(
  ports: QueuePorts,
  job: TranscriptionJob,
  answer: RemoteTranscription,
  source: 'submit' | 'read',
  signal: AbortSignal,
): Promise<WholeAnswer> {
  const { unread, ...known } = answer;
  if (unread === undefined) return { answer, written: null, rawAnswerId: null };
  // When the disk refuses here, the answer is stored together with the event later.
  const kept: Result<number> = keepRaw(ports, job, answer, source);
  const rawAnswerId = kept.ok ? kept.value : null;
  const read = await ports.reader.answer(unread, knownOf(job), signal);
  if (read === null) return { answer, written: null, rawAnswerId };
  return { answer: { ...known, ...read.answer }, written: read.written, rawAnswerId };
}

/** Nobody could read the answer; the service has done its work, and what it said is kept. */
const notRead = (requestId: string | null): Failure =>
  makeFailure('E-024', {
    code: 'unreadable_answer',
    outcome: 'accepted',
    ...(requestId === null ? {} : { requestId }),
  });
