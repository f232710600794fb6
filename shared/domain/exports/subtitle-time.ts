const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');

/** `01:02:03,004` (SRT) or `01:02:03.004` (VTT). Hours take more digits when they need them. */
export function subtitleTime(ms: number, separator: ',' | '.'): string {
  const rest = String(ms % 1000).padStart(3, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}${separator}${rest}`;
}

/** `01:02:03`, for people. */
export const clockTime = (ms: number): string =>
  `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}`;
