import { useEffect, useRef } from 'react';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import type { BatchProgress } from '../../../shared/domain/jobs/batch-progress.ts';
import { playChime } from '../../audio/chime.ts';
import { useJobs, useSettings } from '../../bridge/live-state.tsx';
import { uploadPace } from '../../parts/jobs/job-order.ts';

export const hasWork = (batch: BatchProgress): boolean =>
  batch.runningCount + batch.waitingCount + batch.attentionCount > 0;

/** Null while nothing is measured or sent. */
export function sendingLeftMs(jobs: readonly JobView[], nowMs: number): number | null {
  let bytesPerSecond = 0;
  let leftBytes = 0;
  for (const { state, sizeBytes } of jobs) {
    if (state.tag === 'waiting' || state.tag === 'preparing') leftBytes += sizeBytes;
    if (state.tag !== 'uploading') continue;
    leftBytes += state.totalBytes - state.sentBytes;
    bytesPerSecond += uploadPace(state, nowMs)?.bytesPerSecond ?? 0;
  }
  if (bytesPerSecond <= 0 || leftBytes <= 0) return null;
  return (leftBytes * 1000) / bytesPerSecond;
}

const isOver = ({ state: { tag } }: JobView): boolean => ['done', 'failed', 'needs-user', 'cancelled'].includes(tag);
const isFailed = (job: JobView | undefined): boolean =>
  job !== undefined && (job.state.tag === 'failed' || job.state.tag === 'needs-user');

/** A failure sounds at once, the end of work with the last row; rows from before the start never. */
export function chimeBetween(before: readonly JobView[], now: readonly JobView[]): 'done' | 'failed' | null {
  const old = new Map(before.map((job) => [job.id, job]));
  if (now.some((job) => isFailed(job) && !isFailed(old.get(job.id)))) return 'failed';
  const isNewlyDone = now.some((job) => {
    const was = old.get(job.id);
    return job.state.tag === 'done' && was !== undefined && was.state.tag !== 'done';
  });
  return isNewlyDone && now.every(isOver) ? 'done' : null;
}

/** Two at once would only be noise. */
const atMostEveryMs = 2000;

export function JobSounds() {
  const { playsSounds } = useSettings();
  const { jobs, isLoading } = useJobs();
  const heard = useRef<readonly JobView[] | null>(null);
  const quietUntil = useRef(0);
  useEffect(() => {
    if (isLoading) return;
    const chime = heard.current === null ? null : chimeBetween(heard.current, jobs);
    heard.current = jobs;
    if (!playsSounds || chime === null || performance.now() < quietUntil.current) return;
    quietUntil.current = performance.now() + atMostEveryMs;
    // On a computer without audio output the display is enough.
    void playChime(chime).catch(() => undefined);
  }, [jobs, isLoading, playsSounds]);
  return null;
}
