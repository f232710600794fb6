import { useEffect, useState } from 'react';
import type { TimeSpan } from '../../../../shared/domain/transcript/transcript.ts';
import { loadPeaks } from '../../../audio/load-peaks.ts';
import type { PeakPyramid } from '../../../audio/peaks/peak-pyramid.ts';
import { useJobs } from '../../../bridge/live-state.tsx';
import type { IsolatedAudio } from '../../../bridge/types.ts';
import { isCancellable } from '../../../parts/jobs/job-order.ts';

/** The whole recording of what is opened, and what else of it was sent to be cleaned. */
export interface Whole {
  /** Null while its file is not there, and of what is no excerpt. */
  readonly url: string | null;
  readonly lengthMs: number;
  /** The job that cleaned all of it; null for none. */
  readonly jobId: string | null;
  readonly beingCleaned: readonly TimeSpan[];
  /** The other choice about restoring speech is there by now. */
  readonly hasVariant: boolean;
}

export function useWhole(audio: IsolatedAudio): Whole {
  const { jobs } = useJobs();
  const isolations = jobs.flatMap((job) => (job.kind === 'isolate' ? [job] : []));
  const own = isolations.find(({ id }) => id === audio.jobId);
  const others = isolations.filter(
    (job) => own !== undefined && job !== own && job.name === own.name && job.sizeBytes === own.sizeBytes,
  );
  const whole = others.find(
    ({ state, part, restoresSpeech, restorationModel }) =>
      state.tag === 'done' &&
      part === undefined &&
      restoresSpeech === own?.restoresSpeech &&
      restorationModel === own.restorationModel,
  );
  const variant = others.find(
    ({ state, part, restoresSpeech }) =>
      state.tag === 'done' && restoresSpeech !== own?.restoresSpeech && part?.startMs === own?.part?.startMs,
  );
  return {
    url: audio.part?.wholeUrl ?? null,
    lengthMs: audio.part?.wholeMs ?? audio.durationMs ?? 0,
    jobId: (audio.part?.index === null && whole?.id) || null,
    beingCleaned: others.flatMap((job) => (job.isExcerpt === true && isCancellable(job) ? (job.part ?? []) : [])),
    hasVariant: variant !== undefined,
  };
}

export interface WholePeaks {
  readonly pyramid: PeakPyramid;
  readonly revision: number;
}

/** Null for what is whole itself, or is not read yet. */
export function useWholePeaks({ url, lengthMs }: Pick<Whole, 'url' | 'lengthMs'>): WholePeaks | null {
  const [peaks, setPeaks] = useState<WholePeaks | null>(null);
  useEffect(() => {
    if (url === null) return undefined;
    return loadPeaks({ url, expectedMs: lengthMs }, (state) => {
      if (state.kind === 'drawing') setPeaks(state);
      if (state.kind === 'ready') setPeaks({ pyramid: state.pyramid, revision: -1 });
    });
  }, [url, lengthMs]);
  return url === null ? null : peaks;
}
