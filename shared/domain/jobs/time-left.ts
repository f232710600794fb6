import type { JobView } from './job-view.ts';

export interface PaceSample {
  readonly sentBytes: number;
  readonly uploadMs: number;
  readonly audioMs: number;
  readonly serviceMs: number;
}

export interface Pace {
  readonly sampleCount: number;
  readonly bytesPerSecond: number | null;
  /** The service's time per millisecond of audio: the median, and the usual range. */
  readonly servicePerAudio: { readonly low: number; readonly median: number; readonly high: number } | null;
  /** The service's time for a job whose length is not known, in milliseconds. */
  readonly serviceMs: number | null;
}

export const rememberedSamples = 20;

export const noPace: Pace = { sampleCount: 0, bytesPerSecond: null, servicePerAudio: null, serviceMs: null };

const quantile = (sorted: readonly number[], share: number): number => {
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? 0;
  return low + ((sorted[Math.ceil(at)] ?? low) - low) * (at - Math.floor(at));
};

const ascending = (values: readonly number[]): readonly number[] => values.toSorted((left, right) => left - right);

/** Learns from finished jobs, newest last. Medians, so that a single unusual job changes little. */
export function learnPace(samples: readonly PaceSample[]): Pace {
  const recent = samples.slice(-rememberedSamples);
  const measured = recent.filter(({ uploadMs, sentBytes }) => uploadMs > 0 && sentBytes > 0);
  const heard = recent.filter(({ audioMs }) => audioMs > 0);
  const ratios = ascending(heard.map(({ audioMs, serviceMs }) => serviceMs / audioMs));
  const speeds = ascending(measured.map(({ sentBytes, uploadMs }) => (sentBytes * 1000) / uploadMs));
  const times = ascending(recent.map(({ serviceMs }) => serviceMs));
  return {
    sampleCount: recent.length,
    bytesPerSecond: speeds.length === 0 ? null : quantile(speeds, 0.5),
    servicePerAudio:
      ratios.length === 0
        ? null
        : { low: quantile(ratios, 0.25), median: quantile(ratios, 0.5), high: quantile(ratios, 0.75) },
    serviceMs: times.length === 0 ? null : quantile(times, 0.5),
  };
}

export function usualServiceMs(
  pace: Pace,
  audioMs: number | null,
): { readonly lowMs: number; readonly medianMs: number; readonly highMs: number } | null {
  const { servicePerAudio, serviceMs } = pace;
  if (servicePerAudio !== null && audioMs !== null && audioMs > 0) {
    const { low, median, high } = servicePerAudio;
    return { lowMs: low * audioMs, medianMs: median * audioMs, highMs: high * audioMs };
  }
  return serviceMs === null ? null : { lowMs: serviceMs, medianMs: serviceMs, highMs: serviceMs };
}

function speedOf(state: JobView['state'], pace: Pace, nowMs: number): number | null {
  if (state.tag !== 'uploading') return pace.bytesPerSecond;
  const passedMs = nowMs - state.sinceMs;
  return passedMs >= 1_500 && state.sentBytes > 0 ? (state.sentBytes * 1000) / passedMs : pace.bytesPerSecond;
}

function partsLeft(
  job: JobView,
  pace: Pace,
  nowMs: number,
): { readonly sendMs: number; readonly serviceMs: number } | null {
  const { state } = job;
  const service = usualServiceMs(pace, job.durationMs);
  const speed = speedOf(state, pace, nowMs);
  switch (state.tag) {
    case 'preparing':
    case 'waiting':
    case 'retrying':
    case 'uploading': {
      if (service === null) return null;
      // The service has accepted it: only the next poll is waiting.
      if (state.tag === 'retrying' && state.failure.outcome === 'accepted')
        return { sendMs: 0, serviceMs: service.medianMs };
      if (speed === null) return null;
      const bytes = state.tag === 'uploading' ? state.totalBytes - state.sentBytes : job.sizeBytes;
      return { sendMs: (Math.max(0, bytes) * 1000) / speed, serviceMs: service.medianMs };
    }
    case 'queued-at-service':
    case 'processing':
      // Having taken longer than usual says nothing about the remaining time.
      return service === null
        ? null
        : { sendMs: 0, serviceMs: Math.max(0, service.medianMs - (nowMs - state.sinceMs)) };
    case 'blocked':
    case 'paused':
    case 'needs-user':
    case 'done':
    case 'failed':
    case 'cancelled':
      return { sendMs: 0, serviceMs: 0 };
  }
}

export function jobLeftMs(job: JobView, pace: Pace, nowMs: number): number | null {
  const parts = partsLeft(job, pace, nowMs);
  if (parts === null || parts.sendMs + parts.serviceMs <= 0) return null;
  return parts.sendMs + parts.serviceMs;
}

/** Milliseconds with `uploadsAtOnce` at a time, without rows that don't progress; null when nothing is known. */
export function batchLeftMs(jobs: readonly JobView[], pace: Pace, uploadsAtOnce: number, nowMs: number): number | null {
  const lanes = Array.from({ length: Math.max(1, uploadsAtOnce) }, () => 0);
  let latest = 0;
  for (const job of jobs) {
    const parts = partsLeft(job, pace, nowMs);
    if (parts === null) return null;
    const lane = lanes.indexOf(Math.min(...lanes));
    const sentAt = (lanes[lane] ?? 0) + parts.sendMs;
    lanes[lane] = sentAt;
    latest = Math.max(latest, sentAt + parts.serviceMs);
  }
  return latest > 0 ? latest : null;
}
