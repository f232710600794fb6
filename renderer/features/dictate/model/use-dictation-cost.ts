import { expectedCredits } from '../../../../shared/domain/ledger/expected-cost.ts';
import { toHundredths } from '../../../../shared/domain/dictation/clean-up.ts';
import { useDictationRate } from '../../../bridge/use-credits.ts';
import { useFormats } from '../../../lib/text.ts';

/**
 * The probable cost of so much speech, for words; null: unknown. The service tells it afterwards at the earliest.
 */
export function useDictationCost(): (audioMs: number) => { readonly count: number; readonly amount: string } | null {
  const formats = useFormats();
  const rate = useDictationRate();
  return (audioMs) => {
    const credits =
      rate.creditsPerHour === null ? null : expectedCredits([{ durationMs: audioMs, sizeBytes: 0 }], rate);
    if (credits === null) return null;
    const count = toHundredths(String(credits));
    return { count, amount: formats.factor(count) };
  };
}
