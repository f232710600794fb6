/**
 * The weights of the samples around a position between two samples, for each of `factor` such positions from the sample
 * itself on: a sinc under a Hann window. `reach` samples on each side count.
 */
export function sincTaps(factor: number, reach: number): readonly Float64Array[] {
  return Array.from({ length: factor }, (_none, phase) =>
    Float64Array.from({ length: 2 * reach }, (_one, at) => {
      const distance = at - reach + 1 - phase / factor;
      const sinc = distance === 0 ? 1 : Math.sin(Math.PI * distance) / (Math.PI * distance);
      return sinc * (0.5 + 0.5 * Math.cos((Math.PI * distance) / reach));
    }),
  );
}

/** The sum of the samples from `first` on, each with its weight. */
export function weighted(samples: Float32Array | Int16Array, first: number, weights: Float64Array): number {
  let sum = 0;
  for (let tap = 0; tap < weights.length; tap += 1) sum += (samples[first + tap] ?? 0) * (weights[tap] ?? 0);
  return sum;
}
