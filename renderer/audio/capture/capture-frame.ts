export const captureRate = 16_000;
/** 20 ms. */
export const frameSamples = 320;

/** A frame from the audio thread. Peak and loudness (root mean square) are of 16-bit samples. */
export interface CaptureFrame {
  /** Its first sample by the clock of the audio thread, counted from the first frame. */
  readonly at: number;
  readonly pcm: Int16Array<ArrayBuffer>;
  readonly peak: number;
  readonly rms: number;
  /** The probability of speech in it, from 0 to 1; null: not measured. */
  readonly speech: number | null;
}

/** How the page ends capturing: `finish` asks for everything captured so far, followed by an empty message. */
export type EndFrames = 'finish' | 'close';
