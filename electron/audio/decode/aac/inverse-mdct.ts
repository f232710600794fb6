/** A transform of a fixed size that takes `size` spectral values and gives `2 * size` samples that overlap by half. */
export class InverseMdct {
  readonly #size: number;
  readonly #half: number;
  readonly #twiddleRe: Float64Array;
  readonly #twiddleIm: Float64Array;
  readonly #rootRe: Float64Array;
  readonly #rootIm: Float64Array;
  readonly #reversed: Uint16Array;
  readonly #re: Float64Array;
  readonly #im: Float64Array;
  readonly #folded: Float64Array;

  /** `size`: a power of two, at least 4. */
  constructor(size: number) {
    const half = size / 2;
    this.#size = size;
    this.#half = half;
    this.#twiddleRe = Float64Array.from({ length: half }, (_, n) => Math.cos((Math.PI * (8 * n + 1)) / (8 * size)));
    this.#twiddleIm = Float64Array.from({ length: half }, (_, n) => -Math.sin((Math.PI * (8 * n + 1)) / (8 * size)));
    this.#rootRe = Float64Array.from({ length: half / 2 }, (_, n) => Math.cos((2 * Math.PI * n) / half));
    this.#rootIm = Float64Array.from({ length: half / 2 }, (_, n) => -Math.sin((2 * Math.PI * n) / half));
    const width = Math.log2(half);
    this.#reversed = Uint16Array.from({ length: half }, (_, n) => {
      let value = 0;
      for (let bit = 0; bit < width; bit += 1) value |= ((n >> bit) & 1) << (width - 1 - bit);
      return value;
    });
    this.#re = new Float64Array(half);
    this.#im = new Float64Array(half);
    this.#folded = new Float64Array(size);
  }

  #fourier(): void {
    const [re, im, half] = [this.#re, this.#im, this.#half];
    for (let span = 1; span < half; span *= 2) {
      const stride = half / (2 * span);
      for (let block = 0; block < half; block += 2 * span) {
        for (let n = 0; n < span; n += 1) {
          const low = block + n;
          const high = low + span;
          const cos = this.#rootRe[n * stride] ?? 0;
          const sin = this.#rootIm[n * stride] ?? 0;
          const highRe = re[high] ?? 0;
          const highIm = im[high] ?? 0;
          const partRe = highRe * cos - highIm * sin;
          const partIm = highRe * sin + highIm * cos;
          re[high] = (re[low] ?? 0) - partRe;
          im[high] = (im[low] ?? 0) - partIm;
          re[low] = (re[low] ?? 0) + partRe;
          im[low] = (im[low] ?? 0) + partIm;
        }
      }
    }
  }

  /** The cosine transform of type IV, by a Fourier transform of half its size. */
  #cosine(spectrum: Float64Array): void {
    const [size, half] = [this.#size, this.#half];
    for (let n = 0; n < half; n += 1) {
      const re = spectrum[2 * n] ?? 0;
      const im = spectrum[size - 1 - 2 * n] ?? 0;
      const cos = this.#twiddleRe[n] ?? 0;
      const sin = this.#twiddleIm[n] ?? 0;
      const to = this.#reversed[n] ?? 0;
      this.#re[to] = re * cos - im * sin;
      this.#im[to] = re * sin + im * cos;
    }
    this.#fourier();
    for (let n = 0; n < half; n += 1) {
      const re = this.#re[n] ?? 0;
      const im = this.#im[n] ?? 0;
      const cos = this.#twiddleRe[n] ?? 0;
      const sin = this.#twiddleIm[n] ?? 0;
      this.#folded[2 * n] = re * cos - im * sin;
      this.#folded[size - 1 - 2 * n] = -(re * sin + im * cos);
    }
  }

  /** Writes `2 * size` samples, scaled by `1 / size`, to the beginning of `output`. */
  transform(spectrum: Float64Array, output: Float64Array): void {
    this.#cosine(spectrum);
    const [size, half, folded] = [this.#size, this.#half, this.#folded];
    for (let n = 0; n < half; n += 1) {
      output[n] = (folded[n + half] ?? 0) / size;
      output[size + half + n] = -(folded[n] ?? 0) / size;
    }
    for (let n = half; n < size + half; n += 1) output[n] = -(folded[size + half - 1 - n] ?? 0) / size;
  }
}
