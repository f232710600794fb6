/** Weights of the samples at `factor` positions between two samples: a sinc under a Hann window. */
export function sincTaps(factor: number, reach: number): readonly Float64Array[] {
  return Array.from({ length: factor }, (_none, phase) =>
    Float64Array.from({ length: 2 * reach }, (_one, at) => {
      const distance = at - reach + 1 - phase / factor;
      const sinc = distance === 0 ? 1 : Math.sin(Math.PI * distance) / (Math.PI * distance);
      return sinc * (0.5 + 0.5 * Math.cos((Math.PI * distance) / reach));
    }),
  );
}

export function weighted(samples: Float32Array | Int16Array, first: number, weights: Float64Array): number {
  let sum = 0;
  for (let tap = 0; tap < weights.length; tap += 1) sum += (samples[first + tap] ?? 0) * (weights[tap] ?? 0);
  return sum;
}

/** How many samples on each side an interpolated one depends on. */
const reach = 12;
/** The rate is raised to the fourfold; the samples themselves are known. */
const taps = sincTaps(4, reach).slice(1);
/** Between samples that are lower than this share of the highest value, none is higher. */
const leastShare = 0.5;

export function highestBetween(samples: Float32Array, at: number): number {
  const first = at - reach + 1;
  let peak = 0;
  for (const weights of taps) peak = Math.max(peak, Math.abs(weighted(samples, first, weights)));
  return peak;
}

/** The highest value of one channel, between its samples too (ITU-R BS.1770, annex 2), piece by piece. */
export class TruePeak {
  #peak = 0;
  /** The end of the previous piece, because interpolation needs neighbours on both sides, and then this piece. */
  #joined = new Float32Array(2 * reach);
  #length = 2 * reach;

  add(samples: Float32Array): void {
    const joined = this.#join(samples);
    let peak = this.#peak;
    for (let at = 0; at < samples.length; at += 1) peak = Math.max(peak, Math.abs(samples[at] ?? 0));
    for (let at = 0; at < samples.length; at += 1) {
      const own = Math.abs(joined[at + reach - 1] ?? 0);
      const next = Math.abs(joined[at + reach] ?? 0);
      if (Math.max(own, next) < peak * leastShare || peak === 0) continue;
      peak = Math.max(peak, highestBetween(joined, at + reach - 1));
    }
    this.#peak = peak;
  }

  /** In the same array again and again: the engine collects arrays later than they come. */
  #join(samples: Float32Array): Float32Array {
    const before = this.#joined.subarray(this.#length - 2 * reach, this.#length);
    this.#length = 2 * reach + samples.length;
    const joined = this.#joined.length < this.#length ? new Float32Array(this.#length) : this.#joined;
    joined.set(before);
    joined.set(samples, 2 * reach);
    this.#joined = joined;
    return joined;
  }

  /** As a factor of full scale. */
  read(): number {
    return this.#peak;
  }
}
