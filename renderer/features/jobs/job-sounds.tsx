import { useEffect, useRef } from 'react';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { playChime } from '../../audio/chime.ts';
import { useJobs, useSettings } from '../../bridge/live-state.tsx';
import { chimeBetween } from './jobs-summary.ts';

/** Two at once would only be noise. */
const atMostEveryMs = 2000;

/** The audible counterpart of the queue's state, when enabled. */
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
