import { joined } from '../../shared/decoding/byte-source.ts';
import { packedLength, unpackPeaks } from '../../shared/domain/audio/packed-peaks.ts';
import type { PeakChunk } from '../../shared/domain/audio/peak-builder.ts';

/** What has come is taken in pieces: as a whole, megabytes would be handed over before the first picture. */
const pieceBytes = 64 * 1024;

/** Receives the peaks that main keeps or computes; false when main could not provide all of them. */
export async function receivePeaks(answer: Promise<Response>, append: (chunk: PeakChunk) => void): Promise<boolean> {
  try {
    const { ok, body } = await answer;
    if (!ok || body === null) return false;
    let rest: Uint8Array<ArrayBuffer> = new Uint8Array();
    // Kept peaks come in many pieces, which are put together once.
    let pieces: Uint8Array<ArrayBuffer>[] = [];
    let [count, wanted] = [0, 0];
    for (const reader = body.getReader({ mode: 'byob' }); ;) {
      const { done, value } = await reader.read(new Uint8Array(pieceBytes));
      if (done) return false;
      pieces.push(value);
      count += value.length;
      if (count < wanted) continue;
      rest = joined([rest, ...pieces]);
      pieces = [];
      for (let length = packedLength(rest); length !== null && length <= rest.length; length = packedLength(rest)) {
        const chunk = unpackPeaks(rest.subarray(0, length));
        if (!chunk.ok) {
          await reader.cancel();
          return false;
        }
        if (chunk.value.min.length === 0) return true;
        append(chunk.value);
        rest = rest.subarray(length);
        // Showing what has come goes before reading the next part.
        // oxlint-disable-next-line no-await-in-loop -- one part after the other
        if (rest.length > 0) await scheduler.postTask(() => undefined, { priority: 'background' });
      }
      count = rest.length;
      wanted = packedLength(rest) ?? 0;
    }
  } catch {
    // The reader left, or the decoder of main gave up.
    return false;
  }
}
