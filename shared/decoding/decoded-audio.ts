export interface Bytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly size: number;
}

export interface ByteSource {
  /** At most `count` bytes starting at `from`, and the size of the recording; null when it is shorter or can't be read. */
  read(from: number, count: number): Promise<Bytes | null>;
  /** The end is exclusive and may still be looked for. A piece is valid until the next one is requested. */
  stream(from?: number, to?: number | Promise<number>): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>;
}

/** The decoder, the place to split and the first picture are all found in this much of a recording. */
export const headBytes = 256 * 1024;

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

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

export type Decode = (source: ByteSource, part?: Part) => AsyncGenerator<DecodedAudio, void, undefined>;

/** The decoders that run anywhere; for everything else there is WebCodecs, in a page alone. */
export type Engine = 'wav' | 'mp3' | 'flac' | 'vorbis' | 'opus' | 'aac';

/** Gives the memory of samples back at once: the engine would collect the arrays later than they come. */
export function release(channels: readonly Float32Array[]): void {
  for (const { buffer } of channels) if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** The memory of each block is given back after use; packets of the run-up are decoded and not given. */
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
