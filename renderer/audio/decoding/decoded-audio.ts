/** A block of sound: `frames` samples per channel, values -1..1. The arrays may be used again for the next block. */
export interface DecodedAudio {
  readonly channels: readonly Float32Array[];
  readonly frames: number;
  readonly sampleRate: number;
}

/** All of a recording, or one of two halves of it that two workers read; the second may be empty. */
export type Part = 'all' | 'first' | 'second';

/** Decodes a recording from its same-origin address in order, in blocks, holding a few of them at most. */
export type Decode = (url: string, part?: Part) => AsyncGenerator<DecodedAudio, void, undefined>;

/** The ways to decode that exist; `webcodecs` serves what has none of its own, and is the way out for the others. */
export type Engine = 'wav' | 'mp3' | 'flac' | 'vorbis' | 'opus' | 'webcodecs';
