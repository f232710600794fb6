import type { Failure } from '../../../shared/result/failure.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import { baseName } from '../../../shared/domain/exports/safe-file-name.ts';
import type { SttApi } from '../../api/stt-api.ts';
import type { LibraryStore, StoredJob } from '../library/store.ts';

/** How far the clocks of the service and this computer may differ. */
const clockSlackMs = 60_000;
const newest = 100;

/**
 * Looks through the newest 100 transcriptions for the one this job led to: by its id when one is known, else by file
 * name and time, and only when exactly one fits that belongs to no other job. Null when it is not there.
 */
export async function findAtService(
  ports: { readonly api: SttApi; readonly store: LibraryStore },
  job: StoredJob,
  signal: AbortSignal,
): Promise<Result<string | null, Failure>> {
  const page = await ports.api.list({ limit: newest }, signal);
  if (!page.ok) return page;
  const { intent } = job.memory;
  if (intent === null) return ok(null);
  if (intent.remoteId !== null) {
    return ok(page.value.items.some((item) => item.remoteId === intent.remoteId) ? intent.remoteId : null);
  }
  if (intent.firstSentAtMs === null) return ok(null);
  const earliest = intent.firstSentAtMs - clockSlackMs;
  const names = new Set([job.name.toLowerCase(), baseName(job.name).toLowerCase()]);
  const fits = page.value.items.filter(
    (item) =>
      item.title !== null &&
      names.has(item.title.toLowerCase()) &&
      item.createdAt !== null &&
      Date.parse(item.createdAt) >= earliest &&
      (item.language === null || item.language === job.language) &&
      !ports.store.isRemoteIdTaken(item.remoteId, job.id),
  );
  const [only] = fits;
  return ok(fits.length === 1 && only !== undefined ? only.remoteId : null);
}
