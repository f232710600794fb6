import { Undecodable, type PcmBlock } from '../../../shared/domain/audio/pcm-block.ts';

/** Silence packs so well that a file of a megabyte may hold days of it; longer audio than this is not decoded. */
const longestAudioMs = 6 * 3_600_000;
/** As many samples as the longest audio has with two channels at 48 kHz. */
const mostSamples = (longestAudioMs / 1000) * 48_000 * 2;

/** Refuses audio that is longer than what is decoded here, before decoding when the header states the length. */
export function refuseTooMuch(seconds: number, samplesPerSecond: number): void {
  if (Number.isFinite(seconds) && (seconds * 1000 > longestAudioMs || seconds * samplesPerSecond > mostSamples))
    throw new Undecodable('audio_too_large', 'the recording is longer than six hours');
}

export interface OpenedAudio {
  readonly container: string;
  readonly codec: string;
  readonly blocks: AsyncIterable<PcmBlock>;
  /** Present only when the file stores the samples exactly like a WAV of ours. */
  readonly plain?: PlainSamples;
}

/** Samples of 16 bits in one or two channels, between two places in bytes. */
export interface PlainSamples {
  readonly start: number;
  readonly end: number;
  readonly sampleRate: number;
  readonly channelCount: number;
}
