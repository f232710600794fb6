import type { AudioExtension } from '../../../shared/domain/media/audio-plan.ts';

/** Writes a file as its samples come. The file is complete only after `finish`. */
export interface AudioWriter {
  /** One array per channel, values in -1..1; louder values are clipped. */
  write(channels: readonly Float32Array[]): Promise<void>;
  finish(): Promise<void>;
  /** Gives up: threads end, and what was written stays where it is. */
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
