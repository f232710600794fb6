const windowSamples = 320;

/**
 * Where to cut speech that goes on too long: the middle of the quietest 20 ms between two places, so that a word is
 * rarely cut in two. Samples are 16-bit little-endian mono at 16 kHz; places are in samples, the answer too, always
 * within the two. Sound is read as it is: nothing is decoded or changed.
 */
export function quietestCut(pcm: Uint8Array, fromSample: number, toSample: number): number {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength - (pcm.byteLength % 2));
  const last = Math.min(toSample, view.byteLength / 2);
  const first = Math.min(fromSample, last);
  let best = last;
  let bestEnergy = Infinity;
  for (let at = first; at + windowSamples <= last; at += windowSamples / 2) {
    let energy = 0;
    for (let sample = at; sample < at + windowSamples; sample += 1) energy += Math.abs(view.getInt16(sample * 2, true));
    // Of equally quiet places the last: the longer the utterance, the more the service can go by.
    if (energy <= bestEnergy) {
      bestEnergy = energy;
      best = at + windowSamples / 2;
    }
  }
  return best;
}
