/** Frame rates of video; with `drop`, numbers are skipped so that the timecode of 29.97 keeps pace with the clock. */
export const frameRates = [
  '23.976',
  '24',
  '25',
  '29.97',
  '29.97-drop',
  '30',
  '50',
  '59.94',
  '59.94-drop',
  '60',
] as const;
export type FrameRateId = (typeof frameRates)[number];

export interface FrameRate {
  /** Frames in `per` seconds. */
  readonly frames: number;
  readonly per: number;
  /** Frame numbers per second. */
  readonly counted: number;
  readonly isDrop: boolean;
}

export function frameRateOf(id: FrameRateId): FrameRate {
  const isDrop = id.endsWith('-drop');
  const rate = Number.parseFloat(id);
  const counted = Math.ceil(rate);
  return rate === counted
    ? { frames: counted, per: 1, counted, isDrop }
    : { frames: counted * 1000, per: 1001, counted, isDrop };
}

/** The frame that is shown at this time. */
export const toFrames = (ms: number, { frames, per }: FrameRate): number => Math.round((ms * frames) / (per * 1000));

/** `01:02:03:04`, with a semicolon before the frames for drop-frame timecode. */
export function timecode(frame: number, { counted, isDrop }: FrameRate): string {
  let number = frame;
  if (isDrop) {
    // Two numbers (four at 59.94) are skipped each minute, except every tenth.
    const dropped = counted / 15;
    const perTen = counted * 600 - dropped * 9;
    const perMinute = counted * 60 - dropped;
    const rest = frame % perTen;
    number +=
      dropped * 9 * Math.floor(frame / perTen) +
      (rest >= dropped ? dropped * Math.floor((rest - dropped) / perMinute) : 0);
  }
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const seconds = Math.floor(number / counted);
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}${isDrop ? ';' : ':'}${two(number % counted)}`;
}
