import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { jobsQuery } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useText } from '../../../lib/text.ts';
import { useToast } from '../../../ui/toast.tsx';
import { beforeAfterStep, lineOf } from '../model/queue-order.ts';
import { useTranscribe } from '../transcribe-context.ts';

/** Moves a row by one step in the order of sending and announces its new position. */
export function useRowMove(): (job: JobView, step: -1 | 1) => Promise<void> {
  const t = useText();
  const showToast = useToast();
  const queries = useQueryClient();
  const studio = useStudio();
  const { store } = useTranscribe();
  return useCallback(
    async (job, step) => {
      // Read on demand: subscribing would redraw every row of a long list on each change.
      const line = lineOf(queries.getQueryData(jobsQuery(studio).queryKey)?.jobs ?? []);
      const beforeId = beforeAfterStep(line, job.id, step);
      if (beforeId === undefined || (await store.move([job.id], beforeId)) === null) return;
      const place = line.findIndex(({ id }) => id === job.id) + 1 + step;
      showToast({ text: t('transcribe.actions.moved', { name: job.name, place }) });
    },
    [t, showToast, queries, studio, store],
  );
}
