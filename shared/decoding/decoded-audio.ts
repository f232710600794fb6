import type { ByteSource } from './byte-source.ts';

/** A block of audio: `frames` samples per channel, values -1..1. The arrays may be reused for the next block. */
export interface DecodedAudio {
  readonly channels: readonly Float32Array[];
  readonly frames: number;
  readonly sampleRate: number;
  /** The samples as 16-bit integers, those of all channels by turns, where the recording has them so. */
  readonly shorts?: Int16Array;
}

/** One of `of` parts of a recording that follow each other, counted from 0, for several workers; some may be empty. */
export interface Part {
  readonly index: number;
  readonly of: number;
}

export const whole: Part = { index: 0, of: 1 };

/** Decodes a recording in order, in blocks, holding a few of them at most. */
export type Decode = (source: ByteSource, part?: Part) => AsyncGenerator<DecodedAudio, void, undefined>;

/** The decoders that run anywhere; for everything else there is WebCodecs, in a page alone. */
export type Engine = 'wav' | 'mp3' | 'flac' | 'vorbis' | 'opus' | 'aac';

/** Gives the memory of samples back at once: the engine would collect the arrays later than they come. */
export function release(channels: readonly Float32Array[]): void {
  for (const { buffer } of channels) if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/**
 * Decodes blocks of this many packets; the memory of each block is given back after it was used. The packets of the
 * run-up are decoded first, and not given.
 */
export async function* decodeInBlocks(
  packets: AsyncIterable<Uint8Array>,
  perBlock: number,
  decode: (block: readonly Uint8Array[]) => DecodedAudio | null | Promise<DecodedAudio | null>,
  runUp = 0,
): AsyncGenerator<DecodedAudio, void, undefined> {
  let block: Uint8Array[] = [];
  let isRunUp = runUp > 0;
  for await (const packet of packets) {
    block.push(packet);
    if (block.length < (isRunUp ? runUp : perBlock)) continue;
    const decoded = await decode(block);
    block = [];
    if (decoded !== null) {
      if (!isRunUp) yield decoded;
      release(decoded.channels);
    }
    isRunUp = false;
  }
  const rest = isRunUp || block.length === 0 ? null : await decode(block);
  if (rest !== null) yield rest;
}
