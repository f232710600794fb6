import { useCallback } from 'react';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { lengthToSend } from '../../../../shared/domain/jobs/recording-parts.ts';
import { expectedCredits, type CreditRate } from '../../../../shared/domain/ledger/expected-cost.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useIsolationRate } from '../../../bridge/use-credits.ts';
import { useFormats, useText } from '../../../lib/text.ts';

/** A job, or a file that was not added yet. */
type Priced = JobView | (Pick<JobView, 'durationMs' | 'sizeBytes'> & { readonly kind?: undefined });

/** The estimated cost of recordings, each rounded up as the service charges it; null if it is unknown. */
function roundedCredits(recordings: readonly Priced[], rate: CreditRate): number | null {
  let sum = 0;
  for (const one of recordings) {
    const credits = expectedCredits([{ sizeBytes: one.sizeBytes, durationMs: lengthToSend(one) }], rate);
    if (credits === null) return null;
    sum += Math.ceil(credits - 1e-9);
  }
  return sum;
}

export function useRoundedCredits(): (recordings: readonly Priced[]) => number | null {
  const rate = useIsolationRate();
  return useCallback((recordings) => roundedCredits(recordings, rate), [rate]);
}

/** The estimated cost as text: free in practice mode, unknown, or about so many credits. */
export function useCostWords(): (recordings: readonly Priced[]) => string {
  const t = useText();
  const formats = useFormats();
  const rate = useIsolationRate();
  const { mode } = useSettings();
  return useCallback(
    (recordings) => {
      if (modeOf(mode).isFree) return t('isolate.next.free');
      const count = roundedCredits(recordings, rate);
      if (count === null) return t('isolate.next.unknown');
      return t('isolate.part.wholeCost', { count, amount: formats.number(count) });
    },
    [t, formats, rate, mode],
  );
}

/** What estimates are judged by; empty where there is none. */
export function useCostSource(): string {
  const t = useText();
  const { sampleCount } = useIsolationRate();
  const { mode } = useSettings();
  return modeOf(mode).isFree || sampleCount === 0 ? '' : t('isolate.next.source', { count: sampleCount });
}
