import { inPieces } from './compare/in-pieces.ts';
import { absoluteUrl, toMono } from './samples.ts';
import { openTrack } from './track-reader.ts';

/** The format of speech recognition: 16-bit little-endian mono, samples per second. */
const rate = 16_000;

/** Throws when there is no decoder for it. */
export async function readSpan(url: string, startMs: number, endMs: number): Promise<Uint8Array<ArrayBuffer>> {
  const track = await openTrack(absoluteUrl(url));
  const frames = Math.round(((endMs - startMs) * rate) / 1000);
  const pcm = new DataView(new ArrayBuffer(frames * 2));
  let at = 0;
  for await (const planes of inPieces(track.read(Math.round((startMs * rate) / 1000), rate), frames, rate))
    for (const sample of toMono(planes)) {
      pcm.setInt16(at * 2, Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), true);
      at += 1;
    }
  return new Uint8Array(pcm.buffer);
}
