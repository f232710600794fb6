/** 20 ms windows, 10 ms apart, of 16 kHz audio. */
export const rate = 16_000;
const windowSize = 320;
const hop = 160;
export const bins = 64;
const half = windowSize / 2;

const hann = Float64Array.from(
  { length: windowSize },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / windowSize),
);
const turns = (wave: (angle: number) => number): Float64Array =>
  Float64Array.from({ length: (half + 1) * (half + 1) }, (_, at) =>
    wave((2 * Math.PI * Math.floor(at / (half + 1)) * (at % (half + 1))) / windowSize),
  );
const cosines = turns(Math.cos);
const sines = turns(Math.sin);

const toMel = (hertz: number): number => 2595 * Math.log10(1 + hertz / 700);
const edges = Float64Array.from(
  { length: bins + 2 },
  (_, at) => 700 * (10 ** ((toMel(rate / 2) * at) / (bins + 1) / 2595) - 1),
);
interface Band {
  readonly first: number;
  readonly weights: Float64Array;
}
/** Triangles over the power spectrum, HTK's scale, 0 to 8000 Hz. */
const bands: readonly Band[] = Array.from({ length: bins }, (_, bin) => {
  const [low = 0, mid = 0, high = 0] = edges.subarray(bin, bin + 3);
  const first = Math.ceil((low * windowSize) / rate);
  const last = Math.min(half, Math.floor((high * windowSize) / rate));
  const weights = Float64Array.from({ length: Math.max(0, last - first + 1) }, (__, at) => {
    const hertz = ((first + at) * rate) / windowSize;
    return Math.max(0, Math.min((hertz - low) / (mid - low), (high - hertz) / (high - mid)));
  });
  return { first, weights };
});

export const framesOf = (sampleCount: number): number => Math.max(0, Math.floor((sampleCount - windowSize) / hop) + 1);

/** As GigaAM takes them. The window is symmetric, so a spectrum line needs half of its multiplications. */
export function logMel(samples: Float32Array): Float32Array {
  const frames = framesOf(samples.length);
  const energies = new Float32Array(bins * frames);
  const even = new Float64Array(half + 1);
  const odd = new Float64Array(half + 1);
  const power = new Float64Array(half + 1);
  const weighed = (at: number, start: number): number => (samples[start + at] ?? 0) * (hann[at] ?? 0);
  for (let frame = 0; frame < frames; frame += 1) {
    const start = frame * hop;
    even[0] = weighed(0, start);
    even[half] = weighed(half, start);
    for (let at = 1; at < half; at += 1) {
      const [early, late] = [weighed(at, start), weighed(windowSize - at, start)];
      even[at] = early + late;
      odd[at] = early - late;
    }
    for (let line = 0; line <= half; line += 1) {
      let real = 0;
      let imaginary = 0;
      const row = line * (half + 1);
      for (let at = 0; at <= half; at += 1) {
        real += (even[at] ?? 0) * (cosines[row + at] ?? 0);
        imaginary += (odd[at] ?? 0) * (sines[row + at] ?? 0);
      }
      power[line] = real * real + imaginary * imaginary;
    }
    for (const [bin, { first, weights }] of bands.entries()) {
      let sum = 0;
      for (let at = 0; at < weights.length; at += 1) sum += (power[first + at] ?? 0) * (weights[at] ?? 0);
      energies[bin * frames + frame] = Math.log(Math.min(Math.max(sum, 1e-9), 1e9));
    }
  }
  return energies;
}
