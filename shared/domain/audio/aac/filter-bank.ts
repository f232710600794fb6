import { frameLength, type WindowInfo } from './channel-stream.ts';

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
    let span = 1;
    for (; 2 * span < this.#half; span *= 4) this.#twoSteps(span);
    if (span < this.#half) this.#step(span);
  }

  #step(span: number): void {
    const [re, im, rootRe, rootIm, half] = [this.#re, this.#im, this.#rootRe, this.#rootIm, this.#half];
    const stride = half / (2 * span);
    for (let block = 0; block < half; block += 2 * span) {
      for (let n = 0; n < span; n += 1) {
        const low = block + n;
        const high = low + span;
        const cos = rootRe[n * stride] ?? 0;
        const sin = rootIm[n * stride] ?? 0;
        const highRe = re[high] ?? 0;
        const highIm = im[high] ?? 0;
        const partRe = highRe * cos - highIm * sin;
        const partIm = highRe * sin + highIm * cos;
        const lowRe = re[low] ?? 0;
        const lowIm = im[low] ?? 0;
        re[high] = lowRe - partRe;
        im[high] = lowIm - partIm;
        re[low] = lowRe + partRe;
        im[low] = lowIm + partIm;
      }
    }
  }

  /** The steps of `span` and of twice as much at once: half as many reads and writes. */
  #twoSteps(span: number): void {
    const [re, im, rootRe, rootIm, half] = [this.#re, this.#im, this.#rootRe, this.#rootIm, this.#half];
    const stride = half / (4 * span);
    for (let n = 0; n < span; n += 1) {
      const cos1 = rootRe[2 * n * stride] ?? 0;
      const sin1 = rootIm[2 * n * stride] ?? 0;
      const cos2 = rootRe[n * stride] ?? 0;
      const sin2 = rootIm[n * stride] ?? 0;
      for (let a = n; a < half; a += 4 * span) {
        const b = a + span;
        const c = b + span;
        const d = c + span;
        const reA = re[a] ?? 0;
        const imA = im[a] ?? 0;
        const reB = re[b] ?? 0;
        const imB = im[b] ?? 0;
        const reC = re[c] ?? 0;
        const imC = im[c] ?? 0;
        const reD = re[d] ?? 0;
        const imD = im[d] ?? 0;
        const turnedReB = reB * cos1 - imB * sin1;
        const turnedImB = reB * sin1 + imB * cos1;
        const turnedReD = reD * cos1 - imD * sin1;
        const turnedImD = reD * sin1 + imD * cos1;
        const sumReC = reC + turnedReD;
        const sumImC = imC + turnedImD;
        const restReC = reC - turnedReD;
        const restImC = imC - turnedImD;
        const evenRe = sumReC * cos2 - sumImC * sin2;
        const evenIm = sumReC * sin2 + sumImC * cos2;
        // A quarter turn further.
        const oddRe = restReC * sin2 + restImC * cos2;
        const oddIm = restImC * sin2 - restReC * cos2;
        re[a] = reA + turnedReB + evenRe;
        im[a] = imA + turnedImB + evenIm;
        re[c] = reA + turnedReB - evenRe;
        im[c] = imA + turnedImB - evenIm;
        re[b] = reA - turnedReB + oddRe;
        im[b] = imA - turnedImB + oddIm;
        re[d] = reA - turnedReB - oddRe;
        im[d] = imA - turnedImB - oddIm;
      }
    }
  }

  /** The cosine transform of type IV, by a Fourier transform of half its size. */
  #cosine(spectrum: Float64Array): void {
    const [size, half, folded, reversed] = [this.#size, this.#half, this.#folded, this.#reversed];
    const [re, im, twiddleRe, twiddleIm] = [this.#re, this.#im, this.#twiddleRe, this.#twiddleIm];
    for (let n = 0; n < half; n += 1) {
      const even = spectrum[2 * n] ?? 0;
      const odd = spectrum[size - 1 - 2 * n] ?? 0;
      const cos = twiddleRe[n] ?? 0;
      const sin = twiddleIm[n] ?? 0;
      const to = reversed[n] ?? 0;
      re[to] = even * cos - odd * sin;
      im[to] = even * sin + odd * cos;
    }
    this.#fourier();
    for (let n = 0; n < half; n += 1) {
      const real = re[n] ?? 0;
      const imaginary = im[n] ?? 0;
      const cos = twiddleRe[n] ?? 0;
      const sin = twiddleIm[n] ?? 0;
      folded[2 * n] = real * cos - imaginary * sin;
      folded[size - 1 - 2 * n] = -(real * sin + imaginary * cos);
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

const shortLength = frameLength / 8;
const flat = (frameLength - shortLength) / 2;

const sineRise = (length: number): Float64Array =>
  Float64Array.from({ length }, (_, n) => Math.sin((Math.PI * (n + 0.5)) / (2 * length)));

function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let n = 1; term > sum * 1e-12; n += 1) {
    term *= (x / (2 * n)) ** 2;
    sum += term;
  }
  return sum;
}

function kaiserRise(length: number, alpha: number): Float64Array {
  const weights = Array.from({ length: length + 1 }, (_, n) =>
    bessel(Math.PI * alpha * Math.sqrt(1 - ((2 * n) / length - 1) ** 2)),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  return Float64Array.from({ length }, (_, n) => {
    sum += weights[n] ?? 0;
    return Math.sqrt(sum / total);
  });
}

/** A short slope in half of a long window stands between silence and full level. */
function steep(slope: Float64Array): Float64Array {
  const rise = new Float64Array(frameLength);
  rise.set(slope, flat);
  return rise.fill(1, flat + shortLength);
}

const shortRises = { sine: sineRise(shortLength), kaiser: kaiserRise(shortLength, 6) };
const rises = {
  short: shortRises,
  steep: { sine: steep(shortRises.sine), kaiser: steep(shortRises.kaiser) },
  long: { sine: sineRise(frameLength), kaiser: kaiserRise(frameLength, 4) },
};
const rise = (size: keyof typeof rises, isKaiser: boolean): Float64Array => rises[size][isKaiser ? 'kaiser' : 'sine'];

export class FilterBank {
  readonly #long = new InverseMdct(frameLength);
  readonly #short = new InverseMdct(shortLength);
  readonly #samples = new Float64Array(frameLength * 2);
  readonly #window = new Float64Array(shortLength * 2);
  readonly #overlap = new Float64Array(frameLength);
  readonly #output = new Float32Array(frameLength);
  #wasKaiser = false;

  /** 1024 samples in -1..1 (a little more when the encoder clipped), valid until the next call. */
  toSamples(spectrum: Float64Array, info: WindowInfo): Float32Array {
    if (info.sequence === 'short') this.#shortWindows(spectrum, info.isKaiser);
    else this.#longWindow(spectrum, info);
    this.#wasKaiser = info.isKaiser;
    const [samples, overlap, output] = [this.#samples, this.#overlap, this.#output];
    for (let n = 0; n < frameLength; n += 1) output[n] = ((overlap[n] ?? 0) + (samples[n] ?? 0)) / 32_768;
    overlap.set(samples.subarray(frameLength));
    return output;
  }

  #longWindow(spectrum: Float64Array, { sequence, isKaiser }: WindowInfo): void {
    const samples = this.#samples;
    this.#long.transform(spectrum, samples);
    const rising = rise(sequence === 'stop' ? 'steep' : 'long', this.#wasKaiser);
    const falling = rise(sequence === 'start' ? 'steep' : 'long', isKaiser);
    const last = 2 * frameLength - 1;
    for (let n = 0; n < frameLength; n += 1) {
      samples[n] = (samples[n] ?? 0) * (rising[n] ?? 0);
      samples[last - n] = (samples[last - n] ?? 0) * (falling[n] ?? 0);
    }
  }

  #shortWindows(spectrum: Float64Array, isKaiser: boolean): void {
    this.#samples.fill(0);
    for (let window = 0; window < 8; window += 1) {
      const start = window * shortLength;
      this.#short.transform(spectrum.subarray(start, start + shortLength), this.#window);
      const rising = rise('short', window === 0 ? this.#wasKaiser : isKaiser);
      const falling = rise('short', isKaiser);
      for (let n = 0; n < shortLength; n += 1) {
        const at = flat + start + n;
        this.#samples[at] = (this.#samples[at] ?? 0) + (this.#window[n] ?? 0) * (rising[n] ?? 0);
        const later = at + shortLength;
        this.#samples[later] =
          (this.#samples[later] ?? 0) + (this.#window[shortLength + n] ?? 0) * (falling[shortLength - 1 - n] ?? 0);
      }
    }
  }
}
