export const captureRate = 16_000;
/** 20 ms. */
export const frameSamples = 320;

export interface CaptureFrame {
  readonly at: number;
  readonly pcm: Int16Array<ArrayBuffer>;
  readonly peak: number;
  readonly rms: number;
  /** The probability of speech in it, from 0 to 1; null: not measured. */
  readonly speech: number | null;
}

/** `finish` asks for everything captured so far, followed by an empty message. */
export type EndFrames = 'finish' | 'close';
