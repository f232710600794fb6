import { restorationModel } from '../isolation/restore-speech.ts';
import { wholeCredits } from '../billing/units.ts';
import type { Services } from '../services.ts';
import type { Isolation } from '../state/isolations.ts';
import { objectName } from '../storage/object-store.ts';

/** One job as a body; a completed one has a new address of its sound. */
export function writeIsolation(job: Isolation, { links }: Pick<Services, 'links'>): Record<string, unknown> {
  const isDone = job.status === 'completed';
  return {
    id: job.id,
    title: job.title,
    status: job.status,
    audio_status: job.status,
    audio_format: 'wav',
    audio_url: isDone ? links.linkTo(objectName(job.id, 'wav')) : null,
    duration_ms: job.durationMs,
    credits: wholeCredits(job.units),
    speech_restoration: job.speechRestoration,
    ...(job.speechRestoration ? { restoration_model: restorationModel } : {}),
    ...(job.errorCode === null ? {} : { error_code: job.errorCode }),
    created_at: new Date(job.createdAtMs).toISOString(),
    updated_at: new Date(job.updatedAtMs).toISOString(),
  };
}
