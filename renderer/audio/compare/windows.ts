type Planes = readonly Float32Array[];

export interface Window {
  readonly fromSecond: number;
  readonly samples: Float32Array;
}

export const windowSeconds = 20;

/** In a track with only the voice it contains speech. Two windows are held at most. */
export function createLoudestWindow(sampleRate: number) {
  /** The last samples, written around. */
  const recent = new Float32Array(windowSeconds * sampleRate);
  const loudest = new Float32Array(windowSeconds * sampleRate);
  const energies: number[] = [];
  let frame = 0;
  let energy = 0;
  let most: number | null = null;
  let fromSecond = 0;
  const endSecond = () => {
    energies.push(energy);
    energy = 0;
    if (energies.length < windowSeconds) return;
    const sum = energies.reduce((total, value) => total + value, 0);
    energies.shift();
    if (most !== null && sum <= most) return;
    most = sum;
    fromSecond = frame / sampleRate - windowSeconds;
    const oldest = frame % recent.length;
    loudest.set(recent.subarray(oldest));
    loudest.set(recent.subarray(0, oldest), recent.length - oldest);
  };
  return {
    add([left = new Float32Array(), right = left]: Planes): void {
      for (let from = 0; from < left.length;) {
        const start = frame % recent.length;
        const count = Math.min(left.length - from, sampleRate - (frame % sampleRate));
        for (let at = 0; at < count; at += 1) {
          const value = ((left[from + at] ?? 0) + (right[from + at] ?? 0)) / 2;
          recent[start + at] = value;
          energy += value * value;
        }
        from += count;
        frame += count;
        if (frame % sampleRate === 0) endSecond();
      }
    },
    read: (): Window =>
      most === null ? { fromSecond: 0, samples: recent.slice(0, frame) } : { fromSecond, samples: loudest },
  };
}

export function createWindowAt(fromSecond: number, sampleRate: number) {
  const begin = fromSecond * sampleRate;
  const samples = new Float32Array(windowSeconds * sampleRate);
  let frame = 0;
  return {
    add([left = new Float32Array(), right = left]: Planes): void {
      const end = Math.min(left.length, begin + samples.length - frame);
      for (let at = Math.max(0, begin - frame); at < end; at += 1)
        samples[frame + at - begin] = ((left[at] ?? 0) + (right[at] ?? 0)) / 2;
      frame += left.length;
    },
    read: () => samples.subarray(0, Math.max(0, frame - begin)),
  };
}
