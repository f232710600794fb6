import { expectedCredits } from '../../../../shared/domain/ledger/expected-cost.ts';
import { toHundredths } from '../../../../shared/domain/dictation/clean-up.ts';
import { useCreditRate } from '../../../bridge/use-credits.ts';
import { useFormats } from '../../../lib/text.ts';

/**
 * The probable cost of so much speech, for words; null: unknown. The service never reports it. It counts minutes of
 * audio as for recordings, whose cost it does report.
 */
export function useDictationCost(): (audioMs: number) => { readonly count: number; readonly amount: string } | null {
  const formats = useFormats();
  const rate = useCreditRate();
  return (audioMs) => {
    const credits =
      rate.creditsPerHour === null ? null : expectedCredits([{ durationMs: audioMs, sizeBytes: 0 }], rate);
    if (credits === null) return null;
    const count = toHundredths(String(credits));
    return { count, amount: formats.factor(count) };
  };
}
