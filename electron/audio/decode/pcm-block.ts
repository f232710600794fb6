/** A run of decoded samples, one array per channel, values in -1..1. Good until the next one is asked for. */
export interface PcmBlock {
  readonly channels: readonly Float32Array[];
  readonly sampleRate: number;
}

/** Why a file gave no audio. The words are the service's error codes. */
export type UndecodableCode =
  | 'unsupported_media_type'
  | 'invalid_audio'
  | 'unsupported_codec'
  | 'no_audio'
  | 'audio_too_large';

/** Thrown by decoders only. */
export class Undecodable extends Error {
  readonly code: UndecodableCode;

  constructor(code: UndecodableCode, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** Silence packs so well that a file of a megabyte may hold days of it; what is longer than this is not decoded. */
const longestAudioMs = 6 * 3_600_000;
/** As many samples as the longest sound has with two channels of 48 kHz. */
const mostSamples = (longestAudioMs / 1000) * 48_000 * 2;

/** Refuses more audio than is decoded here, also before the first of it when a header tells. */
export function refuseTooMuch(seconds: number, samplesPerSecond: number): void {
  if (Number.isFinite(seconds) && (seconds * 1000 > longestAudioMs || seconds * samplesPerSecond > mostSamples))
    throw new Undecodable('audio_too_large', 'the recording is longer than six hours');
}

export interface OpenedAudio {
  readonly container: string;
  readonly codec: string;
  readonly blocks: AsyncIterable<PcmBlock>;
  /** Absent unless the samples stand in the file as a WAV of ours has them. */
  readonly plain?: PlainSamples;
}

/** Samples of 16 bits in one or two channels, between two places in bytes. */
export interface PlainSamples {
  readonly start: number;
  readonly end: number;
  readonly sampleRate: number;
  readonly channelCount: number;
}
