import { leastCorrelation, type ResultMeasures } from '../../../audio/compare/compare-measures.ts';
import type { LaneName } from '../../../audio/compare/measure-messages.ts';
import type { Formats } from '../../../lib/formats.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import type { Comparison } from './use-comparison.ts';

/** The quietest level drawn; nobody hears anything below. */
const silentDb = -90;

/** One decimal, with a typographic minus sign. */
export const decibels = (formats: Formats, value: number): string =>
  // Adding 0 turns -0 into 0.
  formats.fixed(Math.round(value * 10) / 10 + 0, 1).replace('-', '−');

/** The names of the lanes; of two results, the one with restored speech says so. */
export function useLaneNames({
  isRestored,
  hasVariant,
}: {
  readonly isRestored: boolean;
  readonly hasVariant: boolean;
}): (lane: LaneName) => string {
  const t = useText();
  const restored = !hasVariant ? null : isRestored ? 'isolated' : 'variant';
  return (lane) =>
    lane === restored
      ? t('isolate.compare.restoredTrack')
      : t(`isolate.compare.${lane === 'variant' ? 'isolated' : lane}`);
}

/** The noise before and after, and the offset of the result: shown above the lanes, where it covers no waveform. */
export function useMeasuredWords(comparison: Comparison | null): readonly string[] {
  const t = useText();
  const formats = useFormats();
  const offsetWords = useOffsetWords();
  const measures = comparison?.pair.measures ?? null;
  if (measures === null) return [];
  const noiseOf = ({ noiseFloorDb }: { readonly noiseFloorDb: number | null }) =>
    noiseFloorDb === null || noiseFloorDb < silentDb
      ? t('isolate.compare.silent')
      : t('isolate.compare.noise', { value: decibels(formats, noiseFloorDb) });
  return [`${noiseOf(measures.original)} → ${noiseOf(measures.isolated.loudness)}`, offsetWords(measures.isolated)];
}

/** How far a result was offset from the original before it was aligned. */
function useOffsetWords(): (found: ResultMeasures) => string {
  const t = useText();
  const formats = useFormats();
  return ({ offsetMs, correlation }) => {
    if (correlation < leastCorrelation) return t('isolate.compare.offsetUnknown');
    const ms = formats.number(Math.round(Math.abs(offsetMs) * 10) / 10);
    if (Math.abs(offsetMs) < 0.05) return t('isolate.compare.offsetNone');
    return t(offsetMs > 0 ? 'isolate.compare.offset' : 'isolate.compare.offsetEarly', { ms });
  };
}
