import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { LiveJob } from './live-jobs.ts';
import type { QueuePorts } from './ports.ts';
import type { QueueRunner } from './queue-runner.ts';
import { writeText } from '../library/write-text.ts';
import { newTranscript } from './save-answer.ts';

/**
 * Gives a row whose content was transcribed before a copy of that text: nothing is sent and nothing is charged. The
 * copy is a transcript of its own; editing one leaves the other. E-212 with `not_done_yet` while the earlier one is
 * still on its way.
 */
export function copyResult(ports: QueuePorts, runner: QueueRunner, entry: LiveJob): Result<null, Failure> {
  const { job } = entry;
  const { intent, state } = job.memory;
  if (intent === null || state.tag !== 'needs-user' || state.failure.row !== 'E-212')
    return err(localFailure('E-040', { code: 'nothing_to_copy' }));
  const { sha256 } = intent;
  const { language, includeSpeakers } = job;
  const earlier = ports.store.findText({ sha256, language, includeSpeakers }, job.id);
  if (!earlier.ok) return earlier;
  const known = earlier.value === null ? ok(null) : ports.store.transcript(earlier.value);
  if (!known.ok) return known;
  if (known.value === null)
    return err(localFailure('E-212', { code: 'not_done_yet', params: { name: job.name, date: job.addedAtMs } }));
  const { remoteId, transcript } = known.value;
  const text = newTranscript(ports, job, writeText(transcript), remoteId, null);
  const copied = { transcriptId: text.id, speakerCount: transcript.speakers.length };
  return runner.apply(entry, { type: 'copied', text: copied }, text);
}

/** Says where the recording of a row is now and goes on; other content is noticed when it is hashed (E-011). */
export function relocate(ports: QueuePorts, runner: QueueRunner, entry: LiveJob, path: string): Result<null, Failure> {
  const moved = ports.store.movePath(entry.job.id, path);
  if (!moved.ok) return moved;
  entry.job = { ...entry.job, path };
  return runner.apply(entry, { type: 'retry', consent: false });
}
