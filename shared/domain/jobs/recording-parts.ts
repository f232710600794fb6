import type { JobOptions, RecordingPart } from './job-state.ts';

const excerptMs = 30_000;
/** Up to here the whole is sent: trying half of it or more first would save too little. */
const leastForExcerptMs = 60_000;
const overlapMs = 1_000;
/** The rest of the limit is left for parts with more than their share. */
const usedShare = 0.9;

/** Null when the recording is too short for an excerpt, or of unknown length. */
export function excerptOf(durationMs: number | null): RecordingPart | null {
  if (durationMs === null || durationMs <= leastForExcerptMs) return null;
  // Beginnings are not typical: people come in, sit down, and try the microphone.
  const startMs = Math.round((durationMs - excerptMs) / 3);
  return { startMs, endMs: startMs + excerptMs };
}

type Sent = { readonly durationMs: number | null } & (JobOptions | { readonly kind?: undefined });

/** Null: the whole recording. */
export function partToSend(job: Sent): RecordingPart | null {
  if (job.kind !== 'isolate') return null;
  return job.part ?? (job.isExcerpt === true ? excerptOf(job.durationMs) : null);
}

export function lengthToSend(job: Sent): number | null {
  const part = partToSend(job);
  return part === null ? job.durationMs : part.endMs - part.startMs;
}

export function excerptFrom(startMs: number, durationMs: number): RecordingPart {
  const start = Math.round(Math.max(0, Math.min(durationMs - excerptMs, startMs)));
  return { startMs: start, endMs: Math.min(Math.round(durationMs), start + excerptMs) };
}

export function splitRecording(whole: RecordingPart, sizeBytes: number, limitBytes: number): readonly RecordingPart[] {
  const count = Math.max(2, Math.ceil(sizeBytes / (limitBytes * usedShare)));
  const placeOf = (index: number): number =>
    Math.round(whole.startMs + ((whole.endMs - whole.startMs) * index) / count);
  return Array.from({ length: count }, (_, index) => ({
    startMs: index === 0 ? whole.startMs : placeOf(index) - overlapMs / 2,
    endMs: index === count - 1 ? whole.endMs : placeOf(index + 1) + overlapMs / 2,
  }));
}

export const areSeamless = (parts: readonly RecordingPart[]): boolean =>
  parts.every((part, index) => index === 0 || part.startMs < (parts[index - 1]?.endMs ?? 0));

const slackMs = 2_000;
const slackShare = 0.03;

/** Whether audio that was made of a recording is of another length, so that it may be of another one or of a part. */
export const isOtherLength = (recordingMs: number | null, audioMs: number | null): boolean =>
  recordingMs !== null && audioMs !== null && Math.abs(audioMs - recordingMs) > slackMs + recordingMs * slackShare;
