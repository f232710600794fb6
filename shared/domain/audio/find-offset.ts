export interface Offset {
  /** Samples by which the second starts later than the first; negative when it starts earlier. */
  readonly samples: number;
  /** Similarity of the two at that offset, 0 to 1. Below 0.3 they are probably not the same sound. */
  readonly correlation: number;
}

const coarseFactor = 16;

/** Where two recordings (mono, one rate) are most alike, within `maxSamples`; needs 10 to 30 s of speech. */
export function findOffset(first: Float32Array, second: Float32Array, maxSamples: number): Offset {
  const envelopes = [envelope(first), envelope(second)] as const;
  const coarse = bestLag(
    envelopes[0],
    envelopes[1],
    -Math.ceil(maxSamples / coarseFactor),
    Math.ceil(maxSamples / coarseFactor),
  );
  const around = coarse.samples * coarseFactor;
  const from = Math.max(-maxSamples, around - 2 * coarseFactor);
  return bestLag(first, second, from, Math.min(maxSamples, around + 2 * coarseFactor));
}

function envelope(samples: Float32Array): Float32Array {
  const levels = new Float32Array(Math.floor(samples.length / coarseFactor));
  let total = 0;
  for (let at = 0; at < levels.length; at += 1) {
    let sum = 0;
    for (let inside = 0; inside < coarseFactor; inside += 1) sum += Math.abs(samples[at * coarseFactor + inside] ?? 0);
    levels[at] = sum / coarseFactor;
    total += sum / coarseFactor;
  }
  const average = total / Math.max(1, levels.length);
  for (let at = 0; at < levels.length; at += 1) levels[at] = (levels[at] ?? 0) - average;
  return levels;
}

function bestLag(first: Float32Array, second: Float32Array, from: number, to: number): Offset {
  let best: Offset = { samples: 0, correlation: -1 };
  for (let lag = from; lag <= to; lag += 1) {
    const correlation = correlationAt(first, second, lag);
    const isBetter =
      correlation > best.correlation + 1e-9 ||
      (Math.abs(correlation - best.correlation) <= 1e-9 && Math.abs(lag) < Math.abs(best.samples));
    if (isBetter) best = { samples: lag, correlation };
  }
  return { samples: best.samples, correlation: Math.max(0, best.correlation) };
}

function correlationAt(first: Float32Array, second: Float32Array, lag: number): number {
  const start = Math.max(0, -lag);
  const end = Math.min(first.length, second.length - lag);
  let product = 0;
  let energyFirst = 0;
  let energySecond = 0;
  for (let at = start; at < end; at += 1) {
    const a = first[at] ?? 0;
    const b = second[at + lag] ?? 0;
    product += a * b;
    energyFirst += a * a;
    energySecond += b * b;
  }
  const scale = Math.sqrt(energyFirst * energySecond);
  return scale === 0 ? 0 : product / scale;
}
