import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RowAge } from '../../../../shared/domain/jobs/old-rows.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import type { StudioClient } from '../../../bridge/client.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { transcriptListKey } from '../../../parts/transcripts/transcripts-query.ts';

const countQuery = (studio: StudioClient, days: RowAge) =>
  queryOptions({
    queryKey: ['storage', 'old-rows', days],
    queryFn: () => valueOrThrow(studio.request('storage.oldRows', { days })),
    retry: false,
  });

export type RowsNews =
  | { readonly tag: 'removed'; readonly rowCount: number; readonly textCount: number }
  | { readonly tag: 'restored'; readonly count: number };

/** How many rows ended longer ago than `days`, their removal, and its undo until the next removal. */
export function useOldRows(days: RowAge) {
  const studio = useStudio();
  const queries = useQueryClient();
  const { data, error } = useQuery(countQuery(studio, days));
  const [isWorking, setIsWorking] = useState(false);
  const [news, setNews] = useState<RowsNews | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);

  const act = async (work: () => Promise<RowsNews | Failure>) => {
    setIsWorking(true);
    const ended = await work();
    setFailure('tag' in ended ? null : ended);
    setNews('tag' in ended ? ended : null);
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['storage'] }),
      queries.invalidateQueries({ queryKey: transcriptListKey }),
    ]);
    setIsWorking(false);
  };
  const remove = (withTexts: boolean, atService: boolean) =>
    act(async () => {
      const answer = await studio.request('storage.removeOldRows', { days, withTexts, atService });
      return answer.ok ? { tag: 'removed', ...answer.value } : answer.error;
    });
  const restore = () =>
    act(async () => {
      const answer = await studio.request('storage.restoreOldRows', {});
      return answer.ok ? { tag: 'restored', count: answer.value.restoredCount } : answer.error;
    });
  return { count: data ?? null, failure: failure ?? failureOf(error), news, isWorking, remove, restore };
}
