import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { noRate, type CreditRate } from '../../shared/domain/ledger/expected-cost.ts';
import type { UsedCredits } from '../../shared/domain/ledger/used-today.ts';
import { valueOrThrow } from './request-error.ts';
import type { StudioClient } from './client.ts';
import { useStudio } from './studio-context.tsx';

const usage = ['usage'] as const;

/** Read again when something was paid for, and when first shown after a while, because a new day may have begun. */
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

function useRate(method: 'usage.dictationRate' | 'usage.isolationRate'): CreditRate {
  const studio = useStudio();
  const { data } = useQuery({
    queryKey: [...usage, method],
    queryFn: () => valueOrThrow(studio.request(method, {})),
    retry: false,
    staleTime: Infinity,
  });
  return data ?? noRate;
}
/** What phrases of dictation cost lately. */
export const useDictationRate = (): CreditRate => useRate('usage.dictationRate');
/** What isolations cost lately. */
export const useIsolationRate = (): CreditRate => useRate('usage.isolationRate');

/** Changes that come together cause one request. */
const pauseMs = 1000;

/** Reads the usage again whenever something was paid for or another workspace is open. Mounted once in the app. */
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
