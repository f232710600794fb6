import { useFormats, useText } from '../../lib/text.ts';

/** The number that the noun after a cost agrees with: the cost as it is shown. */
export const shownCredits = (credits: number | string): number =>
  Math.ceil(Number((Number(credits) * 10).toPrecision(12))) / 10;

/** What something costs at most, in words. */
export function useMostWords(): (credits: number | string | null | undefined) => string {
  const t = useText();
  const formats = useFormats();
  return (credits) =>
    credits == null
      ? t('ask.mostUnknown')
      : t('ask.most', { count: shownCredits(credits), credits: formats.creditsAtMost(credits) });
}
