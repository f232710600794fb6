const crossings = 16;
const stepsPerCrossing = 512;

const kernel = Float64Array.from({ length: crossings * stepsPerCrossing + 2 }, (_, at) => {
  const x = at / stepsPerCrossing;
  if (x >= crossings) return 0;
  const window = 0.42 + 0.5 * Math.cos((Math.PI * x) / crossings) + 0.08 * Math.cos((2 * Math.PI * x) / crossings);
  return window * (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));
});

function kernelAt(x: number): number {
  const at = Math.abs(x) * stepsPerCrossing;
  const whole = Math.floor(at);
  const low = kernel[whole] ?? 0;
  return low + (at - whole) * ((kernel[whole + 1] ?? 0) - low);
}

/** One channel, block by block; the output is as long as the input, to the sample. */
export class Resampler {
  readonly #step: number;
  readonly #cutoff: number;
  readonly #reach: number;
  #pending = new Float32Array();
  #base = 0;
  #read = 0;
  #written = 0;

  constructor(fromRate: number, toRate: number) {
    this.#step = fromRate / toRate;
    this.#cutoff = Math.min(1, toRate / fromRate);
    this.#reach = crossings / this.#cutoff;
  }

  push(samples: Float32Array): Float32Array {
    if (this.#step === 1) return samples.slice();
    this.#read += samples.length;
    this.#append(samples);
    return this.#produce(Math.max(0, Math.floor((this.#read - 1 - this.#reach) / this.#step) + 1));
  }

  flush(): Float32Array {
    if (this.#step === 1) return new Float32Array();
    this.#append(new Float32Array(Math.ceil(this.#reach) + 1));
    return this.#produce(Math.round(this.#read / this.#step));
  }

  #append(samples: Float32Array): void {
    const joined = new Float32Array(this.#pending.length + samples.length);
    joined.set(this.#pending);
    joined.set(samples, this.#pending.length);
    this.#pending = joined;
  }

  #produce(upTo: number): Float32Array {
    const output = new Float32Array(Math.max(0, upTo - this.#written));
    for (let at = 0; at < output.length; at += 1) output[at] = this.#sampleAt((this.#written + at) * this.#step);
    this.#written += output.length;
    const unneeded = Math.max(0, Math.floor(this.#written * this.#step - this.#reach) - this.#base);
    this.#pending = this.#pending.slice(unneeded);
    this.#base += unneeded;
    return output;
  }

  #sampleAt(position: number): number {
    const first = Math.max(this.#base, Math.ceil(position - this.#reach));
    const last = Math.min(this.#base + this.#pending.length - 1, Math.floor(position + this.#reach));
    let sum = 0;
    for (let at = first; at <= last; at += 1)
      sum += (this.#pending[at - this.#base] ?? 0) * kernelAt((position - at) * this.#cutoff);
    return sum * this.#cutoff;
  }
}

export function resample(samples: Float32Array, fromRate: number, toRate: number): Float32Array {
  const resampler = new Resampler(fromRate, toRate);
  const parts = [resampler.push(samples), resampler.flush()];
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
