import {
  packedLength,
  packPeaks,
  unpackPeaks,
  bucketsPerSecond,
  joinPeaks,
  partsOfPeaks,
  splitPeaks,
  type PeakChunk,
} from '../../../shared/domain/audio/peak-builder.ts';
import type { PeaksStore } from './audio-extractor.ts';
import type { MediaTokens, PlayableMedia } from './tokens.ts';

const end = packPeaks(joinPeaks([]));
const firstBuckets = 2 * 60 * bucketsPerSecond;
const partBuckets = 20 * 60 * bucketsPerSecond;

interface WaveformSources {
  readonly store: PeaksStore;
  readonly tokens: Pick<MediaTokens, 'isIssued'>;
  /** The peaks of a recording while it is decoded; throws when there is no decoder for it, and when it is stopped. */
  readonly read: (path: string, signal: AbortSignal) => AsyncGenerator<PeakChunk, void, undefined>;
}

export function createWaveforms({ store, tokens, read }: WaveformSources) {
  const findKept = async ({ sha256 }: PlayableMedia) => {
    const kept = await store.read(sha256);
    const parts = kept === null ? null : partsOf(new Uint8Array(kept));
    if (parts?.[0] !== undefined && parts.every((part) => unpackPeaks(part).ok)) return parts;
    if (kept !== null) await store.remove(sha256);
    return null;
  };

  /** False when the recording was erased meanwhile, or the disk is full. */
  const keep = async (media: PlayableMedia, peaks: PeakChunk): Promise<boolean> => {
    if (!tokens.isIssued(media) || !(await store.write(media.sha256, inParts(peaks)))) return false;
    if (tokens.isIssued(media)) return true;
    // Erased while they were written, so they may have come after everything else was removed.
    await store.remove(media.sha256);
    return false;
  };

  return {
    keep,
    /** What can't be decoded here ends without the empty peaks that tell it is complete. */
    async open(media: PlayableMedia): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
      const kept = await findKept(media);
      if (kept !== null) {
        const parts = [...kept, end].values();
        return new ReadableStream({
          pull(controller) {
            const { value } = parts.next();
            if (value === undefined) controller.close();
            else controller.enqueue(value);
          },
        });
      }
      const left = new AbortController();
      const chunks = read(media.path, left.signal);
      const all: PeakChunk[] = [];
      return new ReadableStream({
        async pull(controller) {
          const next = await chunks.next().catch(() => null);
          if (left.signal.aborted) return;
          if (next === null) controller.close();
          else if (next.done !== true) {
            all.push(next.value);
            controller.enqueue(packPeaks(next.value));
          } else {
            controller.enqueue(end);
            controller.close();
            // A failed write only means that they are computed again next time.
            await keep(media, joinPeaks(all));
          }
        },
        async cancel() {
          left.abort();
          // Between two peaks it waits for nothing that could be stopped.
          await chunks.return();
        },
      });
    },
  };
}

function inParts(peaks: PeakChunk): Buffer {
  const [first, rest] = splitPeaks(peaks, firstBuckets);
  return Buffer.concat([first, ...partsOfPeaks(rest, partBuckets)].map(packPeaks));
}

function partsOf(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] | null {
  const parts = [];
  for (let at = 0; at < bytes.length;) {
    const length = packedLength(bytes.subarray(at));
    if (length === null || at + length > bytes.length) return null;
    parts.push(bytes.subarray(at, at + length));
    at += length;
  }
  return parts;
}
