import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { noRate, type CreditRate } from '../../shared/domain/ledger/expected-cost.ts';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import type { UsedCredits } from '../../shared/domain/ledger/used-today.ts';
import { valueOrThrow } from './request-error.ts';
import type { StudioClient } from './client.ts';
import { useJobsFact } from './live-state.tsx';
import { useStudio } from './studio-context.tsx';

const usage = ['usage'] as const;

/** Read again when work ends, and when first shown after a while, because a new day may have begun. */
export const usedTodayQuery = (studio: StudioClient) =>
  queryOptions({
    queryKey: [...usage, 'today'],
    queryFn: () => valueOrThrow(studio.request('usage.today', {})),
    retry: false,
    staleTime: 60_000,
  });

export const creditRateQuery = (studio: StudioClient) =>
  queryOptions({
    queryKey: [...usage, 'rate'],
    queryFn: () => valueOrThrow(studio.request('usage.rate', {})),
    retry: false,
    staleTime: Infinity,
  });

/** What this app used today; null until it is known. */
export const useUsedToday = (): UsedCredits | null => useQuery(usedTodayQuery(useStudio())).data ?? null;

/** What transcriptions cost lately, to estimate the next ones. */
export const useCreditRate = (): CreditRate => useQuery(creditRateQuery(useStudio())).data ?? noRate;

/** What isolations cost lately. */
export function useIsolationRate(): CreditRate {
  const studio = useStudio();
  const { data } = useQuery({
    queryKey: [...usage, 'isolationRate'],
    queryFn: () => valueOrThrow(studio.request('usage.isolationRate', {})),
    retry: false,
    staleTime: Infinity,
  });
  return data ?? noRate;
}

const countEnded = (jobs: readonly JobView[]): number =>
  jobs.filter(({ state }) => state.tag === 'done' || state.tag === 'failed').length;

/** Rows that end together cause one request. */
const pauseMs = 1000;

/** Reads both again when work ends, because the service then reports its cost. Mounted once in the app. */
export function useFreshUsage(): void {
  const queries = useQueryClient();
  const ended = useJobsFact(countEnded);
  const timer = useRef<number | null>(null);
  useEffect(() => {
    timer.current ??= window.setTimeout(() => {
      timer.current = null;
      void queries.invalidateQueries({ queryKey: usage });
    }, pauseMs);
  }, [queries, ended]);
  useEffect(
    () => () => {
      if (timer.current !== null) window.clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
}
