import { bandKinds, type ChannelStream, type TnsFilter } from './channel-stream.ts';
import type { Bands } from './scale-factor-bands.ts';

const powers = Float64Array.from({ length: 8192 }, (_, value) => value ** (4 / 3));
function toPower(value: number): number {
  const size = Math.abs(value);
  const power = powers[size] ?? size ** (4 / 3);
  return value < 0 ? -power : power;
}

/** Calls `visit` for each band in each window, with its group-and-band index and its part of the spectrum. */
function eachBand({ info }: ChannelStream, visit: (index: number, start: number, end: number) => void): void {
  let window = 0;
  for (const [group, size] of info.groups.entries()) {
    for (let band = 0; band < info.bandCount; band += 1) {
      for (let member = 0; member < size; member += 1) {
        const base = (window + member) * info.windowLength;
        visit(group * info.bandCount + band, base + (info.borders[band] ?? 0), base + (info.borders[band + 1] ?? 0));
      }
    }
    window += size;
  }
}

/** Noise needs only a level; a generator of our own makes every decoding of a file identical. */
export class Noise {
  #state = 0x1f2e3d4c;

  fill(spectrum: Float64Array, start: number, end: number, level: number): void {
    let energy = 0;
    for (let at = start; at < end; at += 1) {
      this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) | 0;
      spectrum[at] = this.#state;
      energy += this.#state * this.#state;
    }
    const scale = energy === 0 ? 0 : level / Math.sqrt(energy);
    for (let at = start; at < end; at += 1) spectrum[at] = (spectrum[at] ?? 0) * scale;
  }
}

/** Quantised values to `spectrum`: power law, gain of the band, noise where the encoder only kept its level. */
export function dequantise(stream: ChannelStream, noise: Noise, spectrum: Float64Array): void {
  spectrum.fill(0);
  eachBand(stream, (index, start, end) => {
    const book = stream.bandBooks[index];
    const factor = stream.scaleFactors[index] ?? 0;
    if (book === bandKinds.noise) noise.fill(spectrum, start, end, 2 ** (factor / 4));
    if (book === bandKinds.zero || book === undefined || book >= bandKinds.noise) return;
    const gain = 2 ** ((factor - 100) / 4);
    for (let at = start; at < end; at += 1) {
      const value = stream.quantised[at] ?? 0;
      if (value !== 0) spectrum[at] = toPower(value) * gain;
    }
  });
}

/** Bands of a pair that hold sum and difference become left and right again. */
export function undoMidSide(
  left: Float64Array,
  right: Float64Array,
  pair: { readonly left: ChannelStream; readonly right: ChannelStream },
  used: Uint8Array,
): void {
  eachBand(pair.left, (index, start, end) => {
    const isPlain =
      (pair.left.bandBooks[index] ?? 0) < bandKinds.noise && (pair.right.bandBooks[index] ?? 0) < bandKinds.noise;
    if (used[index] !== 1 || !isPlain) return;
    for (let at = start; at < end; at += 1) {
      const middle = left[at] ?? 0;
      const side = right[at] ?? 0;
      left[at] = middle + side;
      right[at] = middle - side;
    }
  });
}

/** Bands of the right channel that are the left one at another level. */
export function undoIntensity(
  left: Float64Array,
  right: Float64Array,
  stream: ChannelStream,
  used: Uint8Array | null,
): void {
  eachBand(stream, (index, start, end) => {
    const book = stream.bandBooks[index];
    if (book !== bandKinds.intensity && book !== bandKinds.intensityInverse) return;
    const isInverted = (book === bandKinds.intensityInverse) !== (used?.[index] === 1);
    const scale = (isInverted ? -1 : 1) * 0.5 ** ((stream.scaleFactors[index] ?? 0) / 4);
    for (let at = start; at < end; at += 1) right[at] = (left[at] ?? 0) * scale;
  });
}

/** Reflection coefficients to the coefficients of a recursive filter. */
function toLinear(reflections: readonly number[]): readonly number[] {
  const linear = [1];
  for (const [m, reflection] of reflections.entries()) {
    const before = [...linear];
    for (let n = 1; n <= m; n += 1) linear[n] = (before[n] ?? 0) + reflection * (before[m + 1 - n] ?? 0);
    linear[m + 1] = reflection;
  }
  return linear;
}

function runFilter(spectrum: Float64Array, start: number, end: number, filter: TnsFilter): void {
  const linear = toLinear(filter.coefficients);
  const step = filter.isBackward ? -1 : 1;
  const first = filter.isBackward ? end - 1 : start;
  const size = end - start;
  for (let n = 0; n < size; n += 1) {
    const at = first + n * step;
    let value = spectrum[at] ?? 0;
    for (let lag = 1; lag < linear.length && lag <= n; lag += 1)
      value -= (spectrum[at - lag * step] ?? 0) * (linear[lag] ?? 0);
    spectrum[at] = value;
  }
}

/** Temporal noise shaping: the encoder filtered along the spectrum, this filters back. */
export function undoTns(spectrum: Float64Array, stream: ChannelStream, bands: Bands): void {
  const { info } = stream;
  const most = Math.min(info.sequence === 'short' ? bands.tnsShort : bands.tnsLong, info.bandCount);
  const border = (band: number): number => info.borders[Math.min(Math.max(band, 0), most)] ?? 0;
  for (const [window, filters] of stream.tns.entries()) {
    const base = window * info.windowLength;
    let top = info.borders.length - 1;
    for (const filter of filters) {
      const bottom = Math.max(top - filter.length, 0);
      const start = base + border(bottom);
      const end = base + border(top);
      if (filter.coefficients.length > 0 && end > start) runFilter(spectrum, start, end, filter);
      top = bottom;
    }
  }
}
