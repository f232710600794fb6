import type { JobView } from './job-view.ts';

export interface PaceSample {
  readonly sentBytes: number;
  readonly uploadMs: number;
  readonly audioMs: number;
  readonly serviceMs: number;
}

export const rememberedSamples = 20;

const quantile = (sorted: readonly number[], share: number): number => {
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? 0;
  return low + ((sorted[Math.ceil(at)] ?? low) - low) * (at - Math.floor(at));
};

const ascending = (values: readonly number[]): readonly number[] => values.toSorted((left, right) => left - right);

/** Learns from finished jobs, newest last. Medians, so that a single unusual job changes little. */
export function learnPace(samples: readonly PaceSample[]) {
  const recent = samples.slice(-rememberedSamples);
  const measured = recent.filter(({ uploadMs, sentBytes }) => uploadMs > 0 && sentBytes > 0);
  const heard = recent.filter(({ audioMs }) => audioMs > 0);
  const ratios = ascending(heard.map(({ audioMs, serviceMs }) => serviceMs / audioMs));
  const speeds = ascending(measured.map(({ sentBytes, uploadMs }) => (sentBytes * 1000) / uploadMs));
  const times = ascending(recent.map(({ serviceMs }) => serviceMs));
  return {
    sampleCount: recent.length,
    bytesPerSecond: speeds.length === 0 ? null : quantile(speeds, 0.5),
    /** The service's time per millisecond of audio: the median, and the usual range. */
    servicePerAudio:
      ratios.length === 0
        ? null
        : { low: quantile(ratios, 0.25), median: quantile(ratios, 0.5), high: quantile(ratios, 0.75) },
    /** The service's time for a job whose length is not known, in milliseconds. */
    serviceMs: times.length === 0 ? null : quantile(times, 0.5),
  };
}

export type Pace = ReturnType<typeof learnPace>;
export const noPace = learnPace([]);

export function usualServiceMs({ servicePerAudio, serviceMs }: Pace, audioMs: number | null) {
  if (servicePerAudio !== null && audioMs !== null && audioMs > 0) {
    const { low, median, high } = servicePerAudio;
    return { lowMs: low * audioMs, medianMs: median * audioMs, highMs: high * audioMs };
  }
  return serviceMs === null ? null : { lowMs: serviceMs, medianMs: serviceMs, highMs: serviceMs };
}

/** With `uploadsAtOnce` at a time, for jobs to be sent; those that wait for the user take no time. Null: not known. */
export function batchLeftMs(jobs: readonly JobView[], pace: Pace, uploadsAtOnce: number): number | null {
  const lanes = Array.from({ length: Math.max(1, uploadsAtOnce) }, () => 0);
  let latest = 0;
  for (const { state, sizeBytes, durationMs } of jobs) {
    if (state.tag === 'blocked' || state.tag === 'paused') continue;
    const service = usualServiceMs(pace, durationMs);
    if (service === null || pace.bytesPerSecond === null) return null;
    const bytes = state.tag === 'uploading' ? state.totalBytes - state.sentBytes : sizeBytes;
    const lane = lanes.indexOf(Math.min(...lanes));
    const sentAtMs = (lanes[lane] ?? 0) + (Math.max(0, bytes) * 1000) / pace.bytesPerSecond;
    lanes[lane] = sentAtMs;
    latest = Math.max(latest, sentAtMs + service.medianMs);
  }
  return latest > 0 ? latest : null;
}

export interface Heard {
  readonly share: number;
  readonly latestText: string;
}

export interface HeardView extends Heard {
  readonly leftMs: number | null;
  /** The estimate is what computers usually need, because this one has not been measured yet. */
  readonly isUsual: boolean;
}

/** How much of a recording was heard at a moment, in milliseconds of a clock that only grows. */
export interface HeardAt {
  readonly share: number;
  readonly atMs: number;
}

const usualFactor = 1 / 6;
const leastHeardMs = 60_000;

export function measureFactor(from: HeardAt, to: HeardAt, durationMs: number | null): number | null {
  const heardMs = (to.share - from.share) * (durationMs ?? 0);
  return heardMs >= leastHeardMs ? (to.atMs - from.atMs) / heardMs : null;
}

export function heardView(heard: Heard, durationMs: number | null, factor: number | null): HeardView {
  const leftMs = durationMs === null ? null : (1 - heard.share) * durationMs * (factor ?? usualFactor);
  return { ...heard, leftMs, isUsual: factor === null };
}
