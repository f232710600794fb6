/** A run of decoded samples, one array per channel, values in -1..1. Valid until the next one is requested. */
export interface PcmBlock {
  readonly channels: readonly Float32Array[];
  readonly sampleRate: number;
  /** The same as 16-bit integers, those of all channels by turns, where the recording has them so. */
  readonly shorts?: { readonly samples: Int16Array; readonly frames: number };
}

/** Why a file gave no audio. The codes are those of the service. */
export type UndecodableCode =
  | 'unsupported_media_type'
  | 'invalid_audio'
  | 'unsupported_codec'
  | 'no_audio'
  | 'audio_too_large';

export class Undecodable extends Error {
  readonly code: UndecodableCode;

  constructor(code: UndecodableCode, detail: string) {
    super(detail);
    this.code = code;
  }
}
