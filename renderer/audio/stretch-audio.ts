/** Pieces of 10 ms at 24 kHz: the stretched audio contains at least two periods of a low voice. */
const pieceSamples = 240;
const hop = pieceSamples / 2;

/**
 * Stretches audio to at least `length` samples at its own pitch: pieces of it are overlapped where they are most
 * similar (WSOLA). It begins and ends with the original samples, so that following audio joins seamlessly. Less than
 * two pieces, or audio that is long enough, is returned unchanged.
 */
export function stretchAudio(samples: Float32Array<ArrayBuffer>, length: number): Float32Array<ArrayBuffer> {
  const last = samples.length - pieceSamples;
  const pieces = Math.ceil((length - pieceSamples) / hop);
  if (last < pieceSamples || samples.length >= length) return samples;
  const stretched = new Float32Array(pieceSamples + pieces * hop);
  stretched.set(samples.subarray(0, pieceSamples));
  let before = 0;
  for (let number = 1; number <= pieces; number += 1) {
    const from = number === pieces ? last : mostAlike(samples, before + hop, Math.round((number / pieces) * last));
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

/** The position near `near` from which the audio continues most like it does from `continued` on. */
function mostAlike(samples: Float32Array, continued: number, near: number): number {
  let best = near;
  let bestLikeness = -Infinity;
  const lastFrom = samples.length - pieceSamples;
  for (let from = Math.max(0, near - hop); from <= Math.min(lastFrom, near + hop); from += 1) {
    let product = 0;
    let energy = 1e-9;
    for (let sample = 0; sample < hop; sample += 1) {
      const candidate = samples[from + sample] ?? 0;
      product += candidate * (samples[continued + sample] ?? 0);
      energy += candidate * candidate;
    }
    const likeness = product / Math.sqrt(energy);
    if (likeness <= bestLikeness) continue;
    best = from;
    bestLikeness = likeness;
  }
  return best;
}
