import { joinSamples } from '../samples.ts';

type Planes = readonly Float32Array[];

export interface Window {
  readonly fromSecond: number;
  readonly samples: Float32Array;
}

export const windowSeconds = 20;

class Seconds {
  #filled = 0;
  #second: Float32Array;
  readonly #next: (second: Float32Array) => Float32Array;

  constructor(sampleRate: number, next: (second: Float32Array) => Float32Array) {
    this.#second = new Float32Array(sampleRate);
    this.#next = next;
  }

  add([left = new Float32Array(), right = left]: Planes): void {
    for (let from = 0; from < left.length;) {
      const second = this.#second;
      const filled = this.#filled;
      const count = Math.min(left.length - from, second.length - filled);
      for (let at = 0; at < count; at += 1)
        second[filled + at] = ((left[from + at] ?? 0) + (right[from + at] ?? 0)) / 2;
      from += count;
      this.#filled = filled + count;
      if (this.#filled < second.length) continue;
      this.#filled = 0;
      this.#second = this.#next(second);
    }
  }

  rest(): Float32Array {
    return this.#second.subarray(0, this.#filled);
  }
}

/** In a track with only the voice it contains speech. Two windows are held at most. */
export class LoudestWindow {
  readonly #seconds: Seconds;
  readonly #energies: number[] = [];
  #recent: Float32Array[] = [];
  #loudest: { readonly fromSecond: number; readonly energy: number; readonly seconds: readonly Float32Array[] } | null =
    null;
  #count = 0;

  constructor(sampleRate: number) {
    this.#seconds = new Seconds(sampleRate, (second) => this.#add(second));
  }

  add(planes: Planes): void {
    this.#seconds.add(planes);
  }

  read(): Window {
    const { fromSecond, seconds } = this.#loudest ?? {
      fromSecond: 0,
      seconds: [...this.#recent, this.#seconds.rest()],
    };
    return { fromSecond, samples: joinSamples(seconds) };
  }

  /** Gives an array that is not needed any more, because the engine would collect it late. */
  #add(second: Float32Array): Float32Array {
    this.#count += 1;
    this.#recent.push(second);
    this.#energies.push(energyOf(second));
    if (this.#recent.length < windowSeconds) return new Float32Array(second.length);
    const energy = this.#energies.reduce((sum, value) => sum + value, 0);
    const [oldest = second] = this.#recent;
    let free = this.#loudest?.seconds.includes(oldest) === true ? null : oldest;
    if (this.#loudest === null || energy > this.#loudest.energy) {
      free = this.#loudest?.seconds.find((known) => !this.#recent.includes(known)) ?? null;
      this.#loudest = { fromSecond: this.#count - windowSeconds, energy, seconds: [...this.#recent] };
    }
    this.#recent = this.#recent.slice(1);
    this.#energies.shift();
    return free ?? new Float32Array(second.length);
  }
}

export class WindowAt {
  readonly #from: number;
  readonly #samples: Float32Array;
  #frame = 0;

  constructor(fromSecond: number, sampleRate: number) {
    this.#from = fromSecond * sampleRate;
    this.#samples = new Float32Array(windowSeconds * sampleRate);
  }

  add([left = new Float32Array(), right = left]: Planes): void {
    const first = Math.max(0, this.#from - this.#frame);
    const end = Math.min(left.length, this.#from + this.#samples.length - this.#frame);
    for (let at = first; at < end; at += 1)
      this.#samples[this.#frame + at - this.#from] = ((left[at] ?? 0) + (right[at] ?? 0)) / 2;
    this.#frame += left.length;
  }

  read(): Float32Array {
    return this.#samples.subarray(0, Math.max(0, this.#frame - this.#from));
  }
}

function energyOf(samples: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < samples.length; at += 1) {
    const value = samples[at] ?? 0;
    sum += value * value;
  }
  return sum;
}
