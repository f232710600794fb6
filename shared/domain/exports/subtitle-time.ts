const padded = (length: 2 | 3) =>
  Array.from({ length: 10 ** length }, (_, value) => String(value).padStart(length, '0'));
/** Two times stand in each of thousands of cues. */
const [twoFigures, threeFigures] = [padded(2), padded(3)];

const two = (value: number): string => twoFigures[Math.floor(value)] ?? String(Math.floor(value));

/** `01:02:03,004` (SRT) or `01:02:03.004` (VTT). Hours take more digits when they need them. */
export const subtitleTime = (ms: number, separator: ',' | '.'): string =>
  `${clockTime(ms)}${separator}${threeFigures[ms % 1000] ?? String(ms % 1000).padStart(3, '0')}`;

/** `01:02:03`, for people. */
export const clockTime = (ms: number): string =>
  `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}`;
