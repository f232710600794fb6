export const captureRate = 16_000;
/** 20 ms. */
export const frameSamples = 320;

/** What the audio thread gives. Peak and loudness (root mean square) are of 16-bit samples. */
export interface CaptureFrame {
  /** Its first sample by the clock of the audio thread, counted from the first frame. */
  readonly at: number;
  readonly pcm: Int16Array<ArrayBuffer>;
  readonly peak: number;
  readonly rms: number;
  /** How probable speech is in it, from 0 to 1; null: nobody could tell. */
  readonly speech: number | null;
}

/** What the page says to end: `finish` wants what was heard up to now, and an empty message behind it. */
export type EndFrames = 'finish' | 'close';
