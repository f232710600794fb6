import { extname } from 'node:path';
import { baseName } from '../../../../shared/domain/exports/safe-file-name.ts';
import { makeFailure } from '../../../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../../shared/result/result.ts';
import { legacyLimits, legacyNewest, refusedLegacyKey } from '../../../api/legacy/resources.ts';
import type { RemoteTranscription, UploadSource } from '../../../api/stt-api.ts';
import type { QueuePorts } from '../ports.ts';
import type { CheckedFile, JobOf, RemoteItem } from './job-kind.ts';

/** The types that the legacy API takes (contract 4.16), by extension. */
const legacyTypes = new Set(['.mp3', '.wav', '.ogg', '.oga', '.m4a', '.mp4']);

/** Refuses what the legacy API would refuse (contract 4.16, 8), before anything is sent. */
export function checkLegacy({ name, sizeBytes }: CheckedFile): Failure | null {
  if (sizeBytes > legacyLimits.longFileBytes)
    return makeFailure('E-048', {
      code: 'file_too_large',
      outcome: 'not_sent',
      layer: 'local',
      params: { size: sizeBytes },
    });
  return legacyTypes.has(extname(name).toLowerCase()) ? null : localFailure('E-211', { code: 'legacy_type' });
}

/** Shorter audio is refused when speakers are to be told apart in it (contract 4.16). */
export const isTooShortForSpeakers = (durationMs: number | null): boolean =>
  durationMs !== null && durationMs < legacyLimits.diarizationMinMs;

/** One upload to the legacy API, which knows no idempotency keys. */
export async function sendLegacy(
  ports: QueuePorts,
  job: JobOf<'transcribe'>,
  source: UploadSource,
  signal: AbortSignal,
  onProgress: (sentBytes: number, totalBytes: number) => void,
): Promise<Result<RemoteTranscription, Failure>> {
  if (ports.connection()?.legacyKey === undefined)
    return err(localFailure('E-211', { code: 'legacy_key_missing', outcome: 'not_sent' }));
  const taken = await ports.client.legacy.transcribeLong({
    source,
    language: job.language,
    tellsSpeakersApart: job.includeSpeakers && !isTooShortForSpeakers(job.durationMs),
    hasOffsets: true,
    title: baseName(job.name),
    onFileBytes: (sentBytes) => onProgress(Math.min(sentBytes, source.sizeBytes), source.sizeBytes),
    ...(job.memory.intent === null ? {} : { sha256: job.memory.intent.sha256 }),
    signal,
  });
  return taken.ok ? taken : err(refusedLegacyKey(taken.error));
}

/** One read of a recording that the legacy API has. */
export async function pollLegacy(
  { client }: QueuePorts,
  remoteId: string,
  signal: AbortSignal,
): Promise<Result<RemoteTranscription, Failure>> {
  const read = await client.legacy.longTranscription(remoteId, signal);
  return read.ok ? read : err(refusedLegacyKey(read.error));
}

/** The newest recordings of the legacy API. */
export async function listLegacy(
  { client }: QueuePorts,
  signal: AbortSignal,
): Promise<Result<readonly RemoteItem[], Failure>> {
  const page = await client.legacy.longTranscriptions(legacyNewest, signal);
  if (!page.ok) return err(refusedLegacyKey(page.error));
  return ok(
    page.value.items.flatMap(({ id, title, createdAt, language }) =>
      id === null ? [] : [{ remoteId: id, title, createdAt, language }],
    ),
  );
}
