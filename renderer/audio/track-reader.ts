import { joinBytes } from './samples.ts';

export interface TrackReader {
  readonly sampleRate: number;
  readonly channelCount: number;
  readonly durationMs: number;
  /** Silence before the recording begins, nothing after its end. */
  read(fromFrame: number, rate: number): AsyncGenerator<readonly Float32Array<ArrayBuffer>[], void, undefined>;
}

const numberOf = (answer: Response, name: string): number => Number(answer.headers.get(name));

/** Main decodes, and throws when it has no decoder for it. `url` is absolute, for workers. */
export async function openTrack(url: string): Promise<TrackReader> {
  const fetchFrom = async (query: string) => {
    const answer = await fetch(`${url}/samples?${query}`);
    if (!answer.ok) throw new Error('There is no decoder for this recording');
    return answer;
  };
  const first = await fetchFrom('from=0');
  await first.body?.cancel();
  if (first.status === 204) throw new Error('The decoder gave no sound');
  const channelCount = numberOf(first, 'channel-count');
  return {
    sampleRate: numberOf(first, 'sample-rate'),
    channelCount,
    durationMs: numberOf(first, 'duration-ms'),
    async *read(fromFrame, rate) {
      if (fromFrame < 0) yield Array.from({ length: channelCount }, () => new Float32Array(-fromFrame));
      const { body } = await fetchFrom(`from=${String(Math.max(0, fromFrame) / rate)}&rate=${String(rate)}`);
      const frameBytes = channelCount * Float32Array.BYTES_PER_ELEMENT;
      let rest: Uint8Array<ArrayBuffer> = new Uint8Array(0);
      for await (const piece of body ?? []) {
        const bytes = joinBytes([rest, piece]);
        const frames = Math.floor(bytes.length / frameBytes);
        rest = bytes.slice(frames * frameBytes);
        const samples = new Float32Array(bytes.buffer, 0, frames * channelCount);
        if (frames > 0)
          yield Array.from({ length: channelCount }, (_, channel) => {
            const plane = new Float32Array(frames);
            for (let frame = 0, at = channel; frame < frames; frame += 1, at += channelCount)
              plane[frame] = samples[at] ?? 0;
            return plane;
          });
      }
    },
  };
}
