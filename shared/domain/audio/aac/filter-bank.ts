import { frameLength, type WindowInfo } from './channel-stream.ts';
import { InverseMdct } from './inverse-mdct.ts';

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

/** The rising half of the Kaiser-Bessel derived window. */
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

/** Turns the spectra of one channel into samples; keeps half a frame for the overlap. */
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
