import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { noRate, type CreditRate } from '../../shared/domain/ledger/expected-cost.ts';
import type { UsedCredits } from '../../shared/domain/ledger/usage-by-day.ts';
import { valueOrThrow } from './request-error.ts';
import type { StudioClient } from './client.ts';
import { useConnection, useSettings } from './live-state.tsx';
import { useStudio } from './studio-context.tsx';

const usage = ['usage'] as const;

/** Each account has its own; before the keychain has answered after a start, none is known. */
const useAccount = (): string => {
  const { mode, serviceAddress, key } = useConnection();
  return JSON.stringify([mode, serviceAddress, key.maskedSuffix]);
};

/** A new day may have begun since. */
const usedTodayQuery = (studio: StudioClient, account: string) =>
  queryOptions({
    queryKey: [...usage, 'today', account],
    queryFn: () => valueOrThrow(studio.request('usage.today', {})),
    retry: false,
    staleTime: 60_000,
  });

export const useUsedToday = (): UsedCredits | null => useQuery(usedTodayQuery(useStudio(), useAccount())).data ?? null;

function useRate(
  method: 'usage.rate' | 'usage.speakersRate' | 'usage.dictationRate' | 'usage.isolationRate' | 'usage.listenRate',
): CreditRate {
  const studio = useStudio();
  const account = useAccount();
  const { data } = useQuery({
    queryKey: [...usage, method, account],
    queryFn: () => valueOrThrow(studio.request(method, {})),
    retry: false,
    staleTime: Infinity,
  });
  return data ?? noRate;
}
export const useCreditRate = (includesSpeakers: boolean): CreditRate =>
  useRate(includesSpeakers ? 'usage.speakersRate' : 'usage.rate');
export const useDictationRate = (): CreditRate => useRate('usage.dictationRate');
export const useIsolationRate = (): CreditRate => useRate('usage.isolationRate');
export const useListenRate = (): CreditRate => useRate('usage.listenRate');

/** What so many characters to speak cost, judged by earlier ones; null: not known. */
export function useSpeechCredits(): (characters: number) => number | null {
  const studio = useStudio();
  const { data } = useQuery({
    queryKey: [...usage, 'speech', useAccount()],
    queryFn: () => valueOrThrow(studio.request('usage.speechRate', {})),
    retry: false,
    staleTime: Infinity,
  });
  const rate = data?.credits ?? null;
  return (characters) => (rate === null ? null : (Number(rate) * characters) / 1000);
}

/** Whether the user is asked before anything that is added is sent. */
export function useIsAsked(rate: CreditRate): boolean {
  const { spendLimitMinutes: limit } = useSettings();
  const { sendsUnpriced } = useConnection();
  return limit === 0 || (limit !== null && rate.creditsPerHour === null && !sendsUnpriced);
}

/** Whether the question about spending waits for an answer, so that nothing was sent yet. */
export function useIsQuestionOpen(): boolean {
  const studio = useStudio();
  const [isQuestionOpen, setIsQuestionOpen] = useState(false);
  useEffect(() => studio.subscribe('spend.asking', ({ isOpen }) => setIsQuestionOpen(isOpen)), [studio]);
  return isQuestionOpen;
}

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
