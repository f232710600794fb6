export interface TimeParts {
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly milliseconds: number;
}

const two = (value: number) => String(value).padStart(2, '0');

/** Splits integer milliseconds into units. Negative, fractional and unknown times count as the nearest valid one. */
export function timeParts(ms: number): TimeParts {
  const whole = Number.isFinite(ms) ? Math.max(0, Math.floor(ms)) : 0;
  return {
    hours: Math.floor(whole / 3_600_000),
    minutes: Math.floor(whole / 60_000) % 60,
    seconds: Math.floor(whole / 1000) % 60,
    milliseconds: whole % 1000,
  };
}

/** `02:25.480`, from an hour on `1:02:25.480`, in every language. */
export function timeCode(ms: number): string {
  return `${clock(ms)}.${String(timeParts(ms).milliseconds).padStart(3, '0')}`;
}

/** A position in a recording, to the second: `02:25`, from an hour on `1:02:25`. Same in every language. */
export function clock(ms: number): string {
  const { hours, minutes, seconds } = timeParts(ms);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${two(minutes)}:${two(seconds)}`;
}

/** A length to the nearest second; nothing is as long as no time. */
export const wholeSeconds = (ms: number): number =>
  Number.isFinite(ms) && ms > 0 ? Math.max(1, Math.round(ms / 1000)) : 0;

/** A length, to the nearest second, without a leading zero: `8:41`, `0:07`, `1:02:25`. */
export function lengthClock(ms: number): string {
  const { hours, minutes, seconds } = timeParts(wholeSeconds(ms) * 1000);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

export function readTimeCode(text: string): number | null {
  const [whole, hours = '0', minutes = '0', seconds = '0', rest = '0'] =
    /^(?:(?:(\d{1,2}):)?(\d{1,3}):)?(\d{1,3})(?:[.,](\d{1,3}))?$/u.exec(text.trim()) ?? [];
  if (whole === undefined || (whole.includes(':') && Number(seconds) > 59)) return null;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(rest.padEnd(3, '0'));
}

const rulerSteps = [
  100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000,
  3_600_000,
] as const;

export function rulerStep(visibleMs: number, maxMarks: number): number {
  const atLeast = visibleMs / Math.max(1, maxMarks);
  return rulerSteps.find((step) => step >= atLeast) ?? Math.ceil(atLeast / 3_600_000) * 3_600_000;
}

export function rulerMarks(fromMs: number, toMs: number, stepMs: number): readonly number[] {
  const marks: number[] = [];
  for (let at = Math.ceil(Math.max(0, fromMs) / stepMs) * stepMs; at <= toMs; at += stepMs) marks.push(at);
  return marks;
}
