import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { noRate, type CreditRate } from '../../shared/domain/ledger/expected-cost.ts';
import type { UsedCredits } from '../../shared/domain/ledger/usage-by-day.ts';
import { valueOrThrow } from './request-error.ts';
import type { StudioClient } from './client.ts';
import { useStudio } from './studio-context.tsx';

const usage = ['usage'] as const;

/** A new day may have begun since. */
const usedTodayQuery = (studio: StudioClient) =>
  queryOptions({
    queryKey: [...usage, 'today'],
    queryFn: () => valueOrThrow(studio.request('usage.today', {})),
    retry: false,
    staleTime: 60_000,
  });

export const useUsedToday = (): UsedCredits | null => useQuery(usedTodayQuery(useStudio())).data ?? null;

function useRate(method: 'usage.rate' | 'usage.dictationRate' | 'usage.isolationRate'): CreditRate {
  const studio = useStudio();
  const { data } = useQuery({
    queryKey: [...usage, method],
    queryFn: () => valueOrThrow(studio.request(method, {})),
    retry: false,
    staleTime: Infinity,
  });
  return data ?? noRate;
}
export const useCreditRate = (): CreditRate => useRate('usage.rate');
export const useDictationRate = (): CreditRate => useRate('usage.dictationRate');
export const useIsolationRate = (): CreditRate => useRate('usage.isolationRate');

const pauseMs = 1000;

/** Mounted once in the app. */
export function useFreshUsage(): void {
  const studio = useStudio();
  const queries = useQueryClient();
  useEffect(() => {
    let timer: number | null = null;
    // A change is read even when the window shows something else meanwhile.
    return studio.subscribe('usage.changed', () => {
      timer ??= window.setTimeout(() => {
        timer = null;
        void queries.invalidateQueries({ queryKey: usage });
        void queries.invalidateQueries({ queryKey: ['account', 'usage'] });
      }, pauseMs);
    });
  }, [studio, queries]);
}
