/** Enough to detect the pitch of a voice, and a sixth of the work of the full rate. */
const rate = 8000;
const frameMs = 40;
const range = { leastHz: 70, mostHz: 400 };
const leastPeriodicity = 0.55;

/** The pitch of the voice every 40 ms, in octaves above 1 Hz; null where nothing is voiced. Mono samples, -1 to 1. */
export function findPitches(
  samples: Float32Array,
  sampleRate: number,
  thresholdDb: number,
): readonly (number | null)[] {
  const low = thin(samples, sampleRate);
  const frame = (rate * frameMs) / 1000;
  const found: (number | null)[] = [];
  for (let start = 0; start + frame * 2 <= low.length; start += frame)
    found.push(pitchAt(low, start, frame * 2, thresholdDb));
  return found;
}

/** Means of neighbours at about 8 kHz. */
function thin(samples: Float32Array, sampleRate: number): Float32Array {
  const step = sampleRate / rate;
  return Float32Array.from({ length: Math.floor(samples.length / step) }, (_, at) => {
    const from = Math.floor(at * step);
    const to = Math.max(from + 1, Math.floor((at + 1) * step));
    let sum = 0;
    for (let one = from; one < to; one += 1) sum += samples[one] ?? 0;
    return sum / (to - from);
  });
}

/** Compares a stretch with itself one period later. */
function pitchAt(samples: Float32Array, start: number, length: number, thresholdDb: number): number | null {
  let power = 0;
  for (let at = start; at < start + length; at += 1) power += (samples[at] ?? 0) ** 2;
  if (10 * Math.log10(power / length + 1e-12) < thresholdDb) return null;
  let best = { lag: 0, likeness: leastPeriodicity };
  for (let lag = Math.floor(rate / range.mostHz); lag <= Math.ceil(rate / range.leastHz); lag += 1) {
    let [both, one, other] = [0, 0, 0];
    for (let at = start; at + lag < start + length; at += 1) {
      const [now, later] = [samples[at] ?? 0, samples[at + lag] ?? 0];
      both += now * later;
      one += now * now;
      other += later * later;
    }
    const likeness = both / Math.sqrt(one * other || 1);
    // Two periods match as well as one, so a longer lag must be better by far.
    if (likeness > best.likeness * (best.lag === 0 ? 1 : 1.06)) best = { lag, likeness };
  }
  return best.lag === 0 ? null : Math.log2(rate / best.lag);
}
