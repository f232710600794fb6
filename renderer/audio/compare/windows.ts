type Planes = readonly Float32Array[];

export interface Window {
  readonly fromSecond: number;
  readonly samples: Float32Array;
}

export const windowSeconds = 20;

/** In a track with only the voice it contains speech. Two windows are held at most. */
export class LoudestWindow {
  readonly #rate: number;
  /** The last samples, written around. */
  readonly #recent: Float32Array;
  readonly #loudest: Float32Array;
  readonly #energies: number[] = [];
  #frame = 0;
  #energy = 0;
  #most: number | null = null;
  #fromSecond = 0;

  constructor(sampleRate: number) {
    this.#rate = sampleRate;
    this.#recent = new Float32Array(windowSeconds * sampleRate);
    this.#loudest = new Float32Array(windowSeconds * sampleRate);
  }

  add([left = new Float32Array(), right = left]: Planes): void {
    for (let from = 0; from < left.length;) {
      const start = this.#frame % this.#recent.length;
      const count = Math.min(left.length - from, this.#rate - (this.#frame % this.#rate));
      for (let at = 0; at < count; at += 1) {
        const value = ((left[from + at] ?? 0) + (right[from + at] ?? 0)) / 2;
        this.#recent[start + at] = value;
        this.#energy += value * value;
      }
      from += count;
      this.#frame += count;
      if (this.#frame % this.#rate === 0) this.#endSecond();
    }
  }

  read(): Window {
    if (this.#most === null) return { fromSecond: 0, samples: this.#recent.slice(0, this.#frame) };
    return { fromSecond: this.#fromSecond, samples: this.#loudest };
  }

  #endSecond(): void {
    this.#energies.push(this.#energy);
    this.#energy = 0;
    if (this.#energies.length < windowSeconds) return;
    const energy = this.#energies.reduce((sum, value) => sum + value, 0);
    this.#energies.shift();
    if (this.#most !== null && energy <= this.#most) return;
    this.#most = energy;
    this.#fromSecond = this.#frame / this.#rate - windowSeconds;
    const oldest = this.#frame % this.#recent.length;
    this.#loudest.set(this.#recent.subarray(oldest));
    this.#loudest.set(this.#recent.subarray(0, oldest), this.#recent.length - oldest);
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
