import type { JobOptions, RecordingPart } from './job-kind.ts';

const excerptMs = 30_000;
/** Up to here the whole is sent: trying half of it or more first would save too little. */
const leastForExcerptMs = 60_000;
/** Neighbouring parts overlap by this many milliseconds, in which they are cross-faded. */
const overlapMs = 1_000;
/** The rest of the limit is left for parts with more than their share. */
const usedShare = 0.9;

/**
 * The excerpt that is tried before a whole recording; null when the recording is too short for one, or its length
 * is unknown.
 */
export function excerptOf(durationMs: number | null): RecordingPart | null {
  if (durationMs === null || durationMs <= leastForExcerptMs) return null;
  // Beginnings are not typical: people come in, sit down, and try the microphone.
  const startMs = Math.round((durationMs - excerptMs) / 3);
  return { startMs, endMs: startMs + excerptMs };
}

/** Milliseconds of a recording that leave this computer: all of it, its part or an excerpt; null while it is unknown. */
export function lengthToSend(
  job: { readonly durationMs: number | null } & (JobOptions | { readonly kind?: undefined }),
): number | null {
  if (job.kind !== 'isolate') return job.durationMs;
  const part = job.part ?? (job.isExcerpt === true ? excerptOf(job.durationMs) : null);
  return part === null ? job.durationMs : part.endMs - part.startMs;
}

/** The same many seconds from where the user wants them, as near as the end allows. */
export function excerptFrom(startMs: number, durationMs: number): RecordingPart {
  const start = Math.round(Math.max(0, Math.min(durationMs - excerptMs, startMs)));
  return { startMs: start, endMs: Math.min(Math.round(durationMs), start + excerptMs) };
}

/** Parts that cover `whole`, as many as it takes to keep each below the limit. `sizeBytes`: of the whole. */
export function splitRecording(whole: RecordingPart, sizeBytes: number, limitBytes: number): readonly RecordingPart[] {
  const count = Math.max(2, Math.ceil(sizeBytes / (limitBytes * usedShare)));
  const placeOf = (index: number): number =>
    Math.round(whole.startMs + ((whole.endMs - whole.startMs) * index) / count);
  return Array.from({ length: count }, (_, index) => ({
    startMs: index === 0 ? whole.startMs : placeOf(index) - overlapMs / 2,
    endMs: index === count - 1 ? whole.endMs : placeOf(index + 1) + overlapMs / 2,
  }));
}

/** Whether parts in order of time cover everything from the first one to the last one without a gap. */
export const areSeamless = (parts: readonly RecordingPart[]): boolean =>
  parts.every((part, index) => index === 0 || part.startMs < (parts[index - 1]?.endMs ?? 0));
