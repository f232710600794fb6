import { packPeaks, unpackPeaks } from '../../../shared/domain/audio/packed-peaks.ts';
import { joinPeaks, type PeakChunk } from '../../../shared/domain/audio/peak-builder.ts';
import type { PeaksStore } from './audio-folder.ts';
import type { PlayableMedia } from './media-tokens.ts';

export interface WaveformSources {
  readonly store: PeaksStore;
  /** The peaks of a recording while it is decoded; throws when there is no decoder for it, and when it is stopped. */
  readonly read: (path: string, signal: AbortSignal) => AsyncGenerator<PeakChunk, void, undefined>;
}

export interface Waveforms {
  /**
   * Packed peaks of a recording, each following the one before it, and empty ones when they are complete: those that are
   * kept, or what is decoded meanwhile, and then kept. Null when it can't be decoded here.
   */
  open(media: PlayableMedia): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | null>;
}

const end = packPeaks(joinPeaks([]));

export function createWaveforms({ store, read }: WaveformSources): Waveforms {
  const findKept = async ({ sha256 }: PlayableMedia) => {
    const kept = await store.read(sha256);
    const packed = kept === null ? null : new Uint8Array(kept);
    return packed !== null && unpackPeaks(packed).ok ? packed : null;
  };

  return {
    async open(media) {
      const kept = await findKept(media);
      if (kept !== null) {
        return new ReadableStream({
          start(controller) {
            controller.enqueue(kept);
            controller.enqueue(end);
            controller.close();
          },
        });
      }
      const left = new AbortController();
      const chunks = read(media.path, left.signal);
      // A recording that can't be decoded is known before the answer begins.
      const first = await chunks.next().catch(() => null);
      if (first === null || first.done === true) return null;
      const all: PeakChunk[] = [];
      let known: IteratorResult<PeakChunk, void> | null = first;
      return new ReadableStream({
        async pull(controller) {
          const { done, value } = known ?? (await chunks.next());
          known = null;
          if (done !== true) {
            all.push(value);
            controller.enqueue(packPeaks(value));
            return;
          }
          controller.enqueue(end);
          controller.close();
          // A failed write only means that they are computed again next time.
          if (media.keepsPeaks !== false) await store.write(media.sha256, packPeaks(joinPeaks(all)));
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
