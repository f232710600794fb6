import { openTrack } from '../track-reader.ts';
import type { Mix } from './compare-measures.ts';
import { inPieces } from './in-pieces.ts';

/** As long as the original; a track without a share in it is not read. */
export async function openMix({ original, isolated, gains, offsetMs }: Mix, highestRate = Infinity) {
  const [first, second] = await Promise.all([openTrack(original), openTrack(isolated)]);
  const sampleRate = Math.min(highestRate, first.sampleRate);
  const frames = Math.round((first.durationMs * sampleRate) / 1000);
  const channelCount = Math.max(first.channelCount, second.channelCount);
  const tracks = [
    { track: first, from: 0, gain: gains[0] },
    { track: second, from: Math.round((offsetMs * sampleRate) / 1000), gain: gains[1] },
  ].filter(({ gain }) => gain !== 0);
  async function* read(): AsyncGenerator<readonly Float32Array[]> {
    const pieces = tracks.map(({ track, from }) => inPieces(track.read(from, sampleRate), frames, sampleRate));
    for (let left = frames; left > 0; left -= sampleRate) {
      const sum = Array.from({ length: channelCount }, () => new Float32Array(Math.min(left, sampleRate)));
      for (const [index, { gain }] of tracks.entries()) {
        // oxlint-disable-next-line no-await-in-loop -- one piece after the other
        const planes = (await pieces[index]?.next())?.value ?? [];
        for (const [channel, plane] of sum.entries()) {
          const own = planes[channel] ?? planes[0];
          for (let at = 0; at < plane.length; at += 1) plane[at] = (plane[at] ?? 0) + gain * (own?.[at] ?? 0);
        }
      }
      yield sum;
    }
  }
  return { sampleRate, channelCount, frames, read };
}
