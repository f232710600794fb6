import { inPieces } from '../compare/in-pieces.ts';
import { absoluteUrl } from '../samples.ts';

/** The format of speech recognition: 16-bit little-endian mono, samples per second. */
const rate = 16_000;

/** Throws when there is no decoder for it. */
export async function readSpan(url: string, startMs: number, endMs: number): Promise<Uint8Array<ArrayBuffer>> {
  // Its library of formats is as large as half of the first screen, which does without it.
  const { openTrack } = await import('../compare/track-reader.ts');
  const track = await openTrack(absoluteUrl(url));
  try {
    const frames = Math.round(((endMs - startMs) * rate) / 1000);
    const pcm = new DataView(new ArrayBuffer(frames * 2));
    let at = 0;
    for await (const planes of inPieces(track.read(Math.round((startMs * rate) / 1000), rate), frames, rate)) {
      const length = planes[0]?.length ?? 0;
      for (let index = 0; index < length; index += 1, at += 1) {
        const sum = planes.reduce((total, plane) => total + (plane[index] ?? 0), 0);
        const value = Math.max(-1, Math.min(1, sum / planes.length));
        pcm.setInt16(at * 2, Math.round(value * 32_767), true);
      }
    }
    return new Uint8Array(pcm.buffer);
  } finally {
    track.close();
  }
}
