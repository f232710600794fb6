import { useEffect, useState } from 'react';
import { mixGains, peakGain, type Listening } from '../../../audio/compare/compare-measures.ts';
import type { MixLevels, MixRequest } from '../../../audio/compare/mix-worker.ts';
import { renderMix } from '../../../audio/compare/render-mix.ts';
import { Scope } from '../../../lib/scope.ts';
import { usePlayerState, type Comparison } from './use-comparison.ts';

/** A blend of this length is mixed in about a second; that of a longer recording is measured when it is saved. */
const longestMeasuredMs = 120_000;
/** After this time without a change. */
const settledMs = 500;

/** Of silence, and of what could not be mixed. */
const unmeasured: MixLevels = { integratedLufs: null, truePeakDb: null };

/** What is mixed for a file: lowered where it would clip, and aligned. */
export function mixRequest({ urls, pair: { measures } }: Comparison, content: Listening): MixRequest {
  const gains = mixGains(content, measures, false);
  const lowered = peakGain(gains, measures);
  return {
    original: urls.original,
    isolated: urls.isolated,
    gains: [gains[0] * lowered, gains[1] * lowered, gains[2] * lowered],
    offsetMs: measures?.isolated.offsetMs ?? 0,
  };
}

/** Loudness and true peak of the blend as it is saved: measured while a short one is heard, or after saving. */
export function useMixLevels(comparison: Comparison) {
  const { share, listening, pair, player } = comparison;
  const { durationMs } = usePlayerState(player);
  const [found, setFound] = useState<{ readonly share: number; readonly levels: MixLevels } | null>(null);
  const levels = found?.share === share ? found.levels : null;
  const isShort = durationMs <= longestMeasuredMs;
  const isMeasured = listening.tag === 'blend' && levels === null && pair.measures !== null && isShort;
  const { gains, original, isolated, offsetMs } = mixRequest(comparison, { tag: 'blend', share });
  const [originalGain, isolatedGain, variantGain] = gains;
  useEffect(() => {
    if (!isMeasured) return undefined;
    const scope = new Scope();
    scope.after(settledMs, () => {
      const request = { gains: [originalGain, isolatedGain, variantGain] as const, original, isolated, offsetMs };
      void renderMix(request, () => Promise.resolve(!scope.isDisposed)).then((mixed) => {
        if (!scope.isDisposed) setFound({ share, levels: mixed ?? unmeasured });
      });
    });
    return () => {
      scope.dispose();
    };
  }, [isMeasured, share, originalGain, isolatedGain, variantGain, original, isolated, offsetMs]);
  return {
    levels,
    isMeasuring: isMeasured,
    isShort,
    setSaved: (saved: MixLevels) => {
      setFound({ share, levels: saved });
    },
  };
}
