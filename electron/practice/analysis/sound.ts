/** A run of decoded samples, one array per channel, values in -1..1. Good until the next one is asked for. */
export interface PcmBlock {
  readonly channels: readonly Float32Array[];
  readonly sampleRate: number;
}

export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

export interface Measured {
  readonly container: string;
  readonly codec: string;
  readonly durationMs: number;
  readonly sampleRate: number;
  readonly channelCount: number;
  /** Largest absolute sample, 1 is full scale. */
  readonly peak: number;
  /** Root mean square over all samples and channels. */
  readonly rms: number;
  /** Where something that may be speech was heard, in order, without overlaps. */
  readonly speech: readonly Span[];
}

/** Why a file gave no sound. The words are the service's error codes. */
export type UndecodableCode =
  | 'unsupported_media_type'
  | 'invalid_audio'
  | 'unsupported_codec'
  | 'no_audio'
  | 'audio_too_large';

export type AnalysisOutcome =
  | { readonly kind: 'measured'; readonly sound: Measured }
  /** There is more sound than was asked for; nothing else is known yet. */
  | { readonly kind: 'longer' }
  | { readonly kind: 'undecodable'; readonly code: UndecodableCode; readonly detail: string };

/** Thrown by decoders only; `analyse` turns it into an outcome. */
export class Undecodable extends Error {
  readonly code: UndecodableCode;

  constructor(code: UndecodableCode, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** Silence packs so well that a file of a megabyte may hold days of it; what is longer than this is not decoded. */
const longestSoundMs = 6 * 3_600_000;
/** As many samples as the longest sound has with two channels of 48 kHz. */
const mostSamples = (longestSoundMs / 1000) * 48_000 * 2;

/** Refuses more sound than is decoded here, also before the first of it when a header tells. */
export function refuseTooMuch(seconds: number, samplesPerSecond: number): void {
  if (Number.isFinite(seconds) && (seconds * 1000 > longestSoundMs || seconds * samplesPerSecond > mostSamples))
    throw new Undecodable('audio_too_large', 'the recording is longer than six hours');
}

export interface OpenedSound {
  readonly container: string;
  readonly codec: string;
  readonly blocks: AsyncIterable<PcmBlock>;
}
