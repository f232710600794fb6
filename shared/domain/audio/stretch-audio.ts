/** The first frame of speech is stretched in pieces of 10 ms at 24 kHz: two of them are a period of a low voice. */
const shortPiece = 240;
/** Whole sentences in pieces of 30 ms, which keep more of a vowel together. */
const longPiece = 720;
/** The search for the most similar place looks at each of these samples first, then around the best of them. */
const coarse = 4;

/** At least `length` samples at the same pitch, with the original beginning and end so that audio joins. */
export const stretchAudio = (samples: Float32Array<ArrayBuffer>, length: number): Float32Array<ArrayBuffer> =>
  samples.length >= length ? samples : withLength(samples, length, shortPiece);

/** Speech at 24 kHz, `tempo` times as fast at its own pitch. Less than two pieces is returned unchanged. */
export const changeTempo = (samples: Float32Array<ArrayBuffer>, tempo: number): Float32Array<ArrayBuffer> =>
  tempo === 1 ? samples : withLength(samples, Math.round(samples.length / tempo), longPiece);

/** Pieces of the audio are overlapped where they are most similar (WSOLA), however far apart they were. */
function withLength(
  samples: Float32Array<ArrayBuffer>,
  length: number,
  pieceSamples: number,
): Float32Array<ArrayBuffer> {
  const hop = pieceSamples / 2;
  const last = samples.length - pieceSamples;
  const pieces = Math.ceil((length - pieceSamples) / hop);
  if (last < pieceSamples || pieces < 1) return samples;
  const stretched = new Float32Array(pieceSamples + pieces * hop);
  stretched.set(samples.subarray(0, pieceSamples));
  let before = 0;
  for (let number = 1; number <= pieces; number += 1) {
    const near = Math.round((number / pieces) * last);
    const from = number === pieces ? last : mostAlike(samples, before + hop, near, hop);
    const at = number * hop;
    for (let sample = 0; sample < hop; sample += 1) {
      const share = (sample + 0.5) / hop;
      stretched[at + sample] = (stretched[at + sample] ?? 0) * (1 - share) + (samples[from + sample] ?? 0) * share;
    }
    stretched.set(samples.subarray(from + hop, from + pieceSamples), at + hop);
    before = from;
  }
  return stretched;
}

function mostAlike(samples: Float32Array, continued: number, near: number, hop: number): number {
  const likeness = (from: number): number => {
    let product = 0;
    let energy = 1e-9;
    for (let sample = 0; sample < hop; sample += 1) {
      const candidate = samples[from + sample] ?? 0;
      product += candidate * (samples[continued + sample] ?? 0);
      energy += candidate * candidate;
    }
    return product / Math.sqrt(energy);
  };
  const best = (from: number, to: number, step: number): number => {
    let [found, most] = [near, -Infinity];
    for (let at = Math.max(0, from); at <= Math.min(samples.length - 2 * hop, to); at += step) {
      const alike = likeness(at);
      if (alike <= most) continue;
      most = alike;
      found = at;
    }
    return found;
  };
  const about = best(near - hop, near + hop, coarse);
  return best(about - coarse + 1, about + coarse - 1, 1);
}
