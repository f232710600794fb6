import type { AudioExtension } from '../../../shared/domain/media/audio-plan.ts';

/** Writes a file as its samples come. Nothing of it is complete before `finish`. */
export interface AudioWriter {
  /** One array per channel, values in -1..1; what is louder is cut at full scale. */
  write(channels: readonly Float32Array[]): Promise<void>;
  finish(): Promise<void>;
  /** Gives up: threads end, what was written stays where it is. */
  cancel(): Promise<void>;
}

export interface AudioShape {
  readonly format: AudioExtension;
  /** Samples per second of what will be written. */
  readonly sampleRate: number;
  /** 1 or 2. */
  readonly channelCount: number;
  /** Thousands of bits a second, as far as format and rate allow; null or absent: what speech needs. */
  readonly bitRate?: number | null;
  /** Bits of a sample in FLAC; the other formats with samples have 16. */
  readonly bits?: 16 | 24;
}
