import type { Failure } from '../../../shared/result/failure.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import { baseName } from '../../../shared/domain/exports/safe-file-name.ts';
import type { StoredJob } from '../library/store.ts';
import { clockSlackMs } from '../../api/http/clock.ts';
import type { Intent } from '../../../shared/domain/jobs/job-state.ts';
import { nameToSend } from '../../../shared/domain/media/audio-plan.ts';
import { kindOf } from './kinds/kind-of.ts';
import type { QueuePorts } from './ports.ts';

/**
 * Searches the newest work of this kind at the service for the one that this job led to: by its id when known,
 * otherwise by file name and time, and only when exactly one fits that belongs to no other job. Null when it is not
 * there.
 */
export async function findAtService(
  ports: QueuePorts,
  job: StoredJob,
  signal: AbortSignal,
): Promise<Result<string | null, Failure>> {
  const page = await kindOf(job).list(ports, job, signal);
  if (!page.ok) return page;
  const { intent } = job.memory;
  if (intent === null) return ok(null);
  if (intent.remoteId !== null) {
    return ok(page.value.some((item) => item.remoteId === intent.remoteId) ? intent.remoteId : null);
  }
  if (intent.firstSentAtMs === null) return ok(null);
  const earliest = intent.firstSentAtMs - clockSlackMs;
  // The service may title its work after the name under which the file was sent, with or without the extension.
  const names = new Set([job.name, nameSent(job, intent), baseName(job.name)].map((name) => name.toLowerCase()));
  const fits = page.value.filter(
    (item) =>
      item.title !== null &&
      names.has(item.title.toLowerCase()) &&
      item.createdAt !== null &&
      Date.parse(item.createdAt) >= earliest &&
      (item.language === null || job.kind !== 'transcribe' || item.language === job.language) &&
      !ports.store.isRemoteIdTaken(item.remoteId, job.id),
  );
  const [only] = fits;
  return ok(fits.length === 1 && only !== undefined ? only.remoteId : null);
}

/** The name under which the recording of a job is sent. Prepared audio has another extension, behind its hash. */
export const nameSent = ({ name }: StoredJob, { preparedName }: Intent): string =>
  preparedName === undefined ? name : nameToSend(name, preparedName.slice(65));
