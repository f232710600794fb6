export const isVideoName = (name: string): boolean =>
  /\.(?:mp4|mov|mkv|webm|avi|m4v|mpe?g|m2?ts|wmv|flv)$/iu.test(name);

/** Farther away a picture jumps; nearer it hurries or waits, which nobody sees. */
const jumpMs = 400;
/** A frame of most videos. */
const frameMs = 40;
/** How soon most of a lag is made up for. */
const settleMs = 500;
/** The slowest that Chromium plays. */
const slowest = 1 / 16;

export type PictureStep =
  | { readonly kind: 'seek'; readonly toMs: number }
  | { readonly kind: 'rate'; readonly rate: number };

/** What brings a picture to the audio, which is the clock; milliseconds, `rate` of the audio. */
export function followAudio(
  audioMs: number,
  pictureMs: number,
  { isPlaying, rate }: { readonly isPlaying: boolean; readonly rate: number },
): PictureStep {
  const lateMs = audioMs - pictureMs;
  if (Math.abs(lateMs) > (isPlaying ? jumpMs : frameMs / 2)) return { kind: 'seek', toMs: audioMs };
  const hurried = Math.max(slowest, rate + lateMs / settleMs);
  return { kind: 'rate', rate: isPlaying && Math.abs(lateMs) > frameMs ? hurried : rate };
}
